"""Shorter wins: an anytime search that starts from a winning line and never loses it.

First cell beams of growing width look for a shorter line from the start; then the rest of the best
line is searched anew from random places on it, again and again, until the budget is spent.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from spider_solver.game.notation import Move
from spider_solver.game.position import Position
from spider_solver.kernels.layout import Workspace
from spider_solver.proofs.check import verify_line
from spider_solver.search.cell_beam import most_width, search_cells, settings_for
from spider_solver.search.clock import is_past

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
) -> Shortened:
    """Look for a shorter win than ``line``, a winning line of ``position``, within a budget.

    Deterministic in nodes: the same call gives the same line on any machine, unless it is ended
    by a deadline (:mod:`spider_solver.search.clock`).

    Raises:
        ProofError: ``line`` does not win.
        UnsupportedRules: the kernels do not know the position's rules.
    """
    search = _Shortening(workspace, position, line, max_nodes, deadline)
    search.widen()
    search.search_rests()
    verify_line(position, search.line)
    return Shortened(search.line, search.nodes)


class _Shortening:
    """One call of :func:`shorten_line`: the best line so far and what is left of the budget."""

    def __init__(
        self,
        workspace: Workspace,
        position: Position,
        line: Sequence[Move],
        max_nodes: int,
        deadline: float | None,
    ):
        self.workspace = workspace
        self.max_nodes = max_nodes
        self.deadline = deadline
        self.nodes = 0
        self.positions = [position]
        self.line: tuple[Move, ...] = ()
        self.width = FIRST_WIDTH
        self._random = random.Random(position.code)
        self._settings = settings_for(position.rules)
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
        width = min(FIRST_WIDTH, max(1, self.max_nodes // NODES_A_WIDTH))
        widest = most_width(self.workspace, self.positions[0])
        expected = 0
        while self.nodes + expected <= WIDENING_SHARE * self.max_nodes or expected == 0:
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
        """Search the rest of the line anew from random places until the budget is spent."""
        low, high = RESTART_FROM
        idle = 0
        while not self.is_over and self.line and idle < len(self.line):
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
        found, nodes = search_cells(
            self.workspace,
            self.positions[place],
            self._settings,
            width,
            most_actions,
            self.max_nodes - self.nodes,
            self._random.getrandbits(64) | 1,
            self.deadline,
        )
        self.nodes += nodes
        return found
