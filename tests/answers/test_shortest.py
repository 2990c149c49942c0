"""Shortest lines: proved where the search or the bound can, never claimed elsewhere."""

import pytest

from spider_solver.answers.shortest import Shortest, find_shortest, shortest_result
from spider_solver.game.deal import Deal
from spider_solver.game.notation import Move
from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import simple_simon
from spider_solver.proofs.bounds import actions_bound
from spider_solver.proofs.check import ProofError, verify_line
from spider_solver.search.complete import explore
from spider_solver.search.result import Limits, Status
from spider_solver.search.solver import solve
from tests import brute
from tests.case_files import case
from tests.small_games import SMALL_GAMES

END_GAME = case("161")


def test_nine_actions_are_the_least_of_the_one_suit_end_game() -> None:
    found = find_shortest(END_GAME)
    assert found.proved
    assert found.line is not None
    assert verify_line(END_GAME, found.line).actions == 9
    assert found.bound == 9
    assert found.nodes > 1000
    assert found.words.startswith("proved shortest: no line has fewer than 9 actions (by complete")


def test_a_line_as_short_as_the_bound_needs_no_search() -> None:
    line = find_shortest(END_GAME).line
    assert actions_bound(END_GAME) == 9
    found = find_shortest(END_GAME, line, max_nodes=0)
    assert (found.line, found.nodes, found.proved) == (line, 0, True)
    assert found.words == "proved shortest: no line has fewer than 9 actions (by the lower bound)"


def test_small_games_agree_with_brute_force() -> None:
    won = cut = 0
    for rules in SMALL_GAMES:
        for seed in range(1, 13):
            start = numbered("pysol", seed, rules)
            known = brute.explore(start, 500)
            if known is None:
                continue
            found = find_shortest(start)
            assert found.bound == known[start]
            assert found.proved == (known[start] is not None)
            won += found.proved
            for nodes in range(0, found.nodes, max(1, found.nodes // 8)):
                short = find_shortest(start, max_nodes=nodes)
                assert short.bound is not None
                assert not short.proved
                assert short.bound <= (known[start] or 10**6)
                assert short.words.startswith(f"no line found within {nodes:,} node")
                cut += short.bound > actions_bound(start)
    assert won > 10
    assert cut > 50


def test_bounds_of_a_cut_search_grow() -> None:
    bounds = [explore(END_GAME, nodes).fewest_actions for nodes in (0, 10, 500, 5_000, 10**6)]
    assert bounds[0] == 1
    assert bounds[-1] == 9
    assert bounds == sorted(bounds, key=lambda bound: bound or 0)


def test_a_longer_line_is_replaced_and_kept_if_none_is_found() -> None:
    line = find_shortest(END_GAME).line
    assert line is not None
    there, back = there_and_back(END_GAME)
    longer = (there, back, *line)
    assert len(longer) == 11
    found = find_shortest(END_GAME, longer)
    assert found.line is not None
    assert (len(found.line), found.proved) == (9, True)
    kept = find_shortest(END_GAME, longer, max_nodes=5)
    assert (kept.line, kept.proved, kept.reason) == (longer, False, "nodes")


def there_and_back(position: Position) -> tuple[Move, Move]:
    return next(
        (there, back)
        for there in position.legal_moves()
        for back in position.play(there).legal_moves()
        if position.play(there).play(back) == position
    )


def test_a_line_that_does_not_win_is_refused() -> None:
    with pytest.raises(ProofError, match="after 0 actions"):
        find_shortest(END_GAME, ())


def test_results() -> None:
    result, found = shortest_result(solve(END_GAME))
    assert (result.status, result.actions, result.actions_bound) == (Status.WON, 9, 9)
    assert found.proved
    lost = solve(case("209"))
    assert shortest_result(lost) == (lost, Shortest(case("209"), None, None, None, 0, 0))
    start = won_small_game()
    opened = solve(start, Limits(0))
    assert opened.status is Status.OPEN
    result, found = shortest_result(opened)
    assert (result.status, result.reason, result.proof) == (Status.WON, None, "line")
    assert (result.line, result.shorten_nodes) == (found.line, found.nodes)
    deal = solve(Deal.numbered(1))
    result, found = shortest_result(deal, 1000)
    assert result.line == deal.line
    assert (found.reason, result.shorten_nodes) == ("nodes", 1000)
    assert (result.actions_bound or 0) >= actions_bound(deal.position)


def test_a_search_that_ends_without_a_win_proves_the_loss() -> None:
    start = numbered("pysol", 101, simple_simon())
    opened = solve(start, Limits(100))
    assert (opened.status, opened.reason) == (Status.OPEN, "nodes")
    result, found = shortest_result(opened)
    assert (result.status, result.reason, result.proof) == (Status.LOST, None, "exhausted")
    assert (result.certificate, result.exploration) == (None, None)
    assert (result.shorten_nodes, found.bound, found.proved) == (found.nodes, None, False)
    assert found.words == "no line wins (by complete search, 7,440 nodes, 1,814 positions)"
    result, found = shortest_result(opened, 100)  # cut off
    assert (result.status, found.reason) == (Status.OPEN, "nodes")
    assert found.words.startswith("no line found within 100 nodes: no line has fewer than ")


def won_small_game() -> Position:
    rules = SMALL_GAMES[1]
    starts = (numbered("pysol", seed, rules) for seed in range(1, 100))
    return next(start for start in starts if explore(start, 10**6).status == "won")
