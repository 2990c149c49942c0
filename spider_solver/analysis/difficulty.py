"""How hard a deal is: how wide a beam must be to win it.

A beam is a player that keeps several positions in mind (its width) and plays by a fixed taste with
some chance in it (its noise). Beams of width 1, 2, 4, 8, … try the deal, several of each width, and
the score is the sum of the shares that lose:

    score = lost share at width 1 + lost share at width 2 + lost share at width 4 + …

up to the first width at which no more than three in sixteen lose. A score of 3 says that the deal
asks for some three doublings of a beam of width 1. Such a sum of shares is the Spearman-Kärber
estimate of the mean logarithm of the width that a beam needs (C. Spearman, British Journal of
Psychology 2, 1908; G. Kärber, Arch. exp. Path. Pharmak. 162, 1931); it may try cheap widths often
and dear ones seldom. It is one scale for any number of suits.

This is difficulty for a program that sees all cards. Nobody has measured people.
"""

import json
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from spider_solver.game.position import Position
from spider_solver.kernels.evaluation import Weights
from spider_solver.kernels.layout import EVERY_MOVE
from spider_solver.search.portfolio import Attempt
from spider_solver.search.solver import Solver

WIDEST = 1024
"""Width of the last beams; a deal that all of them lose has the greatest score, 11."""

SERIES = 0
"""The noise that scores are made with; another series measures the same deal anew."""

_FEW = 3 / 16  # a width at which at most this share of the beams loses is the last

# Beams of width 1, 2, 4, …, by suits; the last number goes for all wider ones. Chosen on 80 to 200
# deals from kpat 10,000 on: two measurements agree best for 0.15M, 0.3M and 1.3M nodes (1, 2, 4
# suits) where beams are many at the widths that decide. Noise and patience matter little.
_BEAMS = {
    1: (32, 16, 8),
    2: (32, 32, 16, 8),
    3: (8, 8, 16, 16, 16, 8),
    4: (8, 8, 16, 16, 16, 8),
}


@dataclass(frozen=True)
class Difficulty:
    """What a measure made of a deal.

    Attributes:
        score: the number, from 0 up; greater for a harder deal.
        lost: beams that lost, for each width tried; empty if the measure tries no widths.
        nodes: successors that were generated.
        complete: whether the measurement came to its end; otherwise ``score`` is a lower bound.
    """

    score: float
    lost: tuple[int, ...]
    nodes: int
    complete: bool = True


class Measure(Protocol):
    """A way to measure how hard a deal is; ``MEASURES`` has them by name."""

    def __call__(
        self,
        position: Position,
        solver: Solver | None = None,
        series: int = SERIES,
        most: float = float("inf"),
    ) -> Difficulty:
        """Measure a deal; the arguments are those of :func:`measure`."""


def beams_at(width: int, suits: int) -> int:
    """How many beams of a width try a deal of so many suits: most where such deals are decided."""
    counts = _BEAMS[suits]
    return counts[min(width.bit_length(), len(counts)) - 1]


def measure(
    position: Position,
    solver: Solver | None = None,
    series: int = SERIES,
    most: float = float("inf"),
) -> Difficulty:
    """Measure how hard a position is: the sum of the shares of beams that lose, over the widths.

    What it costs is a number of nodes that hangs on the position, no time.

    Args:
        position: the deal; one that is lost gets the greatest score.
        solver: runs the beams; by default one is made.
        series: the noise of the beams.
        most: stop as soon as the score is sure to be greater than this.

    Raises:
        UnsupportedRules: the game is too large for the kernels.
    """
    solver = solver or Solver()
    score, nodes = 0.0, 0
    lost: list[int] = []
    width = 1
    while width <= WIDEST and score <= most:
        beams = beams_at(width, position.rules.suits)
        wins, spent = solver.count_wins(position, _beams(width, beams, series))
        nodes += spent
        lost.append(beams - wins)
        score += lost[-1] / beams
        if lost[-1] <= _FEW * beams:
            return Difficulty(score, tuple(lost), nodes)
        width *= 2
    return Difficulty(score, tuple(lost), nodes, complete=width > WIDEST)


def _beams(width: int, count: int, series: int) -> Iterator[Attempt]:
    """Beams that differ in their noise alone; nothing here follows the solver's portfolio."""
    for number in range(count):
        name = f"{series} {width} {number}".encode()
        yield Attempt(
            width=width,
            classes=4,
            noise=2.0,
            patience=20,
            weights=Weights(coming=0.0),  # as when the bands were measured
            seed=int.from_bytes(sha256(name).digest()[:8]) | 1,
            last_patience=60,
            length_price=0.05,
            proposing=0.2,
            moves=EVERY_MOVE,
        )


DEFAULT_MEASURE = "difficulty"

MEASURES: dict[str, Measure] = {DEFAULT_MEASURE: measure}
"""The measures by name: the name of the file of references beside this module, and of the file of
difficulties in a data set."""


class Band(StrEnum):
    """A class of difficulty: the easiest two fifths of fresh deals, and so on upward."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"


TOPS = {Band.EASY: 40, Band.MEDIUM: 75, Band.HARD: 90, Band.EXPERT: 100}
"""How many of a hundred fresh deals are at most as hard as a band's hardest."""


@dataclass(frozen=True)
class Reference:
    """How the scores of fresh deals with one number of suits are spread.

    Attributes:
        suits: the number of suits.
        deals: the deals that were measured, such as ``kpat 1-1000``.
        percentiles: the scores that 0, 1, 2, … and 100 of a hundred deals do not exceed.
    """

    suits: int
    deals: str
    percentiles: tuple[float, ...]

    def easier(self, score: float) -> int:
        """How many of a hundred fresh deals have a lower score."""
        return min(bisect_left(self.percentiles, score), 100)

    def band(self, score: float) -> Band:
        """The class of a score."""
        return next(band for band in Band if score <= self.limits(band)[1])

    def limits(self, band: Band) -> tuple[float, float]:
        """The scores of a band lie above the first of these, and at most at the second."""
        below = max((top for top in TOPS.values() if top < TOPS[band]), default=None)
        low = -1.0 if below is None else self.percentiles[below]
        return low, float("inf") if band == Band.EXPERT else self.percentiles[TOPS[band]]


def reference_file(name: str) -> Path:
    """A measure's references, by suits; ``python -m benchmarks.ship_difficulty`` makes them."""
    return Path(__file__).with_name(f"{name}.json")


@cache
def reference(suits: int, name: str = DEFAULT_MEASURE) -> Reference:
    """The reference of a number of suits, of the measure with a name.

    Raises:
        ValueError: none ships for this number.
    """
    known = json.loads(reference_file(name).read_text(encoding="utf-8"))
    if str(suits) not in known:
        raise ValueError(f"no {name} is known for {suits} suits: only for {', '.join(known)}")
    one = known[str(suits)]
    return Reference(suits, one["deals"], tuple(one["percentiles"]))
