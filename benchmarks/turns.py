"""CPU time of this version of the package against another one, in turns on the same deals.

A busy machine slows both alike, so the ratio of short turns says more than any long run.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import click

from benchmarks.options import HELP, save_option
from benchmarks.report import publish, table

DEALS = 300
TURN_DEALS = {4: 50, 2: 100, 1: 150}
"""Deals of a turn by number of suits: a quarter of a second or so."""

# Run by both versions, so it uses only what every version has at the top level.
WORKER = """
import sys, time
from spider_solver import Deal, Solver
solver = Solver()
positions = {
    suits: [Deal.numbered(seed, suits=suits).position for seed in range(1, %d)]
    for suits in (4, 2, 1)
}
for suits in positions:
    solver.solve(positions[suits][0])  # which loads the kernels
print("ready", flush=True)
for line in sys.stdin:
    suits, first, last = map(int, line.split())
    began = time.process_time()
    for position in positions[suits][first:last]:
        solver.solve(position)
    print(time.process_time() - began, flush=True)
"""

NOTE = """\
CPU time of solving and replaying, this version's over the other's: the median over turns, and the
ratio of the sums."""


class Worker:
    """One version of the package, solving deals when it is asked to.

    Args:
        python: an interpreter in whose environment that version is installed.
        folder: where it runs, so that it finds no package but the installed one.
    """

    def __init__(self, python: str, folder: str) -> None:
        self._process = subprocess.Popen(
            [python, "-c", WORKER % (DEALS + 1)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
        )
        if self._answer() != "ready":
            raise click.ClickException(f"{python} cannot import spider_solver")

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def turn(self, suits: int, first: int, last: int) -> float:
        """The CPU seconds for some deals."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{suits} {first} {last}\n")
        self._process.stdin.flush()
        return float(self._answer())

    def end(self) -> None:
        """Let it go."""
        self._process.kill()
        self._process.communicate()  # which closes the pipes, too


@contextmanager
def both(other: str) -> Iterator[tuple[Worker, Worker]]:
    """The other version and this one, which end together."""
    with TemporaryDirectory() as folder:
        workers = (Worker(other, folder), Worker(sys.executable, folder))
        try:
            yield workers
        finally:
            for worker in workers:
                worker.end()


def compare(workers: tuple[Worker, Worker], suits: int, rounds: int) -> tuple[float, float, int]:
    """The median ratio of turns, the ratio of sums, and the number of turns."""
    ratios: list[float] = []
    sums = [0.0, 0.0]
    for _ in range(rounds):
        for first in range(0, DEALS, TURN_DEALS[suits]):
            seconds = [0.0, 0.0]
            order = (0, 1) if len(ratios) % 2 == 0 else (1, 0)
            for which in order:
                seconds[which] = workers[which].turn(suits, first, first + TURN_DEALS[suits])
            ratios.append(seconds[1] / seconds[0])
            sums = [total + more for total, more in zip(sums, seconds, strict=True)]
    return median(ratios), sums[1] / sums[0], len(ratios)


@click.command(context_settings=HELP)
@click.argument("python", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--rounds", type=click.IntRange(min=1), default=10, show_default=True)
@save_option
def main(python: Path, rounds: int, save: Path | None) -> None:
    """Compare this version with the one that PYTHON, an interpreter, has installed.

    \b
      python -m venv /path/to/old && /path/to/old/bin/pip install OLD_CHECKOUT
      python -m benchmarks.turns /path/to/old/bin/python
    """
    with both(str(python.absolute())) as workers:
        rows = []
        for suits in TURN_DEALS:
            middle, whole, turns = compare(workers, suits, rounds)
            rows.append([f"{suits}", f"{turns}", f"{middle:.3f}", f"{whole:.3f}"])
    title = f"kpat 1 to {DEALS} of each number of suits, {rounds} rounds"
    head = ["suits", "turns", "median ratio", "ratio of sums"]
    publish(f"{title}\n\n{table(head, rows)}\n\n{NOTE}", save)


if __name__ == "__main__":
    main()
