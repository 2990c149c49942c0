"""The cell beam: a search for a short win that keeps the best positions of every cell.

A cell holds positions with the same number of actions and of deals.  All cells with g actions are
expanded before any with g + 1: a move leads to the cell with one action more, a deal to the one
with one deal more, after as many more actions as there were columns to fill.  Since the actions
only grow, a position is met first by a shortest way, and the first win is the shortest of the run.

A position whose forecast (actions so far and those that its score foretells) lies too far above the
best of all cells with as many actions is left out.

Complete runs leave at once here, also where the rules leave that to the player.
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
from spider_solver.kernels.jit import internal, kernel
from spider_solver.kernels.layout import (
    CANDIDATE_WORDS,
    CELL_COUNT,
    CELL_FIRST,
    CELL_HIGHEST,
    CELL_LOWEST,
    CELL_PROPOSALS,
    CELL_ROWS,
    CLASS,
    DEAL_MOVE,
    DIVERSITY,
    FAILED,
    FORECAST_WORDS,
    GOES_ON,
    GROUP_NODES,
    HISTORY,
    HISTORY_WORDS,
    INFINITE,
    KEY,
    MAX_STAGES,
    MOST_CANDIDATES,
    MOVE,
    MOVE_PARENT,
    NO_ROW,
    NODE_WORDS,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    PAUSED,
    REG_ACTIONS,
    REG_CANDIDATES,
    REG_HIGHEST,
    REG_HISTORY_TOP,
    REG_LOWEST,
    REG_MAX_NODES,
    REG_NODE_FLOOR,
    REG_NODE_TOP,
    REG_NODES,
    REG_PARITY,
    REG_PAUSE_AT,
    REG_STAGE,
    REG_WIN,
    RING,
    RULE_COLUMNS,
    RULE_GROUP_MOVES,
    RULE_ROWS,
    RULE_RUNS,
    SCORE,
    SET_CELL_CAP,
    SET_FORECAST,
    SET_MOST_ACTIONS,
    SET_MOVES,
    SET_NOISE,
    SET_SLACK,
    SET_WIDTH,
    STATE_WORDS,
    TALLY,
    TALLY_RUNS,
    WON,
    Evaluation,
    Int64s,
    Workspace,
)
from spider_solver.kernels.moves import build_row
from spider_solver.kernels.selection import order_by_score
from spider_solver.kernels.siblings import forget_children, leave_to_siblings, note_child
from spider_solver.kernels.table import clear_table, insert, table_is_full


@kernel
def begin_cells(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    cards: Int64s,
    heights: Int64s,
    face_down: Int64s,
    stock: Int64s,
    runs: int,
) -> None:
    """Make the start the only position of the first cell; see :func:`beam.begin_beam`."""
    load_position(workspace, evaluation, rules, cards, heights, face_down, stock)
    registers = workspace.registers
    workspace.cells[:] = 0
    workspace.cells[CELL_ROWS] = 1
    workspace.elder_sibling[0] = NO_ROW
    diversity = class_of_start(evaluation, rules[RULE_COLUMNS], face_down)
    workspace.layer[DIVERSITY] = np.int32(diversity)
    workspace.layer[HISTORY] = 0
    workspace.layer[TALLY] = runs
    workspace.history[0] = -1
    workspace.history[1] = DEAL_MOVE
    registers[REG_HISTORY_TOP] = 1
    registers[REG_ACTIONS] = 0
    registers[REG_PARITY] = 0
    registers[REG_STAGE] = 0
    clear_table(workspace)
    key = read_columns(workspace, workspace.layer, 0, rules[RULE_COLUMNS])
    insert(workspace, position_key(key, 0))


@internal
def _cell_row(rules: Int64s, settings: Int64s, parity: int, stage: int) -> int:
    """The first row of a cell in the layer."""
    return (parity * (rules[RULE_ROWS] + 1) + stage) * settings[SET_WIDTH]


@internal
def _proposal_cell(due: int, stage: int) -> int:
    """The counter of the deals that lead to ``stage`` and are due at ``due`` actions."""
    return CELL_PROPOSALS + (due % RING) * MAX_STAGES + stage


@internal
def _first_proposal(rules: Int64s, settings: Int64s, due: int, stage: int) -> int:
    """The first pool entry of those deals; there is room for two a row of a cell."""
    return ((due % RING) * (rules[RULE_ROWS] + 1) + stage) * 2 * settings[SET_WIDTH]


@internal
def _propose_deal(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    settings: Int64s,
    row: int,
    seed: np.uint64,
) -> int:
    """Note the deal from row ``row`` of the layer for the cell to which it leads."""
    registers = workspace.registers
    if registers[REG_NODES] >= registers[REG_MAX_NODES]:
        return OUT_OF_NODES
    registers[REG_NODES] += 1
    at = row * STATE_WORDS
    node_top = registers[REG_NODE_TOP]
    history_top = registers[REG_HISTORY_TOP]
    moves = fill_columns(workspace, evaluation, rules, workspace.layer, at)
    due = registers[REG_ACTIONS] + 1 + moves
    if 0 <= moves < RING and due <= settings[SET_MOST_ACTIONS]:
        runs = workspace.layer[at + TALLY] & TALLY_RUNS
        cost, runs = cost_of_deal(workspace, evaluation, rules, runs)
        if runs == rules[RULE_RUNS]:
            before = history_before_deal(workspace, at, moves)
            registers[REG_WIN] = add_history(workspace, before, DEAL_MOVE)
            return WON
        stage = registers[REG_STAGE] + 1
        cell = _proposal_cell(due, stage)
        short = is_short_of_cards(rules, stage, runs)
        if workspace.cells[cell] < 2 * settings[SET_WIDTH] and not short:
            entry = _first_proposal(rules, settings, due, stage) + workspace.cells[cell]
            key = key_of_deal(workspace, rules)
            score = cost + noise_of(key, seed, settings[SET_NOISE])
            diversity = class_of_deal(workspace, evaluation, rules)
            write_proposal(workspace, rules, entry, at, moves, score, key, diversity, runs)
            workspace.cells[cell] += 1
            return GOES_ON
    registers[REG_NODE_TOP] = node_top
    registers[REG_HISTORY_TOP] = history_top
    return GOES_ON


@internal
def _gather_proposals(
    workspace: Workspace, rules: Int64s, settings: Int64s, due: int, stage: int
) -> None:
    """Put the deals that are due among the candidates, with negative move codes."""
    registers = workspace.registers
    cell = _proposal_cell(due, stage)
    first = _first_proposal(rules, settings, due, stage)
    for entry in range(first, first + workspace.cells[cell]):
        to = registers[REG_CANDIDATES] * CANDIDATE_WORDS
        for word in range(CANDIDATE_WORDS):
            workspace.candidates[to + word] = workspace.proposals[entry * CANDIDATE_WORDS + word]
        workspace.candidates[to + MOVE] = -1 - entry
        score = workspace.candidates[to + SCORE]
        registers[REG_LOWEST] = min(registers[REG_LOWEST], score)
        registers[REG_HIGHEST] = max(registers[REG_HIGHEST], score)
        registers[REG_CANDIDATES] += 1
    workspace.cells[cell] = 0


@internal
def _expand_cell(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    settings: Int64s,
    seed: np.uint64,
    stage: int,
) -> int:
    """Write all candidates for the cell of ``stage`` deals and one action more."""
    registers = workspace.registers
    cells = workspace.cells
    actions = registers[REG_ACTIONS]
    columns = rules[RULE_COLUMNS]
    registers[REG_STAGE] = stage
    registers[REG_LOWEST] = INFINITE
    registers[REG_HIGHEST] = -INFINITE
    cells[CELL_FIRST + stage] = registers[REG_CANDIDATES]
    if registers[REG_CANDIDATES] + 2 * settings[SET_WIDTH] > workspace.order.size:
        return OUT_OF_MEMORY
    _gather_proposals(workspace, rules, settings, actions + 1, stage)
    first = _cell_row(rules, settings, registers[REG_PARITY], stage)
    for row in range(first, first + cells[CELL_ROWS + stage]):
        if registers[REG_CANDIDATES] + MOST_CANDIDATES > workspace.order.size:
            return OUT_OF_MEMORY
        key_sum = read_columns(workspace, workspace.layer, row * STATE_WORDS, columns)
        noise = settings[SET_NOISE]
        leave_to_siblings(workspace, rules, row)
        moves = settings[SET_MOVES]
        result = expand(workspace, evaluation, rules, row, key_sum, noise, seed, moves)
        if result == GOES_ON and rules[RULE_GROUP_MOVES]:
            result = expand_groups(workspace, evaluation, rules, row, key_sum, noise, seed)
        if result == GOES_ON and stage < rules[RULE_ROWS]:
            result = _propose_deal(workspace, evaluation, rules, settings, row, seed)
        if result != GOES_ON:
            return result
    cells[CELL_COUNT + stage] = registers[REG_CANDIDATES] - cells[CELL_FIRST + stage]
    cells[CELL_LOWEST + stage] = registers[REG_LOWEST]
    cells[CELL_HIGHEST + stage] = registers[REG_HIGHEST]
    return GOES_ON


@internal
def _forecast(rules: Int64s, settings: Int64s, stage: int, score: int) -> int:
    """Actions still to come from a score after ``stage`` deals, in price units."""
    at = SET_FORECAST + FORECAST_WORDS * (rules[RULE_ROWS] - stage)
    return (score * settings[at] >> 10) + settings[at + 1]


@internal
def _greatest_score(rules: Int64s, settings: Int64s, stage: int, forecast: int) -> int:
    """The score after ``stage`` deals that :func:`_forecast` takes to ``forecast``."""
    at = SET_FORECAST + FORECAST_WORDS * (rules[RULE_ROWS] - stage)
    return ((forecast - settings[at + 1]) << 10) // settings[at]


@internal
def _build_cell(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    settings: Int64s,
    stage: int,
    greatest: int,
) -> int:
    """Build the best candidates of a cell into the other half of the layer; gives their number."""
    registers = workspace.registers
    cells = workspace.cells
    rows = workspace.layer
    first = cells[CELL_FIRST + stage]
    count = cells[CELL_COUNT + stage]
    records = workspace.candidates
    order_by_score(
        records[first * CANDIDATE_WORDS :],
        count,
        cells[CELL_LOWEST + stage],
        cells[CELL_HIGHEST + stage],
        workspace.order,
        workspace.buckets,
    )
    width = settings[SET_WIDTH]
    to = _cell_row(rules, settings, 1 - registers[REG_PARITY], stage)
    classes = clear_classes(workspace, width)
    registers[REG_STAGE] = stage - 1  # of a position that is about to be dealt to
    here = _cell_row(rules, settings, registers[REG_PARITY], stage)
    forget_children(workspace, here, here + cells[CELL_ROWS + stage])
    built = 0
    for place in range(count):
        at = (first + workspace.order[place]) * CANDIDATE_WORDS
        if records[at + SCORE] > greatest:
            continue
        slot = class_slot(workspace, records[at + CLASS], classes)
        if workspace.classes[slot] >= settings[SET_CELL_CAP]:
            continue
        if not insert(workspace, workspace.candidate_keys[at + KEY]):
            continue
        workspace.classes[slot] += 1
        move = records[at + MOVE]
        row = (to + built) * STATE_WORDS
        if move < 0:
            source = (-1 - move) * STATE_WORDS
            for word in range(STATE_WORDS):
                rows[row + word] = workspace.pool[source + word]
            deal_row(workspace, evaluation, rules, rows, row)
            workspace.elder_sibling[to + built] = NO_ROW
            code = DEAL_MOVE
        else:
            note_child(workspace, move // MOVE_PARENT, to + built)
            source = (move // MOVE_PARENT) * STATE_WORDS
            for word in range(STATE_WORDS):
                rows[row + word] = rows[source + word]
            turned_up = build_row(workspace, evaluation, rules, rows, row, move)
            code = move % MOVE_PARENT | turned_up
        rows[row + HISTORY] = add_history(workspace, np.int64(rows[row + HISTORY]), code)
        rows[row + DIVERSITY] = np.int32(records[at + CLASS])
        built += 1
        if built == width:
            break
    return built


@internal
def _drop_dead_nodes(workspace: Workspace, rules: Int64s, settings: Int64s) -> None:
    """Throw away the column nodes that no cell and no proposal needs."""
    columns = rules[RULE_COLUMNS]
    cells = workspace.cells
    parity = workspace.registers[REG_PARITY]
    top = workspace.registers[REG_NODE_FLOOR]
    for step in range(2):
        for stage in range(rules[RULE_ROWS] + 1):
            first = _cell_row(rules, settings, parity, stage)
            last = first + cells[CELL_ROWS + stage]
            if step == 0:
                top = gather_live_nodes(workspace, columns, workspace.layer, first, last, top)
            else:
                renumber_rows(workspace, columns, workspace.layer, first, last)
            for due in range(RING):
                first = _first_proposal(rules, settings, due, stage)
                last = first + cells[_proposal_cell(due, stage)]
                if step == 0:
                    top = gather_live_nodes(workspace, columns, workspace.pool, first, last, top)
                else:
                    renumber_rows(workspace, columns, workspace.pool, first, last)
    drop_other_nodes(workspace, top)


@internal
def _make_room(workspace: Workspace, rules: Int64s, settings: Int64s) -> bool:
    """Whether another step of all cells fits, after a clean-up where one is needed."""
    registers = workspace.registers
    rows = (rules[RULE_ROWS] + 1) * settings[SET_WIDTH]
    nodes = rows * (rules[RULE_COLUMNS] + GROUP_NODES * rules[RULE_GROUP_MOVES] + 2 * RING + 2)
    if (registers[REG_NODE_TOP] + nodes) * NODE_WORDS > workspace.nodes.size:
        _drop_dead_nodes(workspace, rules, settings)
        if (registers[REG_NODE_TOP] + nodes) * NODE_WORDS > workspace.nodes.size:
            return False
    if (registers[REG_HISTORY_TOP] + rows * (RING + 1)) * HISTORY_WORDS > workspace.history.size:
        return False
    return not table_is_full(workspace, rows)


@kernel
def run_cells(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, settings: Int64s, seed: np.uint64
) -> int:
    """Search on until a win, a dead end, a bound, or until it is time to pause.

    Gives WON, FAILED, OUT_OF_NODES, OUT_OF_MEMORY, or PAUSED (call again to go on).
    """
    registers = workspace.registers
    cells = workspace.cells
    stages = rules[RULE_ROWS] + 1
    if 2 * stages * settings[SET_WIDTH] * STATE_WORDS > workspace.layer.size:
        return OUT_OF_MEMORY
    if 2 * RING * stages * settings[SET_WIDTH] * STATE_WORDS > workspace.pool.size:
        return OUT_OF_MEMORY
    while registers[REG_ACTIONS] < settings[SET_MOST_ACTIONS]:
        if not _make_room(workspace, rules, settings):
            return OUT_OF_MEMORY
        registers[REG_CANDIDATES] = 0
        best = INFINITE
        for stage in range(stages):
            result = _expand_cell(workspace, evaluation, rules, settings, seed, stage)
            if result != GOES_ON:
                return result
            if cells[CELL_COUNT + stage] > 0:
                best = min(best, _forecast(rules, settings, stage, cells[CELL_LOWEST + stage]))
        live = 0
        for stage in range(stages):
            built = 0
            if cells[CELL_COUNT + stage] > 0:
                greatest = _greatest_score(rules, settings, stage, best + settings[SET_SLACK])
                built = _build_cell(workspace, evaluation, rules, settings, stage, greatest)
            cells[CELL_ROWS + stage] = built
            live += built
        for cell in range(CELL_PROPOSALS, cells.size):
            live += cells[cell]
        registers[REG_PARITY] = 1 - registers[REG_PARITY]
        registers[REG_ACTIONS] += 1
        if live == 0:
            return FAILED
        if registers[REG_NODES] >= registers[REG_PAUSE_AT]:
            return PAUSED
    return FAILED
