"""Plain text tables, and the lines at the head of a kept one that say how it was made."""

import platform
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import numba

from spider_solver.analysis.tables import Table
from spider_solver.search.solver import SOLVER


def heading() -> str:
    """The command that runs, and what it measures: versions, and the solver by its hash."""
    command = shlex.join([f"benchmarks.{Path(sys.argv[0]).stem}", *sys.argv[1:]])
    versions = f"Python {platform.python_version()}, numba {numba.__version__}"
    return f"# python -m {command}\n# spider_solver {SOLVER}, {versions}\n"


def publish(text: str, save: Path | None) -> None:
    """Print a report; keep it under its heading where asked to."""
    click.echo(text)
    if save is not None:
        save.parent.mkdir(parents=True, exist_ok=True)
        save.write_text(f"{heading()}\n{text}\n", encoding="utf-8")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns under a head: the first to the left, all others to the right."""
    return Table(head, rows).text()
