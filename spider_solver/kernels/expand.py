"""Every move of a position as a candidate: score and key of the position it leads to, not built.

This is where the time goes.  A move touches two columns, so a candidate costs a few reads of what
:func:`read_columns` has gathered.  Some moves are left out when looking for a win: a run
is split only to lengthen a run of its own suit; only the first empty column is used, by whole runs;
a whole column is not moved to an empty one.  And a piece is not moved twice in a row: one move
would have done, except back onto a card that the first has turned up.  Moves that an elder sibling
makes (:mod:`.siblings`) are left to it.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.bits import lowest_bit, noise_of, position_key, run_key
from spider_solver.kernels.columns import (
    column_cost,
    coming_price,
    is_short_of_cards,
    junction_price,
    position_cost,
    settle,
)
from spider_solver.kernels.jit import inlined, internal
from spider_solver.kernels.layout import Evaluation, Int32s, Int64s, Workspace
from spider_solver.kernels.move_codes import count_of, source_of, target_of
from spider_solver.kernels.purpose import any_run_joins, targets_of_run


@inlined
def read_columns(workspace: Workspace, rows: Int32s, at: int, columns: int) -> np.uint64:
    """Gather the columns of the row at ``at`` into the scratch fields; gives the sum of keys.

    The sum of costs, with what the coming row adds, the count of empty columns and the first of
    them (or -1) go into registers.
    """
    nodes = workspace.nodes
    scratch = workspace.scratch
    workspace.card_columns[:] = 0
    workspace.rank_columns[:] = 0
    workspace.run_columns[:] = 0
    keys = np.uint64(0)
    cost = 0
    empties = 0
    first_empty = -1
    next_row = workspace.registers[layout.REG_STAGE] * columns
    for column in range(columns):
        node = np.int64(rows[at + column])
        scratch[layout.COLUMN_NODE + column] = node
        if node == layout.EMPTY:
            empties += 1
            if first_empty < 0:
                first_empty = column
            scratch[layout.COLUMN_COST + column] = 0
            workspace.scratch_keys[column] = np.uint64(0)
            continue
        key = nodes[node].key
        end = np.int64(nodes[node].end)
        workspace.scratch_keys[column] = key
        price = nodes[node].cost + coming_price(workspace, next_row + column, end)
        scratch[layout.COLUMN_COST + column] = price
        scratch[layout.COLUMN_PARENT + column] = nodes[node].parent
        head = np.int64(nodes[node].head)
        scratch[layout.COLUMN_HEAD + column] = head
        scratch[layout.COLUMN_END + column] = end
        workspace.run_columns[head] |= 1 << column
        workspace.card_columns[end] |= 1 << column
        workspace.rank_columns[end & layout.CARD_RANK] |= 1 << column
        keys += key
        cost += price
    workspace.registers[layout.REG_COST_SUM] = cost
    workspace.registers[layout.REG_EMPTIES] = empties
    workspace.registers[layout.REG_FIRST_EMPTY] = first_empty
    return keys


@inlined
def flip_class(evaluation: Evaluation, nodes: Int32s, column: int, node: int, left: int) -> int:
    """Change of the diversity sum when ``column`` goes from ``node`` to ``left``."""
    before = nodes[node].hidden & layout.HIDDEN_MASK
    after = nodes[left].hidden & layout.HIDDEN_MASK
    if before == after:
        return 0
    table = evaluation.diversity
    at = column * layout.MOST_HIDDEN
    return np.int64(table[at + after]) - np.int64(table[at + before])


@inlined
def add_candidate(
    workspace: Workspace, move: int, key: np.uint64, score: int, diversity: int
) -> None:
    """One more candidate (:func:`expand` writes its own, and keeps the counters at hand)."""
    registers = workspace.registers
    at = registers[layout.REG_CANDIDATES]
    workspace.candidates[at].score = score
    workspace.candidates[at].key = key
    workspace.candidates[at].move = move
    workspace.candidates[at].diversity = diversity
    registers[layout.REG_CANDIDATES] += 1
    registers[layout.REG_LOWEST] = min(registers[layout.REG_LOWEST], score)
    registers[layout.REG_HIGHEST] = max(registers[layout.REG_HIGHEST], score)


@internal
def record_win(workspace: Workspace, row: int, move: int) -> None:
    """Put the move that wins from row ``row`` of the layer into the history and its register."""
    history = workspace.history
    entry = workspace.registers[layout.REG_HISTORY_TOP]
    history[entry].before = workspace.layer[row * layout.STATE_WORDS + layout.HISTORY]
    history[entry].move = move
    workspace.registers[layout.REG_HISTORY_TOP] = entry + 1
    workspace.registers[layout.REG_WIN] = entry


@inlined
def _after_lay(
    evaluation: Evaluation,
    nodes: Int32s,
    target: int,
    head: int,
    end: int,
    leaving: int,
) -> tuple[int, np.uint64, int]:
    """Cost and key of column node ``target`` with the run laid on it, and how many runs leave.

    An empty column costs nothing even with the run: the price of its new base counts from the next
    move on.  That favours moves to empty columns by a little, which wins with fewer nodes
    (``benchmarks/README.md``).
    """
    hidden = nodes[target].hidden
    top_end = np.int64(nodes[target].end)
    if top_end == head + 1:
        parent = np.int64(nodes[target].parent)
        top_head = np.int64(nodes[target].head)
        if top_head - end == leaving - 1:
            parent, bared = settle(nodes, parent, leaving)
            cost = np.int64(nodes[parent].cost)
            return cost, nodes[parent].key, 1 + bared
        key = run_key(nodes[parent].key, top_head, end, hidden & layout.BARE)
        return np.int64(nodes[target].cost), key, 0
    junctions = nodes[target].junctions + junction_price(evaluation, top_end, head)
    cost = np.int64(column_cost(evaluation, junctions, hidden & layout.HIDDEN_MASK))
    return cost, run_key(nodes[target].key, head, end, 0), 0


@internal
def expand(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    row: int,
    key_sum: np.uint64,
    noise: int,
    seed: np.uint64,
    moves: int,
) -> int:
    """Write the candidates of row ``row`` of the layer, whose columns have been read.

    ``moves`` says which: EVERY_MOVE (of those that a beam makes), PURPOSEFUL or JOINS_FIRST.  It is
    one long function since most of the time of a search is spent here: counters stay in machine
    registers, and what the moves of one run share is read once.

    Gives GOES_ON, WON (the history entry of the win is in its register) or OUT_OF_NODES.
    """
    nodes = workspace.nodes
    scratch = workspace.scratch
    records = workspace.candidates
    registers = workspace.registers
    columns = rules[layout.RULE_COLUMNS]
    leaving = rules[layout.RULE_LEAVING]
    stage = registers[layout.REG_STAGE]
    next_row = stage * columns
    empty = 1 << registers[layout.REG_FIRST_EMPTY] if registers[layout.REG_FIRST_EMPTY] >= 0 else 0
    empties = registers[layout.REG_EMPTIES]
    cost_sum = registers[layout.REG_COST_SUM]
    count = registers[layout.REG_CANDIDATES]
    lowest = registers[layout.REG_LOWEST]
    highest = registers[layout.REG_HIGHEST]
    made = registers[layout.REG_NODES]
    budget = registers[layout.REG_MAX_NODES]
    state = row * layout.STATE_WORDS
    runs = workspace.layer[state + layout.TALLY] & layout.TALLY_RUNS
    diversity = np.int64(workspace.layer[state + layout.DIVERSITY])
    registers[layout.REG_EXPANDED] += 1
    result = layout.GOES_ON
    last = np.int64(workspace.history[workspace.layer[state + layout.HISTORY]].move)
    again = -1 if last == layout.DEAL_MOVE else target_of(last)
    again_count = count_of(last)
    again_targets = 1 << source_of(last) if last & layout.TURNED_UP else 0
    joins_only = moves == layout.JOINS_FIRST and any_run_joins(workspace, columns)

    for source in range(columns):
        node = scratch[layout.COLUMN_NODE + source]
        if node == layout.EMPTY:
            continue
        parent = scratch[layout.COLUMN_PARENT + source]
        head = scratch[layout.COLUMN_HEAD + source]
        end = scratch[layout.COLUMN_END + source]
        length = head - end + 1
        rest_cost = cost_sum - scratch[layout.COLUMN_COST + source]
        rest_key = key_sum - workspace.scratch_keys[source]
        # step 0 moves the whole run; step j > 0 leaves the upper part and moves the last j cards
        for step in range(1 if joins_only else length):
            taken = length if step == 0 else step
            lead = end + taken - 1
            if step == 0:
                targets = targets_of_run(
                    workspace, moves, joins_only, node, parent, head, empty, leaving
                )
                if targets == 0:
                    continue
                left, bared = settle(nodes, parent, leaving)
                left_runs = runs + bared
                left_cost = np.int64(nodes[left].cost)
                left_end = np.int64(nodes[left].end)
                left_cost += coming_price(workspace, next_row + source, left_end)
                left_key = nodes[left].key
                left_empties = empties + (1 if left == layout.EMPTY else 0)
                left_class = diversity + flip_class(evaluation, nodes, source, node, left)
            else:
                targets = workspace.card_columns[lead + 1]
                if targets == 0:
                    continue
                left_cost = scratch[layout.COLUMN_COST + source]
                left_cost -= coming_price(workspace, next_row + source, end)
                left_cost += coming_price(workspace, next_row + source, lead + 1)
                bare = nodes[node].hidden & layout.BARE
                left_key = run_key(nodes[parent].key, head, end + taken, bare)
                left_empties = empties
                left_class = diversity
                left_runs = runs
            targets &= ~workspace.left_out[source]
            if source == again and taken == again_count:
                targets &= again_targets
            while targets != 0:
                target = lowest_bit(targets)
                targets &= targets - 1
                if (
                    step > 0
                    and moves != layout.EVERY_MOVE
                    and scratch[layout.COLUMN_HEAD + target] <= head
                ):
                    continue  # the run that is split is no shorter
                if made >= budget:
                    result = layout.OUT_OF_NODES
                    break
                made += 1
                onto = scratch[layout.COLUMN_NODE + target]
                cost, key, completed = _after_lay(evaluation, nodes, onto, lead, end, leaving)
                next_class = left_class
                next_end = end
                next_empties = left_empties - (1 if onto == layout.EMPTY else 0)
                move = (
                    row * layout.MOVE_PARENT
                    + source * layout.MOVE_SOURCE
                    + target * layout.MOVE_TARGET
                    + taken
                )
                next_runs = left_runs + completed
                if next_runs != runs:
                    if completed:
                        below, _ = settle(nodes, np.int64(nodes[onto].parent), leaving)
                        next_end = np.int64(nodes[below].end)
                        next_empties += 1 if below == layout.EMPTY else 0
                        next_class += flip_class(evaluation, nodes, target, onto, below)
                    registers[layout.REG_MOST_RUNS] = max(
                        registers[layout.REG_MOST_RUNS], next_runs
                    )
                    if next_runs == rules[layout.RULE_RUNS]:
                        record_win(workspace, row, move % layout.MOVE_PARENT)
                        result = layout.WON
                        break
                    if is_short_of_cards(rules, stage, next_runs):
                        continue
                whole = position_key(
                    rest_key - workspace.scratch_keys[target] + left_key + key, stage
                )
                next_cost = rest_cost - scratch[layout.COLUMN_COST + target] + left_cost + cost
                next_cost += coming_price(workspace, next_row + target, next_end)
                score = position_cost(evaluation, next_cost, next_empties, next_runs)
                score += noise_of(whole, seed, noise)
                records[count].score = score
                workspace.candidates[count].key = whole
                records[count].move = move
                records[count].diversity = next_class
                count += 1
                lowest = min(lowest, score)
                highest = max(highest, score)
            if result != layout.GOES_ON:
                break
        if result != layout.GOES_ON:
            break
    registers[layout.REG_CANDIDATES] = count
    registers[layout.REG_LOWEST] = lowest
    registers[layout.REG_HIGHEST] = highest
    registers[layout.REG_NODES] = made
    return result
