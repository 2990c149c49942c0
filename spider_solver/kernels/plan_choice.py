"""The choice among the flips of a plan: by learned score, the best of them after a closer look."""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels import plan_layout as plan
from spider_solver.kernels.columns import position_cost
from spider_solver.kernels.dealing import add_history, history_before_deal
from spider_solver.kernels.expand import read_columns
from spider_solver.kernels.jit import inlined, internal, kernel
from spider_solver.kernels.layers import copy_row, try_deal
from spider_solver.kernels.layout import Evaluation, Int64s, Workspace
from spider_solver.kernels.moves import build_row
from spider_solver.kernels.plan_features import benefit, read_features
from spider_solver.kernels.plan_layout import PRICE_UNIT, Plans
from spider_solver.kernels.plans import grow, restart_from
from spider_solver.kernels.selection import order_by_score

_FAR = 10 * PRICE_UNIT
"""How much dearer than its position a flip may be before it counts for nothing."""


@internal
def _build_flip(
    workspace: Workspace, plans: Plans, evaluation: Evaluation, rules: Int64s, flip: int, row: int
) -> None:
    """Build the position after a flip as a row of the layer, without a history."""
    move = plans.flips[flip].move
    copy_row(workspace.layer, row, workspace.layer, move // layout.MOVE_PARENT)
    at = row * layout.STATE_WORDS
    build_row(workspace, evaluation, rules, workspace.layer, at, move)
    workspace.layer[at + layout.HISTORY] = 0


@internal
def _score_flips(
    workspace: Workspace, plans: Plans, evaluation: Evaluation, rules: Int64s, row: int
) -> int:
    """Rank the cheapest flips by learned score, best first, in ``ranked``; gives their number."""
    registers = plans.registers
    columns = rules[layout.RULE_COLUMNS]
    flips = plans.flips
    ranked = plans.ranked
    order = workspace.order
    count = registers[plan.REG_FLIPS]
    order_by_score(
        flips,
        count,
        registers[plan.REG_LOWEST],
        registers[plan.REG_HIGHEST],
        order,
        workspace.buckets,
    )
    count = min(count, plans.settings[plan.SET_FLIPS], ranked.size // 2)
    node_top = workspace.registers[layout.REG_NODE_TOP]
    lowest = layout.INFINITE
    highest = -layout.INFINITE
    for place in range(count):
        flip = np.int64(order[place])
        _build_flip(workspace, plans, evaluation, rules, flip, row)
        turned = flips[flip].diversity
        cost = flips[flip].score
        read_features(workspace, plans, evaluation, columns, row, turned, cost)
        workspace.registers[layout.REG_NODE_TOP] = node_top
        score = cost - benefit(plans, plan.COST, plan.FIRST_CLOSER)
        ranked[count + place].score = score
        ranked[count + place].move = flip
        lowest = min(lowest, score)
        highest = max(highest, score)
    order_by_score(ranked[count:], count, lowest, highest, order, workspace.buckets)
    for place in range(count):
        ranked[place] = ranked[count + order[place]]
    return count


@inlined
def _nearness(cost: int, base: int) -> int:
    """How cheap a flip is, from -10 to 10; 0 if there is none."""
    if cost >= layout.INFINITE:
        return 0
    return max(-_FAR, min(_FAR, _FAR - (cost - base)))


@internal
def look_closer(
    workspace: Workspace, plans: Plans, evaluation: Evaluation, rules: Int64s, row: int
) -> int:
    """What a small plan from a row after a flip is worth, the unknown card left where it lies."""
    features = plans.features
    settings = plans.settings
    features[:] = 0
    node_top = workspace.registers[layout.REG_NODE_TOP]
    history_top = workspace.registers[layout.REG_HISTORY_TOP]
    flips = plans.registers[plan.REG_FLIPS]
    empties, cost = restart_from(workspace, rules, evaluation, row)
    tally = workspace.layer[row * layout.STATE_WORDS + layout.TALLY]
    base = position_cost(evaluation, cost, empties, tally & layout.TALLY_RUNS)
    layers = settings[plan.SET_CLOSER_LAYERS]
    width = settings[plan.SET_CLOSER_WIDTH]
    grow(workspace, plans, evaluation, rules, row, width, layers, layers, 0)
    workspace.registers[layout.REG_NODE_TOP] = node_top
    workspace.registers[layout.REG_HISTORY_TOP] = history_top
    plans.registers[plan.REG_FLIPS] = flips
    first = layout.INFINITE
    second = layout.INFINITE
    count = 0
    for column in range(rules[layout.RULE_COLUMNS]):
        cheapest = plans.cheapest[column]
        count += cheapest < layout.INFINITE
        second = min(second, max(first, cheapest))
        first = min(first, cheapest)
    features[plan.FLIP_COLUMNS] = count * PRICE_UNIT
    features[plan.ANOTHER_FLIP] = (count >= 1) * PRICE_UNIT
    features[plan.TWO_MORE_FLIPS] = (count >= 2) * PRICE_UNIT
    features[plan.THREE_MORE_FLIPS] = (count >= 3) * PRICE_UNIT
    features[plan.MORE_EMPTY_COLUMNS] = (plans.registers[plan.REG_EMPTIES] - empties) * PRICE_UNIT
    features[plan.CHEAPEST_FLIP] = _nearness(first, base)
    features[plan.SECOND_FLIP] = _nearness(second, base)
    return benefit(plans, plan.FIRST_CLOSER, plan.FEATURE_WORDS)


@internal
def _choose_flip(workspace: Workspace, plans: Plans, evaluation: Evaluation, rules: Int64s) -> None:
    """Put the line of the best flip into the history, its last entry into REG_ENTRY."""
    registers = plans.registers
    settings = plans.settings
    row = registers[plan.REG_ROWS]
    count = _score_flips(workspace, plans, evaluation, rules, row)
    ranked = plans.ranked
    chosen = ranked[0].move
    best = ranked[0].score
    registers[plan.REG_RANKED] = 1
    if count > 1 and settings[plan.SET_CLOSER] > 0:
        worst = best + settings[plan.SET_GAP]
        best = layout.INFINITE
        for place in range(min(count, settings[plan.SET_CLOSER])):
            if ranked[place].score > worst:
                break
            node_top = workspace.registers[layout.REG_NODE_TOP]
            _build_flip(workspace, plans, evaluation, rules, ranked[place].move, row)
            score = ranked[place].score - look_closer(workspace, plans, evaluation, rules, row)
            workspace.registers[layout.REG_NODE_TOP] = node_top
            ranked[place].score = score
            registers[plan.REG_RANKED] = place + 1
            if score < best:
                best = score
                chosen = ranked[place].move
    move = plans.flips[chosen].move
    parent = move // layout.MOVE_PARENT
    before = np.int64(workspace.layer[parent * layout.STATE_WORDS + layout.HISTORY])
    registers[plan.REG_ENTRY] = add_history(workspace, before, move % layout.MOVE_PARENT)
    registers[plan.REG_SCORE] = best


@kernel
def enter_deal(
    workspace: Workspace, plans: Plans, evaluation: Evaluation, rules: Int64s, deal: int
) -> int:
    """Put a deal of the plan's list, and the moves before it, into the history; gives its entry."""
    row = plans.deals[deal].move
    at = row * layout.STATE_WORDS
    columns = rules[layout.RULE_COLUMNS]
    read_columns(workspace, workspace.layer, at, columns)
    _, moves, _, _ = try_deal(workspace, evaluation, rules, row, columns)
    return add_history(workspace, history_before_deal(workspace, at, moves), layout.DEAL_MOVE)


@kernel
def make_plan(workspace: Workspace, plans: Plans, evaluation: Evaluation, rules: Int64s) -> int:
    """Plan from the start that was begun, and choose.

    Gives WIN or FLIP, with the history entry of the chosen line's last move in REG_ENTRY; DEAL, if
    no card can be turned up; or NOTHING.
    """
    settings = plans.settings
    result = grow(
        workspace,
        plans,
        evaluation,
        rules,
        0,
        settings[plan.SET_WIDTH],
        settings[plan.SET_LAYERS],
        settings[plan.SET_PATIENCE],
        settings[plan.SET_LEARNED],
    )
    if result == layout.WON:
        plans.registers[plan.REG_ENTRY] = workspace.registers[layout.REG_WIN]
        return plan.WIN
    if plans.registers[plan.REG_FLIPS] > 0:
        _choose_flip(workspace, plans, evaluation, rules)
        return plan.FLIP
    if plans.registers[plan.REG_DEALS] > 0:
        return plan.DEAL
    return plan.NOTHING
