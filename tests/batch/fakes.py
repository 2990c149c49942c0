"""Solvers that do as a test needs. Workers of their own process import them from here."""

import errno
import os
import signal
import time
import zlib
from collections.abc import Sequence
from pathlib import Path

from spider_solver.batch.runner import DealNumber
from spider_solver.game.notation import DEAL
from spider_solver.game.outcomes import Proof, Reason
from spider_solver.game.position import Position
from spider_solver.game.rules import spider
from spider_solver.search.result import Limits, Result, Status
from spider_solver.search.solver import Solver

# A file of this name in the working directory makes PausingSolver stand still.
GATE = "gate"


def numbers(seeds: Sequence[int], suits: int = 4) -> list[DealNumber]:
    rules = spider(suits)
    return [DealNumber(seed, "kpat", rules) for seed in seeds]


def mark(position: Position) -> int:
    """A number below a million that only the deal decides."""
    return zlib.crc32(position.code.encode()) % 1_000_000


class FakeSolver:
    """Answers at once; what it says follows from the deal and the limits alone."""

    def solve(self, position: Position, limits: Limits) -> Result:
        nodes = mark(position) + 1
        if nodes > limits.max_nodes:
            return Result(position, Status.OPEN, Reason.NODES, nodes=limits.max_nodes)
        return Result(
            position, Status.WON, None, Proof.LINE, (DEAL,), actions=1, score=499, nodes=nodes
        )


class KilledSolver(FakeSolver):
    """One deal in five kills the process."""

    def solve(self, position: Position, limits: Limits) -> Result:
        if mark(position) % 5 == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().solve(position, limits)


class DeadlySolver:
    """Every deal kills the process."""

    def solve(self, position: Position, limits: Limits) -> Result:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


class FailingSolver(FakeSolver):
    """One deal in five ends in an error, one in five of the others in lack of memory."""

    def solve(self, position: Position, limits: Limits) -> Result:
        if mark(position) % 5 == 0:
            raise RuntimeError("the table is on fire")
        if mark(position) % 5 == 1:
            raise MemoryError
        return super().solve(position, limits)


class BrokenSolver:
    """Every deal ends in an error."""

    def solve(self, position: Position, limits: Limits) -> Result:
        raise RuntimeError("no kernels here")


class StarvedSolver:
    """Every deal ends in lack of memory."""

    def solve(self, position: Position, limits: Limits) -> Result:
        raise MemoryError


class ThreadlessSolver:
    """Every deal asks for a thread that the system does not have."""

    def solve(self, position: Position, limits: Limits) -> Result:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))


class PausingSolver:
    """The real one, but with the gate there it stands still before its twentieth deal."""

    def __init__(self) -> None:
        self._solver = Solver()
        self._deals = 0

    def solve(self, position: Position, limits: Limits) -> Result:
        self._deals += 1
        if self._deals == 20 and Path(GATE).exists():
            signal.pause()
        return self._solver.solve(position, limits)


class SlowSolver(FakeSolver):
    """Takes some time for a deal."""

    def solve(self, position: Position, limits: Limits) -> Result:
        time.sleep(0.02)
        return super().solve(position, limits)
