"""A run into a data set, as a program that a test can kill: ``kill_run.py DIR WORKERS``."""

import sys
from pathlib import Path

from spider_solver.batch.executors import make_executor
from spider_solver.batch.runner import Job, solve_deals
from spider_solver.batch.sources import Numbers
from spider_solver.game.rules import spider
from spider_solver.search.result import Limits
from spider_solver.store.settings import Settings
from spider_solver.store.writing import SetWriter
from tests.batch.fakes import PausingSolver

LIMITS = Limits(max_nodes=50_000)
SOURCE = Numbers("kpat", spider(1), [range(1, 121)])


def run(folder: Path, workers: int) -> None:
    settings = Settings.of("spider", LIMITS, "test")
    job = Job(LIMITS, settings.solver, PausingSolver)
    with make_executor(workers) as executor, SetWriter(folder, settings, wait_rows=3) as writer:
        left = SOURCE.starts(SOURCE.rows(folder))
        for rows in solve_deals(left, job, executor, workers):
            writer.add(rows)


if __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]))
