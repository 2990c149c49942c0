"""Which deals are measured: training, reporting and seen ones never mix."""

from itertools import chain, islice
from typing import NamedTuple

from spider_solver.game.numberings import NumberingError, parse_seeds

PRESETS = {
    "training": ("kpat", "10000-999999"),
    "reporting": ("kpat", "1-1000,1000000-2147483647"),
    "seen": ("pysol", "1-32000"),
}
"""Deals that settings may be fitted to; deals that figures are quoted of; deals that people have
looked at for years, good for a list of hard ones."""


class Numbered(NamedTuple):
    """Deals by number."""

    numbering: str
    suits: int
    seeds: tuple[int, ...]


def choose(
    seeds: str, suits: int, deals: int | None, skip: int = 0, numbering: str = "kpat"
) -> Numbered:
    """The deals of a preset or of a list of seeds.

    Args:
        seeds: name of a preset, or a list such as ``1-1000,2000``.
        suits: suits of the game.
        deals: how many of them, from the first on; a preset has 1000 unless told.
        skip: leave out as many first.
        numbering: whose numbers a list holds; a preset has its own.

    Raises:
        NumberingError: the list cannot be read or has no deals left.
    """
    if seeds in PRESETS:
        numbering, seeds = PRESETS[seeds]
        deals = deals or 1000
    numbers = chain.from_iterable(parse_seeds(seeds))
    chosen = tuple(islice(numbers, skip, None if deals is None else skip + deals))
    if not chosen:
        raise NumberingError("no deals are left")
    return Numbered(numbering, suits, chosen)
