"""Makes the data sets in `data/`: decides the deals in a work folder, then packs the rows.

The work folder holds ordinary data sets: a run that was stopped goes on where it was, and a new
version of the solver needs another folder. Packing sorts the rows by deal and writes as few and as
small files as it can; nothing of a row is changed.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchmarks.options import HELP, workers_option
from spider_solver.analysis.tables import number
from spider_solver.batch.executors import make_executor
from spider_solver.batch.runner import Job, solve_deals
from spider_solver.batch.sources import Numbers
from spider_solver.cli.common import stop_on_signal
from spider_solver.cli.progress import Progress
from spider_solver.game.rules import spider
from spider_solver.search.result import EFFORTS, Limits
from spider_solver.search.solver import SOLVER, warm_up
from spider_solver.store.files import as_part
from spider_solver.store.reading import read_table
from spider_solver.store.settings import Settings
from spider_solver.store.writing import SetWriter

FILE_ROWS = 16_000  # some 7 MB of four-suit deals
_REPEATING = ["numbering", "variant", "suits", "status", "reason", "proof", "solver"]


class Shipped(NamedTuple):
    """A data set of `data/`: the deals with numbers 1 to ``last``."""

    numbering: str
    suits: tuple[int, ...]
    last: int
    effort: str


SETS = {
    "kpat-1-1000": Shipped("kpat", (1, 2, 4), 1000, "normal"),
    "pysol-1-32000": Shipped("pysol", (4,), 32_000, "deep"),
}


@click.command(context_settings=HELP)
@click.argument("names", nargs=-1, type=click.Choice([*SETS]))
@click.option(
    "--work",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for the rows as they come.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("data"),
    show_default=True,
    help="Folder for the packed sets.",
)
@workers_option
def main(names: tuple[str, ...], work: Path, out: Path, workers: int) -> None:
    """Decide and pack the data sets NAMES, all of them unless told."""
    warm_up()
    for name in names or SETS:
        shipped = SETS[name]
        limits = Limits(EFFORTS[shipped.effort])
        settings = Settings.of("spider", limits, SOLVER)
        sources = [
            Numbers(shipped.numbering, spider(suits), [range(1, shipped.last + 1)])
            for suits in shipped.suits
        ]
        for source in sources:
            decide(source, limits, settings, work / name, workers)
        for path in pack(sources, settings, work / name, out / name):
            click.echo(f"{path}  {number(path.stat().st_size)} bytes")


def decide(source: Numbers, limits: Limits, settings: Settings, work: Path, workers: int) -> None:
    """Decide the deals that the set in the work folder lacks.

    Raises:
        Abort: Ctrl-C; what was done is kept.
    """
    with stop_on_signal() as stop, SetWriter(work, settings) as writer:
        before = source.rows(work, ["status"])
        shown = Progress(source.total, before.num_rows, "deals", lambda: work.name)
        with make_executor(workers) as executor, shown as progress:
            for rows in solve_deals(source.starts(before), Job(limits), executor, workers, stop):
                writer.add(rows)
                progress.add(len(rows))
    if stop():
        raise click.Abort


def pack(sources: Sequence[Numbers], settings: Settings, work: Path, out: Path) -> list[Path]:
    """Write the rows of the sources, sorted, in place of what ``out`` holds; gives the files."""
    out.mkdir(parents=True, exist_ok=True)
    table = read_table(work)
    paths = []
    for source in sources:
        suits = source.rules.suits
        rows = table.filter(pc.field("suits") == suits).sort_by("seed")
        for first in range(0, rows.num_rows, FILE_ROWS):
            piece = rows.slice(first, FILE_ROWS)
            seeds = piece["seed"]
            path = out / f"part-{suits}-suits-{seeds[0]}-{seeds[-1]}.parquet"
            write_small(as_part(piece, settings), path)
            paths.append(path)
    for old in {*out.glob("part-*.parquet")} - {*paths}:
        old.unlink()
    return paths


def write_small(table: Any, path: Path) -> None:
    """Write a table as small as zstd makes it."""
    repeating = [name for name in _REPEATING if name in table.column_names]
    hidden = path.with_name(f".{path.name}.tmp")
    pq.write_table(
        table,
        hidden,
        compression="zstd",
        compression_level=22,
        use_dictionary=repeating,
        write_page_checksum=True,
    )
    hidden.replace(path)


if __name__ == "__main__":
    main()
