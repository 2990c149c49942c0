"""CPU time of whole commands, start and end included, against another version, in turns."""

import resource
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import click

from benchmarks.options import HELP, save_option
from benchmarks.report import publish, table

COMMANDS = {
    "spider-solve --help": ("solve", "--help"),
    "spider-hint --seed 17": ("hint", "--seed", "17"),
    "  --follow, a remembered line": ("hint", "--seed", "17", "--follow", "lines"),
    "spider-solve --seeds 17": ("solve", "--seeds", "17"),
    "  --out, a set that is complete": (
        "solve",
        "--seeds",
        "1-3",
        "--workers",
        "1",
        "--out",
        "set",
    ),
}

PROGRAM = """
import sys
from importlib import import_module
import_module("spider_solver.cli." + sys.argv.pop(1)).main()
"""

NOTE = """\
User and system time of the processes, all kernels compiled: the medians over rounds, and the median
of the ratios, this version's time over the other's."""


def spent(folder: Path, python: str, arguments: tuple[str, ...]) -> float:
    """The CPU seconds of a command that runs in a folder."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(
        [python, "-c", PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended.returncode:
        raise click.ClickException(f"{python}: {' '.join(arguments)}: {ended.stderr.strip()}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def rows_of(pythons: tuple[str, str], rounds: int) -> list[list[str]]:
    """A row for each command: the time of both versions, and the ratio."""
    rows = []
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        places = list(zip(pythons, (Path(one), Path(other)), strict=True))
        for name, arguments in COMMANDS.items():
            for python, folder in places:  # which compiles, remembers a line and makes the set
                spent(folder, python, arguments)
            turns = []
            for number in range(rounds):
                order = (0, 1) if number % 2 == 0 else (1, 0)
                seconds = {
                    which: spent(places[which][1], pythons[which], arguments) for which in order
                }
                turns.append((seconds[0], seconds[1]))
            before, after = (median(times) for times in zip(*turns, strict=True))
            ratio = median(later / earlier for earlier, later in turns)
            rows.append([name, f"{before:.3f}", f"{after:.3f}", f"{ratio:.2f}"])
    return rows


@click.command(context_settings=HELP)
@click.argument("python", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--rounds", type=click.IntRange(min=1), default=9, show_default=True)
@save_option
def main(python: Path, rounds: int, save: Path | None) -> None:
    """Compare this version with the one that PYTHON, an interpreter, has installed.

    \b
      python -m venv /path/to/old && /path/to/old/bin/pip install OLD_CHECKOUT
      python -m benchmarks.start /path/to/old/bin/python
    """
    rows = rows_of((str(python.absolute()), sys.executable), rounds)
    head = ["command, CPU seconds", "before", "now", "ratio"]
    publish(f"{table(head, rows)}\n\n{NOTE}", save)


if __name__ == "__main__":
    main()
