"""What a verdict must hold, whatever the search behind it."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from spider_solver import Deal, Limits, Position, Solver, Status, solve
from spider_solver.game.numberings import numbered
from spider_solver.game.outcomes import Ended
from spider_solver.game.rules import Rules, spider, spiderette, tiny
from spider_solver.proofs.check import check_blockade, verify_line
from spider_solver.search.packing import UnsupportedRules
from spider_solver.search.portfolio import Portfolio, Turn
from spider_solver.search.result import EFFORTS, Result
from tests.brute import explore
from tests.case_files import case
from tests.strategies import TINY_RULES, TOO_WIDE, positions, starts

SOLVER = Solver()


def timeless(result: Result) -> tuple[object, ...]:
    """All of a result but its wall time."""
    fields = dict(result.__dict__)
    del fields["seconds"]
    return tuple(fields.values())


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_first_deals_are_won(suits: int) -> None:
    for seed in range(1, 6):
        result = SOLVER.solve(Deal.numbered(seed, suits=suits).position)
        assert result.status is Status.WON
        assert result.proof == "line"
        assert result.reason is None
        assert result.line is not None
        replayed = verify_line(result.position, result.line)
        assert (replayed.actions, replayed.score) == (result.actions, result.score)
        assert result.nodes > 0
        assert result.attempts >= 1


def test_module_level_solve_takes_a_deal() -> None:
    assert solve(Deal.numbered(1)).status is Status.WON


@pytest.mark.parametrize("seed", [1748, 14934])
def test_blockaded_deals_are_lost(seed: int) -> None:
    position = Deal.numbered(seed, numbering="pysol").position
    result = SOLVER.solve(position)
    assert (result.status, result.proof, result.nodes) == (Status.LOST, "blockade", 0)
    assert result.certificate is not None
    check_blockade(position, result.certificate)


@pytest.mark.parametrize("seed", [10001, 10002, 10003])
def test_nodes_are_the_least_budget(seed: int) -> None:
    position = Deal.numbered(seed).position
    won = SOLVER.solve(position, Limits(10_000_000))
    assert won.status is Status.WON
    again = SOLVER.solve(position, Limits(won.nodes))
    assert timeless(again) == timeless(won)
    short = SOLVER.solve(position, Limits(won.nodes - 1))
    assert (short.status, short.reason, short.nodes) == (Status.OPEN, "nodes", won.nodes - 1)
    assert short.line is None
    assert short.runs_completed is not None
    assert short.rows_dealt is not None


def test_what_was_solved_before_does_not_matter() -> None:
    positions = [Deal.numbered(seed).position for seed in (10004, 10005, 10006)]
    alone = [timeless(Solver().solve(position)) for position in positions]
    SOLVER.solve(Deal.numbered(7, suits=1).position)
    assert [timeless(SOLVER.solve(position)) for position in positions] == alone


def test_no_budget() -> None:
    result = SOLVER.solve(Deal.numbered(1).position, Limits(0))
    assert (result.status, result.reason, result.nodes) == (Status.OPEN, "nodes", 0)


def test_time_limit() -> None:
    result = SOLVER.solve(Deal.numbered(28241, numbering="pysol").position, Limits(10**12, time=0))
    assert (result.status, result.reason) == (Status.OPEN, "time")


def test_won_position_needs_no_action() -> None:
    before = case("217")
    (winning,) = (move for move in before.legal_moves() if before.play(move).is_won)
    won = before.play(winning)
    assert won.is_won
    result = SOLVER.solve(won)
    assert (result.status, result.line, result.actions, result.nodes) == (Status.WON, (), 0, 0)


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(UnsupportedRules, match="at most 13 columns"):
        SOLVER.solve(Deal.numbered(1, rules=TOO_WIDE).position)


def test_shortening_and_bound() -> None:
    position = Deal.numbered(10000).position
    plain = SOLVER.solve(position)
    short = SOLVER.solve(position, Limits(shorten=400_000, bound=True))
    assert plain.actions is not None
    assert short.actions is not None
    assert short.actions_bound is not None
    assert short.actions_bound <= short.actions < plain.actions
    assert (short.nodes, short.expanded) == (plain.nodes, plain.expanded)
    assert 0 < short.shorten_nodes <= 400_000
    assert plain.actions_bound is None


def test_efforts_grow() -> None:
    assert list(EFFORTS) == ["quick", "normal", "deep"]
    assert sorted(EFFORTS.values()) == list(EFFORTS.values())


@settings(max_examples=150)
@given(starts(st.sampled_from(TINY_RULES)))
def test_tiny_deals_against_brute_force(position: Position) -> None:
    assert_sound(position)


@settings(max_examples=150)
@given(positions(st.sampled_from(TINY_RULES)))
def test_tiny_positions_against_brute_force(position: Position) -> None:
    assert_sound(position)


def assert_sound(position: Position) -> None:
    """What is said about a small game is true."""
    known = explore(position, 2000)
    assume(known is not None)
    assert known is not None
    result = SOLVER.solve(position, Limits(200_000))
    if result.status is not Status.OPEN:
        assert (result.status is Status.WON) == (known[position] is not None)


@settings(max_examples=20)
@given(positions(st.builds(spider, st.integers(1, 4))))
def test_positions_inside_games(position: Position) -> None:
    result = SOLVER.solve(position, Limits(100_000))
    if result.status is Status.WON:
        assert result.line is not None
        assert verify_line(position, result.line).final.is_won


@pytest.mark.parametrize(("seed", "nodes"), [(17, 200_000), (10001, 10_000_000)])
def test_every_search_is_told(seed: int, nodes: int) -> None:
    result = SOLVER.solve(Deal.numbered(seed).position, Limits(nodes))
    assert len(result.searches) == result.attempts
    assert sum(search.nodes for search in result.searches) == result.nodes
    assert all(search.ended is Ended.FAILED for search in result.searches[:-1])
    assert result.searches[-1].ended == Ended(result.reason or result.status)
    for number, search in enumerate(result.searches):
        assert search.settings in (None, Portfolio().attempt(number))
    assert result.searches[0].settings is not None
    if result.status is Status.OPEN:
        assert result.runs_completed == max(search.runs_completed for search in result.searches)
        assert result.rows_dealt == max(search.rows_dealt for search in result.searches)


def test_a_portfolio_says_what_is_tried() -> None:
    turn = Turn(width=1, nodes=1000)
    portfolio = Portfolio(series=4, starts=(2, 3, 6, 4), turns=(turn,))
    result = Solver(portfolio).solve(Deal.numbered(17).position, Limits(200_000))
    first, second, *_ = result.searches
    assert first.settings == portfolio.attempt(0) != Portfolio().attempt(0)
    assert first.settings.width == 4
    assert (second.settings, second.nodes, second.ended) == (None, 1000, "nodes")


def test_a_complete_search_is_told() -> None:
    position = Position.from_code(
        "//7h4hKSQSJSTS9S8S7S6S5S4S3S2SAS9H//jc5h3hjh6h8c8h4cqh3c7c5c9C2HAH/THAC6CQCTC2CKCKH/ - D",
        spiderette(),
    )
    result = SOLVER.solve(position)
    last = result.searches[-1]
    assert (result.proof, last.ended, last.settings) == ("exhausted", "lost", None)
    assert result.exploration is not None
    assert (last.nodes, last.rows_dealt) == (result.exploration.nodes, 0)
    assert result.exploration.by_rows_dealt == (result.exploration.size,)
    assert last.runs_completed == 1  # it is buried, so nothing is played


# Lost deals of small games, of as many own ones as another program had counted on other deals:
# 8 of 200, 25 of 100 and 3 of 60.
KNOWN_SHARES = [
    (tiny(columns=4, ranks=4, suits=2, copies=2, hidden=1, rows=2), 200, 8),
    (tiny(columns=4, ranks=6, suits=2, copies=2, hidden=2, rows=3), 100, 27),
    (tiny(columns=4, ranks=6, suits=1, copies=4, hidden=2, rows=3), 60, 2),
]


@pytest.mark.parametrize(("rules", "deals", "lost"), KNOWN_SHARES)
def test_small_games_are_lost_as_often_as_is_known(rules: Rules, deals: int, lost: int) -> None:
    results = [SOLVER.solve(numbered("pysol", seed, rules)) for seed in range(1, deals + 1)]
    assert all(result.status is not Status.OPEN for result in results)
    assert sum(result.status is Status.LOST for result in results) == lost
