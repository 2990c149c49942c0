"""Are the deals of a game fairly shuffled? A test against simulated fair shuffles.

The deals of a file are judged by the statistics of ``shuffles``, each against its own values in
thousands of simulated files of as many fair deals of the same deck in the same layout. So a
p-value is exact, whatever the distribution of the statistic and however the cards of a deck
depend on each other (Dwass 1957; Phipson and Smyth 2010), and the corrected ones
(Holm 1979) hold however the statistics do. docs/fairness.md tells what the test can find.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from math import ceil
from typing import Any

import numpy as np

from spider_solver.analysis.shuffles import (
    Cards,
    Layout,
    Statistic,
    measure,
    repeats,
    simulate,
    statistics_of,
)
from spider_solver.analysis.statistics import Floats, holm
from spider_solver.analysis.tables import Section, Table
from spider_solver.game.words import count_words

SIMULATIONS = 1999
"""Simulated files: the smallest p-value is then 1 in 2000."""

_POWER = 0.8
REPEATS = "deals that were there before"


@dataclass(frozen=True)
class Finding:
    """One statistic of the file and how unusual it is.

    Attributes:
        name: what it is.
        here: its value for the file.
        fair: its mean over files of fair shuffles.
        low: the lower end of the range that has 95% of these.
        high: the upper end.
        findable: how far a value must be from that of fair shuffles on average to be found, at
            the level and after the correction, 4 times in 5; None if that says nothing.
        p_value: the chance of a value at least as unusual.
        corrected: Holm's p-value for all tests together.
    """

    name: str
    here: float
    fair: float
    low: float
    high: float
    findable: float | None
    p_value: float
    corrected: float = 1.0


@dataclass(frozen=True)
class Fairness:
    """What the test says of a file.

    Attributes:
        layout: the game.
        deals: how many there are.
        simulations: simulated files.
        seed: where their chance comes from.
        level: the chance of calling fair deals unfair.
        tests: one for each statistic.
    """

    layout: Layout
    deals: int
    simulations: int
    seed: int
    level: float
    tests: tuple[Finding, ...]

    @property
    def unfair(self) -> list[Finding]:
        """The tests that speak against fair shuffles."""
        return [test for test in self.tests if test.corrected <= self.level]

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        rules = self.layout.rules
        return {
            "variant": rules.name,
            "suits": rules.suits,
            "deals": self.deals,
            "simulations": self.simulations,
            "seed": self.seed,
            "level": self.level,
            "fair": not self.unfair,
            "tests": [asdict(test) for test in self.tests],
        }


def least_simulations(layout: Layout, level: float) -> int:
    """How many files must be simulated for any statistic to be found unusual at a level."""
    return ceil(2 * (len(statistics_of(layout)) + 1) / level)


def p_values(statistics: Sequence[Statistic], here: Floats, fair: Floats) -> Floats:
    """How unusual values are among those of fair shuffles.

    Args:
        statistics: what they are.
        here: shape (..., statistics).
        fair: shape (simulations, statistics).

    Returns:
        Shape (..., statistics): the share of values at least as unusual, the one at hand counted
        among them, which makes it exact.
    """
    ordered = np.sort(fair, axis=0)
    count = len(fair) + 1
    columns = []
    for place, statistic in enumerate(statistics):
        values, column = here[..., place], ordered[:, place]
        above = (count - np.searchsorted(column, values, side="left")) / count
        below = (1 + np.searchsorted(column, values, side="right")) / count
        two_sided = np.minimum(1.0, 2 * np.minimum(above, below))
        columns.append(two_sided if statistic.two_sided else above)
    return np.stack(columns, axis=-1)


def difficulties(
    layout: Layout, deals: Cards, progress: Callable[[int], None] | None = None
) -> Floats:
    """The difficulty score of each deal; it takes up to half a second a deal.

    Args:
        layout: of the deals.
        deals: shape (deals, cards).
        progress: is told of each deal that is done.

    Raises:
        UnsupportedRules: the solver does not play the game.
    """
    from spider_solver.analysis.difficulty import measure as measure_difficulty
    from spider_solver.search.solver import Solver

    solver = Solver()
    scores = []
    for cards in deals:
        scores.append(measure_difficulty(layout.position(cards), solver).score)
        if progress is not None:
            progress(1)
    return np.array(scores)


def judge(
    layout: Layout,
    deals: Cards,
    simulations: int = SIMULATIONS,
    seed: int = 1,
    level: float = 0.05,
    scores: tuple[Floats, Floats] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Fairness:
    """Test whether deals are fairly shuffled. The same arguments give the same answer.

    Args:
        layout: of the deals.
        deals: shape (deals, cards).
        simulations: files of fair shuffles to compare with.
        seed: of their chance.
        level: the chance of calling fair deals unfair that is taken.
        scores: difficulties of the deals, and of fair shuffles to compare them with.
        progress: is told how many files have been simulated since it was last.
    """
    statistics = statistics_of(layout)
    here = measure(layout, deals[None])[0]
    parts = []
    for part in simulate(layout, len(deals), simulations, np.random.default_rng(seed)):
        parts.append(part)
        if progress is not None:
            progress(len(part))
    fair = np.concatenate(parts)
    needed = _errors(level, len(statistics) + 1 + (scores is not None))
    again, of_repeats = repeats(deals)
    findings = [
        *_simulated(statistics, here, fair, needed),
        Finding(REPEATS, again, 0.0, 0.0, 0.0, None, of_repeats),
    ]
    if scores is not None:
        findings.append(_of_difficulty(*scores, needed))
    corrected = holm([finding.p_value for finding in findings])
    tests = (replace(test, corrected=p) for test, p in zip(findings, corrected, strict=True))
    return Fairness(layout, len(deals), simulations, seed, level, tuple(tests))


def _simulated(
    statistics: Sequence[Statistic], here: Floats, fair: Floats, needed: float
) -> Iterator[Finding]:
    """What each statistic says, by its values in simulated files of fair shuffles."""
    found = p_values(statistics, here, fair)
    low, high = np.quantile(fair, [0.025, 0.975], axis=0)
    for place, statistic in enumerate(statistics):
        yield Finding(
            name=statistic.name,
            here=float(here[place]),
            fair=float(fair[:, place].mean()),
            low=float(low[place]),
            high=float(high[place]),
            findable=needed * float(fair[:, place].std()) if statistic.two_sided else None,
            p_value=float(found[place]),
        )


def _of_difficulty(here: Floats, fair: Floats, needed: float) -> Finding:
    """What difficulty says, by Mann and Whitney's test (1947) of the deals and fair shuffles."""
    from scipy.stats import mannwhitneyu

    error = float(np.sqrt(fair.var(ddof=1) * (1 / here.size + 1 / fair.size)))
    return Finding(
        name=f"difficulty (beside {fair.size:,} fair shuffles)",
        here=float(here.mean()),
        fair=float(fair.mean()),
        low=float(fair.mean()) - 1.96 * error,
        high=float(fair.mean()) + 1.96 * error,
        findable=needed * error,
        p_value=float(mannwhitneyu(here, fair).pvalue),
    )


def _errors(level: float, tests: int) -> float:
    """How many standard errors a value must be off to be found with the power in so many tests.

    By the normal distribution, at Bonferroni's level, which is where Holm's correction begins.
    """
    from scipy.stats import norm

    return float(norm.ppf(1 - level / (2 * tests)) + norm.ppf(_POWER))


def report(fairness: Fairness) -> list[Section]:
    """The test in a table, with what it says."""
    head = ["per deal", "here", "fair", "95% of fair files", "findable", "p", "Holm"]
    rows = [
        [
            test.name,
            _value(test.here),
            _value(test.fair),
            f"{_value(test.low)} to {_value(test.high)}",
            "-" if test.findable is None else f"±{_value(test.findable)}",
            f"{test.p_value:.2g}",
            f"{test.corrected:.2g}",
        ]
        for test in fairness.tests
    ]
    rules = fairness.layout.rules
    game = f"{rules.name}, {count_words(rules.suits, 'suit')}"
    title = (
        f"{count_words(fairness.deals, 'deal')} of {game}, "
        f"beside {fairness.simulations:,} files of as many fair shuffles (seed {fairness.seed})"
    )
    return [Section(title, [Table(head, rows)], [_verdict(fairness), *NOTES])]


def _value(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _verdict(fairness: Fairness) -> str:
    level = f"{100 * fairness.level:g}%"
    if not fairness.unfair:
        return (
            f"verdict: nothing speaks against fair shuffles at {level}. That is not a proof of "
            "fairness: see what could have been found."
        )
    names = "; ".join(test.name for test in fairness.unfair)
    return (
        f"verdict: these are not fair shuffles, or not all deals of a fair game ({names}). Fair "
        f"ones would be called so in at most {level} of all files."
    )


NOTES = (
    "p: chance of a value at least as unusual among fair shuffles; Holm: the same corrected for "
    "the number of tests: that is the one to go by.",
    "findable: how far off a value must be on average to be found 4 times in 5 with so many "
    "deals; more deals find smaller biases (docs/fairness.md: power against ways of rigging).",
    "The deals must be all that were dealt in some stretch of play: those that somebody chose, "
    "say because they were hard, are no fair sample of a fair game.",
)
