"""Where the CPU time of a deal goes, stage by stage, and what a run costs beside its search.

The stages are timed in this process, by timers around the functions that the batch calls; the whole
is the CPU time of ``spider-solve``, its workers included, over the same deals.
"""

from __future__ import annotations

import os
import pickle
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch

import click

from benchmarks.command import SETTLING, measured_seeds, solve_beyond_start
from benchmarks.options import HELP, count, save_option
from benchmarks.report import publish, table
from spider_solver.batch import runner
from spider_solver.batch.runner import CHUNK_DEALS, DealNumber, Job, Solved, solve_chunk
from spider_solver.game.rules import spider
from spider_solver.search import complete, solver
from spider_solver.search.result import Limits
from spider_solver.search.solver import load_kernels, warm_up
from spider_solver.store.row import Row
from spider_solver.store.settings import Settings
from spider_solver.store.writing import SetWriter

TIMED: dict[str, tuple[tuple[ModuleType, str], ...]] = {
    "dealing": ((runner, "_dealt"),),
    "packing": ((solver, "remove_runs"), (solver, "pack"), (solver, "pack_removing")),
    "blockade": ((solver, "is_blockaded"),),
    "kernels": ((solver, "begin_beam"), (solver, "run_beam"), (complete, "explore")),
    "reading the line": ((solver, "read_win"),),
    "replay": ((solver, "verify_line"),),
    "row": ((runner, "row_of"),),
}
"""The functions whose time makes a stage, by the module through which they are called."""

NOTE = """\
Milliseconds of CPU time a deal. The stages from dealing to "rest of solving" are those of one
process; "kernels" is the time inside compiled search functions, their calls from Python included.
Hand-over is pickling chunks and rows and reading them again, which only workers pay; writing is a
data set in Parquet. The lines with workers are the CPU time of spider-solve, workers included, on
the same deals: a run with {settling} deals before them, less a run with those {settling} alone, and
so without the start. The peak is that of a run with two workers. Load average {load}."""


class Cost(NamedTuple):
    """What deals of a number of suits cost, in seconds of CPU time for all of them.

    Attributes:
        stages: by name.
        one: of a run with one worker, without its start.
        two: the same with two.
        peak: bytes that a worker held at most.
    """

    stages: dict[str, float]
    one: float
    two: float
    peak: int


@contextmanager
def timed() -> Iterator[dict[str, float]]:
    """Time the stages of solving; gives the seconds of each."""
    seconds: dict[str, float] = defaultdict(float)
    with ExitStack() as stack:
        for stage, functions in TIMED.items():
            for module, name in functions:
                timer = _timer(getattr(module, name), seconds, stage)
                stack.enter_context(patch.object(module, name, timer))
        yield seconds


def _timer(
    function: Callable[..., Any], seconds: dict[str, float], stage: str
) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        began = process_time()
        try:
            return function(*args, **kwargs)
        finally:
            seconds[stage] += process_time() - began

    return call


def stages_of(starts: Sequence[DealNumber], max_nodes: int) -> dict[str, float]:
    """Seconds of each stage, for all of these deals."""
    job = Job(Limits(max_nodes))
    solve_chunk(job, starts[:1])  # makes the solver
    chunks = [starts[at : at + CHUNK_DEALS] for at in range(0, len(starts), CHUNK_DEALS)]
    with timed() as seconds, patch.object(runner, "CHUNK_SECONDS", float("inf")):
        began = process_time()
        solved = [solve_chunk(job, chunk) for chunk in chunks]
        whole = process_time() - began
    rest = whole - sum(seconds.values())
    stages = {stage: seconds[stage] for stage in TIMED} | {"rest of solving": rest}
    rows = [row for some in solved for row in some.rows]
    return stages | {
        "hand-over": _hand_over(job, chunks, solved),
        "writing": _writing(rows, Settings.of("spider", job.limits, job.solver)),
    }


def _hand_over(job: Job, chunks: Sequence[Sequence[DealNumber]], solved: Sequence[Solved]) -> float:
    began = process_time()
    for chunk, done in zip(chunks, solved, strict=True):
        pickle.loads(pickle.dumps((job, chunk)))
        pickle.loads(pickle.dumps(done))
    return process_time() - began


def _writing(rows: Sequence[Row], settings: Settings) -> float:
    with TemporaryDirectory() as folder, SetWriter(Path(folder) / "set", settings) as writer:
        began = process_time()
        for at in range(0, len(rows), CHUNK_DEALS):
            writer.add(rows[at : at + CHUNK_DEALS])
        writer.flush()
        return process_time() - began


def measure(suits: int, first: int, deals: int, max_nodes: int) -> Cost:
    """What deals of a number of suits cost."""
    rules = spider(suits)
    seeds = measured_seeds(first, deals)
    stages = stages_of([DealNumber(seed, "kpat", rules) for seed in seeds], max_nodes)
    one, two = (
        solve_beyond_start(
            first, deals, "--suits", suits, "--max-nodes", max_nodes, "--workers", workers
        )
        for workers in (1, 2)
    )
    return Cost(stages, one.cpu, two.cpu, two.worker_peak)


def report(costs: dict[int, Cost], deals: int) -> str:
    """The cost of a deal by stage, a column for each number of suits."""
    rows = [
        [stage, *(f"{1000 * cost.stages[stage] / deals:.3f}" for cost in costs.values())]
        for stage in next(iter(costs.values())).stages
    ]
    rows.append(["one worker", *(f"{1000 * cost.one / deals:.3f}" for cost in costs.values())])
    rows.append(["two workers", *(f"{1000 * cost.two / deals:.3f}" for cost in costs.values())])
    ratios = [
        ("one worker / kernels", [cost.one / cost.stages["kernels"] for cost in costs.values()]),
        ("two workers / kernels", [cost.two / cost.stages["kernels"] for cost in costs.values()]),
        ("two workers / one", [cost.two / cost.one for cost in costs.values()]),
    ]
    rows += [[name, *(f"{value:.2f}" for value in values)] for name, values in ratios]
    rows.append(["peak of a worker, MB", *(f"{cost.peak / 1e6:.0f}" for cost in costs.values())])
    head = [f"{deals:,} deals", *(f"{suits} suit{'s' * (suits > 1)}" for suits in costs)]
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return f"{table(head, rows)}\n\n{NOTE.format(settling=SETTLING, load=load)}"


@click.command(context_settings=HELP)
@click.option("--suits", default="4,2,1", show_default=True, metavar="LIST", help="Suits.")
@click.option("--first", type=count, default="2M", show_default=True, help="The first kpat number.")
@click.option("--deals", type=count, default="4000", show_default=True, help="How many.")
@click.option("--max-nodes", type=count, default="1M", show_default=True, help="Budget of a deal.")
@save_option
def main(suits: str, first: int, deals: int, max_nodes: int, save: Path | None) -> None:
    """Measure each stage of a deal by number of suits, and a whole run against its search."""
    warm_up()
    load_kernels()
    costs = {each: measure(each, first, deals, max_nodes) for each in map(int, suits.split(","))}
    publish(report(costs, deals), save)


if __name__ == "__main__":
    main()
