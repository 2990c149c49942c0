"""Where a game was given away, and that no more is said than is known."""

import pytest

from spider_solver import Deal, Limits, Move, Position, Solver, Status
from spider_solver.notation import parse_line
from spider_solver.proof import ProofError, verify_line
from spider_solver.review import Review, review
from tests.case_files import case, checked_lines

SOLVER = Solver()
QUICK = Limits(20_000)


def reviewed(start: Position, line: str, limits: Limits = QUICK) -> Review:
    result = review(start, parse_line(line), limits, SOLVER)
    if result.won_until is not None:
        verify_line(result.position(result.won_until), result.line)
    return result


def winning_line(number: str) -> str:
    return next(line.line for line in checked_lines() if line.case == number and not line.relaxed)


def test_a_run_completed_too_early() -> None:
    """Case 212: completing the run loses the game."""
    result = reviewed(case("212"), "ba1 dc1 ed1", Limits(1_000_000))
    assert (result.won_until, result.lost_from) == (0, 1)
    assert result.given_away == Move(1, 0, 1)
    assert result.after is Status.LOST
    facts = result.words.splitlines()
    assert facts[0].startswith("won at the start: a proved line, 2")
    assert facts[1:3] == [
        "given away by action 1: move A♠ from column b to column a, which completes the run of "
        "spades: `ba1`",
        "then lost: proved, no line of play wins any more",
    ]
    assert facts[3].startswith("better: move ")
    assert len(facts) == 4


def test_the_same_later_in_the_game() -> None:
    start = case("212")
    result = reviewed(start, "af1 fa1 ba1", Limits(200_000))
    assert result.won_until == 2
    assert result.words.startswith("won after 2 actions: ")


def test_a_game_that_was_won() -> None:
    line = winning_line("161")
    result = reviewed(case("161"), line)
    assert (result.won_until, result.lost_from, result.given_away) == (9, None, None)
    assert result.after is None
    assert result.words == "won in 9 actions: nothing was given away"


def test_a_game_that_is_still_won() -> None:
    result = reviewed(case("161"), " ".join(winning_line("161").split()[:4]))
    assert (result.won_until, result.given_away) == (4, None)
    assert result.words == "still won after 4 actions: 5 actions to go"


def test_a_deal_that_was_lost_from_the_start() -> None:
    start = Deal.numbered(14934, numbering="pysol").position
    move = start.legal_moves()[0]
    result = review(start, [move], QUICK, SOLVER)
    assert (result.won_until, result.lost_from) == (None, 0)
    assert result.words == "lost from the start: proved, no line of play wins this deal"


def test_open_positions_are_not_taken_for_anything() -> None:
    start = Deal.numbered(28241, numbering="pysol").position
    moves = []
    position = start
    for _ in range(4):
        moves.append(position.legal_moves()[0])
        position = position.play(moves[-1])
    seen = []
    result = review(start, moves, Limits(2000), SOLVER, lambda at, last: seen.append((at, last)))
    assert seen == [(4, 4), (3, 4), (2, 4), (1, 4), (0, 4)]
    assert (result.won_until, result.lost_from, result.given_away) == (None, None, None)
    assert result.words == (
        "no position of this game is proved won, so no action can be named\n"
        "positions 0 to 4 are open, to the end of the game"
    )
    assert result.nodes == 5 * 2000


def test_all_that_is_lost_comes_after_all_that_is_won() -> None:
    """A game that ends in a blockade, with open positions between."""
    start = Deal.numbered(2, suits=4).position
    result = review(start, [], Limits(500_000), SOLVER)
    assert result.won_until == 0
    assert result.words.startswith("still won after 0 actions: ")


def test_what_is_said_of_a_game_with_all_three_parts() -> None:
    start = case("212")
    moves = tuple(start.resolve(move) for move in parse_line("ba1"))
    moves += tuple(parse_line("dc1 ed1"))
    result = Review(start, moves, 0, 3, tuple(parse_line(winning_line("212"))))
    assert result.after is Status.OPEN
    assert result.words.splitlines()[2:] == [
        "then open: neither won nor lost is proved",
        "better: move 2♠ from column a to the empty column f: `af1`",
        "positions 1 to 2 are open",
        "lost from position 3 on: proved",
    ]
    answer = result.as_dict()
    assert (answer["won_until"], answer["lost_from"], answer["after"]) == (0, 3, "open")
    assert answer["given_away"] == "ba1"


def test_an_illegal_move() -> None:
    with pytest.raises(ProofError, match="action 2"):
        review(case("161"), parse_line("ba2 ba2"), QUICK, SOLVER)
