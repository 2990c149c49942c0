"""A run that a test can disturb: ``slow_run.py DIR WORKERS DEALS SECONDS``."""

import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from spider_solver.batch.executors import make_executor
from spider_solver.batch.runner import Job, solve_deals
from spider_solver.batch.sources import Numbers
from spider_solver.game.position import Position
from spider_solver.game.rules import spider
from spider_solver.search.result import Limits, Result
from spider_solver.search.solver import Solver
from spider_solver.store.settings import Settings
from spider_solver.store.writing import SetWriter

LIMITS = Limits(max_nodes=20_000)
SETTINGS = Settings.of("spider", LIMITS, "test")


@dataclass
class SlowSolver:
    """The real one, after a rest before each deal, for the test to get in between."""

    seconds: float

    def __post_init__(self) -> None:
        self._solver = Solver()

    def solve(self, position: Position, limits: Limits) -> Result:
        time.sleep(self.seconds)
        return self._solver.solve(position, limits)


def source(deals: int) -> Numbers:
    return Numbers("kpat", spider(1), [range(1, deals + 1)])


def run(folder: Path, workers: int, deals: int, seconds: float = 0.0) -> None:
    """Solve the deals that a set lacks, writing every few of them."""
    job = Job(LIMITS, "test", partial(SlowSolver, seconds))
    with make_executor(workers) as executor, SetWriter(folder, SETTINGS, wait_rows=3) as writer:
        left = source(deals).starts(source(deals).rows(folder))
        for rows in solve_deals(left, job, executor, workers):
            writer.add(rows)


if __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
