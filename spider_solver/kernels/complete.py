"""The complete search: every position that can come about, in order of actions.

Positions stand in a catalogue (:mod:`.catalogues`) in the order in which they were met, and are
expanded in that order: the first win is a shortest one, and when all have been expanded without a
win, the game is lost.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import catalogues, layout
from spider_solver.kernels.catalogues import (
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
from spider_solver.kernels.layout import Int32s, Int64s
from spider_solver.kernels.move_codes import count_of, source_of, target_of


@internal
def _play(catalogue: Catalogue, rules: Int64s, row: int, move: int) -> bool:
    """Make the position after ``move`` from ``row`` at the top of the rows; False: no room."""
    rows = catalogue.rows
    columns = rules[layout.RULE_COLUMNS]
    at = row * catalogues.ROW_WORDS
    to = catalogue.registers[catalogues.SEARCH_POSITIONS] * catalogues.ROW_WORDS
    for word in range(catalogues.ROW_WORDS):
        rows[to + word] = rows[at + word]
    rows[to + catalogues.ROW_BEFORE] = row
    rows[to + catalogues.ROW_MOVE] = move
    if move == layout.DEAL_MOVE:
        first = (rows[at + catalogues.ROW_STAGE] & catalogues.ROWS_DEALT) * columns
        rows[to + catalogues.ROW_STAGE] += 1
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
        rows[at + source] = nodes[top].parent
        rows[at + catalogues.ROW_STAGE] += catalogues.ONE_RUN
        return True
    count = count_of(move)  # of the run of which the piece takes the last cards, after this loop
    lowest = top
    above = 0  # whole runs above it
    while count > nodes[lowest].head - nodes[lowest].end + 1:
        count -= nodes[lowest].head - nodes[lowest].end + 1
        above += 1
        lowest = np.int64(nodes[lowest].parent)
    end = np.int64(nodes[lowest].end)
    head = np.int64(nodes[lowest].head)
    parent = np.int64(nodes[lowest].parent)
    if count == head - end + 1:
        rows[at + source], bared = settle(catalogue, rules, parent)
        rows[at + catalogues.ROW_STAGE] += bared * catalogues.ONE_RUN
    else:
        left = intern(catalogue, parent, head, end + count, np.int64(nodes[lowest].hidden))
        if left < 0:
            return False
        rows[at + source] = left
    if not _put(catalogue, rules, at, target, end + count - 1, end):
        return False
    for runs in range(above - 1, -1, -1):
        run = top
        for _ in range(runs):
            run = np.int64(nodes[run].parent)
        head = np.int64(nodes[run].head)
        if not _put(catalogue, rules, at, target, head, np.int64(nodes[run].end)):
            return False
    return True


@internal
def _movable(catalogue: Catalogue, rules: Int64s, node: int) -> tuple[int, bool]:
    """How many cards at the end of a column move as one piece, and whether that is all of it."""
    nodes = catalogue.nodes
    length = nodes[node].head - nodes[node].end + 1
    while (
        rules[layout.RULE_GROUP_MOVES]
        and nodes[node].parent != layout.EMPTY
        and not nodes[node].hidden & layout.BARE
    ):
        below = np.int64(nodes[node].parent)
        if nodes[below].end & layout.CARD_RANK != (nodes[node].head & layout.CARD_RANK) + 1:
            break
        node = below
        length += nodes[node].head - nodes[node].end + 1
    return np.int64(length), nodes[node].parent == layout.EMPTY


@internal
def _put(catalogue: Catalogue, rules: Int64s, at: int, column: int, head: int, end: int) -> bool:
    """Lay a run on a column of the row at ``at``; a complete one leaves.  False: no room."""
    rows = catalogue.rows
    node = np.int64(rows[at + column])
    if completes(catalogue, rules, node, head, end):
        below = np.int64(catalogue.nodes[node].parent)
        rows[at + column], bared = settle(catalogue, rules, below)
        rows[at + catalogues.ROW_STAGE] += (1 + bared) * catalogues.ONE_RUN
        return True
    node = lay(catalogue, node, head, end)
    rows[at + column] = node
    return node >= 0


@internal
def _generate(catalogue: Catalogue, rules: Int64s, row: int, move: int) -> int:
    registers = catalogue.registers
    if registers[catalogues.SEARCH_NODES] >= registers[catalogues.SEARCH_MAX_NODES]:
        return layout.OUT_OF_NODES
    registers[catalogues.SEARCH_NODES] += 1
    if not _play(catalogue, rules, row, move):
        return layout.OUT_OF_MEMORY
    return add_row(catalogue, rules)


@internal
def expand_row(catalogue: Catalogue, rules: Int64s, row: int) -> int:
    """Add every position that one action leads to.

    Of empty columns with equal lanes only the first is moved to, and a whole column is not moved
    to an empty one with an equal lane: both lead to positions that are the same when sorted.
    """
    rows = catalogue.rows
    nodes = catalogue.nodes
    columns = rules[layout.RULE_COLUMNS]
    at = row * catalogues.ROW_WORDS
    lanes = (rows[at + catalogues.ROW_STAGE] & catalogues.ROWS_DEALT) * catalogues.LANE_STRIDE
    can_deal = (rows[at + catalogues.ROW_STAGE] & catalogues.ROWS_DEALT) < rules[layout.RULE_ROWS]
    for source in range(columns):
        node = rows[at + source]
        if node == layout.EMPTY:
            can_deal = can_deal and rules[layout.RULE_DEAL_OVER_EMPTY] != 0
            continue
        end = np.int64(nodes[node].end)
        length, whole = _movable(catalogue, rules, np.int64(rows[at + source]))
        if (
            rules[layout.RULE_OPTIONAL_REMOVAL]
            and nodes[node].head - end == rules[layout.RULE_RANKS] - 1
        ):
            move = source * (layout.MOVE_SOURCE + layout.MOVE_TARGET) + rules[layout.RULE_RANKS]
            result = _generate(catalogue, rules, row, move)
            if result != layout.GOES_ON:
                return result
        empty_lanes = 0
        for target in range(columns):
            if target == source:
                continue
            onto = rows[at + target]
            first = 1
            last = length
            if onto == layout.EMPTY:
                lane = catalogue.lanes[lanes + target]
                if empty_lanes >> lane & 1:
                    continue
                empty_lanes |= 1 << lane
                if whole and lane == catalogue.lanes[lanes + source]:
                    last = length - 1
            else:
                first = (nodes[onto].end & layout.CARD_RANK) - (end & layout.CARD_RANK)
                if first < 1 or first > length:
                    continue
                last = first
            for count in range(first, last + 1):
                move = source * layout.MOVE_SOURCE + target * layout.MOVE_TARGET + count
                result = _generate(catalogue, rules, row, move)
                if result != layout.GOES_ON:
                    return result
    return _generate(catalogue, rules, row, layout.DEAL_MOVE) if can_deal else layout.GOES_ON


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
    registers[catalogues.SEARCH_COLUMNS] = 1
    registers[catalogues.SEARCH_POSITIONS] = 0
    registers[catalogues.SEARCH_NEXT] = 0
    find_lanes(catalogue, rules)
    rows = catalogue.rows
    first = 0
    for column in range(rules[layout.RULE_COLUMNS]):
        node = layout.EMPTY
        for depth in range(heights[column]):
            card = cards[first + depth]
            if depth <= face_down[column]:
                node = intern(
                    catalogue, node, card, card, depth | (layout.BARE if depth > 0 else 0)
                )
            else:
                node = lay(catalogue, node, card, card)
        rows[column] = node
        first += heights[column]
    rows[catalogues.ROW_BEFORE] = -1
    rows[catalogues.ROW_MOVE] = layout.DEAL_MOVE
    rows[catalogues.ROW_STAGE] = runs * catalogues.ONE_RUN
    sort_lanes(catalogue, rules, 0)
    for place in range(rules[layout.RULE_COLUMNS]):
        catalogue.order[catalogues.ORDER_START + place] = catalogue.order[
            catalogues.ORDER_NEW + place
        ]
    return add_row(catalogue, rules)


@kernel
def run_complete(catalogue: Catalogue, rules: Int64s) -> int:
    """Search on until a win, until nothing is left (FAILED: lost), or until a bound.

    Gives WON, FAILED, OUT_OF_NODES, OUT_OF_MEMORY, or PAUSED (call again to go on).
    """
    registers = catalogue.registers
    while registers[catalogues.SEARCH_NEXT] < registers[catalogues.SEARCH_POSITIONS]:
        result = expand_row(catalogue, rules, registers[catalogues.SEARCH_NEXT])
        if result != layout.GOES_ON:
            return result
        registers[catalogues.SEARCH_NEXT] += 1
        if registers[catalogues.SEARCH_NODES] >= registers[catalogues.SEARCH_PAUSE_AT]:
            return layout.PAUSED
    return layout.FAILED


@kernel
def trace_line(catalogue: Catalogue, rules: Int64s, row: int, chain: Int64s, moves: Int32s) -> int:
    """Write the moves that lead from the start to ``row``, in the start's own columns.

    ``chain`` is scratch of the same size as ``moves``.  Rows above the last one are overwritten.
    Gives the number of moves, or -1 if there is no room for them.
    """
    rows = catalogue.rows
    columns = rules[layout.RULE_COLUMNS]
    length = 0
    at = row
    while rows[at * catalogues.ROW_WORDS + catalogues.ROW_BEFORE] >= 0:
        if length == moves.size:
            return -1
        chain[length] = at
        length += 1
        at = np.int64(rows[at * catalogues.ROW_WORDS + catalogues.ROW_BEFORE])
    order = catalogue.order
    for place in range(columns):
        order[catalogues.ORDER_NOW + place] = order[catalogues.ORDER_START + place]
    for step in range(length):
        after = chain[length - 1 - step]
        move = np.int64(rows[after * catalogues.ROW_WORDS + catalogues.ROW_MOVE])
        moves[step] = _real_move(catalogue, move)
        _play(
            catalogue,
            rules,
            np.int64(rows[after * catalogues.ROW_WORDS + catalogues.ROW_BEFORE]),
            move,
        )
        for place in range(columns):
            order[catalogues.ORDER_NEXT + place] = order[
                catalogues.ORDER_NOW + order[catalogues.ORDER_NEW + place]
            ]
        for place in range(columns):
            order[catalogues.ORDER_NOW + place] = order[catalogues.ORDER_NEXT + place]
    return length


@internal
def _real_move(catalogue: Catalogue, move: int) -> int:
    """A move of a sorted row in the start's own columns."""
    if move == layout.DEAL_MOVE:
        return move
    source = catalogue.order[catalogues.ORDER_NOW + source_of(move)]
    target = catalogue.order[catalogues.ORDER_NOW + target_of(move)]
    return source * layout.MOVE_SOURCE + target * layout.MOVE_TARGET + count_of(move)
