"""Removals of complete runs as moves of a beam, for rules that leave them to the player."""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.bits import noise_of, position_key
from spider_solver.kernels.columns import coming_price, is_short_of_cards, position_cost
from spider_solver.kernels.expand import add_candidate, flip_class, record_win
from spider_solver.kernels.jit import internal
from spider_solver.kernels.layout import Evaluation, Int64s, Workspace


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
    state = row * layout.STATE_WORDS
    runs = (workspace.layer[state + layout.TALLY] & layout.TALLY_RUNS) + 1
    next_row = registers[layout.REG_STAGE] * rules[layout.RULE_COLUMNS]
    for column in range(rules[layout.RULE_COLUMNS]):
        node = np.int64(workspace.scratch[layout.COLUMN_NODE + column])
        if (
            node == layout.EMPTY
            or nodes[node].head - nodes[node].end != rules[layout.RULE_RANKS] - 1
        ):
            continue
        if registers[layout.REG_NODES] >= registers[layout.REG_MAX_NODES]:
            return layout.OUT_OF_NODES
        registers[layout.REG_NODES] += 1
        registers[layout.REG_MOST_RUNS] = max(registers[layout.REG_MOST_RUNS], runs)
        move = column * (layout.MOVE_SOURCE + layout.MOVE_TARGET) + rules[layout.RULE_RANKS]
        if runs == rules[layout.RULE_RUNS]:
            record_win(workspace, row, move)
            return layout.WON
        if is_short_of_cards(rules, registers[layout.REG_STAGE], runs):
            continue
        below = np.int64(nodes[node].parent)
        key = key_sum - workspace.scratch_keys[column]
        whole = position_key(key + nodes[below].key, registers[layout.REG_STAGE])
        cost = registers[layout.REG_COST_SUM] - workspace.scratch[layout.COLUMN_COST + column]
        cost += nodes[below].cost
        cost += coming_price(workspace, next_row + column, np.int64(nodes[below].end))
        empties = registers[layout.REG_EMPTIES] + (1 if below == layout.EMPTY else 0)
        score = position_cost(evaluation, cost, empties, runs) + noise_of(whole, seed, noise)
        diversity = np.int64(workspace.layer[state + layout.DIVERSITY])
        diversity += flip_class(evaluation, nodes, column, node, below)
        add_candidate(workspace, row * layout.MOVE_PARENT + move, whole, score, diversity)
    return layout.GOES_ON
