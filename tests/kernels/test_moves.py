"""The two engines against each other: they share no code and must never disagree."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spider_solver.game.position import Position
from tests.kernels.engine import Table
from tests.perft import Perft, read_perft
from tests.strategies import (
    ALL_RULES,
    PRESETS,
    TINY_RULES,
    choices,
    play_randomly,
    starts,
    with_options,
)

TINY_GAMES = tuple(option for rules in TINY_RULES for option in with_options(rules))


def assert_same_play(position: Position, numbers: list[int]) -> None:
    """Play the same random moves in both engines, comparing everything after each."""
    table = Table(position)
    for number in numbers:
        legal = position.legal_moves()
        assert table.legal_moves() == legal
        if not legal:
            return
        move = legal[number % len(legal)]
        position = position.play(move)
        table.play(move)
        assert table.columns() == position.columns
        assert table.face_down() == position.face_down
        assert table.runs == len(position.completed)


@pytest.mark.parametrize(
    "rules", [*PRESETS, *TINY_GAMES], ids=lambda rules: f"{rules.name}-{rules.suits}"
)
@settings(max_examples=25)
@given(st.data())
def test_engines_agree_from_deals(rules, data):  # type: ignore[no-untyped-def]
    position = data.draw(starts(st.just(rules)))
    assert_same_play(position, data.draw(choices(120)))


@settings(max_examples=100)
@given(starts(st.sampled_from(ALL_RULES)), choices(), choices())
def test_engines_agree_inside_games(
    position: Position, before: list[int], after: list[int]
) -> None:
    assert_same_play(play_randomly(position, before), after)


@pytest.mark.full
@settings(max_examples=5000)
@given(starts(st.sampled_from(ALL_RULES)), choices(300))
def test_engines_agree_in_thousands_of_games(position: Position, numbers: list[int]) -> None:
    assert_same_play(position, numbers)


PERFT = read_perft()


@pytest.mark.parametrize("perft", PERFT, ids=lambda perft: perft.name)
def test_perft(perft: Perft) -> None:
    table = Table(perft.start)
    assert [table.perft(depth) for depth in range(len(perft.lines))] == list(perft.lines)
