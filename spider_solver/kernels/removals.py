"""Removals of complete runs as moves of a beam, for rules that leave them to the player."""

from __future__ import annotations

import numpy as np

from spider_solver.kernels.bits import noise_of, position_key
from spider_solver.kernels.columns import coming_price, is_short_of_cards
from spider_solver.kernels.expand import add_candidate, flip_class, record_win
from spider_solver.kernels.jit import internal
from spider_solver.kernels.layout import (
    COLUMN_COST,
    COLUMN_NODE,
    COMPLETED_RUN,
    COST,
    DIVERSITY,
    EMPTY,
    END,
    GOES_ON,
    HEAD,
    MOVE_PARENT,
    MOVE_SOURCE,
    MOVE_TARGET,
    NODE_KEY_STRIDE,
    NODE_WORDS,
    OUT_OF_NODES,
    PARENT,
    REG_COST_SUM,
    REG_EMPTIES,
    REG_MAX_NODES,
    REG_MOST_RUNS,
    REG_NODES,
    REG_STAGE,
    RULE_COLUMNS,
    RULE_RANKS,
    RULE_RUNS,
    STATE_WORDS,
    TALLY,
    TALLY_RUNS,
    WON,
    Evaluation,
    Int64s,
    Workspace,
)


@internal
def expand_removals(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    row: int,
    key_sum: np.uint64,
    noise: int,
    seed: np.uint64,
) -> int:
    """Write the candidates that remove a run from row ``row``, after :func:`expand`.

    Gives GOES_ON, WON (the history entry of the win is in its register) or OUT_OF_NODES.
    """
    nodes = workspace.nodes
    registers = workspace.registers
    state = row * STATE_WORDS
    runs = (workspace.layer[state + TALLY] & TALLY_RUNS) + 1
    next_row = registers[REG_STAGE] * rules[RULE_COLUMNS]
    for column in range(rules[RULE_COLUMNS]):
        node = np.int64(workspace.scratch[COLUMN_NODE + column])
        at = node * NODE_WORDS
        if node == EMPTY or nodes[at + HEAD] - nodes[at + END] != rules[RULE_RANKS] - 1:
            continue
        if registers[REG_NODES] >= registers[REG_MAX_NODES]:
            return OUT_OF_NODES
        registers[REG_NODES] += 1
        registers[REG_MOST_RUNS] = max(registers[REG_MOST_RUNS], runs)
        move = column * (MOVE_SOURCE + MOVE_TARGET) + rules[RULE_RANKS]
        if runs == rules[RULE_RUNS]:
            record_win(workspace, row, move)
            return WON
        if is_short_of_cards(rules, registers[REG_STAGE], runs):
            continue
        below = np.int64(nodes[at + PARENT])
        key = key_sum - workspace.scratch_keys[column]
        whole = position_key(
            key + workspace.node_keys[below * NODE_KEY_STRIDE], registers[REG_STAGE]
        )
        score = (
            registers[REG_COST_SUM]
            - workspace.scratch[COLUMN_COST + column]
            + nodes[below * NODE_WORDS + COST]
            + coming_price(workspace, next_row + column, np.int64(nodes[below * NODE_WORDS + END]))
            + evaluation.empties[registers[REG_EMPTIES] + (1 if below == EMPTY else 0)]
            - evaluation.constants[COMPLETED_RUN] * runs
            + noise_of(whole, seed, noise)
        )
        diversity = np.int64(workspace.layer[state + DIVERSITY])
        diversity += flip_class(evaluation, nodes, column, node, below)
        add_candidate(workspace, row * MOVE_PARENT + move, whole, score, diversity)
    return GOES_ON
