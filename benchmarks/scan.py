"""Which of KPatience's deals are blockaded, and therefore lost: a scan over all their numbers.

A range of numbers is a file in the folder, with the lost numbers among them one a line. It gets its
name when it is whole, so a scan that was stopped in whatever way goes on where it was when it is
started again, and two scans may share a folder. Use another folder for another version of the test.
"""

import csv
import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from tqdm import tqdm

from benchmarks.options import HELP, count
from benchmarks.scan_kernels import new_scan, scan_range
from spider_solver.analysis.statistics import share_of
from spider_solver.analysis.tables import number
from spider_solver.game.numberings import MAX_KPAT_SEED, numbered
from spider_solver.game.rules import spider
from spider_solver.proofs.blockade import find_blockade

RANGE = 1 << 24  # numbers in a file: about five seconds
_ROOM = 1 << 16  # lost numbers that a range may have


class Part(NamedTuple):
    """A range of numbers, both ends included, and the file of those that are lost."""

    first: int
    last: int
    path: Path


@click.command(context_settings=HELP)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--last", type=count, default=str(MAX_KPAT_SEED), help="Scan 1 to this number.")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    show_default="one a core",
    help="Threads.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the lost numbers, the fewest suits with which they are, and certificates as CSV.",
)
def main(folder: Path, last: int, workers: int, save: Path | None) -> None:
    """Scan KPatience's four-suit deals for blockaded ones, keeping their numbers in FOLDER.

    What FOLDER holds already is not scanned again.
    """
    if last > MAX_KPAT_SEED:
        raise click.UsageError(f"the last number of KPatience is {MAX_KPAT_SEED}")
    folder.mkdir(parents=True, exist_ok=True)
    parts = list(split(folder, last))
    missing = [part for part in parts if not part.path.exists()]
    seconds = scan(missing, workers)
    lost = read(parts)
    if missing:
        scanned = sum(part.last - part.first + 1 for part in missing)
        click.echo(f"processor time: {1e9 * seconds / scanned:.1f} ns a deal")
    click.echo(share(len(lost), last))
    if save is not None:
        write_table(lost, save)


def split(folder: Path, last: int) -> Iterator[Part]:
    """The numbers from 1 in ranges that end at multiples of RANGE, the last one earlier."""
    for start in range(0, last + 1, RANGE):
        first, end = max(start, 1), min(start + RANGE - 1, last)
        yield Part(first, end, folder / f"{first:010}-{end:010}.txt")


def scan(parts: Iterable[Part], workers: int) -> float:
    """Scan parts and write their files; gives the processor time that it took in seconds."""
    seconds = 0.0
    with ThreadPoolExecutor(workers) as pool:
        runs = [pool.submit(_scan_part, part) for part in parts]
        try:
            for run in tqdm(as_completed(runs), total=len(runs), unit="range", disable=None):
                seconds += run.result()
        finally:
            pool.shutdown(cancel_futures=True)
    return seconds


def _scan_part(part: Part) -> float:
    began = time.thread_time()
    found = np.zeros(_ROOM, np.int64)
    lost = scan_range(new_scan(), part.first, part.last, found)
    if lost > found.size:
        raise RuntimeError(f"{lost} lost deals from {part.first} to {part.last}: too many to be so")
    unfinished = part.path.with_suffix(f".{os.getpid()}.part")
    unfinished.write_text("".join(f"{seed}\n" for seed in found[:lost]), encoding="ascii")
    unfinished.replace(part.path)
    return time.thread_time() - began


def read(parts: Iterable[Part]) -> list[int]:
    """The lost numbers of parts that have been scanned."""
    return [int(line) for part in parts for line in part.path.read_text("ascii").split()]


def share(lost: int, deals: int) -> str:
    """The share of blockaded deals in a million, with its exact 95% interval as a sample's."""
    value, low, high = (1e6 * share for share in share_of(lost, deals, method="exact"))
    return (
        f"{number(lost)} of {number(deals)} deals are blockaded: "
        f"{value:.3f} in a million ({low:.3f}-{high:.3f})"
    )


def write_table(lost: Iterable[int], path: Path) -> None:
    """Write numbers with the certificates of their losses, which plain Python finds anew.

    Between them stand the fewest suits with which a number is blockaded. It is so with all larger
    numbers of suits, by the same certificate.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="ascii", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["seed", "suits", "certificate"])
        for seed in lost:
            certificate = find_blockade(numbered("kpat", seed, spider(4)))
            if certificate is None:
                raise RuntimeError(f"kpat {seed} is not blockaded")
            table.writerow([seed, fewest_suits(seed, certificate), certificate])


def fewest_suits(seed: int, certificate: str) -> int:
    """The fewest suits with which a number is blockaded by this very certificate."""
    suits = 4
    while suits > 1 and find_blockade(numbered("kpat", seed, spider(suits - 1))) == certificate:
        suits -= 1
    return suits


if __name__ == "__main__":
    main()
