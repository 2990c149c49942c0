"""From rows to knowledge: shares with intervals, curves, comparisons, fairness of shuffles.

``samples`` reads data sets, deal by deal, into arrays; ``share``, ``curves`` and ``compare`` count
them, ``statistics`` has the intervals and tests, ``reports`` puts what was counted into words and
``plots`` into pictures. ``fairness`` looks at boards that came from elsewhere.
"""
