"""Boards that no deal leads to, one by one: covered complete runs, tall columns, few cards."""

import pytest

from spider_solver.answers.hints import Hinter
from spider_solver.formats.board import read_board
from spider_solver.game.notation import DEAL, format_line, parse_line
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules, optional_removal, spiderette
from spider_solver.proofs.check import verify_line
from spider_solver.proofs.closed_set import check_closed_set
from spider_solver.search.complete import explore
from spider_solver.search.result import Limits, Status
from spider_solver.search.solver import Solver
from tests import brute
from tests.case_files import case, case_text

SOLVER = Solver()

PLENTY = 10**6


def test_a_run_laid_bare_by_a_move_leaves_with_it() -> None:
    start = case("245")
    result = SOLVER.solve(start)
    assert (result.status, format_line(result.line or ())) == (Status.WON, "ba12")
    found = explore(start, PLENTY)
    assert (found.status, format_line(found.line or ())) == ("won", "ba12")
    assert format_line(SOLVER.best_found(start)) == "ba12"


def test_a_run_under_a_two_is_freed_in_thirteen_actions() -> None:
    start = case("246")
    result = SOLVER.solve(start, Limits(shorten=10_000))
    assert result.status is Status.WON
    found = explore(start, PLENTY)
    assert found.line is not None
    assert verify_line(start, found.line).actions == 13


def test_a_deal_onto_a_kept_run() -> None:
    start = read_board(case_text("242"), optional_removal(2))
    after = start.play(DEAL)
    hint = Hinter(Limits(PLENTY), SOLVER).hint(after)
    assert hint.status is Status.WON
    assert verify_line(after, hint.line).final.is_won
    result = SOLVER.solve(start, Limits(PLENTY))
    assert result.status is Status.WON
    assert result.line is not None
    assert verify_line(start, result.line).final.is_won


def test_spiderette_is_lost_with_a_closed_set() -> None:
    start = read_board(case_text("243"), spiderette())
    assert brute.decide(start, 1000) == "lost"
    result = SOLVER.solve(start)
    assert (result.status, result.proof) == (Status.LOST, "exhausted")
    assert result.exploration is not None
    codes = [position.code for position in result.exploration.positions()]
    assert check_closed_set(start, codes) == 1  # it is buried
    codes = [position.code for position in explore(start, PLENTY).positions()]
    assert check_closed_set(start, codes) == 88


GROUPS = Rules(name="x", pack="DH", packs=2, ranks=3, heights=(4, 4), face_up=2, group_moves=True)


def test_a_run_that_a_group_leaves_behind() -> None:
    start = Position.from_code("AH3D3D2D/3H2HAH2H AD2D3HAD -", GROUPS)
    line = parse_line("deal ba1 deal ba2 ab3 ba1 ab1")
    assert verify_line(start, line).actions == len(line) == brute.decide(start, 1000)
    result = SOLVER.solve(start)
    assert result.status is Status.WON
    found = explore(start, PLENTY)
    assert found.line is not None
    assert verify_line(start, found.line).actions == len(line)


def test_a_column_of_94_cards_takes_the_same_nodes_every_time() -> None:
    start = case("244")
    limits = Limits(100_000)
    first = Solver().solve(start, limits)
    SOLVER.solve(case("010"), limits)
    SOLVER.solve(case("161"), limits)
    for solver in (SOLVER, SOLVER, Solver()):
        again = solver.solve(start, limits)
        assert (again.status, again.nodes) == (first.status, first.nodes)


@pytest.mark.parametrize("number", ["240", "241", "213"])
def test_too_few_cards_on_the_table_are_lost_at_once(number: str) -> None:
    result = SOLVER.solve(case(number), Limits(1000))
    assert (result.status, result.proof, result.nodes) == (Status.LOST, "too-few-cards", 0)


def test_too_few_cards_may_be_won_over_empty_columns() -> None:
    start = case("213", relaxed=True)
    result = SOLVER.solve(start)
    assert result.status is Status.WON
    assert result.line is not None
    assert verify_line(start, result.line).final.is_won
