"""Plain text tables, and the lines at the head of a kept one that say how it was made."""

import platform
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import numba

from benchmarks.statistics import Interval
from spider_solver.solver import SOLVER


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
    lines = [list(head), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def number(value: float) -> str:
    """A count with commas."""
    return f"{value:,.0f}"


def percent(share: float) -> str:
    """A share; enough digits to tell 99.9% from 99.95%."""
    return f"{100 * share:.2f}%"


def percent_interval(interval: Interval) -> str:
    """The interval of a share."""
    return f"{100 * interval.low:.2f}-{100 * interval.high:.2f}%"


def points(interval: Interval) -> str:
    """A difference of shares in percentage points."""
    value, low, high = (100 * value for value in interval)
    return f"{value:+.2f} ({low:+.2f} to {high:+.2f})"


def ratio(interval: Interval) -> str:
    """A ratio and its interval."""
    return f"{interval.value:.3f} ({interval.low:.3f}-{interval.high:.3f})"
