"""What both beams do: open a start, expand a position, offer its deal, build the best, make room.

A beam of stages (:mod:`.beam`) and a beam of cells (:mod:`.cells`) differ in which positions
compete with one another; everything that happens to a single position is here.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.bits import position_key
from spider_solver.kernels.columns import (
    drop_other_nodes,
    gather_live_nodes,
    is_short_of_cards,
    load_position,
    renumber_rows,
)
from spider_solver.kernels.dealing import (
    add_history,
    cost_of_deal,
    fill_columns,
    history_before_deal,
)
from spider_solver.kernels.diversity import class_of_start, class_slot
from spider_solver.kernels.expand import expand, read_columns
from spider_solver.kernels.groups import expand_groups
from spider_solver.kernels.jit import inlined, internal
from spider_solver.kernels.layout import Evaluation, Int32s, Int64s, Workspace
from spider_solver.kernels.moves import build_row
from spider_solver.kernels.removals import expand_removals
from spider_solver.kernels.siblings import leave_to_siblings, note_child
from spider_solver.kernels.table import clear_table, insert


@internal
def open_start(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    cards: Int64s,
    heights: Int64s,
    face_down: Int64s,
    stock: Int64s,
    runs: int,
) -> None:
    """Make a start, ``runs`` of it complete already, row 0 of the layer and all that was seen."""
    load_position(workspace, evaluation, rules, cards, heights, face_down, stock)
    layer = workspace.layer
    columns = rules[layout.RULE_COLUMNS]
    layer[layout.HISTORY] = 0
    layer[layout.DIVERSITY] = np.int32(class_of_start(evaluation, columns, face_down))
    layer[layout.TALLY] = runs
    workspace.history[0].before = -1
    workspace.history[0].move = layout.DEAL_MOVE
    workspace.elder_sibling[0] = layout.NO_ROW
    workspace.registers[layout.REG_HISTORY_TOP] = 1
    workspace.registers[layout.REG_STAGE] = 0
    clear_table(workspace)
    insert(workspace, position_key(read_columns(workspace, layer, 0, columns), 0))


@inlined
def expand_position(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    settings: Int64s,
    row: int,
    seed: np.uint64,
) -> int:
    """Write the candidates of row ``row`` of the layer; its columns stay in the scratch fields.

    Gives GOES_ON, WON (the history entry of the win is in its register), OUT_OF_NODES or
    OUT_OF_MEMORY.
    """
    if workspace.registers[layout.REG_CANDIDATES] + layout.MOST_CANDIDATES > workspace.order.size:
        return layout.OUT_OF_MEMORY
    columns = rules[layout.RULE_COLUMNS]
    key_sum = read_columns(workspace, workspace.layer, row * layout.STATE_WORDS, columns)
    if settings[layout.SET_SIBLINGS]:
        leave_to_siblings(workspace, rules, row)
    else:
        workspace.left_out[:] = 0
    noise = settings[layout.SET_NOISE]
    moves = settings[layout.SET_MOVES]
    result = expand(workspace, evaluation, rules, row, key_sum, noise, seed, moves)
    if result == layout.GOES_ON and rules[layout.RULE_GROUP_MOVES]:
        result = expand_groups(workspace, evaluation, rules, row, key_sum, noise, seed)
    if result == layout.GOES_ON and rules[layout.RULE_OPTIONAL_REMOVAL]:
        result = expand_removals(workspace, evaluation, rules, row, key_sum, noise, seed)
    return result


@inlined
def try_deal(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, row: int, most_moves: int
) -> tuple[int, int, int, int]:
    """Lay out the deal from row ``row``, whose columns have been read, in the field FILLED.

    Gives GOES_ON, the moves that fill empty columns, the cost without noise, and the completed
    runs; or OUT_OF_NODES, WON, or FAILED: too few cards, now or after the deal, or more than
    ``most_moves``.  Whoever does not want the result sets the tops of nodes and history back.
    """
    registers = workspace.registers
    if registers[layout.REG_NODES] >= registers[layout.REG_MAX_NODES]:
        return layout.OUT_OF_NODES, 0, 0, 0
    registers[layout.REG_NODES] += 1
    at = row * layout.STATE_WORDS
    moves = fill_columns(workspace, evaluation, rules, workspace.layer, at)
    if moves < 0 or moves > most_moves:
        return layout.FAILED, 0, 0, 0
    runs = workspace.layer[at + layout.TALLY] & layout.TALLY_RUNS
    cost, runs = cost_of_deal(workspace, evaluation, rules, runs)
    if runs == rules[layout.RULE_RUNS]:
        before = history_before_deal(workspace, at, moves)
        registers[layout.REG_WIN] = add_history(workspace, before, layout.DEAL_MOVE)
        registers[layout.REG_MOST_RUNS] = runs
        return layout.WON, moves, cost, runs
    if is_short_of_cards(rules, registers[layout.REG_STAGE] + 1, runs):
        return layout.FAILED, 0, 0, 0
    return layout.GOES_ON, moves, cost, runs


@inlined
def admit(workspace: Workspace, record: int, classes: int, cap: int) -> bool:
    """Whether a candidate is new and its diversity class has room; it is counted if so."""
    slot = class_slot(workspace, workspace.candidates[record].diversity, classes)
    if workspace.classes[slot] >= cap:
        workspace.registers[layout.REG_CUT] = 1
        return False
    if not insert(workspace, workspace.candidates[record].key):
        return False
    workspace.classes[slot] += 1
    return True


@inlined
def build_successor(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    rows: Int32s,
    row: int,
    record: int,
) -> None:
    """Build the position of a candidate, a move of cards, as row ``row`` of ``rows``."""
    move = workspace.candidates[record].move
    parent = move // layout.MOVE_PARENT
    note_child(workspace, parent, row)
    copy_row(rows, row, workspace.layer, parent)
    turned_up = build_row(workspace, evaluation, rules, rows, row * layout.STATE_WORDS, move)
    sign_row(workspace, rows, row, record, move % layout.MOVE_PARENT | turned_up)


@inlined
def copy_row(rows: Int32s, row: int, others: Int32s, other: int) -> None:
    """Copy row ``other`` of ``others`` to row ``row`` of ``rows``."""
    for word in range(layout.STATE_WORDS):
        rows[row * layout.STATE_WORDS + word] = others[other * layout.STATE_WORDS + word]


@inlined
def sign_row(workspace: Workspace, rows: Int32s, row: int, record: int, move: int) -> None:
    """Write into a row that was just built by which move, and its candidate's diversity."""
    at = row * layout.STATE_WORDS
    before = np.int64(rows[at + layout.HISTORY])
    rows[at + layout.HISTORY] = add_history(workspace, before, move)
    rows[at + layout.DIVERSITY] = np.int32(workspace.candidates[record].diversity)


@inlined
def list_live(workspace: Workspace, count: int, where: int, first: int, last: int) -> int:
    """Put rows ``first`` to ``last`` - 1 on the list of those whose nodes stay; gives its length.

    ``where`` is IN_LAYER or IN_POOL, ``count`` the length so far.
    """
    at = count * layout.LIVE_WORDS
    workspace.live[at + layout.LIVE_WHERE] = where
    workspace.live[at + layout.LIVE_FIRST] = first
    workspace.live[at + layout.LIVE_LAST] = last
    return count + 1


@internal
def drop_dead_nodes(workspace: Workspace, rules: Int64s, count: int) -> None:
    """Throw away the column nodes that none of the ``count`` listed ranges of rows needs."""
    columns = rules[layout.RULE_COLUMNS]
    top = workspace.registers[layout.REG_NODE_FLOOR]
    for step in range(2):
        for entry in range(count):
            at = entry * layout.LIVE_WORDS
            in_layer = workspace.live[at + layout.LIVE_WHERE] == layout.IN_LAYER
            rows = workspace.layer if in_layer else workspace.pool
            first = workspace.live[at + layout.LIVE_FIRST]
            last = workspace.live[at + layout.LIVE_LAST]
            if step == 0:
                top = gather_live_nodes(workspace, columns, rows, first, last, top)
            else:
                renumber_rows(workspace, columns, rows, first, last)
    drop_other_nodes(workspace, top)


@inlined
def nodes_fit(workspace: Workspace, count: int) -> bool:
    """Whether there is room for ``count`` more column nodes."""
    return workspace.registers[layout.REG_NODE_TOP] + count <= workspace.nodes.size
