"""Pieces of several runs, for the rules under which any descending sequence moves as one piece.

A piece is some of the runs at the end of a column, each a rank below the one under it; of the
lowest run it may take a part.  Nothing in it can complete a run: below the highest run of a piece
lies a card of another suit, or it would be one with it.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels.bits import lowest_bit, noise_of, position_key, run_key
from spider_solver.kernels.columns import (
    column_cost,
    coming_price,
    is_short_of_cards,
    junction_price,
    lay_run,
    settle,
    take_cards,
)
from spider_solver.kernels.expand import add_candidate, flip_class
from spider_solver.kernels.jit import inlined, internal
from spider_solver.kernels.layout import (
    BARE,
    CARD_RANK,
    COLUMN_COST,
    COLUMN_END,
    COLUMN_NODE,
    COMPLETED_RUN,
    COST,
    DEAL_MOVE,
    DIVERSITY,
    EMPTY,
    END,
    GOES_ON,
    HEAD,
    HIDDEN,
    HIDDEN_MASK,
    HISTORY,
    HISTORY_WORDS,
    JUNCTIONS,
    MOVE_PARENT,
    MOVE_SOURCE,
    MOVE_TARGET,
    NODE_KEY_STRIDE,
    NODE_WORDS,
    OUT_OF_NODES,
    PARENT,
    PLAYED,
    REG_COST_SUM,
    REG_EMPTIES,
    REG_FIRST_EMPTY,
    REG_MAX_NODES,
    REG_MOST_RUNS,
    REG_NODES,
    REG_STAGE,
    RULE_COLUMNS,
    RULE_LEAVING,
    STATE_WORDS,
    TALLY,
    TALLY_RUNS,
    TURNED_UP,
    Evaluation,
    Int32s,
    Int64s,
    Workspace,
)
from spider_solver.kernels.move_codes import count_of, source_of, target_of


@inlined
def goes_on_below(nodes: Int32s, node: int) -> bool:
    """Whether a piece that takes the top run of the column ``node`` may go on below it."""
    at = node * NODE_WORDS
    below = nodes[at + PARENT]
    if below == EMPTY or nodes[at + HIDDEN] & BARE:
        return False
    return (nodes[below * NODE_WORDS + END] & CARD_RANK) == (nodes[at + HEAD] & CARD_RANK) + 1


@internal
def movable_cards(nodes: Int32s, node: int) -> int:
    """How many cards at the end of the column ``node`` move as one piece, of any suits."""
    length = nodes[node * NODE_WORDS + HEAD] - nodes[node * NODE_WORDS + END] + 1
    while goes_on_below(nodes, node):
        node = np.int64(nodes[node * NODE_WORDS + PARENT])
        length += nodes[node * NODE_WORDS + HEAD] - nodes[node * NODE_WORDS + END] + 1
    return np.int64(length)


@inlined
def _run_below(nodes: Int32s, node: int, runs: int) -> int:
    """The column ``node`` without its last ``runs`` runs."""
    for _ in range(runs):
        node = np.int64(nodes[node * NODE_WORDS + PARENT])
    return node


@internal
def move_group(
    workspace: Workspace, evaluation: Evaluation, rows: Int32s, source: int, target: int, count: int
) -> None:
    """Move ``count`` cards, more than one run, between the columns at two places of ``rows``."""
    nodes = workspace.nodes
    top = np.int64(rows[source])
    lowest = top
    above = 0  # whole runs above the lowest one
    length = nodes[lowest * NODE_WORDS + HEAD] - nodes[lowest * NODE_WORDS + END] + 1
    while count > length:
        count -= length
        above += 1
        lowest = np.int64(nodes[lowest * NODE_WORDS + PARENT])
        length = nodes[lowest * NODE_WORDS + HEAD] - nodes[lowest * NODE_WORDS + END] + 1
    end = np.int64(nodes[lowest * NODE_WORDS + END])
    rows[source] = take_cards(workspace, lowest, count)
    onto = lay_run(workspace, evaluation, np.int64(rows[target]), end + count - 1, end)
    for runs in range(above - 1, -1, -1):
        at = _run_below(nodes, top, runs) * NODE_WORDS
        head = np.int64(nodes[at + HEAD])
        onto = lay_run(workspace, evaluation, onto, head, np.int64(nodes[at + END]))
    rows[target] = onto


@internal
def _after_group(
    workspace: Workspace, evaluation: Evaluation, onto: int, top: int, above: int, lead: int
) -> tuple[int, np.uint64]:
    """Cost and key of the column ``onto`` with a piece of the column ``top`` laid on it.

    The piece is the last ``above`` runs of ``top`` and the cards from ``lead`` of the run below.
    """
    nodes = workspace.nodes
    keys = workspace.node_keys
    lowest = _run_below(nodes, top, above)
    end = np.int64(nodes[lowest * NODE_WORDS + END])
    at = onto * NODE_WORDS
    hidden = nodes[at + HIDDEN]
    junctions = np.int64(nodes[top * NODE_WORDS + JUNCTIONS])
    junctions -= nodes[lowest * NODE_WORDS + JUNCTIONS]
    if onto == EMPTY:
        junctions += evaluation.base[lead]
        key = run_key(np.uint64(0), lead, end, 0)
    elif nodes[at + END] == lead + 1:
        junctions += nodes[at + JUNCTIONS]
        below = keys[nodes[at + PARENT] * NODE_KEY_STRIDE]
        key = run_key(below, np.int64(nodes[at + HEAD]), end, hidden & BARE)
    else:
        junctions += nodes[at + JUNCTIONS] + junction_price(evaluation, nodes[at + END], lead)
        key = run_key(keys[onto * NODE_KEY_STRIDE], lead, end, 0)
    for runs in range(above - 1, -1, -1):
        at = _run_below(nodes, top, runs) * NODE_WORDS
        key = run_key(key, np.int64(nodes[at + HEAD]), np.int64(nodes[at + END]), 0)
    return np.int64(column_cost(evaluation, junctions, hidden & HIDDEN_MASK)), key


@internal
def expand_groups(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    row: int,
    key_sum: np.uint64,
    noise: int,
    seed: np.uint64,
) -> int:
    """Write the candidates that move several runs from row ``row``, after :func:`expand`.

    The same moves are left out as there.  Gives GOES_ON or OUT_OF_NODES.
    """
    nodes = workspace.nodes
    columns = rules[RULE_COLUMNS]
    for source in range(columns):
        top = workspace.scratch[COLUMN_NODE + source]
        if top == EMPTY:
            continue
        above = 0
        taken = 0
        node = np.int64(top)
        while goes_on_below(nodes, node):
            taken += nodes[node * NODE_WORDS + HEAD] - nodes[node * NODE_WORDS + END] + 1
            above += 1
            node = np.int64(nodes[node * NODE_WORDS + PARENT])
            length = nodes[node * NODE_WORDS + HEAD] - nodes[node * NODE_WORDS + END] + 1
            for part in range(1, length + 1):
                if not _expand_piece(
                    workspace,
                    evaluation,
                    rules,
                    row,
                    key_sum,
                    noise,
                    seed,
                    source,
                    node,
                    above,
                    part,
                    taken + part,
                ):
                    return OUT_OF_NODES
    return GOES_ON


@internal
def _expand_piece(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    row: int,
    key_sum: np.uint64,
    noise: int,
    seed: np.uint64,
    source: int,
    lowest: int,
    above: int,
    part: int,
    count: int,
) -> bool:
    """Write the candidates that move one piece: ``part`` cards of the run ``lowest`` and all above.

    False if the nodes are used up.
    """
    nodes = workspace.nodes
    keys = workspace.node_keys
    scratch = workspace.scratch
    registers = workspace.registers
    top = np.int64(scratch[COLUMN_NODE + source])
    at = lowest * NODE_WORDS
    parent = np.int64(nodes[at + PARENT])
    head = np.int64(nodes[at + HEAD])
    lead = nodes[at + END] + part - 1
    state = row * STATE_WORDS
    left_class = np.int64(workspace.layer[state + DIVERSITY])
    left_empties = registers[REG_EMPTIES]
    runs = workspace.layer[state + TALLY] & TALLY_RUNS
    if lead == head:
        left, bared = settle(nodes, parent, rules[RULE_LEAVING])
        runs += bared
        left_cost = np.int64(nodes[left * NODE_WORDS + COST])
        left_end = np.int64(nodes[left * NODE_WORDS + END])
        left_key = keys[left * NODE_KEY_STRIDE]
        left_empties += 1 if left == EMPTY else 0
        left_class += flip_class(evaluation, nodes, source, top, left)
        if bared > 0:
            registers[REG_MOST_RUNS] = max(registers[REG_MOST_RUNS], runs)
            if is_short_of_cards(rules, registers[REG_STAGE], runs):
                return True
        targets = workspace.rank_columns[(head & CARD_RANK) + 1]  # of a king: none
        if registers[REG_FIRST_EMPTY] >= 0 and parent != EMPTY:
            targets |= 1 << registers[REG_FIRST_EMPTY]
    else:
        targets = workspace.card_columns[lead + 1]
        left_cost = np.int64(nodes[at + COST])
        left_end = lead + 1
        bare = nodes[at + HIDDEN] & BARE
        left_key = run_key(keys[parent * NODE_KEY_STRIDE], head, lead + 1, bare)
    next_row = registers[REG_STAGE] * rules[RULE_COLUMNS]
    left_cost += coming_price(workspace, next_row + source, left_end)
    end = scratch[COLUMN_END + source]
    last = np.int64(workspace.history[workspace.layer[state + HISTORY] * HISTORY_WORDS + PLAYED])
    again = last & DEAL_MOVE != DEAL_MOVE and target_of(last) == source
    if again and count_of(last) == count:
        targets &= 1 << source_of(last) if last & TURNED_UP else 0
    while targets != 0:
        target = lowest_bit(targets)
        targets &= targets - 1
        if registers[REG_NODES] >= registers[REG_MAX_NODES]:
            return False
        registers[REG_NODES] += 1
        onto = np.int64(scratch[COLUMN_NODE + target])
        cost, key = _after_group(workspace, evaluation, onto, top, above, lead)
        both = workspace.scratch_keys[source] + workspace.scratch_keys[target]
        whole = position_key(key_sum - both + left_key + key, registers[REG_STAGE])
        score = (
            registers[REG_COST_SUM]
            - scratch[COLUMN_COST + source]
            - scratch[COLUMN_COST + target]
            + left_cost
            + cost
            + coming_price(workspace, next_row + target, end)
            + evaluation.empties[left_empties - (1 if onto == EMPTY else 0)]
            - evaluation.constants[COMPLETED_RUN] * runs
            + noise_of(whole, seed, noise)
        )
        move = row * MOVE_PARENT + source * MOVE_SOURCE + target * MOVE_TARGET + count
        add_candidate(workspace, move, whole, score, left_class)
    return True
