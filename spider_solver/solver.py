"""Decides a position: won, with a line that was replayed; or open, and why.

A budget is counted in nodes, generated successors, and cuts one fixed sequence of attempts
(:mod:`spider_solver.schedule`): the nodes of a won position are the least budget that wins it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from spider_solver import __version__
from spider_solver.deal import Deal
from spider_solver.kernels import layout
from spider_solver.kernels.beam import begin_beam, run_beam
from spider_solver.kernels.evaluation import COST_UNIT, Weights, evaluation_of
from spider_solver.kernels.jit import SOURCE_HASH, is_warm, mark_warm
from spider_solver.kernels.layout import Int64s
from spider_solver.kernels.workspace import make_workspace
from spider_solver.notation import Move
from spider_solver.packing import PackedPosition, pack, read_win
from spider_solver.position import Position
from spider_solver.proof import verify_line
from spider_solver.schedule import LAST_PATIENCE, LENGTH_PRICE, Attempt, attempt

SOLVER = f"{__version__}+{SOURCE_HASH}"
"""What a result row names as its solver: version and hash of the kernel sources."""

DEFAULT_MAX_NODES = 10_000_000

_PAUSE_NODES = 200_000
"""Nodes between two looks at the clock, also the longest wait for Ctrl-C."""


class Status(StrEnum):
    """What is known about a position."""

    WON = "won"
    LOST = "lost"
    OPEN = "open"


@dataclass(frozen=True)
class Limits:
    """How much may be spent on one position.

    Attributes:
        max_nodes: generated successors.
        time: seconds, or None for no limit; a result that time ended cannot be reproduced.
    """

    max_nodes: int = DEFAULT_MAX_NODES
    time: float | None = None


@dataclass(frozen=True)
class Result:
    """The verdict on a position, with its proof.

    Attributes:
        position: the position that was decided.
        status: won, lost or open.
        reason: why it is open: ``nodes``, ``time`` or ``memory``.
        proof: how it was decided: ``line``, ``blockade`` or ``exhausted``.
        line: the winning line.
        certificate: the proof of a loss as text.
        actions: length of the line.
        score: score of the line.
        actions_bound: a proved lower bound on the actions of any winning line, if asked for.
        nodes: generated successors.
        expanded: positions whose successors were generated.
        shorten_nodes: generated successors spent on a shorter line.
        attempts: searches tried.
        runs_completed: for open positions, the most runs that any attempt completed.
        rows_dealt: for open positions, the most rows that any attempt dealt.
        seconds: wall time.
    """

    position: Position
    status: Status
    reason: str | None = None
    proof: str | None = None
    line: tuple[Move, ...] | None = None
    certificate: str | None = None
    actions: int | None = None
    score: int | None = None
    actions_bound: int | None = None
    nodes: int = 0
    expanded: int = 0
    shorten_nodes: int = 0
    attempts: int = 0
    runs_completed: int | None = None
    rows_dealt: int | None = None
    seconds: float = 0.0


class Solver:
    """Decides positions one after another, in memory that is made once.

    Not for several threads at a time: make one a worker.
    """

    def __init__(self) -> None:
        self._workspace = make_workspace()

    def solve(self, position: Position, limits: Limits = Limits()) -> Result:
        """Decide ``position``, an immutable table under any rules that the kernels know.

        Raises:
            UnsupportedRules: the kernels do not know the position's rules.
        """
        began = time.perf_counter()
        packed = pack(position)
        if position.is_won:
            return self._won(position, (), 0, began)
        registers = self._workspace.registers
        registers[:] = 0
        registers[layout.REG_MAX_NODES] = limits.max_nodes
        deadline = None if limits.time is None else began + limits.time
        number = 0
        while True:
            ended = self._try(packed, attempt(number), deadline)
            number += 1
            if ended == layout.WON:
                return self._won(position, read_win(self._workspace), number, began)
            if ended != layout.FAILED:
                return self._open(position, _REASONS[ended], number, began)
            if not registers[layout.REG_CUT]:  # every further attempt would see the same
                return self._open(position, "nodes", number, began)

    def _try(self, packed: PackedPosition, trial: Attempt, deadline: float | None) -> int:
        """Run one attempt; gives how it ended, PAUSED if time is up."""
        workspace = self._workspace
        registers = workspace.registers
        evaluation = evaluation_of(Weights(), int(packed.rules[layout.RULE_RANKS]))
        settings = _settings(trial)
        begin_beam(workspace, evaluation, *packed)
        while True:
            registers[layout.REG_PAUSE_AT] = registers[layout.REG_NODES] + _PAUSE_NODES
            ended = int(
                run_beam(workspace, evaluation, packed.rules, settings, np.uint64(trial.seed))
            )
            if ended != layout.PAUSED:
                return ended
            if deadline is not None and time.perf_counter() > deadline:
                return layout.PAUSED

    def _won(
        self, position: Position, line: tuple[Move, ...], attempts: int, began: float
    ) -> Result:
        checked = verify_line(position, line)
        registers = self._workspace.registers
        return Result(
            position=position,
            status=Status.WON,
            proof="line",
            line=line,
            actions=checked.actions,
            score=checked.score,
            nodes=int(registers[layout.REG_NODES]) if line else 0,
            expanded=int(registers[layout.REG_EXPANDED]) if line else 0,
            attempts=attempts,
            seconds=time.perf_counter() - began,
        )

    def _open(self, position: Position, reason: str, attempts: int, began: float) -> Result:
        registers = self._workspace.registers
        return Result(
            position=position,
            status=Status.OPEN,
            reason=reason,
            nodes=int(registers[layout.REG_NODES]),
            expanded=int(registers[layout.REG_EXPANDED]),
            attempts=attempts,
            runs_completed=int(registers[layout.REG_MOST_RUNS]),
            rows_dealt=int(registers[layout.REG_MOST_ROWS]),
            seconds=time.perf_counter() - began,
        )


_REASONS = {
    layout.OUT_OF_NODES: "nodes",
    layout.OUT_OF_MEMORY: "memory",
    layout.PAUSED: "time",
}


def _settings(trial: Attempt) -> Int64s:
    settings = np.zeros(layout.SET_WORDS, np.int64)
    settings[layout.SET_WIDTH] = trial.width
    settings[layout.SET_CLASS_CAP] = max(2, trial.width // trial.classes)
    settings[layout.SET_NOISE] = round(trial.noise * COST_UNIT)
    settings[layout.SET_PATIENCE] = trial.patience
    settings[layout.SET_PATIENCE_LAST] = LAST_PATIENCE
    settings[layout.SET_LENGTH] = round(LENGTH_PRICE * COST_UNIT)
    settings[layout.SET_POOL] = 3 * trial.width
    return settings


def solve(position: Position | Deal, limits: Limits = Limits()) -> Result:
    """Decide one position or deal; for many, keep a :class:`Solver`.

    Raises:
        UnsupportedRules: the kernels do not know the position's rules.
    """
    return Solver().solve(position.position if isinstance(position, Deal) else position, limits)


def warm_up() -> bool:
    """Compile the kernels if this machine has not yet; True if it had to."""
    if is_warm():
        return False
    Solver().solve(Deal.numbered(1).position)
    mark_warm()
    return True
