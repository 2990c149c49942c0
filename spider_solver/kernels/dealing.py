"""The deal as a successor: empty columns are filled first, then a card falls on every column.

Where a row may be dealt over empty columns, they are left as they are.

Each position of a layer proposes one such successor to the stage's pool.  Without empty columns
its score comes in one pass over the columns, and nothing is built unless the pool wants it.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.bits import position_key, run_key
from spider_solver.kernels.columns import (
    column_cost,
    completes_run,
    continues_run,
    is_complete,
    junction_price,
    junctions_with,
    lay_run,
    position_cost,
    settle,
    take_cards,
)
from spider_solver.kernels.jit import inlined, internal, kernel
from spider_solver.kernels.layout import Evaluation, Int32s, Int64s, Workspace


@inlined
def _cost_with_card(evaluation: Evaluation, nodes: Int32s, node: int, card: int) -> int:
    """Price of the column ``node`` after ``card`` (0: none) is dealt onto it, completions aside."""
    if card == 0:
        return nodes[node].cost
    hidden = nodes[node].hidden & layout.HIDDEN_MASK
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
    best = layout.INFINITE
    best_source = -1
    best_target = -1
    best_count = 0
    for source in range(columns):
        node = scratch[layout.FILLED + source]
        if node == layout.EMPTY:
            continue
        parent = nodes[node].parent
        length = nodes[node].head - nodes[node].end + 1
        end = np.int64(nodes[node].end)
        card = workspace.stock[row + source]
        before = _cost_with_card(evaluation, nodes, node, card)
        for count in range(1, length + 1):
            lead = end + count - 1
            if count == length:
                if parent == layout.EMPTY:
                    break  # a whole column fills one place and opens another
                if is_complete(nodes, parent, leaving):
                    break
                left = _cost_with_card(evaluation, nodes, parent, card)
            elif card == 0:
                left = np.int64(nodes[node].cost)
            else:
                junctions = nodes[node].junctions + junction_price(evaluation, end + count, card)
                left = column_cost(evaluation, junctions, nodes[node].hidden & layout.HIDDEN_MASK)
            for target in range(columns):
                if scratch[layout.FILLED + target] != layout.EMPTY:
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
    node = scratch[layout.FILLED + best_source]
    end = np.int64(nodes[node].end)
    scratch[layout.FILLED + best_source] = take_cards(workspace, node, best_count)
    scratch[layout.FILLED + best_target] = lay_run(
        workspace, evaluation, layout.EMPTY, end + best_count - 1, end
    )
    move = best_source * layout.MOVE_SOURCE + best_target * layout.MOVE_TARGET + best_count
    registers = workspace.registers
    entry = registers[layout.REG_HISTORY_TOP]
    workspace.history[entry].before = entry - 1
    workspace.history[entry].move = move
    registers[layout.REG_HISTORY_TOP] = entry + 1
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
    columns = rules[layout.RULE_COLUMNS]
    for column in range(columns):
        workspace.scratch[layout.FILLED + column] = rows[at + column]
    empties = workspace.registers[layout.REG_EMPTIES]
    if empties == 0 or rules[layout.RULE_DEAL_OVER_EMPTY]:
        return 0
    before = np.int64(rows[at + layout.HISTORY])
    leaving = rules[layout.RULE_LEAVING]
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
    first = registers[layout.REG_HISTORY_TOP]
    row = registers[layout.REG_STAGE] * columns
    for moves in range(empties):
        if not _fill_one(workspace, evaluation, columns, row, leaving):
            return -1
        if moves == 0:
            workspace.history[first].before = before
    return empties


@inlined
def cost_of_deal(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, runs: int
) -> tuple[int, int]:
    """Cost without noise of the columns in FILLED after the deal, and the runs completed then.

    Exact: a card that completes a run takes it away and turns up what lies below.
    """
    nodes = workspace.nodes
    columns = rules[layout.RULE_COLUMNS]
    first = workspace.registers[layout.REG_STAGE] * columns
    cost = 0
    empties = 0
    for column in range(columns):
        node = workspace.scratch[layout.FILLED + column]
        card = workspace.stock[first + column]
        if card == 0:
            cost += nodes[node].cost
            empties += 1 if node == layout.EMPTY else 0
        elif completes_run(nodes, node, card, card, rules[layout.RULE_LEAVING]):
            below, bared = settle(nodes, np.int64(nodes[node].parent), rules[layout.RULE_LEAVING])
            cost += nodes[below].cost
            empties += 1 if below == layout.EMPTY else 0
            runs += 1 + bared
        else:
            cost += _cost_with_card(evaluation, nodes, node, card)
    return position_cost(evaluation, cost, empties, runs), runs


@internal
def key_of_deal(workspace: Workspace, rules: Int64s) -> np.uint64:
    """Key of the columns in FILLED after the deal."""
    nodes = workspace.nodes
    columns = rules[layout.RULE_COLUMNS]
    stage = workspace.registers[layout.REG_STAGE]
    key = np.uint64(0)
    for column in range(columns):
        node = workspace.scratch[layout.FILLED + column]
        card = workspace.stock[stage * columns + column]
        if card == 0:
            key += nodes[node].key
        elif completes_run(nodes, node, card, card, rules[layout.RULE_LEAVING]):
            below, _ = settle(nodes, np.int64(nodes[node].parent), rules[layout.RULE_LEAVING])
            key += nodes[below].key
        elif continues_run(nodes, node, card):
            rest = nodes[nodes[node].parent].key
            key += run_key(rest, np.int64(nodes[node].head), card, nodes[node].hidden & layout.BARE)
        else:
            key += run_key(nodes[node].key, card, card, 0)
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
    columns = rules[layout.RULE_COLUMNS]
    first = workspace.registers[layout.REG_STAGE] * columns
    completed = 0
    for column in range(columns):
        card = workspace.stock[first + column]
        node = np.int64(rows[at + column])
        if card == 0:
            continue
        if completes_run(nodes, node, card, card, rules[layout.RULE_LEAVING]):
            below = np.int64(nodes[node].parent)
            rows[at + column], bared = settle(nodes, below, rules[layout.RULE_LEAVING])
            completed += 1 + bared
        else:
            rows[at + column] = lay_run(workspace, evaluation, node, card, card)
    return completed


@internal
def class_of_deal(workspace: Workspace, evaluation: Evaluation, rules: Int64s) -> int:
    """The diversity sum of the columns in FILLED after the deal."""
    nodes = workspace.nodes
    columns = rules[layout.RULE_COLUMNS]
    first = workspace.registers[layout.REG_STAGE] * columns
    diversity = 0
    for column in range(columns):
        node = workspace.scratch[layout.FILLED + column]
        card = workspace.stock[first + column]
        if card != 0 and completes_run(nodes, node, card, card, rules[layout.RULE_LEAVING]):
            below = np.int64(nodes[node].parent)
            node, _ = settle(nodes, below, rules[layout.RULE_LEAVING])
        hidden = nodes[node].hidden & layout.HIDDEN_MASK
        diversity += evaluation.diversity[column * layout.MOST_HIDDEN + hidden]
    return diversity


@internal
def write_proposal(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    entry: int,
    at: int,
    moves: int,
    runs: int,
) -> None:
    """Put the deal just tried from the row of the layer at ``at`` into the pool's ``entry``.

    The proposal's score and key are the caller's to write.
    """
    pool = workspace.pool
    to = entry * layout.STATE_WORDS
    for column in range(rules[layout.RULE_COLUMNS]):
        pool[to + column] = workspace.scratch[layout.FILLED + column]
    diversity = class_of_deal(workspace, evaluation, rules)
    actions = workspace.layer[at + layout.TALLY] // layout.TALLY_ACTION + moves + 1
    pool[to + layout.HISTORY] = history_before_deal(workspace, at, moves)
    pool[to + layout.DIVERSITY] = np.int32(diversity)
    pool[to + layout.TALLY] = runs + actions * layout.TALLY_ACTION
    workspace.proposals[entry].move = entry
    workspace.proposals[entry].diversity = diversity


@internal
def history_before_deal(workspace: Workspace, at: int, moves: int) -> int:
    """The history entry after the ``moves`` fillings of the row of the layer at ``at``."""
    if moves > 0:
        return workspace.registers[layout.REG_HISTORY_TOP] - 1
    return np.int64(workspace.layer[at + layout.HISTORY])


@inlined
def add_history(workspace: Workspace, before: int, move: int) -> int:
    """A new history entry; gives its number."""
    entry = workspace.registers[layout.REG_HISTORY_TOP]
    workspace.history[entry].before = before
    workspace.history[entry].move = move
    workspace.registers[layout.REG_HISTORY_TOP] = entry + 1
    return entry


@kernel
def read_line(workspace: Workspace, entry: int, moves: Int32s) -> int:
    """Write the move codes that lead to a history entry, in order of play; gives their number."""
    length = 0
    at = entry
    while at > 0:
        length += 1
        at = np.int64(workspace.history[at].before)
    at = entry
    for place in range(length - 1, -1, -1):
        if place < moves.size:
            moves[place] = workspace.history[at].move & layout.DEAL_MOVE
        at = np.int64(workspace.history[at].before)
    return length
