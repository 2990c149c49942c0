"""What more workers than one cost and gain: deals a second, and a second of CPU time, by suits."""

import os
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from tqdm import tqdm

from benchmarks.command import SETTLING, Taken, solve_beyond_start
from benchmarks.options import HELP, count, save_option
from benchmarks.report import publish, table
from spider_solver.analysis.statistics import bootstrap, ratio_of_means
from spider_solver.analysis.tables import ratio
from spider_solver.search.solver import warm_up

NOTE = """\
Runs of spider-solve, one worker and more in turns over the same deals, each without its start:
less a run with {settling} deals. "A core" is a second of CPU time, client and workers together.
In brackets the 95% interval of the ratio over turns. Load average {load}: what else
runs slows the wall clock, and CPU time a little, since caches are shared."""


class Turn(NamedTuple):
    """One run with one worker, and one with more."""

    one: Taken
    more: Taken


def measure(
    suits: int, first: int, deals: int, max_nodes: int, workers: int, turns: int
) -> list[Turn]:
    """Runs in turns, over the same deals."""
    options = ("--suits", suits, "--max-nodes", max_nodes, "--workers")
    taken = []
    for turn in tqdm(range(turns), unit="turn", leave=False, disable=None):
        both = {}
        for many in (1, workers) if turn % 2 == 0 else (workers, 1):
            both[many] = solve_beyond_start(first, deals, *options, many)
        taken.append(Turn(both[1], both[workers]))
    return taken


def report(measured: dict[int, list[Turn]], deals: int, workers: int) -> str:
    """Deals a second, and a second of CPU time, by suits, and the ratios of more workers to one."""
    rows = []
    ratios = []
    for suits, turns in measured.items():
        for name, runs in (
            ("1", [turn.one for turn in turns]),
            (str(workers), [turn.more for turn in turns]),
        ):
            seconds = sum(run.seconds for run in runs)
            cpu = sum(run.cpu for run in runs)
            solved = deals * len(runs)
            figures = (solved / seconds, solved / cpu, 1000 * cpu / solved)
            rows.append([str(suits), name, *(f"{value:,.2f}" for value in figures)])
        cost = _ratio([turn.more.cpu for turn in turns], [turn.one.cpu for turn in turns])
        gain = _ratio([turn.one.seconds for turn in turns], [turn.more.seconds for turn in turns])
        ratios.append([str(suits), cost, gain])
    head = ["suits", "workers", "deals/s", "deals/s a core", "CPU ms a deal"]
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return "\n\n".join(
        [
            table(head, rows),
            table(["suits", f"CPU time, {workers} workers / 1", "speed-up, wall"], ratios),
            NOTE.format(settling=SETTLING, load=load),
        ]
    )


def _ratio(values: list[float], to: list[float]) -> str:
    return ratio(bootstrap(ratio_of_means, np.array(to), np.array(values)))


@click.command(context_settings=HELP)
@click.option("--suits", default="4,2,1", show_default=True, metavar="LIST", help="Suits.")
@click.option("--first", type=count, default="2M", show_default=True, help="The first kpat number.")
@click.option("--deals", type=count, default="4000", show_default=True, help="How many.")
@click.option("--max-nodes", type=count, default="1M", show_default=True, help="Budget of a deal.")
@click.option("--workers", type=click.IntRange(min=2), default=2, show_default=True, help="Many.")
@click.option("--turns", type=count, default="4", show_default=True, help="Times of each.")
@save_option
def main(
    suits: str,
    first: int,
    deals: int,
    max_nodes: int,
    workers: int,
    turns: int,
    save: Path | None,
) -> None:
    """Measure what more workers than one cost and gain."""
    warm_up()
    measured = {
        each: measure(each, first, deals, max_nodes, workers, turns)
        for each in map(int, suits.split(","))
    }
    publish(report(measured, deals, workers), save)


if __name__ == "__main__":
    main()
