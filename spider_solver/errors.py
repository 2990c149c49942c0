"""The class of all errors of this package."""


class SpiderError(Exception):
    """What this package raises on purpose; the message says in one line what is wrong.

    Most of these are a ``ValueError`` too.
    """
