"""One cell beam, a search for a short win: its settings for each number of suits, and a call of it.

The settings are not those of the search for any win: what makes a win likely is not what makes it
short.  Weights and noise were learned (``benchmarks.tune_cells``, kpat 10,000 and up; commands and
figures in ``benchmarks/README.md``); then forecasts were fitted to them, and ``alike`` and
``slack`` tried out on wider cells than a tuner affords.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from spider_solver.game.notation import Move
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules
from spider_solver.kernels import layout
from spider_solver.kernels.entries import begin_cells, run_cells
from spider_solver.kernels.evaluation import COST_UNIT, Weights, evaluation_of
from spider_solver.kernels.layout import Int64s, Workspace
from spider_solver.search.clock import PAUSE_NODES, is_past
from spider_solver.search.packing import pack_removing, read_win, with_removals


@dataclass(frozen=True)
class CellSettings:
    """How a cell beam judges positions.

    Attributes:
        weights: of the evaluation.
        noise: width of the noise, in units of the evaluation.
        alike: of positions that have the same cards face down, a cell of width w keeps at most
            alike * sqrt(w), and always two.
        slopes, constants: the forecast: actions to come = slope * score + constant, for 0, 1, 2 …
            rows left in the stock; fitted to the lines that these weights find
            (``benchmarks.forecasts``).
        slack: positions whose forecast is more than so many actions above the best are not kept.
        moves: which moves positions are expanded by (:mod:`.kernels.purpose`).
    """

    weights: Weights
    noise: float
    alike: float
    slopes: tuple[float, ...]
    constants: tuple[float, ...]
    slack: float
    moves: int = layout.PURPOSEFUL


NO_SLACK = 1e6
"""So many actions that no position is left out for its forecast."""

ONE_SUIT = Weights(
    off_suit=5.582,
    broken=4.466,
    above=-0.014,
    king_on_card=0.116,
    same_suit_below=-0.045,
    off_suit_rank=-0.161,
    broken_rank=-0.021,
    base=0.371,
    base_rank=0.082,
    hidden=0.189,
    any_hidden=0.063,
    first_empty=0.772,
    more_empty=0.713,
    completed_run=-0.229,
    curve=-0.23,
    coming=0.115,
)
TWO_SUITS = Weights(
    off_suit=2.675,
    broken=2.801,
    above=0.013,
    king_on_card=0.12,
    same_suit_below=0.116,
    off_suit_rank=0.037,
    broken_rank=-0.065,
    base=0.348,
    base_rank=0.09,
    hidden=0.368,
    any_hidden=0.364,
    first_empty=0.432,
    more_empty=0.304,
    completed_run=0.4,
    curve=-0.022,
    coming=0.083,
)
FOUR_SUITS = Weights(
    off_suit=1.815,
    broken=1.603,
    above=-0.018,
    king_on_card=0.088,
    same_suit_below=0.062,
    off_suit_rank=-0.018,
    broken_rank=-0.019,
    base=0.106,
    base_rank=-0.031,
    hidden=0.27,
    any_hidden=0.108,
    first_empty=1.46,
    more_empty=0.529,
    completed_run=0.375,
    curve=0.048,
    coming=0.094,
)
"""Neighbours that do not belong together weigh more than when any win will do; so does the first
empty column, and a completed run or a run's base weighs less."""

CELL_SETTINGS = {
    1: CellSettings(
        ONE_SUIT,
        noise=0.699,
        alike=0.15,
        slopes=(0.253, 0.223, 0.217, 0.212, 0.214, 0.199),
        constants=(6.3, 14.7, 22.6, 30.1, 37.0, 47.1),
        slack=3,
    ),
    2: CellSettings(
        TWO_SUITS,
        noise=0.697,
        alike=0.35,
        slopes=(0.365, 0.349, 0.363, 0.353, 0.359, 0.354),
        constants=(5.9, 14.5, 22.2, 32.4, 40.9, 50.9),
        slack=5,
    ),
    3: CellSettings(
        TWO_SUITS,
        noise=0.697,
        alike=0.45,
        slopes=(0.377, 0.404, 0.419, 0.420, 0.428, 0.396),
        constants=(5.1, 11.6, 19.4, 29.1, 38.2, 53.8),
        slack=8,
    ),
    4: CellSettings(
        FOUR_SUITS,
        noise=0.98,
        alike=0.6,
        slopes=(0.713, 0.827, 0.859, 0.854, 0.854, 0.943),
        constants=(5.1, 5.6, 14.8, 27.2, 40.4, 46.4),
        slack=14,
    ),
}
"""By number of suits."""


def settings_for(
    rules: Rules, by_suits: Mapping[int, CellSettings] = CELL_SETTINGS
) -> CellSettings:
    """The settings that suit a game: forecasts are known of the standard game only."""
    settings = by_suits[rules.suits]
    if (rules.columns, rules.ranks, rules.runs, rules.group_moves) == (10, 13, 8, False):
        return settings
    return without_forecast(settings)


def without_forecast(settings: CellSettings) -> CellSettings:
    """The same settings, but positions are kept whatever is forecast of them."""
    return replace(settings, slopes=(1.0,), constants=(0.0,), slack=NO_SLACK)


def most_width(workspace: Workspace, position: Position) -> int:
    """The widest cells that the workspace has room for, in layer and proposals of deals."""
    cells = 2 * (position.rows_left + 1)
    rows = min(workspace.layer.size, workspace.pool.size // layout.RING) // layout.STATE_WORDS
    return rows // cells


class Found(NamedTuple):
    """What came of a cell beam: a win, or None, and the nodes."""

    line: tuple[Move, ...] | None
    nodes: int


def search_cells(
    workspace: Workspace,
    position: Position,
    settings: CellSettings,
    width: int,
    most_actions: int,
    max_nodes: int,
    seed: int,
    deadline: float | None = None,
) -> Found:
    """Look for a win of ``position`` in at most ``most_actions``, with cells of ``width``.

    Cells are no wider than the workspace has room for.  ``seed``, odd, fixes the noise.  At a
    deadline (:mod:`spider_solver.search.clock`) it ends without a win.

    Raises:
        UnsupportedRules: the game is too large for the kernels.
    """
    packed = pack_removing(position)
    rules = position.rules
    if rules.optional_removal:  # which a cell beam does not count
        most_actions -= rules.runs - len(position.completed)
    registers = workspace.registers
    registers[:] = 0
    registers[layout.REG_MAX_NODES] = max_nodes
    evaluation = evaluation_of(settings.weights, rules.ranks)
    width = min(width, most_width(workspace, position))
    words = _words(settings, position.rows_left, width, most_actions)
    begin_cells(workspace, evaluation, *packed)
    ended = layout.PAUSED
    while ended == layout.PAUSED:  # between two calls Ctrl-C is heard
        registers[layout.REG_PAUSE_AT] = registers[layout.REG_NODES] + PAUSE_NODES
        ended = run_cells(workspace, evaluation, packed.rules, words, np.uint64(seed))
        if is_past(deadline):
            break
    nodes = int(registers[layout.REG_NODES])
    if ended != layout.WON:
        return Found(None, nodes)
    return Found(with_removals(position, read_win(workspace)), nodes)


def _words(settings: CellSettings, rows_left: int, width: int, most_actions: int) -> Int64s:
    """Settings as the kernels take them."""
    words = np.zeros(layout.CELL_SET_WORDS, np.int64)
    words[layout.SET_WIDTH] = width
    words[layout.SET_NOISE] = round(settings.noise * COST_UNIT)
    words[layout.SET_MOST_ACTIONS] = most_actions
    words[layout.SET_MOVES] = settings.moves
    words[layout.SET_SIBLINGS] = 1
    words[layout.SET_CELL_CAP] = max(2, round(settings.alike * width**0.5))
    words[layout.SET_SLACK] = round(settings.slack * COST_UNIT)
    for rows in range(rows_left + 1):
        known = min(rows, len(settings.slopes) - 1)
        at = layout.SET_FORECAST + layout.FORECAST_WORDS * rows
        words[at] = round(settings.slopes[known] * 1024)
        words[at + 1] = round(settings.constants[known] * COST_UNIT)
    return words
