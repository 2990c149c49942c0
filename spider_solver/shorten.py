"""Shorter wins: an anytime search that starts from a winning line and never loses it.

First cell beams of growing width look for a shorter line from the start; then the rest of the best
line is searched anew from random places on it, again and again, until the budget is spent.  The
forecasts say how many actions a score foretells, by rows left in the stock; they were fitted to
the winning lines of random deals (see the notes in ``docs``) and belong to these weights.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.cells import begin_cells, run_cells
from spider_solver.kernels.evaluation import COST_UNIT, Weights, evaluation_of
from spider_solver.kernels.layout import Int64s, Workspace
from spider_solver.notation import Move
from spider_solver.packing import pack_removing, read_win, with_removals
from spider_solver.position import Position
from spider_solver.proof import verify_line

FIRST_WIDTH = 200
WIDENING_SHARE = 0.5
"""Part of the budget for beams from the start."""

NODES_A_WIDTH = 5000
"""A first beam is narrow enough that the budget has this many nodes for each position of it."""

RESTART_FROM = (0.05, 0.75)
"""Between which parts of the line its rest is searched anew."""

MOST_WIDER = 3.0
"""How much wider a beam may be because it starts late."""

IDLE_NODES = 1000
"""A search of the rest that gains nothing for fewer nodes is idle: it has seen all there is."""

_PAUSE_NODES = 200_000

CELL_WEIGHTS = Weights(coming=0.0)
CELL_NOISE = 1.33
CELL_CLASSES = 16
"""At most one in so many positions of a cell may have the same cards face down."""


@dataclass(frozen=True)
class Forecast:
    """Actions to come = slope * score + constant, for 0, 1, 2 … rows left in the stock.

    Positions whose forecast is more than ``slack`` actions above the best are not kept.
    """

    slopes: tuple[float, ...]
    constants: tuple[float, ...]
    slack: float


FORECASTS = {
    1: Forecast((0.602, 0.552, 0.530, 0.518, 0.515, 0.436), (9.1, 18.5, 26.4, 34.1, 40.8, 53.7), 4),
    2: Forecast((0.660, 0.686, 0.714, 0.704, 0.689, 0.643), (8.0, 14.8, 20.4, 30.4, 39.3, 51.5), 5),
    3: Forecast((0.706, 0.784, 0.847, 0.822, 0.791, 0.797), (7.0, 11.4, 16.2, 28.3, 40.8, 51.3), 8),
    4: Forecast((0.752, 0.882, 0.979, 0.939, 0.892, 0.951), (6.1, 8.0, 12.1, 26.2, 42.3, 51.1), 12),
}
_ANY_GAME = Forecast((0.8,), (0.0,), 1e6)


class Shortened(NamedTuple):
    """What came of shortening: the best line, never longer than the one given, and the nodes."""

    line: tuple[Move, ...]
    nodes: int


def shorten_line(
    workspace: Workspace, position: Position, line: Sequence[Move], max_nodes: int
) -> Shortened:
    """Look for a shorter win than ``line``, a winning line of ``position``, within a budget.

    Deterministic in nodes: the same call gives the same line on any machine.

    Raises:
        ProofError: ``line`` does not win.
        UnsupportedRules: the kernels do not know the position's rules.
    """
    search = _Shortening(workspace, position, line, max_nodes)
    search.widen()
    search.search_rests()
    verify_line(position, search.line)
    return Shortened(search.line, search.nodes)


class _Shortening:
    """One call of :func:`shorten_line`: the best line so far and what is left of the budget."""

    def __init__(
        self, workspace: Workspace, position: Position, line: Sequence[Move], max_nodes: int
    ):
        self.workspace = workspace
        self.max_nodes = max_nodes
        self.nodes = 0
        self.positions = [position]
        self.line: tuple[Move, ...] = ()
        self.width = FIRST_WIDTH
        self._random = random.Random(position.code)
        self._keep(0, tuple(line))
        verify_line(position, self.line)

    def _keep(self, place: int, rest: tuple[Move, ...]) -> None:
        """Take ``rest`` as the line from its action ``place`` on."""
        self.line = self.line[:place] + rest
        del self.positions[place + 1 :]
        for move in rest:
            self.positions.append(self.positions[-1].play(move))

    def widen(self) -> None:
        """Cell beams from the start, each twice as wide, for a part of the budget."""
        width = min(FIRST_WIDTH, max(1, self.max_nodes // NODES_A_WIDTH))
        expected = 0
        while self.nodes + expected <= WIDENING_SHARE * self.max_nodes or expected == 0:
            before = self.nodes
            found = self._search(0, width, len(self.line) - 1)
            if found is not None:
                self._keep(0, found)
            self.width = width
            expected = 2 * (self.nodes - before)
            if self.nodes >= self.max_nodes or expected == 0:
                return
            width *= 2

    def search_rests(self) -> None:
        """Search the rest of the line anew from random places until the budget is spent."""
        low, high = RESTART_FROM
        idle = 0
        while self.nodes < self.max_nodes and self.line and idle < len(self.line):
            place = int(len(self.line) * self._random.uniform(low, high))
            rest = len(self.line) - place
            wider = min(len(self.line) / rest, MOST_WIDER)
            before = self.nodes
            found = self._search(place, int(self.width * wider), rest)
            if found is not None:
                self._keep(place, found)
            idle = idle + 1 if self.nodes - before < IDLE_NODES else 0

    def _search(self, place: int, width: int, most_actions: int) -> tuple[Move, ...] | None:
        """A win from the position after ``place`` actions in at most ``most_actions``."""
        position = self.positions[place]
        packed = pack_removing(position)
        if position.rules.optional_removal:  # which a cell beam does not count
            most_actions -= position.rules.runs - len(position.completed)
        workspace = self.workspace
        registers = workspace.registers
        registers[:] = 0
        registers[layout.REG_MAX_NODES] = self.max_nodes - self.nodes
        evaluation = evaluation_of(CELL_WEIGHTS, position.rules.ranks)
        settings = _settings(position, width, most_actions)
        begin_cells(workspace, evaluation, *packed)
        seed = np.uint64(self._random.getrandbits(64) | 1)
        ended = layout.PAUSED
        while ended == layout.PAUSED:  # between two calls Ctrl-C is heard
            registers[layout.REG_PAUSE_AT] = registers[layout.REG_NODES] + _PAUSE_NODES
            ended = run_cells(workspace, evaluation, packed.rules, settings, seed)
        self.nodes += int(registers[layout.REG_NODES])
        if ended != layout.WON:
            return None
        return with_removals(position, read_win(workspace))


def _settings(position: Position, width: int, most_actions: int) -> Int64s:
    """The settings of one cell beam."""
    rules = position.rules
    standard = (rules.columns, rules.ranks, rules.runs) == (10, 13, 8) and not rules.group_moves
    forecast = FORECASTS[rules.suits] if standard else _ANY_GAME
    settings = np.zeros(layout.CELL_SET_WORDS, np.int64)
    settings[layout.SET_WIDTH] = width
    settings[layout.SET_NOISE] = round(CELL_NOISE * COST_UNIT)
    settings[layout.SET_MOST_ACTIONS] = most_actions
    settings[layout.SET_CELL_CAP] = max(2, int(width / CELL_CLASSES))
    settings[layout.SET_SLACK] = round(forecast.slack * COST_UNIT)
    for rows_left in range(position.rows_left + 1):
        known = min(rows_left, len(forecast.slopes) - 1)
        at = layout.SET_FORECAST + layout.FORECAST_WORDS * rows_left
        settings[at] = round(forecast.slopes[known] * 1024)
        settings[at + 1] = round(forecast.constants[known] * COST_UNIT)
    return settings
