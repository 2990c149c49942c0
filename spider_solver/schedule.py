"""The sequence of attempts on a deal: one endless list of beams, fixed by the number of suits.

A budget only cuts the list, so a deal that is won within a budget is won by the same line within
every greater one.  Narrow beams come first, because most deals fall to one of them within a few
thousand nodes; an attempt that fails is followed by another with fresh noise and other settings,
since what stops one beam seldom stops the next.  The opening was chosen step by step on the deals
that the steps before it had left (``benchmarks/README.md``); after it widths grow slowly and the
settings are drawn from those that won the hardest deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from spider_solver.kernels.evaluation import ALL_COLUMNS, Weights
from spider_solver.kernels.workspace import MOST_WIDTH

NOISE = 1.33
"""Width of the noise that the noise of an attempt is a multiple of, in units of the evaluation."""

LENGTH_PRICE = 0.05
"""Price of an action in the pool: higher makes lines shorter and wins rarer."""

PROPOSING = 0.2
"""Part of a layer, the best first, whose deals are looked at: more costs nodes and wins no more."""

LAST_PATIENCE = 60
"""Layers without progress after the last deal before an attempt ends."""

WIDTHS = {1: 0.5, 2: 0.6, 3: 0.8, 4: 1.0}
"""How wide beams are, by suits: with fewer suits narrower ones suffice."""

FIRST = Weights()
"""Cross-entropy search on random deals; see "Search strength" in ``benchmarks/README.md``."""

SECOND = Weights(
    off_suit=1.593,
    broken=1.362,
    above=-0.03,
    king_on_card=0.145,
    same_suit_below=0.101,
    off_suit_rank=-0.161,
    broken_rank=-0.063,
    base=0.266,
    base_rank=0.278,
    hidden=0.34,
    any_hidden=0.178,
    first_empty=0.934,
    more_empty=0.613,
    completed_run=0.571,
    curve=0.132,
)
"""CMA-ES from ``FIRST`` (``benchmarks.tune``, kpat 10,000 and up): as good, on other deals."""

CARELESS = Weights(hidden=0.0, any_hidden=0.0)
"""``FIRST`` without a price of face-down cards: some deals must not be dug up early."""


@dataclass(frozen=True)
class Attempt:
    """The settings of one beam.

    Attributes:
        width: positions of a layer.
        classes: at least so many diversity classes share a layer: positions with the same
            face-down counts take at most ``width / classes`` of its places. Games that start
            without face-down cards have no classes.
        noise: width of the noise, in units of the evaluation.
        patience: layers without progress before a stage ends.
        weights: of the evaluation.
        seed: of the noise; odd.
        keyed: the columns whose face-down counts make a diversity class, a bit each.
        last_patience: patience after the last deal.
        length_price: price of an action in the pool, in units of the evaluation.
        proposing: part of a layer, the best first, whose deals are looked at.
        siblings: 1 to leave moves that commute to elder siblings, which saves nodes and loses
            nothing; 0 only to measure that.
    """

    width: int
    classes: float
    noise: float
    patience: int
    weights: Weights
    seed: int
    keyed: int = ALL_COLUMNS
    last_patience: int = LAST_PATIENCE
    length_price: float = LENGTH_PRICE
    proposing: float = PROPOSING
    siblings: int = 1


OPENING: tuple[tuple[int, float, float, int, Weights], ...] = (
    # width, classes, noise / NOISE, patience, weights
    (8, 10, 1.8, 20, FIRST),
    (9, 2, 1.2, 28, SECOND),
    (15, 2, 1.0, 16, SECOND),
    (15, 2.5, 1.5, 11, CARELESS),
    (27, 4, 1.8, 8, FIRST),
    (22, 4, 1.0, 16, SECOND),
    (18, 6, 2.4, 11, FIRST),
    (34, 4, 1.8, 11, SECOND),
    (35, 16, 1.5, 8, SECOND),
    (34, 2.5, 2.4, 11, FIRST),
    (37, 6, 1.0, 28, CARELESS),
    (41, 2, 2.4, 20, SECOND),
    (53, 4, 2.4, 11, SECOND),
    (49, 16, 2.4, 28, SECOND),
)

LATER_WIDTH = 60
LATER_DOUBLING = 4
"""Attempts in which widths double after the opening."""

_LATER_CLASSES = ((256, (2.5, 4, 10, 16, 25)), (2048, (4, 10, 25, 60)), (MOST_WIDTH, (25, 60, 150)))
_LATER_NOISE = (1.0, 1.5, 1.8, 2.4)
_LATER_PATIENCE = (14, 20, 35, 50)
_LATER_WEIGHTS = (FIRST, SECOND, CARELESS)

KEYED_WIDTH = 200
"""From this width on, one attempt in four takes its diversity from some of the columns only."""

SECOND_ATTEMPTS = {4: ((95.0, 2), (102.0, 4), (110.0, 7))}
"""Scores at the last deal of the first attempt, and the attempt that follows above each.

After a bad score narrow beams seldom win: of the 280 of 1400 training deals that the first attempt
leaves above 107, beams number 1, 4 and 7 (9, 27 and 34 wide) win 4, 34 and 43 in a hundred for
4,600, 17,800 and 24,600 nodes.  With two suits or one such a score tells too little.
"""

COMPLETE_TURNS = {len(OPENING) + 12: 100_000, len(OPENING) + 17: 2_000_000}
"""Before which attempts a complete search has a turn, and with how many nodes.

Most games are far too large for it, but a few are stuck early, and no beam can tell.  Small games
do not wait for their turn: see ``Solver``.
"""

ONE_PACK_TURNS = COMPLETE_TURNS | {len(OPENING) + 40: 18_000_000}
"""The same for games of one pack: their lost deals often have a few million positions."""

NODES_A_POSITION = 3
"""A complete search in its turn gets memory for a position per so many nodes, or the default."""

_GOLDEN = 0x9E3779B97F4A7C15
_WORD = 1 << 64

Choice = TypeVar("Choice")


def attempt(number: int, suits: int = 4) -> Attempt:
    """The attempt with a number, counted from 0, on a deal of so many suits."""
    if number < len(OPENING):
        width, classes, noise, patience, weights = OPENING[number]
        return Attempt(
            width=max(4, round(width * WIDTHS[suits])),
            classes=classes,
            noise=NOISE * noise,
            patience=patience,
            weights=weights,
            seed=_word(number, 0) | 1,
        )
    later = number - len(OPENING)
    doublings, part = divmod(later, LATER_DOUBLING)
    width = LATER_WIDTH * (1 << min(doublings, 20)) * (LATER_DOUBLING + part) // LATER_DOUBLING
    width = min(max(4, round(width * WIDTHS[suits])), MOST_WIDTH)
    keyed = ALL_COLUMNS
    if width >= KEYED_WIDTH and later % 4 == 3:
        keyed = _some_columns(number)
    return Attempt(
        width=width,
        classes=_pick(number, 1, next(known for most, known in _LATER_CLASSES if width <= most)),
        noise=NOISE * _pick(number, 2, _LATER_NOISE),
        patience=_pick(number, 3, _LATER_PATIENCE),
        weights=_pick(number, 4, _LATER_WEIGHTS),
        seed=_word(number, 0) | 1,
        keyed=keyed,
    )


def second_attempt(score: float, suits: int) -> int:
    """The number of the attempt that follows the first, whose last deal came to ``score``."""
    return max(
        (after for above, after in SECOND_ATTEMPTS.get(suits, ()) if score > above), default=1
    )


def _word(number: int, use: int) -> int:
    """64 bits fixed by an attempt and what they are for (splitmix64)."""
    word = (number * 16 + use + 1) * _GOLDEN % _WORD
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % _WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % _WORD
    return word ^ (word >> 31)


def _pick(number: int, use: int, known: Sequence[Choice]) -> Choice:
    return known[_word(number, use) % len(known)]


def _some_columns(number: int) -> int:
    """Five to seven of ten columns, a bit each."""
    wanted = 5 + _word(number, 5) % 3
    columns = sorted(range(10), key=lambda column: _word(number * 10 + column, 6))
    return sum(1 << column for column in columns[:wanted])
