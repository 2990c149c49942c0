"""How far a game was won and from where on it is lost, and that no more is said than is proved."""

import pytest

from spider_solver import Deal, Limits, Move, Position, Result, Solver, Status
from spider_solver.answers.review import Review, _further, review
from spider_solver.game.notation import parse_line
from spider_solver.proofs.check import ProofError, verify_line
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
    assert result.losing_actions == (1, 1)
    assert result.given_away == Move(1, 0, 1)
    facts = result.words.splitlines()
    assert facts[0].startswith("won at the start: a proved line, 2")
    assert facts[1:3] == [
        "lost after 1 action: proved, no line of play wins any more",
        "given away by action 1: move A♠ from column b to column a, which completes the run of "
        "spades: `ba1`",
    ]
    assert facts[3].startswith("better: move ")
    assert len(facts) == 4


def test_the_same_later_in_the_game() -> None:
    start = case("212")
    result = reviewed(start, "af1 fa1 ba1", Limits(200_000))
    assert (result.won_until, result.lost_from, result.losing_actions) == (2, 3, (3, 3))
    assert result.given_away == Move(1, 0, 1)
    assert result.words.startswith("won after 2 actions: ")


def test_a_game_that_was_won() -> None:
    line = winning_line("161")
    result = reviewed(case("161"), line)
    assert (result.won_until, result.lost_from, result.given_away) == (9, None, None)
    assert result.losing_actions is None
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
    assert (result.losing_actions, result.given_away) == (None, None)
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
    assert result.losing_actions is None
    assert result.words == (
        "not known whether the game was given away: no position of it is proved won\n"
        "positions 0 to 4 are open"
    )
    assert result.nodes == 5 * 2000


def test_a_game_without_actions() -> None:
    start = Deal.numbered(2, suits=4).position
    result = review(start, [], Limits(500_000), SOLVER)
    assert (result.won_until, result.losing_actions) == (0, None)
    assert result.words.startswith("still won after 0 actions: ")


def test_a_game_that_is_merely_open_accuses_nobody() -> None:
    """The game after the second deal is neither won nor lost within the budget."""
    start = Deal.numbered(2, suits=4).position
    result = review(start, parse_line("deal deal"), Limits(500_000), SOLVER)
    assert (result.won_until, result.lost_from) == (1, None)
    assert (result.losing_actions, result.given_away) == (None, None)
    won, unknown, better = result.words.splitlines()
    assert won.startswith("won after 1 action: a proved line, ")
    assert unknown == ("not known whether the game was given away by action 2: position 2 is open")
    assert better.startswith("a winning line continues: move ")
    answer = result.as_dict()
    assert (answer["losing_actions"], answer["given_away"]) == (None, None)
    assert answer["position"] == start.play(parse_line("deal")[0]).code


def test_positions_on_a_line_that_wins_are_won() -> None:
    """A game that keeps to the line, and one that goes back on it."""
    start = case("161")
    line = tuple(parse_line(winning_line("161")))
    positions = [start]
    for move in line:
        positions.append(positions[-1].play(move))
    assert _further(positions, 3, line[3:]) == (9, ())
    detour = [*positions[:4], *positions[:3]]
    assert _further(detour, 0, line) == (6, line[2:])


def test_a_lost_position_that_came_up_before() -> None:
    """A game that comes back to where it was: what is proved of one holds for the other."""
    start = case("212").play(parse_line("ba1")[0])
    blind = Limits(0)

    class Late(Solver):
        """Proves a loss by a search only, and only of the start."""

        def solve(self, position: Position, limits: Limits = blind) -> Result:
            known = limits != blind and position == start
            return Result(position, Status.LOST if known else Status.OPEN)

    result = review(start, parse_line("ca1 ac1"), QUICK, Late())
    assert (result.won_until, result.lost_from) == (None, 0)


def test_what_is_said_of_a_game_with_all_three_parts() -> None:
    start = case("212")
    moves = tuple(start.resolve(move) for move in parse_line("ba1"))
    moves += tuple(parse_line("dc1 ed1"))
    result = Review(start, moves, 0, 3, tuple(parse_line(winning_line("212"))))
    assert result.words.splitlines()[1:] == [
        "lost after 3 actions: proved, no line of play wins any more",
        "given away by one of actions 1 to 3: positions 1 to 2 are open",
        "a winning line continues: move 2♠ from column a to the empty column f: `af1`",
    ]
    answer = result.as_dict()
    assert (answer["won_until"], answer["lost_from"]) == (0, 3)
    assert (answer["losing_actions"], answer["given_away"]) == ((1, 3), None)


def test_what_is_said_where_nothing_is_won() -> None:
    start = case("212")
    moves = (start.resolve(parse_line("ba1")[0]), *parse_line("dc1 ed1"))
    result = Review(start, moves, None, 2)
    assert result.losing_actions is None
    assert result.words.splitlines() == [
        "not known whether the game was given away: no position of it is proved won",
        "positions 0 to 1 are open",
        "lost after 2 actions: proved",
    ]


def test_an_illegal_move() -> None:
    with pytest.raises(ProofError, match="action 2"):
        review(case("161"), parse_line("ba2 ba2"), QUICK, SOLVER)
