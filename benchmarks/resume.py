"""How long a run on a large data set takes to begin, and how much memory."""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from tqdm import tqdm

from benchmarks.options import HELP, count, save_option
from benchmarks.report import publish, table
from spider_solver.game.deal import Deal
from spider_solver.search.result import Limits
from spider_solver.search.solver import SOLVER, Solver, warm_up
from spider_solver.store.files import write_part
from spider_solver.store.row import row_of
from spider_solver.store.settings import Settings
from spider_solver.store.writing import PART_ROWS, table_of

BASE_DEALS = 200  # that are solved; the rows of a synthesised set are theirs in turn

LIMITS = Limits(max_nodes=100_000)

NOTE = """\
The rows are those of {base} deals in turn, under numbers of their own; the command is asked for one
deal more. To the first chunk: from the start of the process, Python's own included. Memory is the
most that the client held, with its one worker, which is itself."""


class Begun(NamedTuple):
    """What it took to begin: seconds to the first chunk and to the end, processor and memory."""

    first: float
    whole: float
    processor: float
    peak_bytes: int


def synthesise(folder: Path, rows: int) -> None:
    """Make a data set of four-suit deals, kpat 1 and up."""
    warm_up()
    solver = Solver()
    deals = [Deal.numbered(seed) for seed in range(1, BASE_DEALS + 1)]
    base = table_of(row_of(deal, solver.solve(deal.position, LIMITS), SOLVER) for deal in deals)
    settings = Settings.of("spider", LIMITS, SOLVER)
    folder.mkdir(parents=True)
    place = base.schema.get_field_index("seed")
    random = np.random.default_rng(1)
    seeds = random.permutation(np.arange(1, rows + 1))  # as many workers leave them: in no order
    for number, start in enumerate(tqdm(range(0, rows, PART_ROWS), leave=False, disable=None)):
        part = seeds[start : start + PART_ROWS]
        piece = base.take(part % BASE_DEALS).set_column(place, base.schema.field(place), [part])
        write_part(folder / f"part-{number:016x}.parquet", folder, settings, [piece])


def begin(folder: Path, rows: int) -> Begun:
    """Run the command for one deal more than the set has."""
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch) / "log"
        command = [sys.executable, "-m", "spider_solver.cli.solve", "--out", str(folder)]
        command += ["--seeds", f"1-{rows + 1}", "--max-nodes", str(LIMITS.max_nodes)]
        began, by_clock = time.perf_counter(), time.time()
        process = subprocess.Popen(
            [*command, "--workers", "1", "--log", str(log), "--json"], stdout=subprocess.DEVNULL
        )
        _, status, used = os.wait4(process.pid, 0)
        whole = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise click.ClickException("the command failed")
        lines = map(json.loads, log.read_text(encoding="utf-8").splitlines())
        chunk = next(line for line in lines if line["event"] == "chunk")
        first = np.datetime64(chunk["time"].removesuffix("+00:00")).astype("int64") / 1e3
    processor = used.ru_utime + used.ru_stime
    return Begun(float(first) - by_clock, whole, processor, _bytes(used))


def _bytes(used: resource.struct_rusage) -> int:
    return used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def report(begun: list[Begun], rows: int, size: int) -> str:
    """What it took, the median of some times."""
    first, whole, processor, peak = (
        float(np.median(values)) for values in zip(*begun, strict=True)
    )
    lines = [
        ["rows", f"{rows:,}"],
        ["size of the set", f"{size / 1e6:.0f} MB"],
        ["to the first chunk", f"{first:.2f} s"],
        ["the whole command, summary included", f"{whole:.2f} s"],
        ["processor time of it", f"{processor:.2f} s"],
        ["memory", f"{peak / 1e6:.0f} MB"],
    ]
    return f"{table(['resume', ''], lines)}\n\n{NOTE.format(base=BASE_DEALS)}"


@click.command(context_settings=HELP)
@click.option("--rows", type=count, default="1M", show_default=True, help="Rows in the set.")
@click.option("--turns", type=count, default="3", show_default=True, help="Times it is begun.")
@save_option
def main(rows: int, turns: int, save: Path | None) -> None:
    """Synthesise a data set and measure what it takes to go on with it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "set"
        synthesise(folder, rows)
        size = sum(path.stat().st_size for path in folder.iterdir())
        begun = [begin(folder, rows + turn) for turn in range(turns)]
        publish(report(begun, rows, size), save)


if __name__ == "__main__":
    main()
