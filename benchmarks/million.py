"""A long run in one command: what a deal costs from the first to the last, and its memory.

It runs ``spider-solve`` into ``OUT/rows``, with its events in ``OUT/events.jsonl`` and a look at
its processes every two seconds in ``OUT/samples.jsonl``; then ``spider-verify``. Stopped or killed,
the same command goes on.
"""

import json
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.command import Sample, solve
from benchmarks.options import HELP, count, save_option
from benchmarks.report import publish, table
from spider_solver.store.reading import part_paths

Floats = NDArray[np.float64]

PARTS = 10  # lines of the table

BLOCKS = 100  # points of the plot

NOTE = """\
Each line is a tenth of the deals, the first with the start of the run. CPU time is that of client
and workers together, wall time that of the machine as it was. Memory is resident, of the client and
of its largest worker: the most that a look every two seconds found, and the highest mark of a
worker so far."""


@dataclass(frozen=True)
class Course:
    """The course of a run, or of several that went on with one another; an entry a sample.

    Attributes:
        deals: solved so far; those that a kill lost and that were solved again count twice.
        seconds: of running so far.
        cpu: seconds of CPU time so far.
        client: resident bytes of the client.
        worker: resident bytes of its largest worker, 0 without one.
        worker_peak: the most that a worker of this run has held.
    """

    deals: Floats
    seconds: Floats
    cpu: Floats
    client: Floats
    worker: Floats
    worker_peak: Floats

    def at(self, deals: Floats, values: Floats) -> Floats:
        """Values that grow, such as ``cpu``, when so many deals were solved."""
        return np.interp(deals, np.r_[0.0, self.deals], np.r_[0.0, values])


def read_course(out: Path) -> Course:
    """The course that the two logs of a folder tell, until the last deal was solved."""
    looks = [json.loads(line) for line in (out / "samples.jsonl").read_text().splitlines()]
    events = [json.loads(line) for line in (out / "events.jsonl").read_text().splitlines()]
    chunks = [event for event in events if event["event"] == "chunk"]
    times = np.array([datetime.fromisoformat(chunk["time"]).timestamp() for chunk in chunks])
    solved = np.r_[0, np.cumsum([chunk["deals"] for chunk in chunks])]
    seconds: list[float] = []
    cpu: list[float] = []
    seconds_before = cpu_before = 0.0
    for number, look in enumerate(looks):
        if number and look["run"] != looks[number - 1]["run"]:
            seconds_before, cpu_before = seconds[-1], cpu[-1]
        seconds.append(seconds_before + look["time"] - look["run"])
        cpu.append(cpu_before + look["cpu"])
    at = np.array([look["time"] for look in looks])
    deals = solved[np.searchsorted(times, at, side="right")].astype(np.float64)
    end = int(np.searchsorted(deals, deals[-1])) + 1  # what comes then is the end of the run
    client, worker, peak = (
        np.array([look[name] for look in looks[:end]], np.float64)
        for name in ("client", "worker", "worker_peak")
    )
    return Course(deals[:end], np.array(seconds[:end]), np.array(cpu[:end]), client, worker, peak)


def run(out: Path, *options: object) -> dict[str, Any]:
    """Solve what is missing, with a look at the processes now and then; gives the answer."""
    out.mkdir(parents=True, exist_ok=True)
    began = time.time()
    with (out / "samples.jsonl").open("a", encoding="utf-8") as file:

        def keep(sample: Sample) -> None:
            print(json.dumps({"run": began} | sample._asdict()), file=file, flush=True)

        return solve(out / "rows", "--log", out / "events.jsonl", *options, heard=keep).answer


def verify(folder: Path, workers: int) -> str:
    """What ``spider-verify`` says of a set, in one line."""
    command = [sys.executable, "-m", "spider_solver.cli.verify", str(folder)]
    done = subprocess.run(
        [*command, "--workers", str(workers)], stdout=subprocess.PIPE, text=True, check=False
    )
    said = ", ".join(re.sub(r"\s+", " ", line.strip()) for line in done.stdout.splitlines())
    return f"spider-verify ({'all good' if done.returncode == 0 else 'FAILED'}): {said}"


def report(course: Course, answer: dict[str, Any], size: int, verified: str) -> str:
    """The course in ten parts, and what came of it."""
    total = course.deals[-1]
    edges = np.linspace(0, total, PARTS + 1)
    seconds, cpu = course.at(edges, course.seconds), course.at(edges, course.cpu)
    rows = []
    for part in range(PARTS):
        deals = edges[part + 1] - edges[part]
        here = (course.deals > edges[part]) & (course.deals <= edges[part + 1])
        held = [course.client[here], course.worker[here], course.worker_peak[here]]
        spent = cpu[part + 1] - cpu[part], seconds[part + 1] - seconds[part]
        rows.append(
            [
                f"{edges[part + 1]:,.0f}",
                *(f"{1000 * value / deals:.3f}" for value in spent),
                f"{deals / spent[1]:,.0f}",
                *(f"{values.max() / 1e6:.0f}" if values.any() else "-" for values in held),
            ]
        )
    head = ["deals", "CPU ms a deal", "wall ms", "deals/s", "client MB", "worker MB", "its peak"]
    facts = f"{answer['won']:,} won, {answer['lost']:,} lost, {answer['open']:,} open"
    bytes_a_deal = size / max(answer["deals"], 1)
    totals = (
        f"{answer['deals']:,} deals: {facts}; {course.seconds[-1]:,.0f} s, "
        f"{course.cpu[-1]:,.0f} s of CPU time, {bytes_a_deal:.0f} bytes a deal"
    )
    return "\n\n".join([table(head, rows), f"{totals}\n{verified}", NOTE])


def draw(course: Course, path: Path) -> None:
    """Draw the cost of a deal, and memory, against deals."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (cost, memory) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    edges = np.linspace(0, course.deals[-1], min(BLOCKS, len(course.deals)) + 1)
    for name, values in (("CPU time", course.cpu), ("wall time", course.seconds)):
        spent = 1000 * np.diff(course.at(edges, values)) / np.diff(edges)
        cost.plot(edges[1:], spent, label=name)
    cost.set(xlabel="deals", ylabel="ms", title="Cost of a deal")
    for name, values in (("client", course.client), ("largest worker", course.worker)):
        if values.any():
            memory.plot(course.deals, values / 1e6, label=name)
    memory.set(xlabel="deals", ylabel="MB", title="Memory")
    for axes in (cost, memory):
        axes.set_ylim(bottom=0)
        axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


@click.command(context_settings=HELP)
@click.option("--suits", type=click.IntRange(1, 4), default=1, show_default=True, help="Suits.")
@click.option("--first", type=count, default="2M", show_default=True, help="The first kpat number.")
@click.option("--deals", type=count, default="1M", show_default=True, help="How many.")
@click.option("--max-nodes", type=count, default="1M", show_default=True, help="Budget of a deal.")
@click.option(
    "--workers", type=click.IntRange(min=1), default=2, show_default=True, help="How many."
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder of the set and its logs; the same one again goes on.",
)
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="A picture of it.")
@save_option
def main(
    suits: int,
    first: int,
    deals: int,
    max_nodes: int,
    workers: int,
    out: Path,
    plot: Path | None,
    save: Path | None,
) -> None:
    """Solve a million deals in one run, verify them, and tell what they cost from first to last."""
    seeds = f"{first}-{first + deals - 1}"
    options = ("--seeds", seeds, "--suits", suits, "--max-nodes", max_nodes, "--workers", workers)
    answer = run(out, *options)
    verified = verify(out / "rows", workers)
    size = sum(path.stat().st_size for path in part_paths(out / "rows"))
    course = read_course(out)
    publish(report(course, answer, size, verified), save)
    if plot is not None:
        draw(course, plot)


if __name__ == "__main__":
    main()
