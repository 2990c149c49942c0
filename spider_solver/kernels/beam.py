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

from spider_solver.kernels.bits import noise_of, position_key
from spider_solver.kernels.columns import (
    drop_other_nodes,
    gather_live_nodes,
    is_short_of_cards,
    load_position,
    renumber_rows,
)
from spider_solver.kernels.dealing import (
    add_history,
    class_of_deal,
    cost_of_deal,
    deal_row,
    fill_columns,
    history_before_deal,
    key_of_deal,
    write_proposal,
)
from spider_solver.kernels.diversity import class_of_start, class_slot, clear_classes
from spider_solver.kernels.expand import expand, read_columns
from spider_solver.kernels.groups import expand_groups
from spider_solver.kernels.jit import inlined, internal, kernel
from spider_solver.kernels.layout import (
    CANDIDATE_WORDS,
    CLASS,
    DEAL_MOVE,
    DIVERSITY,
    FAILED,
    GOES_ON,
    GROUP_NODES,
    HISTORY,
    HISTORY_WORDS,
    INFINITE,
    KEY,
    MOST_CANDIDATES,
    MOVE,
    MOVE_PARENT,
    NO_ROW,
    NODE_WORDS,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    PAUSED,
    REG_BEST,
    REG_BEST_POOL,
    REG_CANDIDATES,
    REG_CUT,
    REG_HIGHEST,
    REG_HISTORY_TOP,
    REG_LAYER,
    REG_LOWEST,
    REG_MAX_NODES,
    REG_MOST_ROWS,
    REG_MOST_RUNS,
    REG_NODE_FLOOR,
    REG_NODE_TOP,
    REG_NODES,
    REG_PAUSE_AT,
    REG_POOL,
    REG_SINCE,
    REG_STAGE,
    REG_THRESHOLD,
    REG_WIN,
    RULE_COLUMNS,
    RULE_GROUP_MOVES,
    RULE_OPTIONAL_REMOVAL,
    RULE_ROWS,
    RULE_RUNS,
    SCORE,
    SET_CLASS_CAP,
    SET_LENGTH,
    SET_MOVES,
    SET_NOISE,
    SET_PATIENCE,
    SET_PATIENCE_LAST,
    SET_POOL,
    SET_PROPOSING,
    SET_SIBLINGS,
    SET_WIDTH,
    STATE_WORDS,
    TALLY,
    TALLY_ACTION,
    TALLY_RUNS,
    WON,
    Evaluation,
    Int64s,
    Workspace,
)
from spider_solver.kernels.moves import build_row
from spider_solver.kernels.removals import expand_removals
from spider_solver.kernels.selection import order_by_score
from spider_solver.kernels.siblings import forget_children, leave_to_siblings, note_child
from spider_solver.kernels.table import clear_table, insert, table_is_full


@internal
def _begin_stage(workspace: Workspace, positions: int) -> None:
    registers = workspace.registers
    registers[REG_LAYER] = positions
    workspace.elder_sibling[:positions] = NO_ROW
    registers[REG_SINCE] = 0
    registers[REG_BEST] = INFINITE
    registers[REG_BEST_POOL] = INFINITE
    registers[REG_POOL] = 0
    registers[REG_THRESHOLD] = INFINITE
    registers[REG_MOST_ROWS] = max(registers[REG_MOST_ROWS], registers[REG_STAGE])
    clear_table(workspace)


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
    load_position(workspace, evaluation, rules, cards, heights, face_down, stock)
    layer = workspace.layer
    columns = rules[RULE_COLUMNS]
    layer[HISTORY] = 0
    layer[DIVERSITY] = np.int32(class_of_start(evaluation, columns, face_down))
    layer[TALLY] = runs
    workspace.history[0] = -1
    workspace.history[1] = DEAL_MOVE
    registers = workspace.registers
    registers[REG_HISTORY_TOP] = 1
    registers[REG_STAGE] = 0
    registers[REG_MOST_RUNS] = max(registers[REG_MOST_RUNS], runs)
    _begin_stage(workspace, 1)
    key = read_columns(workspace, layer, 0, columns)
    insert(workspace, position_key(key, 0))


@internal
def _shrink_pool(workspace: Workspace, keep: int) -> None:
    """Keep the ``keep`` best proposals; later ones must beat the worst of them."""
    registers = workspace.registers
    registers[REG_CUT] = 1
    records = workspace.proposals
    size = registers[REG_POOL]
    lowest = INFINITE
    highest = -INFINITE
    for record in range(size):
        score = records[record * CANDIDATE_WORDS + SCORE]
        lowest = min(lowest, score)
        highest = max(highest, score)
    order_by_score(records, size, lowest, highest, workspace.order, workspace.buckets)
    for place in range(keep):  # mark the rows that stay
        record = workspace.order[place]
        records[record * CANDIDATE_WORDS + MOVE] = -1 - record
    kept = 0
    worst = -INFINITE
    for record in range(size):
        at = record * CANDIDATE_WORDS
        if records[at + MOVE] >= 0:
            continue
        to = kept * CANDIDATE_WORDS
        for word in range(CANDIDATE_WORDS):
            records[to + word] = records[at + word]
        records[to + MOVE] = kept
        for word in range(STATE_WORDS):
            workspace.pool[kept * STATE_WORDS + word] = workspace.pool[record * STATE_WORDS + word]
        worst = max(worst, records[to + SCORE])
        kept += 1
    registers[REG_POOL] = kept
    registers[REG_THRESHOLD] = worst


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
    if registers[REG_NODES] >= registers[REG_MAX_NODES]:
        return OUT_OF_NODES
    registers[REG_NODES] += 1
    at = row * STATE_WORDS
    node_top = registers[REG_NODE_TOP]
    history_top = registers[REG_HISTORY_TOP]
    moves = fill_columns(workspace, evaluation, rules, workspace.layer, at)
    tally = workspace.layer[at + TALLY]
    key = np.uint64(0)
    wanted = False
    if moves >= 0:
        cost, runs = cost_of_deal(workspace, evaluation, rules, tally & TALLY_RUNS)
        if runs == rules[RULE_RUNS]:
            before = history_before_deal(workspace, at, moves)
            registers[REG_WIN] = add_history(workspace, before, DEAL_MOVE)
            registers[REG_MOST_RUNS] = runs
            return WON
        cost += settings[SET_LENGTH] * (tally // TALLY_ACTION + moves + 1)
        short = is_short_of_cards(rules, registers[REG_STAGE] + 1, runs)
        if cost < registers[REG_THRESHOLD] and not short:
            key = key_of_deal(workspace, rules)
            cost += noise_of(key, seed, settings[SET_NOISE])
            wanted = cost < registers[REG_THRESHOLD] and insert(workspace, key)
    if not wanted:
        registers[REG_NODE_TOP] = node_top
        registers[REG_HISTORY_TOP] = history_top
        return GOES_ON
    registers[REG_MOST_RUNS] = max(registers[REG_MOST_RUNS], runs)
    entry = registers[REG_POOL]
    registers[REG_POOL] = entry + 1
    diversity = class_of_deal(workspace, evaluation, rules)
    write_proposal(workspace, rules, entry, at, moves, cost, key, diversity, runs)
    if cost < registers[REG_BEST_POOL]:
        registers[REG_BEST_POOL] = cost
        registers[REG_SINCE] = 0
    if registers[REG_POOL] == 4 * settings[SET_POOL]:
        _shrink_pool(workspace, settings[SET_POOL])
    return GOES_ON


@internal
def _next_layer(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, settings: Int64s
) -> int:
    """Build the best candidates into the next layer; gives their number."""
    registers = workspace.registers
    records = workspace.candidates
    rows = workspace.next_layer
    count = registers[REG_CANDIDATES]
    order_by_score(
        records,
        count,
        registers[REG_LOWEST],
        registers[REG_HIGHEST],
        workspace.order,
        workspace.buckets,
    )
    width = settings[SET_WIDTH]
    cap = settings[SET_CLASS_CAP]
    classes = clear_classes(workspace, width)
    forget_children(workspace, 0, registers[REG_LAYER])
    built = 0
    for place in range(count):
        record = workspace.order[place]
        at = record * CANDIDATE_WORDS
        slot = class_slot(workspace, records[at + CLASS], classes)
        if workspace.classes[slot] >= cap:
            registers[REG_CUT] = 1
            continue
        if not insert(workspace, workspace.candidate_keys[at + KEY]):
            continue
        workspace.classes[slot] += 1
        move = records[at + MOVE]
        note_child(workspace, move // MOVE_PARENT, built)
        parent = (move // MOVE_PARENT) * STATE_WORDS
        row = built * STATE_WORDS
        for word in range(STATE_WORDS):
            rows[row + word] = workspace.layer[parent + word]
        turned_up = build_row(workspace, evaluation, rules, rows, row, move)
        rows[row + HISTORY] = add_history(
            workspace, np.int64(rows[row + HISTORY]), move % MOVE_PARENT | turned_up
        )
        rows[row + DIVERSITY] = np.int32(records[at + CLASS])
        if records[at + SCORE] < registers[REG_BEST]:
            registers[REG_BEST] = records[at + SCORE]
            registers[REG_SINCE] = 0
        built += 1
        if built == width:
            registers[REG_CUT] = 1
            break
    return built


@internal
def _expand_layer(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, settings: Int64s, seed: np.uint64
) -> int:
    registers = workspace.registers
    registers[REG_CANDIDATES] = 0
    registers[REG_LOWEST] = INFINITE
    registers[REG_HIGHEST] = -INFINITE
    workspace.left_out[:] = 0
    columns = rules[RULE_COLUMNS]
    deals_left = registers[REG_STAGE] < rules[RULE_ROWS]
    proposing = (registers[REG_LAYER] * settings[SET_PROPOSING] + 1023) >> 10
    room = workspace.order.size - MOST_CANDIDATES
    for row in range(registers[REG_LAYER]):
        key_sum = read_columns(workspace, workspace.layer, row * STATE_WORDS, columns)
        if registers[REG_CANDIDATES] > room:
            return OUT_OF_MEMORY
        if settings[SET_SIBLINGS]:
            leave_to_siblings(workspace, rules, row)
        noise = settings[SET_NOISE]
        moves = settings[SET_MOVES]
        result = expand(workspace, evaluation, rules, row, key_sum, noise, seed, moves)
        if result == GOES_ON and rules[RULE_GROUP_MOVES]:
            result = expand_groups(workspace, evaluation, rules, row, key_sum, noise, seed)
        if result == GOES_ON and rules[RULE_OPTIONAL_REMOVAL]:
            result = expand_removals(workspace, evaluation, rules, row, key_sum, noise, seed)
        if result != GOES_ON:
            return result
        if deals_left and row < proposing:
            result = _propose_deal(workspace, evaluation, rules, settings, row, seed)
            if result != GOES_ON:
                return result
    return GOES_ON


@internal
def _deal_pool(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, settings: Int64s
) -> int:
    """End the stage: deal the best proposals and make them the first layer of the next stage."""
    registers = workspace.registers
    records = workspace.proposals
    columns = rules[RULE_COLUMNS]
    size = registers[REG_POOL]
    lowest = INFINITE
    highest = -INFINITE
    for record in range(size):
        score = records[record * CANDIDATE_WORDS + SCORE]
        lowest = min(lowest, score)
        highest = max(highest, score)
    order_by_score(records, size, lowest, highest, workspace.order, workspace.buckets)
    width = settings[SET_WIDTH]
    classes = clear_classes(workspace, width)
    rows = workspace.layer
    chosen = 0
    for place in range(size):
        record = np.int64(workspace.order[place])
        at = record * CANDIDATE_WORDS
        slot = class_slot(workspace, records[at + CLASS], classes)
        if workspace.classes[slot] >= settings[SET_CLASS_CAP]:
            registers[REG_CUT] = 1
            continue
        workspace.classes[slot] += 1
        for word in range(STATE_WORDS):
            rows[chosen * STATE_WORDS + word] = workspace.pool[record * STATE_WORDS + word]
        workspace.order[chosen] = record
        chosen += 1
        if chosen == width:
            registers[REG_CUT] = 1
            break
    top = gather_live_nodes(workspace, columns, rows, 0, chosen, registers[REG_NODE_FLOOR])
    renumber_rows(workspace, columns, rows, 0, chosen)
    drop_other_nodes(workspace, top)
    for row in range(chosen):
        at = row * STATE_WORDS
        deal_row(workspace, evaluation, rules, rows, at)
        rows[at + HISTORY] = add_history(workspace, np.int64(rows[at + HISTORY]), DEAL_MOVE)
    registers[REG_STAGE] += 1
    _begin_stage(workspace, chosen)
    for row in range(chosen):
        record = np.int64(workspace.order[row]) * CANDIDATE_WORDS
        insert(workspace, workspace.proposal_keys[record + KEY])
    return chosen


@internal
def _drop_dead_nodes(workspace: Workspace, rules: Int64s) -> None:
    """Throw away the column nodes that neither the layer nor the pool needs."""
    columns = rules[RULE_COLUMNS]
    positions = workspace.registers[REG_LAYER]
    proposals = workspace.registers[REG_POOL]
    top = workspace.registers[REG_NODE_FLOOR]
    top = gather_live_nodes(workspace, columns, workspace.layer, 0, positions, top)
    top = gather_live_nodes(workspace, columns, workspace.pool, 0, proposals, top)
    renumber_rows(workspace, columns, workspace.layer, 0, positions)
    renumber_rows(workspace, columns, workspace.pool, 0, proposals)
    drop_other_nodes(workspace, top)


@internal
def _make_room(workspace: Workspace, rules: Int64s, settings: Int64s) -> bool:
    """Whether one more layer and a deal fit, after a clean-up where one is needed."""
    registers = workspace.registers
    rows = settings[SET_WIDTH] + registers[REG_LAYER]
    fills = (registers[REG_LAYER] + 1) * rules[RULE_COLUMNS] * 2
    nodes = rows * (rules[RULE_COLUMNS] + GROUP_NODES * rules[RULE_GROUP_MOVES]) + fills
    if (registers[REG_NODE_TOP] + nodes) * NODE_WORDS > workspace.nodes.size:
        _drop_dead_nodes(workspace, rules)
        if (registers[REG_NODE_TOP] + nodes) * NODE_WORDS > workspace.nodes.size:
            return False
    if (registers[REG_HISTORY_TOP] + rows + fills) * HISTORY_WORDS > workspace.history.size:
        return False
    return not table_is_full(workspace, 2 * rows)


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
            return OUT_OF_MEMORY
        result = _expand_layer(workspace, evaluation, rules, settings, seed)
        if result != GOES_ON:
            return result
        built = 0
        if registers[REG_CANDIDATES] > 0:
            built = _next_layer(workspace, evaluation, rules, settings)
        registers[REG_SINCE] += 1
        last = registers[REG_STAGE] == rules[RULE_ROWS]
        patience = settings[SET_PATIENCE_LAST] if last else settings[SET_PATIENCE]
        if built > 0 and registers[REG_SINCE] <= patience:
            registers[REG_LAYER] = built
            for word in range(built * STATE_WORDS):
                workspace.layer[word] = workspace.next_layer[word]
        else:
            registers[REG_CUT] |= 1 if built > 0 else 0
            if last or registers[REG_POOL] == 0:
                return FAILED
            _deal_pool(workspace, evaluation, rules, settings)
        if registers[REG_NODES] >= registers[REG_PAUSE_AT]:
            return PAUSED
