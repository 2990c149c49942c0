"""The complete search: every position that can come about, in order of actions.

Positions stand in a catalogue (:mod:`.catalogues`) in the order in which they were met, and are
expanded in that order: the first win is a shortest one, and when all have been expanded without a
win, the game is lost.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels.catalogues import (
    BEFORE,
    END,
    HEAD,
    HIDDEN,
    LANE_STRIDE,
    MOVE,
    NODE_WORDS,
    ORDER_NEW,
    ORDER_NEXT,
    ORDER_NOW,
    ORDER_START,
    PARENT,
    REG_COLUMN_NODES,
    REG_MAX_NODES,
    REG_NEXT,
    REG_NODES,
    REG_PAUSE_AT,
    REG_ROWS,
    ROW_WORDS,
    STAGE,
    STAGE_ROWS,
    STAGE_RUN,
    Catalogue,
    add_row,
    completes,
    find_lanes,
    intern,
    lay,
    settle,
    sort_lanes,
)
from spider_solver.kernels.jit import internal, kernel
from spider_solver.kernels.layout import (
    BARE,
    CARD_RANK,
    DEAL_MOVE,
    EMPTY,
    FAILED,
    GOES_ON,
    MOVE_SOURCE,
    MOVE_TARGET,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    PAUSED,
    RULE_COLUMNS,
    RULE_DEAL_OVER_EMPTY,
    RULE_GROUP_MOVES,
    RULE_OPTIONAL_REMOVAL,
    RULE_RANKS,
    RULE_ROWS,
    Int32s,
    Int64s,
)
from spider_solver.kernels.move_codes import count_of, source_of, target_of


@internal
def _play(catalogue: Catalogue, rules: Int64s, row: int, move: int) -> bool:
    """Make the position after ``move`` from ``row`` at the top of the rows; False: no room."""
    rows = catalogue.rows
    columns = rules[RULE_COLUMNS]
    at = row * ROW_WORDS
    to = catalogue.registers[REG_ROWS] * ROW_WORDS
    for word in range(ROW_WORDS):
        rows[to + word] = rows[at + word]
    rows[to + BEFORE] = row
    rows[to + MOVE] = move
    if move == DEAL_MOVE:
        first = (rows[at + STAGE] & STAGE_ROWS) * columns
        rows[to + STAGE] += 1
        for column in range(columns):
            card = catalogue.stock[first + column]
            if card != 0 and not _put(catalogue, rules, to, column, card, card):
                return False
    elif not _move(catalogue, rules, to, move):
        return False
    sort_lanes(catalogue, rules, to)
    return True


@internal
def _move(catalogue: Catalogue, rules: Int64s, at: int, move: int) -> bool:
    """Move cards, or remove a run, in the row at ``at``.  False: no room."""
    rows = catalogue.rows
    nodes = catalogue.nodes
    source = source_of(move)
    target = target_of(move)
    top = np.int64(rows[at + source])
    if source == target:
        rows[at + source] = nodes[top * NODE_WORDS + PARENT]
        rows[at + STAGE] += STAGE_RUN
        return True
    count = count_of(move)  # of the run of which the piece takes the last cards, after this loop
    word = top * NODE_WORDS
    above = 0  # whole runs above it
    while count > nodes[word + HEAD] - nodes[word + END] + 1:
        count -= nodes[word + HEAD] - nodes[word + END] + 1
        above += 1
        word = np.int64(nodes[word + PARENT]) * NODE_WORDS
    end = np.int64(nodes[word + END])
    head = np.int64(nodes[word + HEAD])
    parent = np.int64(nodes[word + PARENT])
    if count == head - end + 1:
        rows[at + source], bared = settle(catalogue, rules, parent)
        rows[at + STAGE] += bared * STAGE_RUN
    else:
        left = intern(catalogue, parent, head, end + count, np.int64(nodes[word + HIDDEN]))
        if left < 0:
            return False
        rows[at + source] = left
    if not _put(catalogue, rules, at, target, end + count - 1, end):
        return False
    for runs in range(above - 1, -1, -1):
        word = top * NODE_WORDS
        for _ in range(runs):
            word = np.int64(nodes[word + PARENT]) * NODE_WORDS
        head = np.int64(nodes[word + HEAD])
        if not _put(catalogue, rules, at, target, head, np.int64(nodes[word + END])):
            return False
    return True


@internal
def _movable(catalogue: Catalogue, rules: Int64s, node: int) -> tuple[int, bool]:
    """How many cards at the end of a column move as one piece, and whether that is all of it."""
    nodes = catalogue.nodes
    at = node * NODE_WORDS
    length = nodes[at + HEAD] - nodes[at + END] + 1
    while rules[RULE_GROUP_MOVES] and nodes[at + PARENT] != EMPTY and not nodes[at + HIDDEN] & BARE:
        below = np.int64(nodes[at + PARENT]) * NODE_WORDS
        if nodes[below + END] & CARD_RANK != (nodes[at + HEAD] & CARD_RANK) + 1:
            break
        at = below
        length += nodes[at + HEAD] - nodes[at + END] + 1
    return np.int64(length), nodes[at + PARENT] == EMPTY


@internal
def _put(catalogue: Catalogue, rules: Int64s, at: int, column: int, head: int, end: int) -> bool:
    """Lay a run on a column of the row at ``at``; a complete one leaves.  False: no room."""
    rows = catalogue.rows
    node = np.int64(rows[at + column])
    if completes(catalogue, rules, node, head, end):
        below = np.int64(catalogue.nodes[node * NODE_WORDS + PARENT])
        rows[at + column], bared = settle(catalogue, rules, below)
        rows[at + STAGE] += (1 + bared) * STAGE_RUN
        return True
    node = lay(catalogue, node, head, end)
    rows[at + column] = node
    return node >= 0


@internal
def _generate(catalogue: Catalogue, rules: Int64s, row: int, move: int) -> int:
    registers = catalogue.registers
    if registers[REG_NODES] >= registers[REG_MAX_NODES]:
        return OUT_OF_NODES
    registers[REG_NODES] += 1
    if not _play(catalogue, rules, row, move):
        return OUT_OF_MEMORY
    return add_row(catalogue, rules)


@internal
def expand_row(catalogue: Catalogue, rules: Int64s, row: int) -> int:
    """Add every position that one action leads to.

    Of empty columns with equal lanes only the first is moved to, and a whole column is not moved
    to an empty one with an equal lane: both lead to positions that are the same when sorted.
    """
    rows = catalogue.rows
    nodes = catalogue.nodes
    columns = rules[RULE_COLUMNS]
    at = row * ROW_WORDS
    lanes = (rows[at + STAGE] & STAGE_ROWS) * LANE_STRIDE
    can_deal = (rows[at + STAGE] & STAGE_ROWS) < rules[RULE_ROWS]
    for source in range(columns):
        node = rows[at + source] * NODE_WORDS
        if node == EMPTY:
            can_deal = can_deal and rules[RULE_DEAL_OVER_EMPTY] != 0
            continue
        end = np.int64(nodes[node + END])
        length, whole = _movable(catalogue, rules, np.int64(rows[at + source]))
        if rules[RULE_OPTIONAL_REMOVAL] and nodes[node + HEAD] - end == rules[RULE_RANKS] - 1:
            move = source * (MOVE_SOURCE + MOVE_TARGET) + rules[RULE_RANKS]
            result = _generate(catalogue, rules, row, move)
            if result != GOES_ON:
                return result
        empty_lanes = 0
        for target in range(columns):
            if target == source:
                continue
            onto = rows[at + target] * NODE_WORDS
            first = 1
            last = length
            if onto == EMPTY:
                lane = catalogue.lanes[lanes + target]
                if empty_lanes >> lane & 1:
                    continue
                empty_lanes |= 1 << lane
                if whole and lane == catalogue.lanes[lanes + source]:
                    last = length - 1
            else:
                first = (nodes[onto + END] & CARD_RANK) - (end & CARD_RANK)
                if first < 1 or first > length:
                    continue
                last = first
            for count in range(first, last + 1):
                move = source * MOVE_SOURCE + target * MOVE_TARGET + count
                result = _generate(catalogue, rules, row, move)
                if result != GOES_ON:
                    return result
    return _generate(catalogue, rules, row, DEAL_MOVE) if can_deal else GOES_ON


@kernel
def begin_complete(
    catalogue: Catalogue,
    rules: Int64s,
    cards: Int64s,
    heights: Int64s,
    face_down: Int64s,
    stock: Int64s,
    runs: int,
) -> int:
    """Make a start, ``runs`` of it complete already, the only position of a fresh catalogue.

    Gives WON if nothing is left to do, else GOES_ON.
    """
    registers = catalogue.registers
    for place in range(catalogue.stock.size):
        catalogue.stock[place] = stock[place] if place < stock.size else 0
    registers[REG_COLUMN_NODES] = 1
    registers[REG_ROWS] = 0
    registers[REG_NEXT] = 0
    find_lanes(catalogue, rules)
    rows = catalogue.rows
    first = 0
    for column in range(rules[RULE_COLUMNS]):
        node = EMPTY
        for depth in range(heights[column]):
            card = cards[first + depth]
            if depth <= face_down[column]:
                node = intern(catalogue, node, card, card, depth | (BARE if depth > 0 else 0))
            else:
                node = lay(catalogue, node, card, card)
        rows[column] = node
        first += heights[column]
    rows[BEFORE] = -1
    rows[MOVE] = DEAL_MOVE
    rows[STAGE] = runs * STAGE_RUN
    sort_lanes(catalogue, rules, 0)
    for place in range(rules[RULE_COLUMNS]):
        catalogue.order[ORDER_START + place] = catalogue.order[ORDER_NEW + place]
    return add_row(catalogue, rules)


@kernel
def run_complete(catalogue: Catalogue, rules: Int64s) -> int:
    """Search on until a win, until nothing is left (FAILED: lost), or until a bound.

    Gives WON, FAILED, OUT_OF_NODES, OUT_OF_MEMORY, or PAUSED (call again to go on).
    """
    registers = catalogue.registers
    while registers[REG_NEXT] < registers[REG_ROWS]:
        result = expand_row(catalogue, rules, registers[REG_NEXT])
        if result != GOES_ON:
            return result
        registers[REG_NEXT] += 1
        if registers[REG_NODES] >= registers[REG_PAUSE_AT]:
            return PAUSED
    return FAILED


@kernel
def trace_line(catalogue: Catalogue, rules: Int64s, row: int, chain: Int64s, moves: Int32s) -> int:
    """Write the moves that lead from the start to ``row``, in the start's own columns.

    ``chain`` is scratch of the same size as ``moves``.  Rows above the last one are overwritten.
    Gives the number of moves, or -1 if there is no room for them.
    """
    rows = catalogue.rows
    columns = rules[RULE_COLUMNS]
    length = 0
    at = row
    while rows[at * ROW_WORDS + BEFORE] >= 0:
        if length == moves.size:
            return -1
        chain[length] = at
        length += 1
        at = np.int64(rows[at * ROW_WORDS + BEFORE])
    order = catalogue.order
    for place in range(columns):
        order[ORDER_NOW + place] = order[ORDER_START + place]
    for step in range(length):
        after = chain[length - 1 - step]
        move = np.int64(rows[after * ROW_WORDS + MOVE])
        moves[step] = _real_move(catalogue, move)
        _play(catalogue, rules, np.int64(rows[after * ROW_WORDS + BEFORE]), move)
        for place in range(columns):
            order[ORDER_NEXT + place] = order[ORDER_NOW + order[ORDER_NEW + place]]
        for place in range(columns):
            order[ORDER_NOW + place] = order[ORDER_NEXT + place]
    return length


@internal
def _real_move(catalogue: Catalogue, move: int) -> int:
    """A move of a sorted row in the start's own columns."""
    if move == DEAL_MOVE:
        return move
    source = catalogue.order[ORDER_NOW + source_of(move)]
    target = catalogue.order[ORDER_NOW + target_of(move)]
    return source * MOVE_SOURCE + target * MOVE_TARGET + count_of(move)
