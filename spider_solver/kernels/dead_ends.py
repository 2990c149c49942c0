"""The complete search that leaves dead ends alone: positions that a proof shows to be lost.

The proofs, and why they hold, are described in :class:`spider_solver.search.complete.DeadEnds`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spider_solver.kernels import catalogues, layout
from spider_solver.kernels.blockade import is_blockaded
from spider_solver.kernels.catalogues import Catalogue
from spider_solver.kernels.columns import is_short_of_cards
from spider_solver.kernels.complete import expand_row
from spider_solver.kernels.digging import Digging, is_buried
from spider_solver.kernels.jit import internal, kernel
from spider_solver.kernels.layout import Int64s
from spider_solver.kernels.places import Places, make_places

SHORT_OF_CARDS = 1
BLOCKADED = 2
BURIED = 4


class Unpacked(NamedTuple):
    """One position unpacked, as the blockade takes it, and what is counted meanwhile."""

    rules: Int64s
    cards: Int64s
    heights: Int64s
    face_down: Int64s
    stock: Int64s
    places: Places
    covered: Int64s
    found: Int64s  # dead ends of each kind, by its bit


def make_unpacked() -> Unpacked:
    """Room for any position."""
    return Unpacked(
        rules=np.zeros(16, np.int64),
        cards=np.zeros(layout.MAX_CARDS, np.int64),
        heights=np.zeros(16, np.int64),
        face_down=np.zeros(16, np.int64),
        stock=np.zeros(layout.MAX_STOCK, np.int64),
        places=make_places(),
        covered=np.zeros(layout.MAX_COLUMNS * layout.MAX_STAGES, np.int64),
        found=np.zeros(8, np.int64),
    )


@kernel
def run_past_dead_ends(
    catalogue: Catalogue, rules: Int64s, unpacked: Unpacked, digging: Digging, kinds: int
) -> int:
    """The same as ``run_complete``, but dead ends of the given kinds have no successors.

    Args:
        catalogue: a search that has begun.
        rules: the rules as numbers.
        unpacked: room for one position; counts the dead ends.
        digging: what the test for buried positions remembers of this catalogue.
        kinds: SHORT_OF_CARDS, BLOCKADED and BURIED, added.
    """
    registers = catalogue.registers
    while registers[catalogues.SEARCH_NEXT] < registers[catalogues.SEARCH_POSITIONS]:
        row = registers[catalogues.SEARCH_NEXT]
        result = go_on_from(catalogue, rules, unpacked, digging, row, kinds)
        if result != layout.GOES_ON:
            return result
    return layout.FAILED


@internal
def go_on_from(
    catalogue: Catalogue,
    rules: Int64s,
    unpacked: Unpacked,
    digging: Digging,
    row: int,
    kinds: int,
) -> int:
    """Expand a row unless it is a dead end; GOES_ON, or how that ends or pauses the search."""
    registers = catalogue.registers
    kind = dead_end(catalogue, rules, unpacked, digging, row, kinds)
    if kind != 0:
        unpacked.found[kind] += 1
    else:
        result = expand_row(catalogue, rules, row)
        if result != layout.GOES_ON:
            return result
    registers[catalogues.SEARCH_NEXT] += 1
    if registers[catalogues.SEARCH_NODES] >= registers[catalogues.SEARCH_PAUSE_AT]:
        return layout.PAUSED
    return layout.GOES_ON


@internal
def dead_end(
    catalogue: Catalogue,
    rules: Int64s,
    unpacked: Unpacked,
    digging: Digging,
    row: int,
    kinds: int,
) -> int:
    """The kind of dead end that a position is, 0 if it is none."""
    stage = catalogue.rows[row * catalogues.ROW_WORDS + catalogues.ROW_STAGE]
    dealt, runs = stage & catalogues.ROWS_DEALT, stage // catalogues.ONE_RUN
    if kinds & SHORT_OF_CARDS and is_short_of_cards(rules, dealt, runs):
        return SHORT_OF_CARDS
    if kinds & BURIED and is_buried(catalogue, rules, digging, row):
        return BURIED
    if kinds & BLOCKADED and _is_blockaded(catalogue, rules, unpacked, row):
        return BLOCKADED
    return 0


@internal
def _is_blockaded(catalogue: Catalogue, rules: Int64s, unpacked: Unpacked, row: int) -> bool:
    if not _unpack(catalogue, rules, unpacked, row):
        return False
    return is_blockaded(
        unpacked.rules,
        unpacked.cards,
        unpacked.heights,
        unpacked.face_down,
        unpacked.stock,
        unpacked.places,
        unpacked.covered,
    )


@internal
def _unpack(catalogue: Catalogue, rules: Int64s, unpacked: Unpacked, row: int) -> bool:
    """Write a position to ``unpacked``; False if a column is empty, which ends it."""
    nodes = catalogue.nodes
    columns = rules[layout.RULE_COLUMNS]
    for column in range(columns):
        if catalogue.rows[row * catalogues.ROW_WORDS + column] == layout.EMPTY:
            return False
    dealt = (
        catalogue.rows[row * catalogues.ROW_WORDS + catalogues.ROW_STAGE] & catalogues.ROWS_DEALT
    )
    for word in range(rules.size):
        unpacked.rules[word] = rules[word]
    unpacked.rules[layout.RULE_ROWS] = rules[layout.RULE_ROWS] - dealt
    for place in range(unpacked.rules[layout.RULE_ROWS] * columns):
        unpacked.stock[place] = catalogue.stock[dealt * columns + place]
    first = 0
    for column in range(columns):
        node = np.int64(catalogue.rows[row * catalogues.ROW_WORDS + column])
        unpacked.face_down[column] = nodes[node].hidden & layout.HIDDEN_MASK
        height = 0
        while node != layout.EMPTY:
            for card in range(nodes[node].end, nodes[node].head + 1):
                unpacked.cards[first + height] = card
                height += 1
            node = np.int64(nodes[node].parent)
        for place in range(height // 2):  # it was written from the last card down
            low, high = first + place, first + height - 1 - place
            unpacked.cards[low], unpacked.cards[high] = unpacked.cards[high], unpacked.cards[low]
        unpacked.heights[column] = height
        first += height
    return True
