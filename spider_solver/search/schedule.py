"""The sequence of attempts on a deal: one endless list of beams, fixed by suits and packs.

A budget only cuts the list, so a deal that is won within a budget is won by the same line within
every greater one.  Very narrow beams come first, because most deals fall to one of them within a
few thousand nodes; an attempt that fails is followed by a wider one with fresh noise and other
settings, since what stops one beam seldom stops the next.  Widths grow by a constant factor, and
settings are drawn from those that win the most deals for their nodes: the first attempts make no
move but joins where there is one, later ones all moves with a purpose, some of the last every move.
Where the numbers come from: "Search strength" in ``benchmarks/README.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from spider_solver.kernels.evaluation import ALL_COLUMNS, Weights
from spider_solver.kernels.layout import EVERY_MOVE, JOINS_FIRST, PURPOSEFUL
from spider_solver.kernels.workspace import MOST_WIDTH

NOISE = 1.33
"""Width of the noise that the noise of an attempt is a multiple of, in units of the evaluation."""

LENGTH_PRICE = 0.05
"""Price of an action in the pool: higher makes lines shorter and wins rarer."""

PROPOSING = 0.2
"""Part of a layer, the best first, whose deals are looked at: more costs nodes and wins no more."""

LAST_PATIENCE = 60
"""Layers without progress after the last deal before an attempt ends."""

FIRST = Weights()
"""Cross-entropy search on random deals."""

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
        moves: which moves positions are expanded by (:mod:`.kernels.purpose`).
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
    moves: int = PURPOSEFUL
    siblings: int = 1


START = {1: 2, 2: 3, 3: 6, 4: 12}
"""Width of the first beam of a game of two packs, by suits."""

ONE_PACK = 52
"""Cards of a pack."""

ONE_PACK_START = 24
"""The same of a game of one pack, whatever its suits: the narrowest beams win few of these."""

DOUBLING = 5
"""Attempts in which widths double."""

FIRST_LATER, FIRST_LATEST = 8, 24
"""The first attempts whose settings are drawn from ``_LATER`` and from ``_LATEST``."""


class _Choices(NamedTuple):
    """What the settings of an attempt are drawn from."""

    classes: tuple[tuple[int, tuple[float, ...]], ...]  # for widths up to some number
    noise: tuple[float, ...]  # in multiples of NOISE
    patience: tuple[int, ...]
    moves: tuple[int, ...]


_EARLY = _Choices(
    classes=((MOST_WIDTH, (1.5, 2, 2.5, 4, 6)),),
    noise=(1.0, 1.5, 1.8, 2.4),
    patience=(8, 11, 16, 20, 28),
    moves=(JOINS_FIRST,),
)
_LATER = _Choices(
    classes=((256, (4, 10, 16, 25)), (2048, (4, 10, 25, 60)), (MOST_WIDTH, (25, 60, 150))),
    noise=(1.5, 1.8, 2.4),
    patience=(14, 20, 35, 50),
    moves=(PURPOSEFUL, PURPOSEFUL, JOINS_FIRST),
)
_LATEST = _LATER._replace(moves=(PURPOSEFUL, PURPOSEFUL, JOINS_FIRST, EVERY_MOVE))
_ONE_PACK_MOVES = (EVERY_MOVE, PURPOSEFUL)
_WEIGHTS = (FIRST, SECOND, CARELESS)

SERIES = 3
"""Of the draws: of eight series the one with the fewest nodes on training deals."""

KEYED_WIDTH = 200
"""From this width on, one attempt in four takes its diversity from some of the columns only."""


class CompleteTurn(NamedTuple):
    """A turn of the complete search, before the first beam of so many positions a layer."""

    width: int
    nodes: int


COMPLETE_TURNS = (CompleteTurn(1000, 100_000), CompleteTurn(3000, 2_000_000))
"""When a complete search has its turns, and with how many nodes.

Most games are far too large for it, but a few are stuck early, and no beam can tell.  Small games
do not wait for their turn: see ``Solver``.
"""

ONE_PACK_TURNS = (*COMPLETE_TURNS, CompleteTurn(MOST_WIDTH, 18_000_000))
"""The same for games of one pack: their lost deals often have a few million positions."""

NODES_A_POSITION = 3
"""A complete search in its turn gets memory for a position per so many nodes, or the default."""

_GOLDEN = 0x9E3779B97F4A7C15
_WORD = 1 << 64
_MOST_DOUBLINGS = 20  # more would only overflow

Choice = TypeVar("Choice")


def attempt(number: int, suits: int = 4, cards: int = 2 * ONE_PACK) -> Attempt:
    """The attempt with a number, counted from 0, on a game of so many suits and cards."""
    one_pack = cards <= ONE_PACK
    start = ONE_PACK_START if one_pack else START[suits]
    width = min(round(start * 2 ** min(number / DOUBLING, _MOST_DOUBLINGS)), MOST_WIDTH)
    choices = _EARLY if number < FIRST_LATER else _LATER if number < FIRST_LATEST else _LATEST
    keyed = width >= KEYED_WIDTH and number % 4 == 3
    return Attempt(
        width=width,
        classes=_pick(number, 1, next(some for most, some in choices.classes if width <= most)),
        noise=NOISE * _pick(number, 2, choices.noise),
        patience=_pick(number, 3, choices.patience),
        weights=_pick(number, 4, _WEIGHTS),
        seed=_word(number, 0) | 1,
        keyed=_some_columns(number) if keyed else ALL_COLUMNS,
        moves=_pick(number, 7, _ONE_PACK_MOVES if one_pack else choices.moves),
    )


def _word(number: int, use: int) -> int:
    """64 bits fixed by an attempt and what they are for (splitmix64)."""
    word = ((1000 * SERIES + number) * 16 + use + 1) * _GOLDEN % _WORD
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
