"""The oracle itself: against games whose answers are known, and without its one symmetry."""

import pytest

from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules, tiny
from tests.brute import explore, up_to_order
from tests.small_games import SMALL_GAMES_WITH_OPTIONS, game_name


def fewest_actions_plainly(start: Position) -> int | None:
    """Breadth-first search that takes each position for itself."""
    layer, seen, actions = [start], {start}, 0
    while layer and not any(position.is_won for position in layer):
        after = {position.play(move) for position in layer for move in position.legal_moves()}
        layer = list(after - seen)
        seen |= after
        actions += 1
    return actions if layer else None


@pytest.mark.parametrize("rules", SMALL_GAMES_WITH_OPTIONS, ids=game_name)
def test_agrees_with_a_search_of_every_order_of_columns(rules: Rules) -> None:
    for seed in range(1, 11):
        start = numbered("pysol", seed, rules)
        found = explore(start, 60)
        if found is not None:
            assert found[start] == fewest_actions_plainly(start)


def test_columns_are_exchanged_only_with_their_stock() -> None:
    rules = tiny(columns=2, ranks=2, suits=1, copies=4, hidden=0, rows=2)
    start = Position.from_code("2S2S/ASAS AS2SAS2S -", rules)
    assert up_to_order(start) == up_to_order(Position.from_code("ASAS/2S2S 2SAS2SAS -", rules))
    assert up_to_order(start) != up_to_order(Position.from_code("ASAS/2S2S AS2SAS2S -", rules))


def test_fewest_actions_of_every_position() -> None:
    rules = tiny(columns=2, ranks=2, suits=1, copies=2, hidden=0, rows=1)
    found = explore(Position.from_code("AS/2S AS2S -", rules), 100)
    assert found is not None
    assert {position.code: actions for position, actions in found.items()} == {
        "AS/2S AS2S -": 3,
        "/ AS2S S": None,  # no row goes onto empty columns
        "ASAS/2S2S - -": 2,
        "AS/2S - S": 1,
        "/ - SS": 0,
    }


def test_gives_up_on_too_many_positions() -> None:
    start = numbered("pysol", 1, tiny(columns=3, ranks=6, suits=1, copies=2, hidden=0, rows=2))
    found = explore(start, 1000)
    assert found is not None
    assert explore(start, len(found)) == found
    assert explore(start, len(found) - 1) is None
