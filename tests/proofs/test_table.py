"""The table that lines are replayed on plays by the rules of ``Position``: legal moves and others.

``pytest -m full tests/proofs/test_table.py --log-cli-level=info`` logs on how many boards.
"""

import logging
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.replay import replay_as_proof, replay_plainly
from spider_solver.game.notation import DEAL, Move, NotationError, format_line, parse_line
from spider_solver.game.numberings import numbered
from spider_solver.game.position import IllegalMove, Position, PositionError
from spider_solver.game.rules import Rules, spider
from spider_solver.proofs.check import ProofError, Replay, replay
from spider_solver.proofs.table import Table
from tests.boards import board_from, check_each, counts_text, tall_board, wide_board
from tests.case_files import REFUSED, case, case_names, checked_lines
from tests.strategies import positions

LOG = logging.getLogger(__name__)


def any_action(rules: Rules, generator: Random) -> Move:
    """An action that hardly any position allows, or that no text can name."""
    places = range(-2, rules.columns + 2)
    counts = (None, *range(-1, rules.ranks + 3))
    return Move(generator.choice(places), generator.choice(places), generator.choice(counts))


def an_action(position: Position, generator: Random) -> Move:
    """Mostly a legal action, now and then without its count."""
    legal = position.legal_moves()
    if not legal or generator.random() < 0.2:
        return generator.choice((DEAL, any_action(position.rules, generator)))
    if position.can_deal and generator.random() < 0.8:
        legal.remove(DEAL)  # so that a game goes on for a while
    move = generator.choice(legal or [DEAL])
    if generator.random() < 0.2 and not move.is_deal:
        return Move(move.source, move.target)
    return move


def fault_of(play: Callable[[], object]) -> str | None:
    """Why a move is illegal; None if it is not."""
    try:
        play()
    except IllegalMove as error:
        return str(error)
    return None


def check_play(position: Position, generator: Random, actions: int) -> str:
    """Play the same actions on a table and with positions; what is illegal is refused by both."""
    start, line = position, list[Move]()
    table = Table(position)
    assert table.position == position
    for _ in range(actions):
        move = an_action(position, generator)
        if (fault := fault_of(partial(position.play, move))) is None:
            table.play([move])
            line.append(move)
            position = position.play(move)
        else:
            assert fault_of(partial(table.play, [move])) == fault
        assert table.position == position
        assert table.actions == len(line)
    text = format_line(line)
    assert replay_text(start, text) == replay_plainly(start, text)
    return "board"


def outcome_of(
    play: Callable[[Position, str], Replay], position: Position, line: str
) -> Replay | tuple[type, str]:
    """What a replay gives, or the message with which it ends."""
    try:
        return play(position, line)
    except (NotationError, ProofError) as error:
        return type(error), str(error)


def replay_text(position: Position, line: str) -> Replay:
    return replay(position, parse_line(line))


@given(positions(), st.randoms(use_true_random=False))
def test_it_plays_as_positions_do(position: Position, generator: Random) -> None:
    check_play(position, generator, 60)


def boards(seeds: range) -> Iterable[Position]:
    """Boards of any size, and for ten of them a very tall one and a very wide one."""
    few = range(seeds.start, seeds.start + len(seeds) // 10)
    return chain(map(board_from, seeds), map(tall_board, few), map(wide_board, few))


def check_board(position: Position) -> str:
    return check_play(position, Random(position.code), 40)


def test_it_plays_as_positions_do_on_boards() -> None:
    counts = check_each(boards(range(200)), check_board)
    assert counts["board"] == 240
    for kind in ("covered run", "run on a run", "group moves", "optional removal", "short row"):
        assert counts[f"board: {kind}"] > 10, kind


@pytest.mark.full
def test_it_plays_as_positions_do_on_many_boards() -> None:
    counts = check_each(boards(range(200, 5_200)), check_board)
    LOG.info("played: %s", counts_text(counts))
    assert counts["board"] == 6_000


@pytest.mark.parametrize("name", [name for name in case_names() if name[:3] not in REFUSED])
def test_it_plays_as_positions_do_from_every_case(name: str) -> None:
    for seed in range(3):
        check_play(case(name[:3]), Random(f"{name} {seed}"), 60)


def test_every_checked_line_is_replayed_alike() -> None:
    for checked in checked_lines():
        start = case(checked.case, relaxed=checked.relaxed)
        assert replay_as_proof(start, checked.line) == replay_plainly(start, checked.line)


@given(positions(), st.text("abcdjkz123*del ", max_size=40))
def test_any_text_has_the_same_outcome(position: Position, line: str) -> None:
    plain, fast = (outcome_of(play, position, line) for play in (replay_plainly, replay_text))
    if isinstance(plain, tuple) and isinstance(fast, tuple) and plain[0] is NotationError:
        assert fast[0] is NotationError
        assert fast[1].endswith(plain[1])
    else:
        assert fast == plain


@pytest.mark.parametrize(
    ("columns", "face_down", "message"),
    [
        (((2,), (1,), ()), (1, 0, 0), "the last card of column a is face down"),
        (((4, 3, 2, 1), (), ()), (0, 0, 0), "column a ends in a complete run: play on from"),
    ],
)
def test_an_unsettled_position_is_refused(
    columns: tuple[tuple[int, ...], ...], face_down: tuple[int, ...], message: str
) -> None:
    rules = Rules(name="small", pack="C", packs=1, ranks=4, heights=(2, 1, 1))
    with pytest.raises(PositionError, match=message):
        replay(Position(rules, columns, face_down), [])


def test_a_line_can_be_played_in_pieces() -> None:
    start = numbered("kpat", 1, spider(4))
    table = Table(start)
    table.play([DEAL])
    table.play(iter([DEAL, DEAL]))
    assert (table.actions, table.score) == (3, 497)
    assert table.position == start.play(DEAL).play(DEAL).play(DEAL)
