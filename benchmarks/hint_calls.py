"""Thousands of hints from one kept Hinter: does memory stay flat, and how long does a call take?

Memory grows until the Hinter remembers as many positions as it may: what counts comes after.
As a service would be used: a new deal now and then, most calls along the line of a hint, some after
the player has left it.
"""

import random
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

import click
import numpy as np

from benchmarks.hints import play_at_random
from benchmarks.options import HELP, count, save_option
from benchmarks.report import publish, table
from spider_solver import Deal, Position
from spider_solver.analysis.tables import number
from spider_solver.answers.hints import MOST_REMEMBERED, Hinter
from spider_solver.search.solver import warm_up

_QUANTILES = (0.5, 0.9, 0.99, 0.999, 1.0)
_FIRST_SEED = 2_100_000
_CALLS_A_GAME = 25
_LEAVE_THE_LINE = 0.04
_LOOKS = 10  # at the memory


@dataclass
class Calls:
    """What was measured.

    Attributes:
        searched: processor time of the calls that searched, in seconds.
        remembered: that of the others.
        held: bytes held after each tenth of the calls.
        positions: positions remembered then.
    """

    searched: list[float] = field(default_factory=list)
    remembered: list[float] = field(default_factory=list)
    held: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)


@click.command(context_settings=HELP)
@click.option("--calls", type=count, default="10k", show_default=True, help="Hints.")
@click.option("--suits", type=click.IntRange(1, 4), default=4, show_default=True, help="Suits.")
@save_option
def main(calls: int, suits: int, save: Path | None) -> None:
    """Thousands of hints from one kept Hinter."""
    warm_up()
    publish(report(call(calls, suits)), save)


def call(calls: int, suits: int) -> Calls:
    """Ask for hints, as players do."""
    measured = Calls()
    hinter, chance = Hinter(), random.Random(5)
    position = _deal(0, suits)
    for number_ in range(calls):
        if number_ % _CALLS_A_GAME == 0 or position.is_won:
            position = _deal(number_, suits)
        remembered = hinter.knows(position)
        began = process_time()
        given = hinter.hint(position)
        seconds = process_time() - began
        (measured.remembered if remembered else measured.searched).append(seconds)
        if given.move is None:
            position = _deal(number_, suits)
        elif chance.random() < _LEAVE_THE_LINE:
            position = play_at_random(position, 1, chance)
        else:
            position = position.play(given.move)
        if (number_ + 1) % max(calls // _LOOKS, 1) == 0:
            measured.held.append(bytes_held())
            measured.positions.append(hinter.remembered)
    return measured


def _deal(number_: int, suits: int) -> Position:
    return Deal.numbered(_FIRST_SEED + number_, suits=suits).position


def bytes_held() -> int:
    """Memory that this process holds now, Python and all libraries included."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return 1024 * int(line.split()[1])


def report(measured: Calls) -> str:
    """The tables."""
    head = ["ms", "calls", *(f"{q:.1%}".replace(".0%", "%") for q in _QUANTILES)]
    rows = []
    for name, seconds in {
        "searched": measured.searched,
        "remembered": measured.remembered,
        "all": measured.searched + measured.remembered,
    }.items():
        if seconds:
            quantiles = np.quantile(seconds, _QUANTILES, method="inverted_cdf")
            rows.append([name, number(len(seconds)), *(f"{1e3 * q:.2f}" for q in quantiles)])
    held = table(
        ["", *(f"{(place + 1) / len(measured.held):.0%}" for place in range(len(measured.held)))],
        [
            ["MB held", *(f"{held / 1e6:.0f}" for held in measured.held)],
            ["positions remembered", *map(number, measured.positions)],
        ],
    )
    return "\n\n".join([table(head, rows), held, growth(measured)])


def growth(measured: Calls) -> str:
    """How much more was held at the end than when the Hinter's memory was full, a call."""
    full = [place for place, known in enumerate(measured.positions) if known >= MOST_REMEMBERED]
    if len(full) < 2:
        return "the Hinter's memory was never full"
    calls = len(measured.searched) + len(measured.remembered)
    later = (full[-1] - full[0]) * calls // len(measured.held)
    more = measured.held[-1] - measured.held[full[0]]
    each = f"{more / later:,.0f} bytes each"
    return f"{more / 1e6:.1f} MB more in the {number(later)} calls since it was full: {each}"


if __name__ == "__main__":
    main()
