"""The stage beam: a search for a win that keeps the best positions of every layer.

Positions with different numbers of deals never compete.  Within a stage, a layer's positions are
expanded by one move and the best successors not seen before are the next layer; every expanded
position also proposes a deal to the stage's pool.  When neither layers nor pool have improved for
a while, the best of the pool are dealt and begin the next stage.

The search keeps all that it knows between calls in the workspace, so that it can hand control back
between layers (for a clock, a key press) without any effect on what it finds.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.bits import noise_of
from spider_solver.kernels.dealing import add_history, deal_row, key_of_deal, write_proposal
from spider_solver.kernels.diversity import class_slot, clear_classes
from spider_solver.kernels.jit import inlined, internal, kernel
from spider_solver.kernels.layers import (
    admit,
    build_successor,
    copy_row,
    drop_dead_nodes,
    expand_position,
    list_live,
    nodes_fit,
    open_start,
    try_deal,
)
from spider_solver.kernels.layout import Evaluation, Int64s, Workspace
from spider_solver.kernels.selection import order_by_score
from spider_solver.kernels.siblings import forget_children
from spider_solver.kernels.table import clear_table, insert, table_is_full


@internal
def _begin_stage(workspace: Workspace, positions: int) -> None:
    registers = workspace.registers
    registers[layout.REG_LAYER] = positions
    workspace.elder_sibling[:positions] = layout.NO_ROW
    registers[layout.REG_SINCE] = 0
    registers[layout.REG_BEST] = layout.INFINITE
    registers[layout.REG_BEST_POOL] = layout.INFINITE
    registers[layout.REG_POOL] = 0
    registers[layout.REG_THRESHOLD] = layout.INFINITE
    registers[layout.REG_MOST_ROWS] = max(
        registers[layout.REG_MOST_ROWS], registers[layout.REG_STAGE]
    )


@kernel
def begin_beam(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    cards: Int64s,
    heights: Int64s,
    face_down: Int64s,
    stock: Int64s,
    runs: int,
) -> None:
    """Make a start, ``runs`` of it complete already, the only position of the first layer."""
    open_start(workspace, evaluation, rules, cards, heights, face_down, stock, runs)
    registers = workspace.registers
    registers[layout.REG_MOST_RUNS] = max(registers[layout.REG_MOST_RUNS], runs)
    _begin_stage(workspace, 1)


@internal
def _order_pool(workspace: Workspace) -> None:
    """Write the numbers of the proposals into ``order``, lowest score first."""
    size = workspace.registers[layout.REG_POOL]
    lowest = layout.INFINITE
    highest = -layout.INFINITE
    for record in range(size):
        lowest = min(lowest, workspace.proposals[record].score)
        highest = max(highest, workspace.proposals[record].score)
    order_by_score(workspace.proposals, size, lowest, highest, workspace.order, workspace.buckets)


@internal
def _shrink_pool(workspace: Workspace, keep: int) -> None:
    """Keep the ``keep`` best proposals; later ones must beat the worst of them."""
    registers = workspace.registers
    registers[layout.REG_CUT] = 1
    records = workspace.proposals
    size = registers[layout.REG_POOL]
    _order_pool(workspace)
    for place in range(keep):  # mark the rows that stay
        record = workspace.order[place]
        records[record].move = -1 - record
    kept = 0
    worst = -layout.INFINITE
    for record in range(size):
        if records[record].move >= 0:
            continue
        records[kept] = records[record]
        records[kept].move = kept
        copy_row(workspace.pool, kept, workspace.pool, record)
        worst = max(worst, records[kept].score)
        kept += 1
    registers[layout.REG_POOL] = kept
    registers[layout.REG_THRESHOLD] = worst


@inlined
def _propose_deal(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    settings: Int64s,
    row: int,
    seed: np.uint64,
) -> int:
    """Offer the deal from row ``row`` (its columns have been read) to the pool."""
    registers = workspace.registers
    node_top = registers[layout.REG_NODE_TOP]
    history_top = registers[layout.REG_HISTORY_TOP]
    columns = rules[layout.RULE_COLUMNS]
    result, moves, cost, runs = try_deal(workspace, evaluation, rules, row, columns)
    if result == layout.OUT_OF_NODES or result == layout.WON:
        return result
    at = row * layout.STATE_WORDS
    key = np.uint64(0)
    wanted = False
    actions = workspace.layer[at + layout.TALLY] // layout.TALLY_ACTION + moves + 1
    cost += settings[layout.SET_LENGTH] * actions
    if result == layout.GOES_ON and cost < registers[layout.REG_THRESHOLD]:
        key = key_of_deal(workspace, rules)
        cost += noise_of(key, seed, settings[layout.SET_NOISE])
        wanted = cost < registers[layout.REG_THRESHOLD] and insert(workspace, key)
    if not wanted:
        registers[layout.REG_NODE_TOP] = node_top
        registers[layout.REG_HISTORY_TOP] = history_top
        return layout.GOES_ON
    registers[layout.REG_MOST_RUNS] = max(registers[layout.REG_MOST_RUNS], runs)
    entry = registers[layout.REG_POOL]
    registers[layout.REG_POOL] = entry + 1
    workspace.proposals[entry].score = cost
    workspace.proposals[entry].key = key
    write_proposal(workspace, evaluation, rules, entry, at, moves, runs)
    if cost < registers[layout.REG_BEST_POOL]:
        registers[layout.REG_BEST_POOL] = cost
        registers[layout.REG_SINCE] = 0
    if registers[layout.REG_POOL] == 4 * settings[layout.SET_POOL]:
        _shrink_pool(workspace, settings[layout.SET_POOL])
    return layout.GOES_ON


@internal
def _next_layer(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, settings: Int64s
) -> int:
    """Build the best candidates into the next layer; gives their number."""
    registers = workspace.registers
    records = workspace.candidates
    rows = workspace.next_layer
    count = registers[layout.REG_CANDIDATES]
    order_by_score(
        records,
        count,
        registers[layout.REG_LOWEST],
        registers[layout.REG_HIGHEST],
        workspace.order,
        workspace.buckets,
    )
    width = settings[layout.SET_WIDTH]
    cap = settings[layout.SET_CLASS_CAP]
    classes = clear_classes(workspace, width)
    forget_children(workspace, 0, registers[layout.REG_LAYER])
    built = 0
    for place in range(count):
        record = workspace.order[place]
        if not admit(workspace, record, classes, cap):
            continue
        build_successor(workspace, evaluation, rules, rows, built, record)
        if records[record].score < registers[layout.REG_BEST]:
            registers[layout.REG_BEST] = records[record].score
            registers[layout.REG_SINCE] = 0
        built += 1
        if built == width:
            registers[layout.REG_CUT] = 1
            break
    return built


@internal
def _expand_layer(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, settings: Int64s, seed: np.uint64
) -> int:
    registers = workspace.registers
    registers[layout.REG_CANDIDATES] = 0
    registers[layout.REG_LOWEST] = layout.INFINITE
    registers[layout.REG_HIGHEST] = -layout.INFINITE
    deals_left = registers[layout.REG_STAGE] < rules[layout.RULE_ROWS]
    proposing = (registers[layout.REG_LAYER] * settings[layout.SET_PROPOSING] + 1023) >> 10
    for row in range(registers[layout.REG_LAYER]):
        result = expand_position(workspace, evaluation, rules, settings, row, seed)
        if result == layout.GOES_ON and deals_left and row < proposing:
            result = _propose_deal(workspace, evaluation, rules, settings, row, seed)
        if result != layout.GOES_ON:
            return result
    return layout.GOES_ON


@internal
def _deal_pool(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, settings: Int64s
) -> int:
    """End the stage: deal the best proposals and make them the first layer of the next stage."""
    registers = workspace.registers
    records = workspace.proposals
    size = registers[layout.REG_POOL]
    _order_pool(workspace)
    width = settings[layout.SET_WIDTH]
    classes = clear_classes(workspace, width)
    rows = workspace.layer
    chosen = 0
    for place in range(size):
        record = np.int64(workspace.order[place])
        slot = class_slot(workspace, records[record].diversity, classes)
        if workspace.classes[slot] >= settings[layout.SET_CLASS_CAP]:
            registers[layout.REG_CUT] = 1
            continue
        workspace.classes[slot] += 1
        copy_row(rows, chosen, workspace.pool, record)
        workspace.order[chosen] = record
        chosen += 1
        if chosen == width:
            registers[layout.REG_CUT] = 1
            break
    drop_dead_nodes(workspace, rules, list_live(workspace, 0, layout.IN_LAYER, 0, chosen))
    for row in range(chosen):
        at = row * layout.STATE_WORDS
        deal_row(workspace, evaluation, rules, rows, at)
        before = np.int64(rows[at + layout.HISTORY])
        rows[at + layout.HISTORY] = add_history(workspace, before, layout.DEAL_MOVE)
    registers[layout.REG_STAGE] += 1
    _begin_stage(workspace, chosen)
    clear_table(workspace)
    for row in range(chosen):
        record = np.int64(workspace.order[row])
        insert(workspace, workspace.proposals[record].key)
    return chosen


@internal
def _drop_dead_nodes(workspace: Workspace, rules: Int64s) -> None:
    """Throw away the column nodes that neither the layer nor the pool needs."""
    registers = workspace.registers
    live = list_live(workspace, 0, layout.IN_LAYER, 0, registers[layout.REG_LAYER])
    live = list_live(workspace, live, layout.IN_POOL, 0, registers[layout.REG_POOL])
    drop_dead_nodes(workspace, rules, live)


@internal
def _make_room(workspace: Workspace, rules: Int64s, settings: Int64s) -> bool:
    """Whether one more layer and a deal fit, after a clean-up where one is needed."""
    registers = workspace.registers
    rows = settings[layout.SET_WIDTH] + registers[layout.REG_LAYER]
    fills = (registers[layout.REG_LAYER] + 1) * rules[layout.RULE_COLUMNS] * 2
    a_row = rules[layout.RULE_COLUMNS] + layout.GROUP_NODES * rules[layout.RULE_GROUP_MOVES]
    nodes = rows * a_row + fills
    if not nodes_fit(workspace, nodes):
        _drop_dead_nodes(workspace, rules)
    if registers[layout.REG_HISTORY_TOP] + rows + fills > workspace.history.size:
        return False
    return nodes_fit(workspace, nodes) and not table_is_full(workspace, 2 * rows)


@kernel
def run_beam(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, settings: Int64s, seed: np.uint64
) -> int:
    """Search on until the beam has WON or FAILED, a bound is reached, or it is time to pause.

    Gives WON, FAILED, OUT_OF_NODES, OUT_OF_MEMORY, or PAUSED (call again to go on).
    """
    registers = workspace.registers
    while True:
        if not _make_room(workspace, rules, settings):
            return layout.OUT_OF_MEMORY
        result = _expand_layer(workspace, evaluation, rules, settings, seed)
        if result != layout.GOES_ON:
            return result
        built = 0
        if registers[layout.REG_CANDIDATES] > 0:
            built = _next_layer(workspace, evaluation, rules, settings)
        registers[layout.REG_SINCE] += 1
        last = registers[layout.REG_STAGE] == rules[layout.RULE_ROWS]
        patience = settings[layout.SET_PATIENCE_LAST] if last else settings[layout.SET_PATIENCE]
        if built > 0 and registers[layout.REG_SINCE] <= patience:
            registers[layout.REG_LAYER] = built
            for word in range(built * layout.STATE_WORDS):
                workspace.layer[word] = workspace.next_layer[word]
        else:
            registers[layout.REG_CUT] |= 1 if built > 0 else 0
            if last or registers[layout.REG_POOL] == 0:
                return layout.FAILED
            _deal_pool(workspace, evaluation, rules, settings)
        if registers[layout.REG_NODES] >= registers[layout.REG_PAUSE_AT]:
            return layout.PAUSED
