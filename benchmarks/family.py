"""The games of the family: share of deals won and lost, each proof checked, as a table."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from benchmarks.options import HELP, count, save_option
from benchmarks.report import publish, table
from spider_solver.analysis.statistics import share_between
from spider_solver.analysis.tables import number, percent_range
from spider_solver.store.reading import read_table

GAMES = (
    ("relaxed", None),
    ("group-moves", None),
    ("optional-removal", None),
    ("spider", 3),
    ("spiderette", None),
    ("will-o-the-wisp", None),
    ("simple-simon", None),
    ("mrs-mop", None),
)
"""The games of the table, with their suits where those are not four."""


@dataclass(frozen=True)
class Game:
    """One game: its data set and the options that make it."""

    folder: Path
    options: tuple[str, ...]

    def run(self, workers: int) -> None:
        """Solve what its data set lacks, and check all of it.

        Raises:
            CalledProcessError: a command failed, or a proof does not hold.
        """
        solving = [*self.options, "--out", str(self.folder), "--workers", str(workers)]
        _run("solve", *solving)
        _run("verify", str(self.folder), "--workers", str(workers))

    def row(self, name: str) -> list[str]:
        """Its row of the table."""
        rows = read_table(self.folder, ["status", "nodes", "attempts"])
        status = np.array(rows["status"].to_pylist())
        nodes = rows["nodes"].to_numpy()
        won, lost, still_open = (int((status == s).sum()) for s in ("won", "lost", "open"))
        winnable = share_between(won, won + still_open, status.size)
        return [
            name,
            number(won),
            number(lost),
            number(still_open),
            percent_range(winnable),
            number(float(np.median(nodes))),
            number(float(nodes.mean())),
        ]


def _run(command: str, *arguments: str) -> None:
    main = f"from spider_solver.cli.{command} import main; main()"
    subprocess.run([sys.executable, "-c", main, *arguments], check=True, stdout=subprocess.DEVNULL)


@click.command(context_settings=HELP)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--deals", type=click.IntRange(min=1), default=1000, show_default=True)
@click.option("--max-nodes", type=count, default="30M", show_default=True, help="Budget of a deal.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True)
@save_option
def main(folder: Path, deals: int, max_nodes: int, workers: int, save: Path | None) -> None:
    """Solve deals 1 to DEALS of every game into data sets in FOLDER, verify them, print the table.

    The same command again goes on where it was stopped.
    """
    lines = []
    for variant, suits in GAMES:
        chosen = ("--suits", str(suits)) if suits else ()
        name = f"{variant} ({suits})" if suits else variant
        budget = ("--seeds", f"1-{deals}", "--max-nodes", str(max_nodes))
        game = Game(folder / name.replace(" ", "-"), ("--variant", variant, *chosen, *budget))
        game.run(workers)
        lines.append(game.row(name))
    heads = ["game", "won", "lost", "open", "winnable, 95%", "nodes: median", "mean"]
    title = f"deals 1 to {deals} of each game's usual numbers, {max_nodes:,} nodes a deal at most"
    publish(f"{title}\n\n{table(heads, lines)}", save)


if __name__ == "__main__":
    main()
