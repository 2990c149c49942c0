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

from spider_solver.kernels import layout
from spider_solver.kernels.bits import noise_of
from spider_solver.kernels.dealing import deal_row, key_of_deal, write_proposal
from spider_solver.kernels.diversity import clear_classes
from spider_solver.kernels.jit import internal, kernel
from spider_solver.kernels.layers import (
    admit,
    build_successor,
    copy_row,
    drop_dead_nodes,
    expand_position,
    list_live,
    nodes_fit,
    open_start,
    sign_row,
    try_deal,
)
from spider_solver.kernels.layout import Evaluation, Int64s, Workspace
from spider_solver.kernels.selection import order_by_score
from spider_solver.kernels.siblings import forget_children
from spider_solver.kernels.table import table_is_full


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
    open_start(workspace, evaluation, rules, cards, heights, face_down, stock, runs)
    workspace.cells[:] = 0
    workspace.cells[layout.CELL_ROWS] = 1
    workspace.registers[layout.REG_ACTIONS] = 0
    workspace.registers[layout.REG_PARITY] = 0


@internal
def _cell_row(rules: Int64s, settings: Int64s, parity: int, stage: int) -> int:
    """The first row of a cell in the layer."""
    return (parity * (rules[layout.RULE_ROWS] + 1) + stage) * settings[layout.SET_WIDTH]


@internal
def _proposal_cell(due: int, stage: int) -> int:
    """The counter of the deals that lead to ``stage`` and are due at ``due`` actions."""
    return layout.CELL_PROPOSALS + (due % layout.RING) * layout.MAX_STAGES + stage


@internal
def _first_proposal(rules: Int64s, settings: Int64s, due: int, stage: int) -> int:
    """The first pool entry of those deals; there is room for two a row of a cell."""
    return (
        ((due % layout.RING) * (rules[layout.RULE_ROWS] + 1) + stage)
        * 2
        * settings[layout.SET_WIDTH]
    )


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
    node_top = registers[layout.REG_NODE_TOP]
    history_top = registers[layout.REG_HISTORY_TOP]
    next_actions = registers[layout.REG_ACTIONS] + 1
    most = min(layout.RING - 1, settings[layout.SET_MOST_ACTIONS] - next_actions)
    result, moves, cost, runs = try_deal(workspace, evaluation, rules, row, most)
    if result == layout.OUT_OF_NODES or result == layout.WON:
        return result
    due = next_actions + moves
    stage = registers[layout.REG_STAGE] + 1
    cell = _proposal_cell(due, stage)
    full = workspace.cells[cell] >= 2 * settings[layout.SET_WIDTH]
    if result == layout.FAILED or full:
        registers[layout.REG_NODE_TOP] = node_top
        registers[layout.REG_HISTORY_TOP] = history_top
        return layout.GOES_ON
    entry = _first_proposal(rules, settings, due, stage) + workspace.cells[cell]
    key = key_of_deal(workspace, rules)
    workspace.proposals[entry].key = key
    workspace.proposals[entry].score = cost + noise_of(key, seed, settings[layout.SET_NOISE])
    at = row * layout.STATE_WORDS
    write_proposal(workspace, evaluation, rules, entry, at, moves, runs)
    workspace.cells[cell] += 1
    return layout.GOES_ON


@internal
def _gather_proposals(
    workspace: Workspace, rules: Int64s, settings: Int64s, due: int, stage: int
) -> None:
    """Put the deals that are due among the candidates, with negative move codes."""
    registers = workspace.registers
    cell = _proposal_cell(due, stage)
    first = _first_proposal(rules, settings, due, stage)
    for entry in range(first, first + workspace.cells[cell]):
        to = registers[layout.REG_CANDIDATES]
        workspace.candidates[to] = workspace.proposals[entry]
        workspace.candidates[to].move = -1 - entry
        score = workspace.candidates[to].score
        registers[layout.REG_LOWEST] = min(registers[layout.REG_LOWEST], score)
        registers[layout.REG_HIGHEST] = max(registers[layout.REG_HIGHEST], score)
        registers[layout.REG_CANDIDATES] += 1
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
    actions = registers[layout.REG_ACTIONS]
    registers[layout.REG_STAGE] = stage
    registers[layout.REG_LOWEST] = layout.INFINITE
    registers[layout.REG_HIGHEST] = -layout.INFINITE
    cells[layout.CELL_FIRST + stage] = registers[layout.REG_CANDIDATES]
    if registers[layout.REG_CANDIDATES] + 2 * settings[layout.SET_WIDTH] > workspace.order.size:
        return layout.OUT_OF_MEMORY
    _gather_proposals(workspace, rules, settings, actions + 1, stage)
    first = _cell_row(rules, settings, registers[layout.REG_PARITY], stage)
    for row in range(first, first + cells[layout.CELL_ROWS + stage]):
        result = expand_position(workspace, evaluation, rules, settings, row, seed)
        if result == layout.GOES_ON and stage < rules[layout.RULE_ROWS]:
            result = _propose_deal(workspace, evaluation, rules, settings, row, seed)
        if result != layout.GOES_ON:
            return result
    cells[layout.CELL_COUNT + stage] = (
        registers[layout.REG_CANDIDATES] - cells[layout.CELL_FIRST + stage]
    )
    cells[layout.CELL_LOWEST + stage] = registers[layout.REG_LOWEST]
    cells[layout.CELL_HIGHEST + stage] = registers[layout.REG_HIGHEST]
    return layout.GOES_ON


@internal
def _forecast(rules: Int64s, settings: Int64s, stage: int, score: int) -> int:
    """Actions still to come from a score after ``stage`` deals, in price units."""
    at = layout.SET_FORECAST + layout.FORECAST_WORDS * (rules[layout.RULE_ROWS] - stage)
    return (score * settings[at] >> 10) + settings[at + 1]


@internal
def _greatest_score(rules: Int64s, settings: Int64s, stage: int, forecast: int) -> int:
    """The score after ``stage`` deals that :func:`_forecast` takes to ``forecast``."""
    at = layout.SET_FORECAST + layout.FORECAST_WORDS * (rules[layout.RULE_ROWS] - stage)
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
    first = cells[layout.CELL_FIRST + stage]
    count = cells[layout.CELL_COUNT + stage]
    records = workspace.candidates
    order_by_score(
        records[first:],
        count,
        cells[layout.CELL_LOWEST + stage],
        cells[layout.CELL_HIGHEST + stage],
        workspace.order,
        workspace.buckets,
    )
    width = settings[layout.SET_WIDTH]
    to = _cell_row(rules, settings, 1 - registers[layout.REG_PARITY], stage)
    classes = clear_classes(workspace, width)
    registers[layout.REG_STAGE] = stage - 1  # of a position that is about to be dealt to
    here = _cell_row(rules, settings, registers[layout.REG_PARITY], stage)
    forget_children(workspace, here, here + cells[layout.CELL_ROWS + stage])
    built = 0
    for place in range(count):
        at = first + workspace.order[place]
        if records[at].score > greatest:
            continue
        if not admit(workspace, at, classes, settings[layout.SET_CELL_CAP]):
            continue
        move = records[at].move
        if move < 0:
            copy_row(rows, to + built, workspace.pool, -1 - move)
            deal_row(workspace, evaluation, rules, rows, (to + built) * layout.STATE_WORDS)
            workspace.elder_sibling[to + built] = layout.NO_ROW
            sign_row(workspace, rows, to + built, at, layout.DEAL_MOVE)
        else:
            build_successor(workspace, evaluation, rules, rows, to + built, at)
        built += 1
        if built == width:
            break
    return built


@internal
def _drop_dead_nodes(workspace: Workspace, rules: Int64s, settings: Int64s) -> None:
    """Throw away the column nodes that no cell and no proposal needs."""
    cells = workspace.cells
    parity = workspace.registers[layout.REG_PARITY]
    live = 0
    for stage in range(rules[layout.RULE_ROWS] + 1):
        first = _cell_row(rules, settings, parity, stage)
        last = first + cells[layout.CELL_ROWS + stage]
        live = list_live(workspace, live, layout.IN_LAYER, first, last)
        for due in range(layout.RING):
            first = _first_proposal(rules, settings, due, stage)
            last = first + cells[_proposal_cell(due, stage)]
            live = list_live(workspace, live, layout.IN_POOL, first, last)
    drop_dead_nodes(workspace, rules, live)


@internal
def _make_room(workspace: Workspace, rules: Int64s, settings: Int64s) -> bool:
    """Whether another step of all cells fits, after a clean-up where one is needed."""
    registers = workspace.registers
    rows = (rules[layout.RULE_ROWS] + 1) * settings[layout.SET_WIDTH]
    a_row = rules[layout.RULE_COLUMNS] + layout.GROUP_NODES * rules[layout.RULE_GROUP_MOVES]
    nodes = rows * (a_row + 2 * layout.RING + 2)
    if not nodes_fit(workspace, nodes):
        _drop_dead_nodes(workspace, rules, settings)
    entries = rows * (layout.RING + 1)
    if registers[layout.REG_HISTORY_TOP] + entries > workspace.history.size:
        return False
    return nodes_fit(workspace, nodes) and not table_is_full(workspace, rows)


@kernel
def run_cells(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, settings: Int64s, seed: np.uint64
) -> int:
    """Search on until a win, a dead end, a bound, or until it is time to pause.

    Gives WON, FAILED, OUT_OF_NODES, OUT_OF_MEMORY, or PAUSED (call again to go on).
    """
    registers = workspace.registers
    cells = workspace.cells
    stages = rules[layout.RULE_ROWS] + 1
    if 2 * stages * settings[layout.SET_WIDTH] * layout.STATE_WORDS > workspace.layer.size:
        return layout.OUT_OF_MEMORY
    if (
        2 * layout.RING * stages * settings[layout.SET_WIDTH] * layout.STATE_WORDS
        > workspace.pool.size
    ):
        return layout.OUT_OF_MEMORY
    while registers[layout.REG_ACTIONS] < settings[layout.SET_MOST_ACTIONS]:
        if not _make_room(workspace, rules, settings):
            return layout.OUT_OF_MEMORY
        registers[layout.REG_CANDIDATES] = 0
        best = layout.INFINITE
        for stage in range(stages):
            result = _expand_cell(workspace, evaluation, rules, settings, seed, stage)
            if result != layout.GOES_ON:
                return result
            if cells[layout.CELL_COUNT + stage] > 0:
                best = min(
                    best, _forecast(rules, settings, stage, cells[layout.CELL_LOWEST + stage])
                )
        live = 0
        for stage in range(stages):
            built = 0
            if cells[layout.CELL_COUNT + stage] > 0:
                greatest = _greatest_score(
                    rules, settings, stage, best + settings[layout.SET_SLACK]
                )
                built = _build_cell(workspace, evaluation, rules, settings, stage, greatest)
            cells[layout.CELL_ROWS + stage] = built
            live += built
        for cell in range(layout.CELL_PROPOSALS, cells.size):
            live += cells[cell]
        registers[layout.REG_PARITY] = 1 - registers[layout.REG_PARITY]
        registers[layout.REG_ACTIONS] += 1
        if live == 0:
            return layout.FAILED
        if registers[layout.REG_NODES] >= registers[layout.REG_PAUSE_AT]:
            return layout.PAUSED
    return layout.FAILED
