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

from spider_solver.kernels.bits import mix
from spider_solver.kernels.jit import inlined, internal, kernel
from spider_solver.kernels.layout import (
    EMPTY,
    GOES_ON,
    HIDDEN_MASK,
    OUT_OF_MEMORY,
    RULE_COLUMNS,
    RULE_LEAVING,
    RULE_ROWS,
    RULE_RUNS,
    WON,
    Int32s,
    Int64s,
)

# --- an interned column node: its identity is all that it is --------------------------------------
NODE_WORDS = 4
PARENT = 0
HEAD = 1
END = 2
HIDDEN = 3  # face-down cards below, and BARE

# --- a row: the column nodes, and how the position was reached ------------------------------------
ROW_WORDS = 16
BEFORE = 13  # the row before
MOVE = 14  # the move from there, in the columns of that row
STAGE = 15  # rows dealt (low byte) and completed runs
STAGE_ROWS = 0xFF  # mask
STAGE_RUN = 0x100

# --- registers ------------------------------------------------------------------------------------
REG_NODES = 0  # generated successors
REG_MAX_NODES = 1
REG_PAUSE_AT = 2
REG_COLUMN_NODES = 3
REG_ROWS = 4
REG_NEXT = 5  # the row to be expanded next
REG_WIN = 6  # the row of the win
REG_HASH_MASK = 7  # the bits of a hash that are used: all, or few in tests, which forces collisions
REG_WORDS = 8

LANE_STRIDE = 16

# --- orders of columns, LANE_STRIDE numbers each --------------------------------------------------
ORDER_NEW = 0  # for the row made last: which column each place held before sorting
ORDER_START = 16  # the same for the start
ORDER_NOW = 32  # while a line is traced: the start's column in each place
ORDER_NEXT = 48
ORDER_WORDS = 64


class Catalogue(NamedTuple):
    """The memory of a complete search."""

    nodes: Int32s
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
    slot = _hash_node(parent, head, end, hidden) & catalogue.registers[REG_HASH_MASK] & slots
    while table[slot] != 0:
        at = table[slot] * NODE_WORDS
        if (
            nodes[at + PARENT] == parent
            and nodes[at + HEAD] == head
            and nodes[at + END] == end
            and nodes[at + HIDDEN] == hidden
        ):
            return np.int64(table[slot])
        slot = (slot + 1) & slots
    node = catalogue.registers[REG_COLUMN_NODES]
    if 2 * node >= table.size or (node + 1) * NODE_WORDS > nodes.size:
        return -1
    catalogue.registers[REG_COLUMN_NODES] = node + 1
    table[slot] = node
    at = node * NODE_WORDS
    nodes[at + PARENT] = parent
    nodes[at + HEAD] = head
    nodes[at + END] = end
    nodes[at + HIDDEN] = hidden
    return node


@internal
def lay(catalogue: Catalogue, node: int, head: int, end: int) -> int:
    """The column ``node`` with the run ``head``..``end`` laid on it."""
    nodes = catalogue.nodes
    at = node * NODE_WORDS
    if node != EMPTY and nodes[at + END] == head + 1:
        return intern(
            catalogue,
            np.int64(nodes[at + PARENT]),
            np.int64(nodes[at + HEAD]),
            end,
            np.int64(nodes[at + HIDDEN]),
        )
    return intern(catalogue, node, head, end, nodes[at + HIDDEN] & HIDDEN_MASK)


@inlined
def completes(catalogue: Catalogue, rules: Int64s, node: int, head: int, end: int) -> bool:
    """Whether laying a run on a column makes a run that leaves at once."""
    nodes = catalogue.nodes
    at = node * NODE_WORDS
    if node == EMPTY or nodes[at + END] != head + 1:
        return False
    return nodes[at + HEAD] - end == rules[RULE_LEAVING] - 1


@inlined
def settle(catalogue: Catalogue, rules: Int64s, node: int) -> tuple[int, int]:
    """The column ``node`` without the complete runs at its end, and how many these are."""
    nodes = catalogue.nodes
    runs = 0
    while (
        nodes[node * NODE_WORDS + HEAD] - nodes[node * NODE_WORDS + END] == rules[RULE_LEAVING] - 1
    ):
        node = np.int64(nodes[node * NODE_WORDS + PARENT])
        runs += 1
    return node, runs


@kernel
def read_column(catalogue: Catalogue, node: int, cards: Int32s) -> int:
    """Write all cards of a column, last card first; gives their number."""
    nodes = catalogue.nodes
    count = 0
    while node != EMPTY:
        at = node * NODE_WORDS
        for card in range(nodes[at + END], nodes[at + HEAD] + 1):
            cards[count] = card
            count += 1
        node = np.int64(nodes[at + PARENT])
    return count


@internal
def find_lanes(catalogue: Catalogue, rules: Int64s) -> None:
    """For each stage and column, the first column that has the same cards still to come."""
    columns = rules[RULE_COLUMNS]
    for stage in range(rules[RULE_ROWS] + 1):
        for column in range(columns):
            lane = 0
            while lane < column:
                equal = True
                for row in range(stage, rules[RULE_ROWS]):
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
    columns = rules[RULE_COLUMNS]
    lanes = (rows[at + STAGE] & STAGE_ROWS) * LANE_STRIDE
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
    columns = rules[RULE_COLUMNS]
    row = registers[REG_ROWS]
    at = row * ROW_WORDS
    key = np.uint64(rows[at + STAGE])
    for column in range(columns):
        key = mix(key ^ (np.uint64(rows[at + column]) + (key << np.uint64(7))))
    slots = table.size - 1
    slot = np.int64(key >> np.uint64(1)) & registers[REG_HASH_MASK] & slots
    while table[slot] != 0:
        other = (table[slot] - 1) * ROW_WORDS
        equal = rows[other + STAGE] == rows[at + STAGE]
        for column in range(columns):
            equal = equal and rows[other + column] == rows[at + column]
        if equal:
            return GOES_ON
        slot = (slot + 1) & slots
    if 2 * row >= table.size or (row + 2) * ROW_WORDS > rows.size:
        return OUT_OF_MEMORY
    table[slot] = row + 1
    registers[REG_ROWS] = row + 1
    if rows[at + STAGE] // STAGE_RUN == rules[RULE_RUNS]:
        registers[REG_WIN] = row
        return WON
    return GOES_ON
