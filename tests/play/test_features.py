"""Costs and features of the planning kernels, against plain Python."""

from itertools import repeat
from random import Random

import pytest

from spider_solver.game.cards import UNKNOWN
from spider_solver.game.notation import Move
from spider_solver.game.position import Position
from spider_solver.game.view import View
from spider_solver.kernels import layout
from spider_solver.kernels import plan_layout as plan
from spider_solver.kernels.columns import position_cost
from spider_solver.kernels.expand import read_columns
from spider_solver.kernels.jit import kernel
from spider_solver.kernels.layers import copy_row
from spider_solver.kernels.layout import Evaluation, Int64s, Workspace
from spider_solver.kernels.moves import build_row
from spider_solver.kernels.plan_features import read_features
from spider_solver.kernels.plan_layout import FEATURES, FIRST_CLOSER, PRICE_UNIT, Plans
from spider_solver.kernels.workspace import make_workspace
from spider_solver.play.planner import load_plan
from spider_solver.play.weights import evaluation_of, shipped_weights
from tests.play import plain
from tests.play.tables import random_position

COST = shipped_weights().cost
EVALUATION = evaluation_of(COST)
WORK = make_workspace()
PLANS = plan.make_plans()


@kernel
def features_after(
    workspace: Workspace,
    plans: Plans,
    evaluation: Evaluation,
    rules: Int64s,
    move: int,
    turned: int,
) -> int:
    """Play a move on the start of a plan and count the features; gives the cost."""
    columns = rules[layout.RULE_COLUMNS]
    copy_row(workspace.layer, 1, workspace.layer, 0)
    at = layout.STATE_WORDS
    if move >= 0:
        build_row(workspace, evaluation, rules, workspace.layer, at, move)
    read_columns(workspace, workspace.layer, at, columns)
    registers = workspace.registers
    cost = position_cost(
        evaluation,
        registers[layout.REG_COST_SUM],
        registers[layout.REG_EMPTIES],
        workspace.layer[at + layout.TALLY] & layout.TALLY_RUNS,
    )
    read_features(workspace, plans, evaluation, columns, 1, turned, cost)
    return int(cost)


def column_turned(before: Position, after: Position) -> int | None:
    """The column in which a card has turned up."""
    for column, cards in enumerate(after.columns):
        if before.face_down[column] > after.face_down[column] and cards:
            return column
    return None


def check_features(position: Position, move: Move | None) -> None:
    view = View.of(position)
    table = view.filled(repeat(UNKNOWN))
    after = table if move is None else table.play(move)
    turned = None if move is None else column_turned(table, after)
    rules = load_plan(WORK, PLANS, EVALUATION, view)
    code = -1
    if move is not None:
        assert move.count is not None
        code = move.source * layout.MOVE_SOURCE + move.target * layout.MOVE_TARGET + move.count
    cost = features_after(WORK, PLANS, EVALUATION, rules, code, -1 if turned is None else turned)
    assert cost / PRICE_UNIT == pytest.approx(plain.table_cost(COST, after), abs=0.15)
    expected = plain.features(COST, after, view.unseen, turned)
    for feature in range(1, FIRST_CLOSER):
        name = FEATURES[feature]
        value = PLANS.features[feature] / PRICE_UNIT
        assert value == pytest.approx(float(expected.get(name, 0)), abs=0.1), name
    assert expected.keys() <= set(FEATURES)


def check_many(positions: int) -> None:
    chance = Random(1)
    flips = 0
    for seed in range(1, positions + 1):
        position = random_position(seed, chance.choice((1, 2, 4)))
        check_features(position, None)
        moves = [move for move in position.legal_moves() if not move.is_deal]
        for move in chance.sample(moves, min(8, len(moves))):
            check_features(position, move)
            flips += position.play(move).hidden < position.hidden
    assert flips >= positions // 4


def test_features_are_those_of_plain_python() -> None:
    check_many(60)


@pytest.mark.full
def test_features_are_those_of_plain_python_on_many_tables() -> None:
    check_many(3000)
