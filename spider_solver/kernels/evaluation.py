"""The evaluation: what a position costs, as small integer tables (lower is better).

Almost all of it is a count of neighbours in a column that do not belong together.  An off-suit
neighbour of the next rank costs as much as a broken one: it must be taken apart just the same.
Weights are in units of one broken neighbour or so, and become integers of 1/64.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.layout import Evaluation, Int32s

COST_UNIT = 64
"""Integer price of a weight of 1."""

ALL_COLUMNS = (1 << 16) - 1
"""All columns, a bit each."""

_CURVE_SIZE = 1 << 14
_MOST_COLUMNS = 16
_USUAL_HIDDEN = 64  # face-down counts that are drawn first: room for more changes no number
_KING = 13


@dataclass(frozen=True)
class Weights:
    """Weights of the evaluation; the names say what costs.

    ``off_suit`` and ``broken``: a neighbour of the next rank but another suit, and any other
    neighbour that is not the next card of the same suit; ``above``: each rank by which the upper
    of two broken neighbours exceeds the lower; ``king_on_card``: a king that lies on something;
    ``same_suit_below``: a broken neighbour that waits above a lower card of its own suit;
    ``off_suit_rank``, ``broken_rank``: the same by rank of the card on top and below;
    ``base``, ``base_rank``: a column whose deepest card is no king, and how far it is from one;
    ``hidden``, ``any_hidden``: a face-down card, and a column that has any;
    ``first_empty``, ``more_empty``: gain of the first empty column and of further ones;
    ``completed_run``: gain of a completed run; ``curve``: a column of price x costs
    x + curve * sqrt(x); ``coming``: how much counts already of the junction that the next row's
    card will make on the last card of its column.
    """

    off_suit: float = 1.585
    broken: float = 1.343
    above: float = -0.009
    king_on_card: float = 0.153
    same_suit_below: float = 0.055
    off_suit_rank: float = -0.018
    broken_rank: float = -0.003
    base: float = 0.168
    base_rank: float = 0.064
    hidden: float = 0.283
    any_hidden: float = 0.104
    first_empty: float = 1.009
    more_empty: float = 0.519
    completed_run: float = 0.623
    curve: float = 0.182
    coming: float = 0.2


def _integer(value: float) -> int:
    return round(value * COST_UNIT)


def _junction(weights: Weights, below: int, above: int, ranks: int) -> float:
    rank_below, rank_above = below & layout.CARD_RANK, above & layout.CARD_RANK
    same_suit = below >> 4 == above >> 4
    if rank_below == rank_above + 1:
        if same_suit:
            return 0.0
        return weights.off_suit + weights.off_suit_rank * rank_above / ranks
    price = weights.broken + weights.broken_rank * rank_below / ranks
    if rank_above > rank_below:
        price += weights.above * (rank_above - rank_below)
        price += weights.same_suit_below if same_suit else 0.0
    return price + (weights.king_on_card if rank_above == ranks else 0.0)


@lru_cache(maxsize=64)
def evaluation_of(weights: Weights, ranks: int = _KING, keyed: int = ALL_COLUMNS) -> Evaluation:
    """The tables of ``weights`` for a game of ``ranks`` ranks.

    The face-down counts of the ``keyed`` columns, a bit each, make the diversity class.
    """
    junction = np.zeros(layout.CARD_CODES * layout.CARD_CODES, np.int32)
    base = np.zeros(layout.CARD_CODES, np.int32)
    cards = [suit * 16 + rank for suit in range(4) for rank in range(1, ranks + 1)]
    for below in cards:
        rank = below & layout.CARD_RANK
        if rank != ranks:
            base[below] = _integer(weights.base + weights.base_rank * (ranks - rank) / ranks)
        for above in cards:
            junction[below * layout.CARD_CODES + above] = _integer(
                _junction(weights, below, above, ranks)
            )
    hidden = np.zeros(layout.MOST_HIDDEN, np.int32)
    for count in range(1, layout.MOST_HIDDEN):
        hidden[count] = _integer(weights.hidden * count + weights.any_hidden)
    price = np.arange(_CURVE_SIZE, dtype=np.float64)
    curve = np.rint(price + weights.curve * np.sqrt(price * COST_UNIT)).astype(np.int32)
    empties = np.zeros(_MOST_COLUMNS, np.int32)
    for count in range(1, _MOST_COLUMNS):
        empties[count] = -_integer(weights.first_empty + weights.more_empty * (count - 1))
    constants = np.zeros(2, np.int64)
    constants[layout.COMPLETED_RUN] = _integer(weights.completed_run)
    constants[layout.COMING] = _integer(weights.coming)
    return Evaluation(junction, base, hidden, curve, empties, constants, _diversity_of(keyed))


def _diversity_of(keyed: int) -> Int32s:
    """A random number for each column and count of face-down cards, the same on any machine."""
    generator = np.random.PCG64(20261129)
    counts = (_USUAL_HIDDEN, layout.MOST_HIDDEN - _USUAL_HIDDEN)
    numbers = [generator.random_raw((_MOST_COLUMNS, count)) for count in counts]
    diversity = np.concatenate(numbers, axis=1).astype(np.uint32).view(np.int32).ravel()
    for column in range(_MOST_COLUMNS):
        if not keyed >> column & 1:
            diversity[column * layout.MOST_HIDDEN : (column + 1) * layout.MOST_HIDDEN] = 0
    return diversity
