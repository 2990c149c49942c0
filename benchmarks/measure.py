"""Runs settings over deals, in this process or in several, and keeps what each deal took.

Time is processor time of the worker's thread, so it stands up to other load on the machine, as far
as caches and clock rates allow; quote it from one worker only.
"""

import resource
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from benchmarks.deals import Numbered
from benchmarks.setting import Setting
from spider_solver.batch.executors import make_executor, map_in_order
from spider_solver.game.deal import Deal
from spider_solver.search.result import Limits, Status
from spider_solver.search.solver import Solver, warm_up

CHUNK = 4  # deals that a worker is sent at a time

Int64s = NDArray[np.int64]


class Measured(NamedTuple):
    """What one deal took under one setting; ``actions`` is 0 where there is no line."""

    won: bool
    lost: bool
    nodes: int
    expanded: int
    attempts: int
    actions: int
    seconds: float


@dataclass(frozen=True)
class Sample:
    """What many deals took under one setting, one entry a deal in every array.

    Attributes:
        max_nodes: the budget of a deal; ``nodes`` of open deals are what was spent.
        peak_bytes: most memory that any worker held, everything included.
        timed: whether ``seconds`` come from one worker.
    """

    seeds: Int64s
    won: NDArray[np.bool_]
    lost: NDArray[np.bool_]
    nodes: Int64s
    expanded: Int64s
    attempts: Int64s
    actions: Int64s
    seconds: NDArray[np.float64]
    max_nodes: int
    peak_bytes: int
    timed: bool

    def won_within(self, budget: int) -> NDArray[np.bool_]:
        """The deals that ``budget`` nodes win; no more than ``max_nodes``."""
        return self.won & (self.nodes <= budget)

    @property
    def capped_nodes(self) -> Int64s:
        """Nodes of each deal, the whole budget where it stayed open, and at least 1."""
        spent = np.where(self.won | self.lost, self.nodes, self.max_nodes)
        return np.maximum(spent, 1)


class _Chunk(NamedTuple):
    deals: Numbered
    settings: tuple[Setting, ...]
    max_nodes: int


class _Measurements(NamedTuple):
    rows: list[list[Measured]]
    peak_bytes: int


def measure(
    deals: Numbered, settings: Sequence[Setting], max_nodes: int, workers: int = 1
) -> list[Sample]:
    """Solve all deals under all settings, deal by deal; gives a sample for each setting."""
    warm_up()
    with make_executor(workers) as executor:
        return measure_on(executor, workers, deals, settings, max_nodes)


def measure_on(
    executor: Executor,
    workers: int,
    deals: Numbered,
    settings: Sequence[Setting],
    max_nodes: int,
) -> list[Sample]:
    """The same on an executor that has ``workers`` workers."""
    seeds = deals.seeds
    chunks = [
        _Chunk(deals._replace(seeds=seeds[first : first + CHUNK]), tuple(settings), max_nodes)
        for first in range(0, len(seeds), CHUNK)
    ]
    rows: list[list[Measured]] = []
    peak = 0
    with tqdm(total=len(seeds), unit="deal", leave=False, disable=None) as progress:
        for done in map_in_order(executor, workers, _measure_chunk, chunks):
            rows += done.rows
            peak = max(peak, done.peak_bytes)
            progress.update(len(done.rows))
    return [
        _sample(seeds, [row[place] for row in rows], max_nodes, peak, workers == 1)
        for place in range(len(settings))
    ]


def _sample(
    seeds: Sequence[int], rows: Sequence[Measured], max_nodes: int, peak: int, timed: bool
) -> Sample:
    won, lost, nodes, expanded, attempts, actions, seconds = map(np.array, zip(*rows, strict=True))
    return Sample(
        np.array(seeds),
        won,
        lost,
        nodes,
        expanded,
        attempts,
        actions,
        seconds,
        max_nodes,
        peak,
        timed,
    )


def _measure_chunk(chunk: _Chunk) -> _Measurements:
    rows = []
    limits = Limits(chunk.max_nodes)
    numbering, suits, seeds = chunk.deals
    for seed in seeds:
        deal = Deal.numbered(seed, suits, numbering)
        row = []
        for setting in chunk.settings:
            row.append(measure_deal(deal, limits, setting))
        rows.append(row)
    return _Measurements(rows, peak_bytes())


def measure_deal(deal: Deal, limits: Limits, setting: Setting = Setting()) -> Measured:
    """Solve one deal with this process's solver, which has been used before."""
    solver = worker_solver(setting)
    began = time.thread_time()
    result = solver.solve(deal.position, limits)
    return Measured(
        won=result.status == Status.WON,
        lost=result.status == Status.LOST,
        nodes=result.nodes,
        expanded=result.expanded,
        attempts=result.attempts,
        actions=result.actions or 0,
        seconds=time.thread_time() - began,
    )


def worker_solver(setting: Setting = Setting()) -> Solver:
    """The solver of this process, used before, so that it has all its kernels."""
    solver = _used_solver()
    solver.portfolio, solver.shortening = setting.portfolio, setting.shortening
    return solver


@lru_cache(maxsize=1)
def _used_solver() -> Solver:
    solver = Solver()
    solver.solve(Deal.numbered(1).position, Limits(1_000_000, shorten=1))  # loads every kernel
    return solver


def peak_bytes() -> int:
    """The most memory that this process has held.

    A process counts from what its parent held when it was started: heavy libraries that a worker
    does not need (scipy) are imported by the reports, after measuring.
    """
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
