"""Dask against the processes of the program: deals a second of a batch, the same in turns."""

import time
from concurrent.futures import Executor
from pathlib import Path

import click
import numpy as np
from tqdm import tqdm

from benchmarks.deals import Numbered
from benchmarks.options import HELP, count, deal_options, save_option
from benchmarks.report import publish, table
from spider_solver.analysis.statistics import bootstrap, ratio_of_means
from spider_solver.analysis.tables import ratio
from spider_solver.batch.cluster import own_cluster
from spider_solver.batch.executors import make_executor
from spider_solver.batch.runner import DealNumber, Job, solve_deals
from spider_solver.game.rules import spider
from spider_solver.search.result import Limits
from spider_solver.search.solver import warm_up

NOTE = """\
Wall time, so nothing else may run; in turns over the same deals. In brackets the 95% interval of
the ratio over turns."""


def seconds_of(deals: Numbered, job: Job, executor: Executor, workers: int) -> float:
    """Wall time of a batch on workers that are there already."""
    rules = spider(deals.suits)
    starts = [DealNumber(seed, deals.numbering, rules) for seed in deals.seeds]
    began = time.perf_counter()
    solved = sum(map(len, solve_deals(starts, job, executor, workers)))
    if solved != len(starts):
        raise RuntimeError(f"{len(starts)} deals gave {solved} rows")
    return time.perf_counter() - began


def measure(
    deals: Numbered, max_nodes: int, workers: int, turns: int
) -> tuple[list[float], list[float]]:
    """Seconds of each turn on processes of the program and on a Dask cluster."""
    warm_up()
    job = Job(Limits(max_nodes))
    few = deals._replace(seeds=deals.seeds[: 8 * workers])
    seconds: tuple[list[float], list[float]] = ([], [])
    with make_executor(workers) as local, own_cluster(workers) as dask:
        executors = (local, dask)
        for executor in executors:
            seconds_of(few, job, executor, workers)  # starts the workers
        for turn in tqdm(range(turns), unit="turn", leave=False, disable=None):
            for place in (0, 1) if turn % 2 == 0 else (1, 0):
                seconds[place].append(seconds_of(deals, job, executors[place], workers))
    return seconds


def report(seconds: tuple[list[float], list[float]], deals: int, executors: tuple[str, str]) -> str:
    """Deals a second of both, and that of the other over that of the one."""
    one, other = map(np.array, seconds)
    rows = [
        [which, f"{deals * len(taken) / taken.sum():.1f}"]
        for which, taken in zip(executors, (one, other), strict=True)
    ]
    rows.append(["ratio", ratio(bootstrap(ratio_of_means, other, one))])
    return f"{table(['executor', 'deals a second'], rows)}\n\n{NOTE}"


@click.command(context_settings=HELP)
@deal_options(seeds="training", deals=1000)
@click.option("--max-nodes", type=count, default="1M", show_default=True, help="Budget of a deal.")
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True, help="Each.")
@click.option("--turns", type=count, default="4", show_default=True, help="Times of each.")
@save_option
def main(deals: Numbered, max_nodes: int, workers: int, turns: int, save: Path | None) -> None:
    """Measure what Dask costs: its deals a second over those of the program's own processes."""
    seconds = measure(deals, max_nodes, workers, turns)
    publish(report(seconds, len(deals.seeds), ("local", "dask")), save)


if __name__ == "__main__":
    main()
