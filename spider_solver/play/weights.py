"""The weights by which the player chooses, and the integer tables that the kernels take.

``weights.json`` beside this file has them by name, in units of one broken neighbour or so. How they
were learned is told in ``docs/playing.md``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels import plan_layout as plan
from spider_solver.kernels.layout import Evaluation, Int32s, Int64s
from spider_solver.kernels.plan_layout import PRICE_UNIT

_FILE = Path(__file__).with_name("weights.json")
_SUITS = 4
_RANKS = 13
_MOST_PRICE = 1 << 16
_MOST_EMPTY = 16
_STAGES_OF_A_WEIGHT = 2  # the first weight of a feature is for 0 and 1 rows dealt, and so on


@dataclass(frozen=True)
class Cost:
    """What a table costs before anything is learned about it; lower is better.

    A column costs ``x + curve * sqrt(x)``, where x is what its neighbours, its base and its
    face-down cards cost.

    Attributes:
        off_suit: a card on one of the next rank but another suit.
        off_suit_rank: the same, for the upper card's rank / 13.
        broken: a card on one of any other rank.
        broken_rank: the same, for the lower card's rank / 13.
        above: each rank by which the upper card is the higher one.
        king_on_card: a king that lies on something.
        on_hidden: a face-up card on a face-down one.
        base: a card other than a king at the bottom of its column.
        king_base: a king there.
        hidden: a face-down card.
        any_hidden: a column that has any.
        hidden_root: the square root of the face-down cards of a column.
        first_empty: gain of an empty column.
        more_empty: gain of each further one.
        completed_run: gain of a completed run.
        curve: see above.
        meets: gains of a flip for the chance that a random unseen card fits onto the end of a
            column by suit, or by rank, or takes the run at the end of one by suit, or by rank.
    """

    off_suit: float
    off_suit_rank: float
    broken: float
    broken_rank: float
    above: float
    king_on_card: float
    on_hidden: float
    base: float
    king_base: float
    hidden: float
    any_hidden: float
    hidden_root: float
    first_empty: float
    more_empty: float
    completed_run: float
    curve: float
    meets: Sequence[float]


@dataclass(frozen=True)
class Weights:
    """Everything that is learned.

    Attributes:
        cost: prices of a table.
        benefits: for each feature of ``plan_layout.FEATURES``, what one of it is worth after 0
            or 1, 2 or 3, and 4 or 5 rows dealt.
    """

    cost: Cost
    benefits: Mapping[str, Sequence[float]]


@cache
def shipped_weights() -> Weights:
    """The weights that come with the package."""
    data = json.loads(_FILE.read_text(encoding="utf-8"))
    return Weights(Cost(**data["cost"]), data["benefits"])


def _integer(value: float) -> int:
    return round(value * PRICE_UNIT)


def _junction(cost: Cost, below: int, above: int) -> float:
    """The price of a card on another; one that is not known is 0."""
    rank_below, rank_above = below & layout.CARD_RANK, above & layout.CARD_RANK
    king = cost.king_on_card if rank_above == _RANKS else 0.0
    if below == 0:
        return cost.on_hidden + king
    if rank_below == rank_above + 1:
        if below == above + 1:
            return 0.0
        return cost.off_suit + cost.off_suit_rank * rank_above / _RANKS
    price = cost.broken + cost.broken_rank * rank_below / _RANKS + king
    return price + cost.above * max(rank_above - rank_below, 0)


def evaluation_of(cost: Cost) -> Evaluation:
    """The prices as tables, with no diversity."""
    cards = [suit * 16 + rank for suit in range(_SUITS) for rank in range(1, _RANKS + 1)]
    junction = np.zeros(layout.CARD_CODES * layout.CARD_CODES, np.int32)
    base = np.zeros(layout.CARD_CODES, np.int32)
    for above in cards:
        base[above] = _integer(cost.king_base if above & layout.CARD_RANK == _RANKS else cost.base)
        for below in (0, *cards):
            price = _integer(_junction(cost, below, above))
            junction[below * layout.CARD_CODES + above] = price
    hidden = np.zeros(layout.MOST_HIDDEN, np.int32)
    for count in range(1, layout.MOST_HIDDEN):
        price = cost.hidden * count + cost.any_hidden + cost.hidden_root * count**0.5
        hidden[count] = _integer(price)
    empties = np.zeros(_MOST_EMPTY, np.int32)
    for count in range(1, _MOST_EMPTY):
        empties[count] = -_integer(cost.first_empty + cost.more_empty * (count - 1))
    constants = np.zeros(2, np.int64)
    constants[layout.COMPLETED_RUN] = _integer(cost.completed_run)
    no_classes = np.zeros(_MOST_EMPTY * layout.MOST_HIDDEN, np.int32)
    return Evaluation(junction, base, hidden, _curve(cost), empties, constants, no_classes)


def _curve(cost: Cost) -> Int32s:
    price = np.arange(_MOST_PRICE, dtype=np.float64)
    return np.rint(price + cost.curve * np.sqrt(price * PRICE_UNIT)).astype(np.int32)


def benefits_table(weights: Weights) -> Int64s:
    """The benefits as the kernels take them, stage by stage."""
    table = np.zeros(plan.MOST_STAGES * plan.FEATURE_WORDS, np.int64)
    for stage in range(plan.MOST_STAGES):
        for feature, name in enumerate(plan.FEATURES):
            value = weights.benefits[name][stage // _STAGES_OF_A_WEIGHT]
            table[stage * plan.FEATURE_WORDS + feature] = _integer(value)
    return table


def meets_table(cost: Cost) -> Int64s:
    """The gains of a flip for what it meets, as the kernels take them."""
    return np.array([_integer(gain) for gain in cost.meets], np.int64)
