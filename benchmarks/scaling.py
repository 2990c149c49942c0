"""Two workers against one: deals a second of the batch, the same deals in turns."""

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
    deals: Numbered, max_nodes: int, workers: tuple[int, int], turns: int
) -> tuple[list[float], list[float]]:
    """Seconds of each turn with the one and the other number of workers."""
    warm_up()
    job = Job(Limits(max_nodes))
    few = deals._replace(seeds=deals.seeds[: 8 * max(workers)])
    seconds: tuple[list[float], list[float]] = ([], [])
    with make_executor(workers[0]) as first, make_executor(workers[1]) as second:
        executors = (first, second)
        for place in (0, 1):
            seconds_of(few, job, executors[place], workers[place])  # starts the workers
        for turn in tqdm(range(turns), unit="turn", leave=False, disable=None):
            for place in (0, 1) if turn % 2 == 0 else (1, 0):
                taken = seconds_of(deals, job, executors[place], workers[place])
                seconds[place].append(taken)
    return seconds


def report(
    seconds: tuple[list[float], list[float]], deals: int, workers: tuple[object, object]
) -> str:
    """Deals a second of both, and that of the other over that of the one."""
    one, other = map(np.array, seconds)
    rows = [
        [str(which), f"{deals * len(taken) / taken.sum():.1f}"]
        for which, taken in zip(workers, (one, other), strict=True)
    ]
    rows.append(["ratio", ratio(bootstrap(ratio_of_means, other, one))])
    return f"{table(['workers', 'deals a second'], rows)}\n\n{NOTE}"


@click.command(context_settings=HELP)
@deal_options(seeds="training", deals=1000)
@click.option("--max-nodes", type=count, default="1M", show_default=True, help="Budget of a deal.")
@click.option("--workers", type=click.IntRange(min=2), default=2, show_default=True, help="Many.")
@click.option("--turns", type=count, default="4", show_default=True, help="Times of each.")
@save_option
def main(deals: Numbered, max_nodes: int, workers: int, turns: int, save: Path | None) -> None:
    """Measure what more workers than one gain."""
    seconds = measure(deals, max_nodes, (1, workers), turns)
    publish(report(seconds, len(deals.seeds), (1, workers)), save)


if __name__ == "__main__":
    main()
