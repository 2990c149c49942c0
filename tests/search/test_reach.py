"""Counts of reachable positions by rows dealt agree with brute force, as do cards never seen."""

import logging
from functools import partial

import pytest

from spider_solver.game.deal import Deal
from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.proofs.check import verify_line
from spider_solver.search.complete import explore
from spider_solver.search.packing import UnsupportedRules
from spider_solver.search.reach import Reach, StageCount, reach, reach_of
from tests import brute
from tests.boards import check_each, counts_text, small_board
from tests.case_files import case
from tests.small_games import SMALL_GAMES
from tests.strategies import TOO_WIDE
from tests.stuck import stuck_deal

LOG = logging.getLogger(__name__)


def surely_covered(start: Position, positions: list[Position]) -> tuple[int, ...]:
    """How many cards of each column lie face down in all positions, told by the cards alone."""

    def holding(position: Position, cards: tuple[int, ...]) -> int:
        return sum(
            down >= len(cards) and column[: len(cards)] == cards
            for column, down in zip(position.columns, position.face_down, strict=True)
        )

    covered = []
    for column, down in zip(start.columns, start.face_down, strict=True):
        least = down
        while least and any(
            holding(position, column[:least]) < holding(start, column[:least])
            for position in positions
        ):
            least -= 1
        covered.append(least)
    return tuple(covered)


def by_brute_force(start: Position, most: int) -> Reach | None:
    known = brute.explore(start, most)
    if known is None:
        return None
    stages = []
    for dealt in range(start.rows_left + 1):
        so_far = [p for p in known if start.rows_left - p.rows_left <= dealt]
        count = sum(start.rows_left - p.rows_left == dealt for p in so_far)
        stages.append(StageCount(count, True, surely_covered(start, so_far)))
        if count == 0:
            break
    return Reach(start, tuple(stages), 0, None, None)


def check_against_brute_force(start: Position, most: int) -> str:
    """Check one position; says what became of it."""
    known = by_brute_force(start, most)
    if known is None:
        return "too large"
    found = reach(start)
    assert (found.stages, found.reason) == (known.stages, None)
    won = explore(start, 10**6)
    assert (found.line is not None) == (won.status == "won")
    if found.line is not None:
        verify_line(start, found.line)
        return "won"
    assert reach_of(won).stages == known.stages
    assert found.positions == won.size
    return "lost"


def test_small_games_agree_with_brute_force() -> None:
    starts = (numbered("pysol", seed, rules) for rules in SMALL_GAMES for seed in range(1, 26))
    counts = check_each(starts, partial(check_against_brute_force, most=300))
    LOG.info("%s", counts_text(counts))
    assert min(counts["won"], counts["lost"]) > 20


def test_small_boards_agree_with_brute_force() -> None:
    boards = (board for board in map(small_board, range(400)) if not board.is_won)
    counts = check_each(boards, partial(check_against_brute_force, most=200))
    LOG.info("%s", counts_text(counts))
    assert counts["won: covered run"] > 20
    assert counts["lost: covered run"] > 5


def test_a_deal_that_is_known_by_its_counts() -> None:
    found = reach(Deal.numbered(14934, numbering="pysol").position, 1_000_000)
    assert [stage.positions for stage in found.stages[:3]] == [7, 94, 50_709]
    assert [stage.exact for stage in found.stages] == [True, True, True, False]
    assert (found.reason, found.nodes, found.line) == ("nodes", 1_000_000, None)
    assert found.positions == sum(stage.positions for stage in found.stages)


def test_a_budget_only_cuts_it_short() -> None:
    start = stuck_deal(2, 1)
    whole = reach(start, 100_000)
    for budget in (0, 10, 500, 5_000):
        short = reach(start, budget)
        assert short.nodes <= budget
        exact = [stage for stage in short.stages if stage.exact]
        assert exact == list(whole.stages[: len(exact)])
        assert (short.reason == "nodes") == (len(exact) < len(short.stages))


def test_short_of_memory() -> None:
    found = reach(case("210"), most_positions=1000)
    assert found.reason == "memory"
    assert not found.stages[0].exact
    assert 990 < found.positions <= 1002


def test_too_few_cards_to_deal() -> None:
    found = reach(case("209"))
    assert [(stage.positions, stage.exact) for stage in found.stages] == [(910, True), (0, True)]


def test_a_won_position() -> None:
    rules = SMALL_GAMES[0]
    won = Position.with_rest_completed(rules, ((),) * rules.columns, (0,) * rules.columns, ())
    assert reach(won).stages == (StageCount(1, True, (0,) * rules.columns),)
    assert reach(won, 0).reason is None


def test_what_cannot_be_told_is_refused() -> None:
    with pytest.raises(UnsupportedRules):
        reach(numbered("pysol", 1, TOO_WIDE))
    with pytest.raises(ValueError, match="has not seen all positions"):
        reach_of(explore(case("210"), 100))
