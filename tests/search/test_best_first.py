"""Complete searches that go on first from positions in which less is left to be dug up."""

import pytest

from spider_solver.game.numberings import numbered
from spider_solver.game.rules import mrs_mop, simple_simon, spider, spiderette
from spider_solver.game.symmetry import in_order
from spider_solver.kernels import best_first
from spider_solver.proofs.check import verify_line
from spider_solver.search.complete import PROVED_LOST, DeadEnds, explore
from spider_solver.search.exhausted import check_exhausted
from spider_solver.search.portfolio import ORDERS, Order, Portfolio
from tests.digging_games import all_positions, random_starts
from tests.small_games import SMALL_GAMES_WITH_OPTIONS

PLENTY = 10**6
ALL_ORDERS = [*ORDERS, Order(0, noise=100)]


@pytest.mark.parametrize("order", ALL_ORDERS, ids=str)
def test_verdicts_are_those_of_brute_force(order: Order) -> None:
    decided = {"won": 0, "lost": 0}
    starts = random_starts(21, most_cards=20)
    while sum(decided.values()) < 24:
        start = next(starts)
        known = all_positions(start, 300)
        if known is None:
            continue
        for skip in (DeadEnds.NONE, PROVED_LOST):
            found = explore(start, PLENTY, skip=skip, order=order)
            assert found.status == ("won" if known[1][0] else "lost")
            if found.line is None:
                assert check_exhausted(found) == found.size
            else:
                assert verify_line(start, found.line).final.is_won
        decided[str(found.status)] += 1
    assert min(decided.values()) > 3


@pytest.mark.parametrize("skip", [DeadEnds.NONE, PROVED_LOST, DeadEnds.SHORT_OF_CARDS])
def test_a_lost_game_has_the_same_positions_in_any_order(skip: DeadEnds) -> None:
    compared = 0
    for rules in SMALL_GAMES_WITH_OPTIONS:
        start = numbered("pysol", 7, rules)
        plain = explore(start, 20_000, skip=skip)
        if plain.status != "lost":
            continue
        positions = {position.code for position in plain.positions()}
        for order in ALL_ORDERS:
            found = explore(start, 20_000, skip=skip, order=order)
            assert (found.status, found.nodes, found.size) == ("lost", plain.nodes, plain.size)
            assert {position.code for position in found.positions()} == positions
            assert next(found.positions()) == in_order(start)
        compared += 1
    assert compared > 15


def test_a_deal_that_beams_leave_open_is_won() -> None:
    """The best of the beams leave it open with two million nodes."""
    start = numbered("pysol", 65, spiderette())
    found = explore(start, 20_000, skip=PROVED_LOST, order=Order(4))
    assert (found.status, found.nodes, found.size) == ("won", 14_287, 9_292)
    assert found.line is not None
    assert verify_line(start, found.line).actions == 112
    again = explore(start, 20_000, skip=PROVED_LOST, order=Order(4))
    assert again.line == found.line
    cut = explore(start, 14_286, skip=PROVED_LOST, order=Order(4))
    assert (cut.status, cut.reason) == ("open", "nodes")
    small = explore(start, 20_000, 5_000, skip=PROVED_LOST, order=Order(4))
    assert (small.status, small.reason) == ("open", "memory")


def test_prices_beyond_the_last_bucket() -> None:
    start = numbered("pysol", 56, spiderette())
    found = explore(start, PLENTY, skip=PROVED_LOST, order=Order(best_first.BUCKETS))
    assert (found.status, found.size) == ("lost", 3_581)


def test_small_games_have_turns_of_their_own() -> None:
    portfolio = Portfolio()
    for rules in (spiderette(), simple_simon(), mrs_mop()):
        assert portfolio.complete_turns(rules) == portfolio.small_turns
    assert portfolio.complete_turns(spider()) == portfolio.turns
    assert all(turn.order is None for turn in portfolio.turns)
    assert all(turn.order is not None for turn in portfolio.small_turns)
