"""Tables with unknown cards, filled in all ways or in a sample of them."""

from itertools import permutations
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spider_solver.answers.fillings import SAMPLE, Counts, orders_of, solve_fillings
from spider_solver.formats.detect import read_view
from spider_solver.game.cards import card_text
from spider_solver.game.deal import Deal
from spider_solver.game.outcomes import Status
from spider_solver.game.rules import spider
from spider_solver.game.view import View
from spider_solver.search.result import Limits
from spider_solver.search.solver import Solver

SOLVER = Solver()

# kpat 10, 11 and 31 on their winning lines, where four different cards lie face down
FOUR_UNKNOWN = [
    "TH/KHQHJCTC9C8C7C6C5C4C3D2DAD/??KSQSJSTS9S8S7H6H5H4H/2S/KDQDJDTD9D8D7D6D5D/3H2HAH/KCQC/"
    "8H7S6S5S4S3S/9H/??????2CAC - CDHS",
    "QCJCTC9C8C7C6C5C/4D3D2DAD/6H/KS/3S2SAS/????????KCQHJHTH5H4H3H2HAH/9H8H7H/KDQDJDTD9D8D7D6D//"
    "JSTS9S8S7S6S5S4S3C2CAC - CDHS",
    "2D/KCQC3CKHQHJHTH9H8H7H6H5H4H/QSJSTS9S8S7S6S5S4S3S2SAS/????????9C8C7C6C5C5D4C3D2HAHKDQDJDTD9D8D"
    "7D6D/7S6S5S4S3S2SAS/KSQSJSJCTC/2CAC/9S/4D/3H - CDH",
]


@pytest.mark.parametrize("code", FOUR_UNKNOWN)
def test_all_arrangements_are_solved(code: str) -> None:
    view = read_view(code, spider(4))
    found = solve_fillings(view, solver=SOLVER)
    assert (found.arrangements, found.solved, found.is_complete) == (24, 24, True)
    positions = [view.filled(order) for order in permutations(view.unseen.elements())]
    results = [SOLVER.solve(position, Limits(300_000)) for position in positions]
    assert found.counts == Counts.of([result.status for result in results])
    assert 1 <= len(found.choices) <= 5
    for choice in found.choices:
        after = [SOLVER.solve(each.play(choice.move), Limits(300_000)) for each in positions]
        assert choice.counts.won == [result.status for result in after].count(Status.WON)
        assert sum(vars(choice.counts).values()) == 24
    wins = [choice.counts.won for choice in found.choices]
    assert wins == sorted(wins, reverse=True)


def test_a_sample_is_the_same_for_a_seed() -> None:
    view = View.of(Deal.numbered(1, suits=1).position)
    first, again = (solve_fillings(view, solver=SOLVER) for _ in range(2))
    assert (first.solved, first.is_complete) == (SAMPLE, False)
    assert first.as_dict() == again.as_dict()
    assert first.counts.won >= 95  # of one-suit deals nearly all can be won


@given(st.lists(st.integers(1, 3), min_size=1, max_size=6))
def test_each_arrangement_comes_once(cards: list[int]) -> None:
    orders = list(map(tuple, orders_of(cards)))
    assert len(orders) == len(set(orders))
    assert set(orders) == set(permutations(cards))


def test_answers_for_programs() -> None:
    view = read_view(FOUR_UNKNOWN[0], spider(4))
    answer = solve_fillings(view, solver=SOLVER).as_dict()
    assert answer["position"] == FOUR_UNKNOWN[0]
    assert (answer["unknown"], answer["arrangements"], answer["solved"]) == (4, factorial(4), 24)
    assert answer["won"] + answer["lost"] + answer["open"] == 24
    assert set(answer["moves"][0]) == {"move", "words", "won", "lost", "open"}
    for card in view.unseen:
        assert card_text(card) not in answer["moves"][0]["words"]
