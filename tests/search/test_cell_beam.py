"""Cell beams: short wins, within bounds and within the workspace."""

from dataclasses import replace

import pytest

from spider_solver.game.deal import Deal
from spider_solver.game.rules import VARIANTS, spider
from spider_solver.kernels.workspace import make_workspace
from spider_solver.proofs.check import verify_line
from spider_solver.search.cell_beam import (
    CELL_SETTINGS,
    NO_SLACK,
    most_width,
    search_cells,
    settings_for,
    without_forecast,
)

WORK = make_workspace()
MANY = 1 << 40


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_a_win_is_within_the_bound_and_the_same_again(suits: int) -> None:
    position = Deal.numbered(10_005, suits).position
    settings = CELL_SETTINGS[suits]
    line, nodes = search_cells(WORK, position, settings, 150, 200, MANY, 3)
    assert line is not None
    verify_line(position, line)
    assert search_cells(WORK, position, settings, 150, len(line), MANY, 3) == (line, nodes)
    shorter, fewer = search_cells(WORK, position, settings, 150, len(line) - 1, MANY, 3)
    assert shorter is None
    assert fewer < nodes
    assert search_cells(WORK, position, settings, 150, 200, nodes - 1, 3).line is None


def test_what_is_forecast_to_be_long_is_left_out() -> None:
    position = Deal.numbered(10_005, suits=1).position
    settings = CELL_SETTINGS[1]
    with_forecast = search_cells(WORK, position, settings, 50, 200, MANY, 3)
    without = search_cells(WORK, position, without_forecast(settings), 50, 200, MANY, 3)
    assert with_forecast.line is not None
    assert without.line is not None
    assert with_forecast.nodes < without.nodes


def test_cells_are_no_wider_than_the_workspace_has_room_for() -> None:
    position = Deal.numbered(10_005, suits=1).position
    assert most_width(WORK, position) == 8192
    for width in (8192, 10**9):
        assert search_cells(WORK, position, CELL_SETTINGS[1], width, 200, 50_000, 3).nodes == 50_000
    late = replace(position, stock=position.stock[:10])
    assert most_width(WORK, late) > most_width(WORK, position)


def test_forecasts_are_of_the_standard_game() -> None:
    for suits in (1, 2, 3, 4):
        assert settings_for(spider(suits)) is CELL_SETTINGS[suits]
    for name in ("group-moves", "spiderette", "simple-simon", "mrs-mop"):
        settings = settings_for(VARIANTS[name](4))
        assert settings.slack == NO_SLACK
        assert settings.weights == CELL_SETTINGS[4].weights
