"""What many deals cost: time, memory and disk at a thousand, ten thousand, a hundred thousand.

One run of ``spider-solve`` into one data set, asked for more deals each time, as a user would: so
the largest figure is that of a run of days, resumed twice.
"""

from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.command import solve
from benchmarks.options import HELP, count, save_option
from benchmarks.report import publish, table
from spider_solver.store.reading import part_paths

NOTE = """\
Time is wall time of the command, start and summary included; the ratio is that of the seconds for
each deal to those of the first line. Memory is resident, of the client and of its largest worker,
every two seconds: the median of the second and of the last tenth of the samples of a run (the
first has the start in it), and the most."""


@dataclass(frozen=True)
class Stretch:
    """One run: how many deals were asked for and solved, and what it took.

    Attributes:
        deals: in the set at the end.
        solved: in this run.
        open: of the deals in the set.
        seconds: wall time.
        memory: time, bytes of the client and of its largest worker, a row a sample.
        size: bytes of the set.
    """

    deals: int
    solved: int
    open: int
    seconds: float
    memory: NDArray[np.float64]
    size: int


def extend(folder: Path, first: int, deals: int, options: list[str]) -> Stretch:
    """Run the command until a set has so many deals."""
    run = solve(folder, "--seeds", f"{first}-{first + deals - 1}", *options)
    answer = run.answer
    began = run.samples[0].time if run.samples else 0.0
    memory = [(sample.time - began, sample.client, sample.worker) for sample in run.samples]
    return Stretch(
        deals=answer["deals"],
        solved=answer["solved_now"],
        open=answer["open"],
        seconds=run.seconds,
        memory=np.array(memory, np.float64).reshape(-1, 3),
        size=sum(path.stat().st_size for path in part_paths(folder)),
    )


def report(runs: list[Stretch]) -> str:
    """Cost of each run."""
    head = ["deals", "solved", "open", "seconds", "s/1000 deals", "ratio", "bytes a deal"]
    rows = []
    each = [run.seconds / max(run.solved, 1) for run in runs]
    for run, cost in zip(runs, each, strict=True):
        rows.append(
            [
                f"{run.deals:,}",
                f"{run.solved:,}",
                f"{run.open:,}",
                f"{run.seconds:.1f}",
                f"{1000 * cost:.2f}",
                f"{cost / each[0]:.2f}",
                f"{run.size / run.deals:.0f}",
            ]
        )
    head_memory = ["MB", "client: early", "late", "most", "worker: early", "late", "most"]
    return "\n\n".join(
        [table(head, rows), table(head_memory, [_memory_row(run) for run in runs]), NOTE]
    )


def _memory_row(run: Stretch) -> list[str]:
    row = [f"{run.deals:,}"]
    tenth = max(1, len(run.memory) // 10)
    for column in (1, 2):
        values = run.memory[:, column] / 1e6
        early, late = values[tenth : 2 * tenth], values[-tenth:]
        pieces = ((early, np.median), (late, np.median), (values, np.max))
        row += [f"{of(some):.0f}" if some.size else "-" for some, of in pieces]
    return row


def draw(runs: list[Stretch], path: Path) -> None:
    """Draw cost against deals, and memory against time in the last run."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (cost, memory) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    deals = np.cumsum([run.solved for run in runs])
    seconds = np.cumsum([run.seconds for run in runs])
    cost.loglog(deals, seconds, "o-", label="measured")
    cost.loglog(deals, deals * seconds[-1] / deals[-1], "--", label="proportional")
    cost.set(xlabel="deals", ylabel="seconds", title="Time")
    cost.legend()
    for column, name in ((1, "client"), (2, "largest worker")):
        memory.plot(runs[-1].memory[:, 0], runs[-1].memory[:, column] / 1e6, label=name)
    memory.set(xlabel="seconds", ylabel="MB", title=f"Memory, up to {runs[-1].deals:,} deals")
    memory.set_ylim(bottom=0)
    memory.legend()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


@click.command(context_settings=HELP)
@click.option("--suits", type=click.IntRange(1, 4), default=4, show_default=True, help="Suits.")
@click.option("--first", type=count, default="2M", show_default=True, help="The first kpat number.")
@click.option(
    "--deals",
    default="1k,10k,100k",
    show_default=True,
    metavar="LIST",
    help="Deals in the set after each run.",
)
@click.option("--max-nodes", type=count, default="1M", show_default=True, help="Budget of a deal.")
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True, help="Each.")
@click.option("--executor", default="local", show_default=True, help="local or dask.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The set to make.")
@click.option("--plot", type=click.Path(path_type=Path), help="A picture of it.")
@save_option
def main(
    suits: int,
    first: int,
    deals: str,
    max_nodes: int,
    workers: int,
    executor: str,
    out: Path,
    plot: Path | None,
    save: Path | None,
) -> None:
    """Measure how time, memory and disk grow with the number of deals."""
    if out.exists():
        raise click.UsageError(f"{out} is there already: its deals would not be solved again")
    options = ["--suits", str(suits), "--max-nodes", str(max_nodes)]
    options += ["--workers", str(workers), "--executor", executor]
    runs = [extend(out, first, count(text), options) for text in deals.split(",")]
    publish(report(runs), save)
    if plot is not None:
        draw(runs, plot)


if __name__ == "__main__":
    main()
