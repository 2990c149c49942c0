"""The solver against the throw-away C++ prototype: the same deals, in turns, on one core."""

import os
import re
import resource
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import numpy as np
from tqdm import tqdm

from benchmarks.measure import Measured, measure_deal
from benchmarks.options import HELP, count, save_option
from benchmarks.report import publish, table
from spider_solver.analysis.statistics import Floats, bootstrap, ratio_of_means
from spider_solver.analysis.tables import number, ratio
from spider_solver.game.deal import Deal
from spider_solver.search.result import Limits
from spider_solver.search.solver import warm_up

COMPILE = ("g++", "-O3", "-march=native", "-ffast-math", "-w")
SUITS = 4  # it has pysol's numbers for no other game
SECONDS = 60
ARGUMENTS = ("14", "2", "rep=2", "port=1", "ms=1", "v=1")
"""First width, growth, and what the prototype's page gives for the portfolio of restarts; deals by
``pysol`` numbers, a line for each."""

_LINE = re.compile(r"(\d+) ([01]) t=[\d.]+ nodes=(\d+) W=\d+ stage=\d+ len=(\d+)")

NOTE = """\
Processor time, blocks of deals in turns on one core; the prototype's time is that of its whole
process, less what it takes to start. Ratios are ours over the prototype's, in brackets their 95%
intervals over blocks."""


@dataclass
class Side:
    """What one of the two took, block by block and deal by deal."""

    seconds: list[float] = field(default_factory=list)
    won: list[bool] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)


class Prototype:
    """The prototype, compiled into a folder that lasts as long as the run."""

    def __init__(self, sources: Path, folder: Path) -> None:
        self._program = folder / "stage"
        self._weights = sources / "wt5.txt"
        command = [*COMPILE, "-o", str(self._program), str(sources / "main4.cpp")]
        try:
            subprocess.run(command, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise click.ClickException(f"the prototype does not compile: {error}") from None
        self._start_seconds = float(np.median([self._run(1, 0)[0] for _ in range(5)]))

    def _run(self, first: int, deals: int) -> tuple[float, str]:
        """Processor seconds and output of a run on ``deals`` numbers from ``first`` on."""
        numbers = [str(SUITS), str(first), str(deals), str(SECONDS)]
        before = _children_seconds()
        output = subprocess.run(
            [self._program, *numbers, *ARGUMENTS, f"wf={self._weights}"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        return _children_seconds() - before, output

    def solve(self, first: int, deals: int, side: Side) -> None:
        """Solve a block of deals."""
        seconds, output = self._run(first, deals)
        side.seconds.append(seconds - self._start_seconds)
        for _, won, nodes, actions in parse_output(output):
            side.won.append(won)
            side.nodes.append(nodes)
            if won:
                side.actions.append(actions)


def parse_output(text: str) -> list[tuple[int, bool, int, int]]:
    """Seed, whether won, nodes and actions of each deal in the prototype's output."""
    return [
        (int(seed), won == "1", int(nodes), int(actions))
        for seed, won, nodes, actions in _LINE.findall(text)
    ]


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def solve_block(first: int, deals: int, limits: Limits, side: Side) -> None:
    """Solve a block of deals with this package."""
    starts = [Deal.numbered(first + place, SUITS, "pysol") for place in range(deals)]
    began = time.process_time()
    results: list[Measured] = [measure_deal(start, limits) for start in starts]
    side.seconds.append(time.process_time() - began)
    for result in results:
        side.won.append(result.won)
        side.nodes.append(result.nodes)
        if result.won:
            side.actions.append(result.actions)


def report(prototype: Side, ours: Side) -> str:
    """Both sides and their ratios."""
    blocks = len(ours.seconds)
    deals = len(ours.won)
    times = [np.array(side.seconds) for side in (prototype, ours)]
    nodes = [
        np.array(side.nodes, float).reshape(blocks, -1).sum(axis=1) for side in (prototype, ours)
    ]
    rows = [
        ["mean time a deal, ms", *_pair(times, 1e3 * blocks / deals, "{:.2f}")],
        ["nodes a second, M", *_rates(nodes, times)],
        ["mean nodes", *_pair(nodes, blocks / deals, "{:,.0f}")],
        ["won", number(sum(prototype.won)), number(sum(ours.won)), ""],
        [
            "mean actions",
            *(
                f"{np.mean(side.actions):.1f}" if side.actions else "-"
                for side in (prototype, ours)
            ),
            "",
        ],
    ]
    return table(["", "prototype", "ours", "ratio"], rows)


def _pair(both: list[Floats], scale: float, form: str) -> list[str]:
    prototype, ours = both
    cells = [form.format(values.mean() * scale) for values in both]
    return [*cells, ratio(bootstrap(ratio_of_means, prototype, ours))]


def _rates(nodes: list[Floats], times: list[Floats]) -> list[str]:
    def quotient(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
        result: Floats = a.mean(-1) / b.mean(-1) / (c.mean(-1) / d.mean(-1))
        return result

    cells = [f"{1e-6 * n.sum() / t.sum():.2f}" for n, t in zip(nodes, times, strict=True)]
    interval = bootstrap(quotient, nodes[1], times[1], nodes[0], times[0])
    return [*cells, ratio(interval)]


@click.command(context_settings=HELP)
@click.argument("sources", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--first", type=count, default="1", show_default=True, help="First pysol number.")
@click.option("--deals", type=count, default="400", show_default=True, help="How many.")
@click.option("--block", type=count, default="20", show_default=True, help="Deals in a turn.")
@click.option("--max-nodes", type=count, default="10M", show_default=True, help="Our budget.")
@click.option("--core", type=click.IntRange(min=0), help="Core to run on.  [default: the last]")
@save_option
def main(
    sources: Path,
    first: int,
    deals: int,
    block: int,
    max_nodes: int,
    core: int | None,
    save: Path | None,
) -> None:
    """Measure against the C++ prototype whose SOURCES are in a folder (needs g++)."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0)) if core is None else core})
    warm_up()
    blocks = max(1, deals // block)
    theirs, ours = Side(), Side()
    limits = Limits(max_nodes)
    measure_deal(Deal.numbered(1), limits)  # the first loads the kernels
    with TemporaryDirectory() as folder:
        prototype = Prototype(sources, Path(folder))
        for place in tqdm(range(blocks), unit="block", leave=False, disable=None):
            start = first + place * block
            if place % 2:
                prototype.solve(start, block, theirs)
            solve_block(start, block, limits, ours)
            if not place % 2:
                prototype.solve(start, block, theirs)
    title = f"pysol {first} to {first + blocks * block - 1}, {SUITS} suits, {blocks} blocks"
    publish(f"{title}\n\n{report(theirs, ours)}\n\n{NOTE}", save)


if __name__ == "__main__":
    main()
