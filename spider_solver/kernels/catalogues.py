"""The catalogue of a complete search: positions that are compared exactly, each kept once.

Column nodes are *interned*: a column that was made before keeps its number, so two columns are
equal if and only if their numbers are, and a position is a row of numbers.  Columns are
interchangeable together with the cards still to be dealt to them: within each group of columns with
equal lanes the numbers are sorted, which is the only symmetry that is used.

Hashes only say where to look; what is found there is compared number by number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.bits import mix
from spider_solver.kernels.jit import inlined, internal, kernel
from spider_solver.kernels.layout import Int32s, Int64s, Records

# --- an interned column: its identity is all that it is -------------------------------------------
STACK = np.dtype(
    [
        ("parent", np.int32),  # the column left when the top run is taken away
        ("head", np.int32),  # deepest and last card of the top run
        ("end", np.int32),
        ("hidden", np.int32),  # face-down cards below, and layout.BARE
    ],
    align=True,
)

# --- a row: the column nodes, and how the position was reached ------------------------------------
ROW_WORDS = 16
ROW_BEFORE = 13  # the row before
ROW_MOVE = 14  # the move from there, in the columns of that row
ROW_STAGE = 15  # rows dealt (low byte) and completed runs
ROWS_DEALT = 0xFF  # mask
ONE_RUN = 0x100

# --- registers ------------------------------------------------------------------------------------
SEARCH_NODES = 0  # generated successors
SEARCH_MAX_NODES = 1
SEARCH_PAUSE_AT = 2
SEARCH_COLUMNS = 3
SEARCH_POSITIONS = 4
SEARCH_NEXT = 5  # the row to be expanded next
SEARCH_WIN = 6  # the row of the win
SEARCH_HASH_MASK = 7  # the bits of a hash that are used: tests take few, which forces collisions
SEARCH_WORDS = 8

LANE_STRIDE = 16

# --- orders of columns, LANE_STRIDE numbers each --------------------------------------------------
ORDER_NEW = 0  # for the row made last: which column each place held before sorting
ORDER_START = 16  # the same for the start
ORDER_NOW = 32  # while a line is traced: the start's column in each place
ORDER_NEXT = 48
ORDER_WORDS = 64


class Catalogue(NamedTuple):
    """The memory of a complete search."""

    nodes: Records
    node_table: Int32s  # node numbers by hash, 0 where free
    rows: Int32s
    row_table: Int32s  # row numbers + 1 by hash, 0 where free
    lanes: Int64s  # [stage * LANE_STRIDE + column]: the first column with an equal lane
    stock: Int64s
    order: Int64s
    registers: Int64s


@inlined
def _hash_node(parent: int, head: int, end: int, hidden: int) -> int:
    word = np.uint64((parent << 28) ^ (hidden << 16) ^ (head << 8) ^ end)
    return np.int64(mix(word) >> np.uint64(1))


@kernel
def intern(catalogue: Catalogue, parent: int, head: int, end: int, hidden: int) -> int:
    """The number of a column, given by its top run and what lies below; -1 if there is no room."""
    nodes = catalogue.nodes
    table = catalogue.node_table
    slots = table.size - 1
    slot = _hash_node(parent, head, end, hidden) & catalogue.registers[SEARCH_HASH_MASK] & slots
    while table[slot] != 0:
        at = table[slot]
        if (
            nodes[at].parent == parent
            and nodes[at].head == head
            and nodes[at].end == end
            and nodes[at].hidden == hidden
        ):
            return np.int64(table[slot])
        slot = (slot + 1) & slots
    node = catalogue.registers[SEARCH_COLUMNS]
    if 2 * node >= table.size or node + 1 > nodes.size:
        return -1
    catalogue.registers[SEARCH_COLUMNS] = node + 1
    table[slot] = node
    nodes[node].parent = parent
    nodes[node].head = head
    nodes[node].end = end
    nodes[node].hidden = hidden
    return node


@internal
def lay(catalogue: Catalogue, node: int, head: int, end: int) -> int:
    """The column ``node`` with the run ``head``..``end`` laid on it."""
    nodes = catalogue.nodes
    if node != layout.EMPTY and nodes[node].end == head + 1:
        return intern(
            catalogue,
            np.int64(nodes[node].parent),
            np.int64(nodes[node].head),
            end,
            np.int64(nodes[node].hidden),
        )
    return intern(catalogue, node, head, end, nodes[node].hidden & layout.HIDDEN_MASK)


@inlined
def completes(catalogue: Catalogue, rules: Int64s, node: int, head: int, end: int) -> bool:
    """Whether laying a run on a column makes a run that leaves at once."""
    nodes = catalogue.nodes
    if node == layout.EMPTY or nodes[node].end != head + 1:
        return False
    return nodes[node].head - end == rules[layout.RULE_LEAVING] - 1


@inlined
def settle(catalogue: Catalogue, rules: Int64s, node: int) -> tuple[int, int]:
    """The column ``node`` without the complete runs at its end, and how many these are."""
    nodes = catalogue.nodes
    runs = 0
    while nodes[node].head - nodes[node].end == rules[layout.RULE_LEAVING] - 1:
        node = np.int64(nodes[node].parent)
        runs += 1
    return node, runs


@kernel
def read_column(catalogue: Catalogue, node: int, cards: Int32s) -> int:
    """Write all cards of a column, last card first; gives their number."""
    nodes = catalogue.nodes
    count = 0
    while node != layout.EMPTY:
        for card in range(nodes[node].end, nodes[node].head + 1):
            cards[count] = card
            count += 1
        node = np.int64(nodes[node].parent)
    return count


@internal
def find_lanes(catalogue: Catalogue, rules: Int64s) -> None:
    """For each stage and column, the first column that has the same cards still to come."""
    columns = rules[layout.RULE_COLUMNS]
    for stage in range(rules[layout.RULE_ROWS] + 1):
        for column in range(columns):
            lane = 0
            while lane < column:
                equal = True
                for row in range(stage, rules[layout.RULE_ROWS]):
                    here = catalogue.stock[row * columns + column]
                    equal = equal and here == catalogue.stock[row * columns + lane]
                if equal:
                    break
                lane += 1
            catalogue.lanes[stage * LANE_STRIDE + column] = lane


@internal
def sort_lanes(catalogue: Catalogue, rules: Int64s, at: int) -> None:
    """Bring the row at ``at`` into its one form, noting in ``order`` what went where."""
    rows = catalogue.rows
    order = catalogue.order  # ORDER_NEW is 0
    columns = rules[layout.RULE_COLUMNS]
    lanes = (rows[at + ROW_STAGE] & ROWS_DEALT) * LANE_STRIDE
    for place in range(columns):
        order[place] = place
    for place in range(1, columns):
        lane = catalogue.lanes[lanes + place]
        if lane == place:
            continue
        now = place
        for earlier in range(place - 1, lane - 1, -1):
            if catalogue.lanes[lanes + earlier] != lane:
                continue
            if rows[at + earlier] <= rows[at + now]:
                break
            rows[at + earlier], rows[at + now] = rows[at + now], rows[at + earlier]
            order[earlier], order[now] = order[now], order[earlier]
            now = earlier


@internal
def add_row(catalogue: Catalogue, rules: Int64s) -> int:
    """Keep the row at the top of the rows, sorted, if it is new.

    Gives WON, OUT_OF_MEMORY or GOES_ON.
    """
    rows = catalogue.rows
    table = catalogue.row_table
    registers = catalogue.registers
    columns = rules[layout.RULE_COLUMNS]
    row = registers[SEARCH_POSITIONS]
    at = row * ROW_WORDS
    key = np.uint64(rows[at + ROW_STAGE])
    for column in range(columns):
        key = mix(key ^ (np.uint64(rows[at + column]) + (key << np.uint64(7))))
    slots = table.size - 1
    slot = np.int64(key >> np.uint64(1)) & registers[SEARCH_HASH_MASK] & slots
    while table[slot] != 0:
        other = (table[slot] - 1) * ROW_WORDS
        equal = rows[other + ROW_STAGE] == rows[at + ROW_STAGE]
        for column in range(columns):
            equal = equal and rows[other + column] == rows[at + column]
        if equal:
            return layout.GOES_ON
        slot = (slot + 1) & slots
    if 2 * row >= table.size or (row + 2) * ROW_WORDS > rows.size:
        return layout.OUT_OF_MEMORY
    table[slot] = row + 1
    registers[SEARCH_POSITIONS] = row + 1
    if rows[at + ROW_STAGE] // ONE_RUN == rules[layout.RULE_RUNS]:
        registers[SEARCH_WIN] = row
        return layout.WON
    return layout.GOES_ON
