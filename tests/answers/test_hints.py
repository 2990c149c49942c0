"""What a hint must hold: proved lines, no wandering, and open called open."""

import random
from collections.abc import Iterator

import pytest

from spider_solver import Deal, Limits, Move, Position, Solver, Status
from spider_solver.answers import hints as hints_module
from spider_solver.answers.hints import Hint, Hinter, best_line, hint
from spider_solver.game.notation import parse_line, parse_move
from spider_solver.proofs.check import ProofError, verify_line
from tests.case_files import REFUSED, case, case_names, checked_lines
from tests.strategies import TINY_RULES
from tests.stuck import stuck_deal

QUICK = Limits(200_000, shorten=30_000)
SOLVER = Solver()


def play_at_random(position: Position, actions: int, seed: int) -> Position:
    chance = random.Random(seed)
    for _ in range(actions):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(chance.choice(moves))
    return position


def follow(hinter: Hinter, position: Position) -> Iterator[Hint]:
    """Every hint of a game that is played by hints from a won position on."""
    while not position.is_won:
        given = hinter.hint(position)
        assert given.status is Status.WON
        assert given.move is not None
        yield given
        position = position.play(given.move)


# The cases that speak of hints


def test_the_run_is_not_completed_where_that_loses() -> None:
    given = hint(case("212"))
    assert given.status is Status.WON
    assert given.move != parse_move("ba1")
    assert verify_line(given.position, given.line).final.is_won


def test_a_run_is_split_where_it_must_be() -> None:
    given = hint(case("208"))
    assert given.status is Status.WON
    assert given.move is not None
    assert given.move.target in given.position.empty_columns
    assert given.move.count is not None
    assert given.move.count < 8


def test_the_position_said_to_be_stuck_is_not() -> None:
    given = hint(case("161"))
    assert (given.status, given.actions) == (Status.WON, 9)


def test_no_hint_leads_to_a_loss_in_any_case() -> None:
    hinter = Hinter(QUICK, SOLVER)
    for checked in checked_lines():
        if checked.relaxed:
            continue
        position = case(checked.case)
        given = hinter.hint(position)
        assert given.status is not Status.LOST
        if given.status is Status.WON:
            assert verify_line(position, given.line).final.is_won


def test_a_lost_game() -> None:
    given = hint(case("010"))
    assert (given.status, given.move, given.actions) == (Status.LOST, None, None)
    assert (given.line, given.proof) == ((), "blockade")
    assert given.certificate is not None
    assert given.words == "no move: the game is lost"
    assert given.certainty == "lost: proved (blockade), no line of play wins"


@pytest.mark.parametrize(
    ("position", "proof"),
    [
        (case("209"), "too-few-cards"),
        (case("213"), "too-few-cards"),
        (case("214"), "blockade"),
        (case("225"), "too-few-cards"),
        (stuck_deal(0, 108), "exhausted"),
    ],
    ids=["209", "213", "214", "225", "stuck"],
)
def test_lost_games(position: Position, proof: str) -> None:
    given = hint(position)
    assert (given.status, given.proof, given.move) == (Status.LOST, proof, None)


def test_a_game_that_is_over() -> None:
    given = hint(Position.from_code("///////// - CCDDHHSS"))
    assert (given.status, given.move, given.actions, given.line) == (Status.WON, None, 0, ())
    assert given.words == "nothing to do: the game is won"


# Words


def test_words() -> None:
    given = hint(case("217"))
    assert given.words == (
        "move 6♠ to A♠ (6 cards) from column b to column a, which completes the run of spades: "
        "`ba6`"
    )
    assert given.certainty == "won: a proved line, 1 action to go"
    assert list(given.upcoming(3)) == [(Move(1, 0, 6), given.words.removesuffix(": `ba6`"))]


def test_a_hint_for_programs() -> None:
    answer = hint(case("161")).as_dict()
    assert answer["move"] == answer["line"].split()[0]
    assert (answer["status"], answer["actions"], answer["proof"]) == ("won", 9, "line")
    assert Position.from_code(answer["position"]) == case("161")


# Open positions


def open_position() -> Position:
    """A game that nobody can settle so quickly."""
    return Deal.numbered(28241, numbering="pysol").position


def test_an_open_position_is_called_open_and_gets_the_best_found() -> None:
    given = hint(open_position(), Limits(1000))
    assert (given.status, given.reason, given.actions) == (Status.OPEN, "nodes", None)
    assert given.move is not None
    assert given.move in given.position.legal_moves()
    position = given.position
    for move in given.line:
        position = position.play(move)
    assert position.hidden < given.position.hidden
    assert given.certainty == (
        "open: neither won nor lost is proved within 1,000 nodes; this is the best that was found"
    )


def test_the_best_line_is_legal_anywhere() -> None:
    for rules in TINY_RULES:
        for seed in range(1, 30):
            position = play_at_random(Deal.numbered(seed, rules=rules).position, seed, seed)
            line = best_line(SOLVER, position)
            assert bool(line) == bool(position.legal_moves()) or position.is_won
            for move in line:
                position = position.play(move)


# A Hinter


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_hint_after_hint_wins_as_promised(suits: int) -> None:
    """Some hundred deals from here on; ``benchmarks/hints.py`` plays more of them."""
    hinter = Hinter(QUICK, SOLVER)
    won = 0
    for seed in range(500, 570):
        position = play_at_random(Deal.numbered(seed, suits=suits).position, seed % 3 * 5, seed)
        first = hinter.hint(position)
        if first.status is not Status.WON:
            continue
        won += 1
        given = list(follow(hinter, position))
        assert len(given) <= len(first.line)
        assert [len(one.line) for one in given] == list(range(len(given), 0, -1))
        assert all(one.nodes == 0 for one in given)
    assert won >= 40


def test_leaving_the_line_and_coming_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is asked in between, a promise that was made is kept."""
    monkeypatch.setattr(hints_module, "MOST_REMEMBERED", 1500)  # some ten lines
    hinter = Hinter(QUICK, SOLVER)
    chance = random.Random(5)
    for seed in range(1, 11):
        position = Deal.numbered(seed, suits=2).position
        promised = hinter.hint(position).actions
        assert promised is not None
        for played in range(30):
            if chance.random() < 0.5:
                hinter.hint(play_at_random(position, chance.randint(1, 3), played))
            given = hinter.hint(position)
            assert given.actions is not None
            assert given.actions <= promised - played
            assert given.nodes == 0
            assert given.move is not None
            position = position.play(given.move)


def test_of_two_lines_that_meet_the_shorter_is_followed() -> None:
    position = case("206")
    detour, direct = parse_line("ac1 ac1 cd2 dc2 cd2 da2"), parse_line("ab1 ab1 ba2")
    hinter = Hinter(QUICK, SOLVER)
    hinter.learn(position, detour)
    assert hinter.hint(position).actions == 4  # the detour comes to one position twice
    assert hinter.hint(position).nodes == 0
    hinter.learn(position, direct)
    assert hinter.hint(position).line == tuple(direct)
    hinter.learn(position, detour)
    assert hinter.hint(position).line == tuple(direct)
    aside = position.play(parse_move("ad1"))
    hinter.learn(aside, parse_line("ae1 ed1 da2"))
    assert hinter.hint(aside).actions == 3
    hinter.learn(aside, parse_line("ad1 da2"))
    assert hinter.hint(aside).actions == 2
    assert hinter.hint(position).actions == 3


def test_a_line_that_does_not_win_is_not_learnt() -> None:
    hinter = Hinter(QUICK, SOLVER)
    with pytest.raises(ProofError):
        hinter.learn(case("161"), parse_line("ba2"))
    with pytest.raises(ProofError):
        hinter.learn(case("161"), parse_line("ab2"))


def test_memory_is_bounded_and_the_game_at_hand_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints_module, "MOST_REMEMBERED", 400)
    hinter = Hinter(QUICK, SOLVER)
    for seed in range(1, 12):
        position = Deal.numbered(seed, suits=1).position
        promised = hinter.hint(position).actions
        assert promised is not None
        assert len(hinter._steps) <= 400
        assert len(list(follow(hinter, position))) <= promised


def test_every_case_gets_an_answer() -> None:
    hinter = Hinter(QUICK, SOLVER)
    for name in case_names():
        if name[:3] not in REFUSED:
            given = hinter.hint(case(name[:3]))
            assert given.words
            assert given.certainty.startswith(str(given.status))
