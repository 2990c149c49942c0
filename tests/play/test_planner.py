"""Plans: their moves are legal, reveal nothing before the last, and cost what plain Python says."""

from dataclasses import replace
from itertools import repeat
from random import Random

import pytest

from spider_solver.game.cards import UNKNOWN
from spider_solver.game.deal import Deal
from spider_solver.game.notation import Move
from spider_solver.game.position import Position
from spider_solver.game.rules import VARIANTS, spider
from spider_solver.game.view import View
from spider_solver.kernels.plan_layout import FEATURES, PRICE_UNIT
from spider_solver.play.planner import Ends, NotPlayed, Planner, PlanSettings, check_playable
from spider_solver.play.weights import shipped_weights
from tests.play import plain
from tests.play.tables import random_position

PLANNER = Planner()
NARROW = PlanSettings(width=40, layers=20, patience=8, flips=100, closer=10)


def check_plan(position: Position, settings: PlanSettings) -> Ends:
    plan = PLANNER.plan(View.of(position), settings)
    after = position
    for move in plan.moves:
        assert (after.hidden, after.rows_left) == (position.hidden, position.rows_left)
        assert move in after.legal_moves()
        after = after.play(move)
    match plan.ends:
        case Ends.FLIP:
            assert after.hidden < position.hidden
        case Ends.DEAL:
            assert after.rows_left == position.rows_left - 1
        case Ends.NOTHING:
            assert not plan.moves
    assert (plan.ends == Ends.WIN) == after.is_won
    return plan.ends


def check_plans(positions: int) -> set[Ends]:
    chance = Random(2)
    return {
        check_plan(
            random_position(seed, chance.choice((1, 2, 3, 4))),
            replace(NARROW, learned=chance.choice((0, 3))),
        )
        for seed in range(1, positions + 1)
    }


def test_plans_are_legal_and_reveal_nothing_before_their_end() -> None:
    assert check_plans(60) >= {Ends.FLIP, Ends.DEAL}


@pytest.mark.full
def test_many_plans_are_legal_and_reveal_nothing_before_their_end() -> None:
    assert check_plans(3000) >= {Ends.FLIP, Ends.DEAL}


def masked(view: View) -> Position:
    return view.filled(repeat(UNKNOWN))


def test_a_flip_costs_what_plain_python_says() -> None:
    compared = 0
    for seed in range(1, 60):
        view = View.of(random_position(seed, suits=4))
        if PLANNER.plan(view, NARROW).ends != Ends.FLIP:
            continue
        for line, score in PLANNER.flips():
            table = masked(view)
            for move in line:
                table = table.play(move)
            cost = plain.flip_cost(shipped_weights().cost, table, view.unseen)
            assert score / PRICE_UNIT == pytest.approx(cost, abs=0.2)
            compared += 1
    assert compared > 1000


def test_cards_that_are_known_face_down_are_no_flips() -> None:
    chance = Random(3)
    passed = 0
    for seed in range(1, 30):
        position = Deal.numbered(seed, chance.choice((1, 2, 4))).position
        view = View.of(position)
        known = tuple(
            tuple(chance.choice((card, seen)) for card, seen in zip(cards, shown, strict=True))
            for cards, shown in zip(position.columns, view.columns, strict=True)
        )
        view = replace(view, columns=known)
        plan = PLANNER.plan(view, NARROW)
        turned = []
        for move in plan.moves:
            assert move in position.legal_moves()
            after = position.play(move)
            if after.hidden < position.hidden:
                column = move.source
                turned.append(known[column][after.face_down[column]])
            position = after
        if plan.ends == Ends.FLIP:
            assert turned.pop() == UNKNOWN
        assert UNKNOWN not in turned
        passed += len(turned) > 0
    assert passed > 5


def test_the_best_flips_begin_with_the_chosen_one() -> None:
    several = 0
    for seed in range(1, 10):
        plan = PLANNER.plan(View.of(Deal.numbered(seed).position), NARROW)
        assert plan.ends == Ends.FLIP
        best = PLANNER.best_flips(5)
        assert best[0] == plan
        assert [flip.score for flip in best] == sorted(flip.score for flip in best)
        assert len({flip.moves for flip in best}) == len(best)
        several += len(best) > 1
    assert several > 5


def test_a_plan_is_the_same_again_and_blind_to_hidden_cards() -> None:
    for seed in (3, 4):
        position = Deal.numbered(seed).position
        view = View.of(position)
        plan = PLANNER.plan(view, NARROW)
        cards = sorted(view.unseen.elements(), key=lambda card: (card * seed) % 7)
        other = view.filled(cards)
        assert other != position
        assert PLANNER.plan(View.of(other), NARROW) == plan


def test_other_games_are_refused_in_one_line() -> None:
    for suits in (1, 2, 3, 4):
        check_playable(spider(suits))
        for numbering in ("kpat", "pysol"):
            check_playable(Deal.numbered(1, suits, numbering).position.rules)
    for name, preset in VARIANTS.items():
        rules = preset(4)
        if name != "spider":
            with pytest.raises(NotPlayed, match="standard Spider with 1 to 4 suits only, not"):
                check_playable(rules)


def test_each_feature_has_three_weights() -> None:
    benefits = shipped_weights().benefits
    assert tuple(benefits) == FEATURES
    assert {len(values) for values in benefits.values()} == {3}


def test_the_first_plan_of_a_deal() -> None:
    assert PLANNER.plan(View.of(Deal.numbered(1).position), NARROW).moves == (Move(8, 4, 1),)
