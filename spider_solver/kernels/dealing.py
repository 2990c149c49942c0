"""The deal as a successor: empty columns are filled first, then a card falls on every column.

Where a row may be dealt over empty columns, they are left as they are.

Each position of a layer proposes one such successor to the stage's pool.  Without empty columns
its score comes in one pass over the columns, and nothing is built unless the pool wants it.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels.bits import position_key, run_key
from spider_solver.kernels.columns import (
    column_cost,
    completes_run,
    continues_run,
    is_complete,
    junction_price,
    junctions_with,
    lay_run,
    settle,
    take_cards,
)
from spider_solver.kernels.jit import inlined, internal, kernel
from spider_solver.kernels.layout import (
    BARE,
    BEFORE,
    CANDIDATE_WORDS,
    CLASS,
    COMPLETED_RUN,
    COST,
    DEAL_MOVE,
    DIVERSITY,
    EMPTY,
    END,
    FILLED,
    HEAD,
    HIDDEN,
    HIDDEN_MASK,
    HISTORY,
    HISTORY_WORDS,
    INFINITE,
    JUNCTIONS,
    KEY,
    MOST_HIDDEN,
    MOVE,
    MOVE_SOURCE,
    MOVE_TARGET,
    NODE_KEY_STRIDE,
    NODE_WORDS,
    PARENT,
    PLAYED,
    REG_EMPTIES,
    REG_HISTORY_TOP,
    REG_STAGE,
    RULE_COLUMNS,
    RULE_DEAL_OVER_EMPTY,
    RULE_LEAVING,
    SCORE,
    STATE_WORDS,
    TALLY,
    TALLY_ACTION,
    Evaluation,
    Int32s,
    Int64s,
    Workspace,
)


@inlined
def _cost_with_card(evaluation: Evaluation, nodes: Int32s, node: int, card: int) -> int:
    """Price of the column ``node`` after ``card`` (0: none) is dealt onto it, completions aside."""
    if card == 0:
        return nodes[node * NODE_WORDS + COST]
    hidden = nodes[node * NODE_WORDS + HIDDEN] & HIDDEN_MASK
    return column_cost(evaluation, junctions_with(evaluation, nodes, node, card), hidden)


@internal
def _fill_one(
    workspace: Workspace, evaluation: Evaluation, columns: int, row: int, leaving: int
) -> bool:
    """Make the one filling move that is cheapest after the coming row; False if there is none.

    No filling lays a complete run bare, which could open another column; :func:`expand` has those.
    """
    nodes = workspace.nodes
    scratch = workspace.scratch
    best = INFINITE
    best_source = -1
    best_target = -1
    best_count = 0
    for source in range(columns):
        node = scratch[FILLED + source]
        if node == EMPTY:
            continue
        at = node * NODE_WORDS
        parent = nodes[at + PARENT]
        length = nodes[at + HEAD] - nodes[at + END] + 1
        end = np.int64(nodes[at + END])
        card = workspace.stock[row + source]
        before = _cost_with_card(evaluation, nodes, node, card)
        for count in range(1, length + 1):
            lead = end + count - 1
            if count == length:
                if parent == EMPTY:
                    break  # a whole column fills one place and opens another
                if is_complete(nodes, parent, leaving):
                    break
                left = _cost_with_card(evaluation, nodes, parent, card)
            elif card == 0:
                left = np.int64(nodes[at + COST])
            else:
                junctions = nodes[at + JUNCTIONS] + junction_price(evaluation, end + count, card)
                left = column_cost(evaluation, junctions, nodes[at + HIDDEN] & HIDDEN_MASK)
            for target in range(columns):
                if scratch[FILLED + target] != EMPTY:
                    continue
                junctions = np.int64(evaluation.base[lead])
                below = workspace.stock[row + target]
                if below != 0:
                    junctions += junction_price(evaluation, end, below)
                gain = left + column_cost(evaluation, junctions, 0) - before
                if gain < best:
                    best = gain
                    best_source = source
                    best_target = target
                    best_count = count
    if best_source < 0:
        return False
    node = scratch[FILLED + best_source]
    end = np.int64(nodes[node * NODE_WORDS + END])
    scratch[FILLED + best_source] = take_cards(workspace, node, best_count)
    scratch[FILLED + best_target] = lay_run(workspace, evaluation, EMPTY, end + best_count - 1, end)
    move = best_source * MOVE_SOURCE + best_target * MOVE_TARGET + best_count
    registers = workspace.registers
    entry = registers[REG_HISTORY_TOP]
    workspace.history[entry * HISTORY_WORDS + BEFORE] = entry - 1
    workspace.history[entry * HISTORY_WORDS + PLAYED] = move
    registers[REG_HISTORY_TOP] = entry + 1
    return True


@inlined
def fill_columns(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    rows: Int32s,
    at: int,
) -> int:
    """Copy the columns of the row at ``at`` into the scratch field FILLED and fill empty ones.

    Gives the number of moves, or -1 if there are too few cards.  The moves stand at the top of the
    history, the first of them after the row's own entry; new nodes stand at the top of the nodes:
    whoever does not want the result sets both registers back.
    """
    columns = rules[RULE_COLUMNS]
    for column in range(columns):
        workspace.scratch[FILLED + column] = rows[at + column]
    empties = workspace.registers[REG_EMPTIES]
    if empties == 0 or rules[RULE_DEAL_OVER_EMPTY]:
        return 0
    before = np.int64(rows[at + HISTORY])
    leaving = rules[RULE_LEAVING]
    return _fill_all(workspace, evaluation, columns, empties, before, leaving)


@internal
def _fill_all(
    workspace: Workspace,
    evaluation: Evaluation,
    columns: int,
    empties: int,
    before: int,
    leaving: int,
) -> int:
    registers = workspace.registers
    first = registers[REG_HISTORY_TOP]
    row = registers[REG_STAGE] * columns
    for moves in range(empties):
        if not _fill_one(workspace, evaluation, columns, row, leaving):
            return -1
        if moves == 0:
            workspace.history[first * HISTORY_WORDS + BEFORE] = before
    return empties


@inlined
def cost_of_deal(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, runs: int
) -> tuple[int, int]:
    """Cost without noise of the columns in FILLED after the deal, and the runs completed then.

    Exact: a card that completes a run takes it away and turns up what lies below.
    """
    nodes = workspace.nodes
    columns = rules[RULE_COLUMNS]
    first = workspace.registers[REG_STAGE] * columns
    cost = 0
    empties = 0
    for column in range(columns):
        node = workspace.scratch[FILLED + column]
        card = workspace.stock[first + column]
        at = node * NODE_WORDS
        if card == 0:
            cost += nodes[at + COST]
            empties += 1 if node == EMPTY else 0
        elif completes_run(nodes, node, card, card, rules[RULE_LEAVING]):
            below, bared = settle(nodes, np.int64(nodes[at + PARENT]), rules[RULE_LEAVING])
            cost += nodes[below * NODE_WORDS + COST]
            empties += 1 if below == EMPTY else 0
            runs += 1 + bared
        else:
            cost += _cost_with_card(evaluation, nodes, node, card)
    return cost + evaluation.empties[empties] - evaluation.constants[COMPLETED_RUN] * runs, runs


@internal
def key_of_deal(workspace: Workspace, rules: Int64s) -> np.uint64:
    """Key of the columns in FILLED after the deal."""
    nodes = workspace.nodes
    keys = workspace.node_keys
    columns = rules[RULE_COLUMNS]
    stage = workspace.registers[REG_STAGE]
    key = np.uint64(0)
    for column in range(columns):
        node = workspace.scratch[FILLED + column]
        card = workspace.stock[stage * columns + column]
        at = node * NODE_WORDS
        if card == 0:
            key += keys[node * NODE_KEY_STRIDE]
        elif completes_run(nodes, node, card, card, rules[RULE_LEAVING]):
            below, _ = settle(nodes, np.int64(nodes[at + PARENT]), rules[RULE_LEAVING])
            key += keys[below * NODE_KEY_STRIDE]
        elif continues_run(nodes, node, card):
            rest = keys[nodes[at + PARENT] * NODE_KEY_STRIDE]
            key += run_key(rest, np.int64(nodes[at + HEAD]), card, nodes[at + HIDDEN] & BARE)
        else:
            key += run_key(keys[node * NODE_KEY_STRIDE], card, card, 0)
    return position_key(key, stage + 1)


@internal
def deal_row(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    rows: Int32s,
    at: int,
) -> int:
    """Deal the row of the current stage onto the columns at ``at`` of ``rows``, in place.

    Gives the number of runs that leave.
    """
    nodes = workspace.nodes
    columns = rules[RULE_COLUMNS]
    first = workspace.registers[REG_STAGE] * columns
    completed = 0
    for column in range(columns):
        card = workspace.stock[first + column]
        node = np.int64(rows[at + column])
        if card == 0:
            continue
        if completes_run(nodes, node, card, card, rules[RULE_LEAVING]):
            below = np.int64(nodes[node * NODE_WORDS + PARENT])
            rows[at + column], bared = settle(nodes, below, rules[RULE_LEAVING])
            completed += 1 + bared
        else:
            rows[at + column] = lay_run(workspace, evaluation, node, card, card)
    return completed


@internal
def class_of_deal(workspace: Workspace, evaluation: Evaluation, rules: Int64s) -> int:
    """The diversity sum of the columns in FILLED after the deal."""
    nodes = workspace.nodes
    columns = rules[RULE_COLUMNS]
    first = workspace.registers[REG_STAGE] * columns
    diversity = 0
    for column in range(columns):
        node = workspace.scratch[FILLED + column]
        card = workspace.stock[first + column]
        if card != 0 and completes_run(nodes, node, card, card, rules[RULE_LEAVING]):
            below = np.int64(nodes[node * NODE_WORDS + PARENT])
            node, _ = settle(nodes, below, rules[RULE_LEAVING])
        hidden = nodes[node * NODE_WORDS + HIDDEN] & HIDDEN_MASK
        diversity += evaluation.diversity[column * MOST_HIDDEN + hidden]
    return diversity


@internal
def write_proposal(
    workspace: Workspace,
    rules: Int64s,
    entry: int,
    at: int,
    moves: int,
    score: int,
    key: np.uint64,
    diversity: int,
    runs: int,
) -> None:
    """Put the deal just tried from the row of the layer at ``at`` into the pool's ``entry``."""
    pool = workspace.pool
    to = entry * STATE_WORDS
    for column in range(rules[RULE_COLUMNS]):
        pool[to + column] = workspace.scratch[FILLED + column]
    pool[to + HISTORY] = history_before_deal(workspace, at, moves)
    pool[to + DIVERSITY] = np.int32(diversity)
    actions = workspace.layer[at + TALLY] // TALLY_ACTION + moves + 1
    pool[to + TALLY] = runs + actions * TALLY_ACTION
    record = entry * CANDIDATE_WORDS
    workspace.proposals[record + SCORE] = score
    workspace.proposal_keys[record + KEY] = key
    workspace.proposals[record + MOVE] = entry
    workspace.proposals[record + CLASS] = diversity


@internal
def history_before_deal(workspace: Workspace, at: int, moves: int) -> int:
    """The history entry after the ``moves`` fillings of the row of the layer at ``at``."""
    if moves > 0:
        return workspace.registers[REG_HISTORY_TOP] - 1
    return np.int64(workspace.layer[at + HISTORY])


@inlined
def add_history(workspace: Workspace, before: int, move: int) -> int:
    """A new history entry; gives its number."""
    entry = workspace.registers[REG_HISTORY_TOP]
    workspace.history[entry * HISTORY_WORDS + BEFORE] = before
    workspace.history[entry * HISTORY_WORDS + PLAYED] = move
    workspace.registers[REG_HISTORY_TOP] = entry + 1
    return entry


@kernel
def read_line(workspace: Workspace, entry: int, moves: Int32s) -> int:
    """Write the move codes that lead to a history entry, in order of play; gives their number."""
    length = 0
    at = entry
    while at > 0:
        length += 1
        at = np.int64(workspace.history[at * HISTORY_WORDS + BEFORE])
    at = entry
    for place in range(length - 1, -1, -1):
        if place < moves.size:
            moves[place] = workspace.history[at * HISTORY_WORDS + PLAYED] & DEAL_MOVE
        at = np.int64(workspace.history[at * HISTORY_WORDS + BEFORE])
    return length
