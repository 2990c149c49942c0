"""Shorter wins: an anytime search that starts from a winning line and never loses it.

First cell beams of growing width look for a shorter line from the start; then the rest of the best
line is searched again from random places on it, again and again, until the budget is spent.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from spider_solver.game.notation import Move
from spider_solver.game.position import Position
from spider_solver.kernels.layout import Workspace
from spider_solver.proofs.check import verify_line
from spider_solver.search.cell_beam import (
    CELL_SETTINGS,
    CellSettings,
    most_width,
    search_cells,
    settings_for,
)
from spider_solver.search.clock import is_past


@dataclass(frozen=True)
class Shortening:
    """The settings of shortening.

    Attributes:
        cells: the settings of cell beams, by number of suits.
        first_width: width of the first beam.
        widening_share: part of the budget for beams from the start.
        nodes_a_width: the first beam is narrow enough that the budget has this many nodes for each
            position of it.
        restart_from: between which parts of the line its rest is searched again.
        most_wider: how much wider a beam may be because it starts late.
        idle_nodes: a search of the rest that gains nothing for fewer nodes is idle: it has seen
            all there is.
    """

    cells: Mapping[int, CellSettings] = field(default_factory=lambda: CELL_SETTINGS)
    first_width: int = 200
    widening_share: float = 0.5
    nodes_a_width: int = 5000
    restart_from: tuple[float, float] = (0.05, 0.75)
    most_wider: float = 3.0
    idle_nodes: int = 1000


class Shortened(NamedTuple):
    """What came of shortening: the best line, never longer than the one given, and the nodes."""

    line: tuple[Move, ...]
    nodes: int


def shorten_line(
    workspace: Workspace,
    position: Position,
    line: Sequence[Move],
    max_nodes: int,
    deadline: float | None = None,
    settings: Shortening = Shortening(),
) -> Shortened:
    """Look for a shorter win than ``line``, a winning line of ``position``, within a budget.

    Deterministic in nodes: the same call gives the same line on any machine, unless it is ended
    by a deadline (:mod:`spider_solver.search.clock`).

    Raises:
        ProofError: ``line`` does not win.
        UnsupportedRules: the game is too large for the kernels.
    """
    search = _LineSearch(workspace, position, line, max_nodes, deadline, settings)
    search.widen()
    search.search_rests()
    verify_line(position, search.line)
    return Shortened(search.line, search.nodes)


class _LineSearch:
    """One call of :func:`shorten_line`: the best line so far and what is left of the budget."""

    def __init__(
        self,
        workspace: Workspace,
        position: Position,
        line: Sequence[Move],
        max_nodes: int,
        deadline: float | None,
        settings: Shortening,
    ):
        self.workspace = workspace
        self.max_nodes = max_nodes
        self.deadline = deadline
        self.nodes = 0
        self.positions = [position]
        self.line: tuple[Move, ...] = ()
        self.settings = settings
        self.width = settings.first_width
        self._random = random.Random(position.code)
        self._cells = settings_for(position.rules, settings.cells)
        self._keep(0, tuple(line))
        verify_line(position, self.line)

    def _keep(self, place: int, rest: tuple[Move, ...]) -> None:
        """Take ``rest`` as the line from its action ``place`` on."""
        self.line = self.line[:place] + rest
        del self.positions[place + 1 :]
        for move in rest:
            self.positions.append(self.positions[-1].play(move))

    @property
    def is_over(self) -> bool:
        """Whether budget or time is spent."""
        return self.nodes >= self.max_nodes or is_past(self.deadline)

    def widen(self) -> None:
        """Cell beams from the start, each twice as wide, for a part of the budget."""
        width = min(self.width, max(1, self.max_nodes // self.settings.nodes_a_width))
        widest = most_width(self.workspace, self.positions[0])
        share = self.settings.widening_share * self.max_nodes
        expected = 0
        while self.nodes + expected <= share or expected == 0:
            before = self.nodes
            found = self._search(0, width, len(self.line) - 1)
            if found is not None:
                self._keep(0, found)
            self.width = width
            expected = 2 * (self.nodes - before)
            if self.is_over or width == widest:
                return
            width = min(2 * width, widest)

    def search_rests(self) -> None:
        """Search the rest of the line again from random places until the budget is spent."""
        low, high = self.settings.restart_from
        idle = 0
        while not self.is_over and self.line and idle < len(self.line):
            place = int(len(self.line) * self._random.uniform(low, high))
            rest = len(self.line) - place
            wider = min(len(self.line) / rest, self.settings.most_wider)
            before = self.nodes
            found = self._search(place, int(self.width * wider), rest)
            if found is not None:
                self._keep(place, found)
            idle = idle + 1 if self.nodes - before < self.settings.idle_nodes else 0

    def _search(self, place: int, width: int, most_actions: int) -> tuple[Move, ...] | None:
        """A win from the position after ``place`` actions in at most ``most_actions``."""
        found, nodes = search_cells(
            self.workspace,
            self.positions[place],
            self._cells,
            width,
            most_actions,
            self.max_nodes - self.nodes,
            self._random.getrandbits(64) | 1,
            self.deadline,
        )
        self.nodes += nodes
        return found
