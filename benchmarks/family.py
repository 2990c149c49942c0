"""The games of the family: share of deals won and lost, each proof checked, as a table."""

import json
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

    def run(self, workers: int) -> int:
        """Solve what its data set lacks, and check all of it; gives the losses that were checked.

        Raises:
            CalledProcessError: a command failed, or a proof does not hold.
        """
        each = [str(self.folder), "--workers", str(workers)]
        _run("solve", *self.options, "--proofs", "--out", *each)
        answer = json.loads(_run("verify", "--json", *each))
        checked: int = answer["lost_verified"]
        return checked

    def row(self, name: str, checked: int) -> list[str]:
        """Its row of the table, with so many losses checked."""
        rows = read_table(self.folder, ["status", "nodes", "attempts"])
        status = np.array(rows["status"].to_pylist())
        nodes = rows["nodes"].to_numpy()
        won, lost, still_open = (int((status == s).sum()) for s in ("won", "lost", "open"))
        winnable = share_between(won, won + still_open, status.size)
        return [
            name,
            number(won),
            number(lost),
            number(checked),
            number(still_open),
            percent_range(winnable),
            number(float(np.median(nodes))),
            number(float(nodes.mean())),
        ]


def _run(command: str, *arguments: str) -> str:
    """What a command prints; its progress is shown."""
    main = f"from spider_solver.cli.{command} import main; main()"
    line = [sys.executable, "-c", main, *arguments]
    return subprocess.run(line, check=True, stdout=subprocess.PIPE, text=True).stdout


@click.command(context_settings=HELP)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--deals", type=click.IntRange(min=1), default=1000, show_default=True)
@click.option("--max-nodes", type=count, default="30M", show_default=True, help="Budget of a deal.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True)
@save_option
def main(folder: Path, deals: int, max_nodes: int, workers: int, save: Path | None) -> None:
    """Solve deals 1 to DEALS of every game into data sets in FOLDER, verify them, print the table.

    Every line is replayed and the closed set of every loss is gone through with the plain rules,
    which takes an hour or two of one core. The same command again goes on where it was stopped.
    """
    lines = []
    for variant, suits in GAMES:
        chosen = ("--suits", str(suits)) if suits else ()
        name = f"{variant} ({suits})" if suits else variant
        budget = ("--seeds", f"1-{deals}", "--max-nodes", str(max_nodes))
        game = Game(folder / name.replace(" ", "-"), ("--variant", variant, *chosen, *budget))
        lines.append(game.row(name, game.run(workers)))
    heads = ["game", "won", "lost", "checked", "open", "winnable, 95%", "nodes: median", "mean"]
    title = f"deals 1 to {deals} of each game's usual numbers, {max_nodes:,} nodes a deal at most"
    note = "checked: losses whose closed set of positions held under the plain rules"
    publish(f"{title}\n\n{table(heads, lines)}\n\n{note}", save)


if __name__ == "__main__":
    main()
