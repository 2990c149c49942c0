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

from spider_solver.kernels.bits import lowest_bit, noise_of, position_key, run_key
from spider_solver.kernels.columns import (
    column_cost,
    coming_price,
    is_short_of_cards,
    junction_price,
    settle,
)
from spider_solver.kernels.jit import inlined, internal
from spider_solver.kernels.layout import (
    BARE,
    BEFORE,
    CANDIDATE_WORDS,
    CARD_RANK,
    CLASS,
    COLUMN_COST,
    COLUMN_END,
    COLUMN_HEAD,
    COLUMN_NODE,
    COLUMN_PARENT,
    COMPLETED_RUN,
    COST,
    DEAL_MOVE,
    DIVERSITY,
    EMPTY,
    END,
    EVERY_MOVE,
    GOES_ON,
    HEAD,
    HIDDEN,
    HIDDEN_MASK,
    HISTORY,
    HISTORY_WORDS,
    JOINS_FIRST,
    JUNCTIONS,
    KEY,
    MOST_HIDDEN,
    MOVE,
    MOVE_PARENT,
    MOVE_SOURCE,
    MOVE_TARGET,
    NODE_KEY_STRIDE,
    NODE_WORDS,
    OUT_OF_NODES,
    PARENT,
    PLAYED,
    REG_CANDIDATES,
    REG_COST_SUM,
    REG_EMPTIES,
    REG_EXPANDED,
    REG_FIRST_EMPTY,
    REG_HIGHEST,
    REG_HISTORY_TOP,
    REG_LOWEST,
    REG_MAX_NODES,
    REG_MOST_RUNS,
    REG_NODES,
    REG_STAGE,
    REG_WIN,
    RULE_COLUMNS,
    RULE_LEAVING,
    RULE_RUNS,
    SCORE,
    STATE_WORDS,
    TALLY,
    TALLY_RUNS,
    TURNED_UP,
    WON,
    Evaluation,
    Int32s,
    Int64s,
    UInt64s,
    Workspace,
)
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
    next_row = workspace.registers[REG_STAGE] * columns
    for column in range(columns):
        node = np.int64(rows[at + column])
        scratch[COLUMN_NODE + column] = node
        if node == EMPTY:
            empties += 1
            if first_empty < 0:
                first_empty = column
            scratch[COLUMN_COST + column] = 0
            workspace.scratch_keys[column] = np.uint64(0)
            continue
        word = node * NODE_WORDS
        key = workspace.node_keys[node * NODE_KEY_STRIDE]
        end = np.int64(nodes[word + END])
        workspace.scratch_keys[column] = key
        price = nodes[word + COST] + coming_price(workspace, next_row + column, end)
        scratch[COLUMN_COST + column] = price
        scratch[COLUMN_PARENT + column] = nodes[word + PARENT]
        head = np.int64(nodes[word + HEAD])
        scratch[COLUMN_HEAD + column] = head
        scratch[COLUMN_END + column] = end
        workspace.run_columns[head] |= 1 << column
        workspace.card_columns[end] |= 1 << column
        workspace.rank_columns[end & CARD_RANK] |= 1 << column
        keys += key
        cost += price
    workspace.registers[REG_COST_SUM] = cost
    workspace.registers[REG_EMPTIES] = empties
    workspace.registers[REG_FIRST_EMPTY] = first_empty
    return keys


@inlined
def flip_class(evaluation: Evaluation, nodes: Int32s, column: int, node: int, left: int) -> int:
    """Change of the diversity sum when ``column`` goes from ``node`` to ``left``."""
    before = nodes[node * NODE_WORDS + HIDDEN] & HIDDEN_MASK
    after = nodes[left * NODE_WORDS + HIDDEN] & HIDDEN_MASK
    if before == after:
        return 0
    table = evaluation.diversity
    at = column * MOST_HIDDEN
    return np.int64(table[at + after]) - np.int64(table[at + before])


@inlined
def add_candidate(
    workspace: Workspace, move: int, key: np.uint64, score: int, diversity: int
) -> None:
    """One more candidate (:func:`expand` writes its own, and keeps the counters at hand)."""
    registers = workspace.registers
    at = registers[REG_CANDIDATES] * CANDIDATE_WORDS
    workspace.candidates[at + SCORE] = score
    workspace.candidate_keys[at + KEY] = key
    workspace.candidates[at + MOVE] = move
    workspace.candidates[at + CLASS] = diversity
    registers[REG_CANDIDATES] += 1
    registers[REG_LOWEST] = min(registers[REG_LOWEST], score)
    registers[REG_HIGHEST] = max(registers[REG_HIGHEST], score)


@internal
def record_win(workspace: Workspace, row: int, move: int) -> None:
    """Put the move that wins from row ``row`` of the layer into the history and its register."""
    history = workspace.history
    entry = workspace.registers[REG_HISTORY_TOP]
    history[entry * HISTORY_WORDS + BEFORE] = workspace.layer[row * STATE_WORDS + HISTORY]
    history[entry * HISTORY_WORDS + PLAYED] = move
    workspace.registers[REG_HISTORY_TOP] = entry + 1
    workspace.registers[REG_WIN] = entry


@inlined
def _after_lay(
    evaluation: Evaluation,
    nodes: Int32s,
    keys: UInt64s,
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
    at = target * NODE_WORDS
    hidden = nodes[at + HIDDEN]
    top_end = np.int64(nodes[at + END])
    if top_end == head + 1:
        parent = np.int64(nodes[at + PARENT])
        top_head = np.int64(nodes[at + HEAD])
        if top_head - end == leaving - 1:
            parent, bared = settle(nodes, parent, leaving)
            cost = np.int64(nodes[parent * NODE_WORDS + COST])
            return cost, keys[parent * NODE_KEY_STRIDE], 1 + bared
        key = run_key(keys[parent * NODE_KEY_STRIDE], top_head, end, hidden & BARE)
        return np.int64(nodes[at + COST]), key, 0
    junctions = nodes[at + JUNCTIONS] + junction_price(evaluation, top_end, head)
    cost = np.int64(column_cost(evaluation, junctions, hidden & HIDDEN_MASK))
    return cost, run_key(keys[target * NODE_KEY_STRIDE], head, end, 0), 0


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

    ``moves`` says which: EVERY_MOVE (of those that a beam makes), PURPOSEFUL or JOINS_FIRST.

    Gives GOES_ON, WON (the history entry of the win is in its register) or OUT_OF_NODES.
    """
    nodes = workspace.nodes
    keys = workspace.node_keys
    scratch = workspace.scratch
    records = workspace.candidates
    registers = workspace.registers
    columns = rules[RULE_COLUMNS]
    leaving = rules[RULE_LEAVING]
    run_gain = evaluation.constants[COMPLETED_RUN]
    stage = registers[REG_STAGE]
    next_row = stage * columns
    empty = 1 << registers[REG_FIRST_EMPTY] if registers[REG_FIRST_EMPTY] >= 0 else 0
    empties = registers[REG_EMPTIES]
    cost_sum = registers[REG_COST_SUM]
    count = registers[REG_CANDIDATES]
    lowest = registers[REG_LOWEST]
    highest = registers[REG_HIGHEST]
    made = registers[REG_NODES]
    budget = registers[REG_MAX_NODES]
    state = row * STATE_WORDS
    runs = workspace.layer[state + TALLY] & TALLY_RUNS
    diversity = np.int64(workspace.layer[state + DIVERSITY])
    registers[REG_EXPANDED] += 1
    result = GOES_ON
    last = np.int64(workspace.history[workspace.layer[state + HISTORY] * HISTORY_WORDS + PLAYED])
    again = -1 if last == DEAL_MOVE else target_of(last)
    again_count = count_of(last)
    again_targets = 1 << source_of(last) if last & TURNED_UP else 0
    joins_only = moves == JOINS_FIRST and any_run_joins(workspace, columns)

    for source in range(columns):
        node = scratch[COLUMN_NODE + source]
        if node == EMPTY:
            continue
        parent = scratch[COLUMN_PARENT + source]
        head = scratch[COLUMN_HEAD + source]
        end = scratch[COLUMN_END + source]
        length = head - end + 1
        rest_cost = cost_sum - scratch[COLUMN_COST + source]
        rest_key = key_sum - workspace.scratch_keys[source]
        # step 0 moves the whole run; step j > 0 leaves the upper part and moves the last j cards
        for step in range(1 if joins_only else length):
            taken = length if step == 0 else step
            lead = end + taken - 1
            if step == 0:
                targets = targets_of_run(
                    workspace, nodes, moves, joins_only, node, parent, head, empty, leaving
                )
                if targets == 0:
                    continue
                left, bared = settle(nodes, parent, leaving)
                left_runs = runs + bared
                left_cost = np.int64(nodes[left * NODE_WORDS + COST])
                left_end = np.int64(nodes[left * NODE_WORDS + END])
                left_cost += coming_price(workspace, next_row + source, left_end)
                left_key = keys[left * NODE_KEY_STRIDE]
                left_empties = empties + (1 if left == EMPTY else 0)
                left_class = diversity + flip_class(evaluation, nodes, source, node, left)
            else:
                targets = workspace.card_columns[lead + 1]
                if targets == 0:
                    continue
                left_cost = scratch[COLUMN_COST + source]
                left_cost -= coming_price(workspace, next_row + source, end)
                left_cost += coming_price(workspace, next_row + source, lead + 1)
                bare = nodes[node * NODE_WORDS + HIDDEN] & BARE
                left_key = run_key(keys[parent * NODE_KEY_STRIDE], head, end + taken, bare)
                left_empties = empties
                left_class = diversity
                left_runs = runs
            targets &= ~workspace.left_out[source]
            if source == again and taken == again_count:
                targets &= again_targets
            while targets != 0:
                target = lowest_bit(targets)
                targets &= targets - 1
                if step > 0 and moves != EVERY_MOVE and scratch[COLUMN_HEAD + target] <= head:
                    continue  # the run that is split is no shorter
                if made >= budget:
                    result = OUT_OF_NODES
                    break
                made += 1
                onto = scratch[COLUMN_NODE + target]
                cost, key, completed = _after_lay(evaluation, nodes, keys, onto, lead, end, leaving)
                next_class = left_class
                next_end = end
                next_empties = left_empties - (1 if onto == EMPTY else 0)
                move = row * MOVE_PARENT + source * MOVE_SOURCE + target * MOVE_TARGET + taken
                next_runs = left_runs + completed
                if next_runs != runs:
                    if completed:
                        below, _ = settle(
                            nodes, np.int64(nodes[onto * NODE_WORDS + PARENT]), leaving
                        )
                        next_end = np.int64(nodes[below * NODE_WORDS + END])
                        next_empties += 1 if below == EMPTY else 0
                        next_class += flip_class(evaluation, nodes, target, onto, below)
                    registers[REG_MOST_RUNS] = max(registers[REG_MOST_RUNS], next_runs)
                    if next_runs == rules[RULE_RUNS]:
                        record_win(workspace, row, move % MOVE_PARENT)
                        result = WON
                        break
                    if is_short_of_cards(rules, stage, next_runs):
                        continue
                whole = position_key(
                    rest_key - workspace.scratch_keys[target] + left_key + key, stage
                )
                score = (
                    rest_cost
                    - scratch[COLUMN_COST + target]
                    + left_cost
                    + cost
                    + coming_price(workspace, next_row + target, next_end)
                    + evaluation.empties[next_empties]
                    - run_gain * next_runs
                    + noise_of(whole, seed, noise)
                )
                at = count * CANDIDATE_WORDS
                records[at + SCORE] = score
                workspace.candidate_keys[at + KEY] = whole
                records[at + MOVE] = move
                records[at + CLASS] = next_class
                count += 1
                lowest = min(lowest, score)
                highest = max(highest, score)
            if result != GOES_ON:
                break
        if result != GOES_ON:
            break
    registers[REG_CANDIDATES] = count
    registers[REG_LOWEST] = lowest
    registers[REG_HIGHEST] = highest
    registers[REG_NODES] = made
    return result
