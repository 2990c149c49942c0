"""Small data sets, made by hand."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from spider_solver.game.numberings import numbered
from spider_solver.game.rules import spider
from spider_solver.proofs.blockade import find_blockade
from spider_solver.store.row import Row
from spider_solver.store.settings import Settings
from spider_solver.store.writing import SetWriter
from tests.rows import SETTINGS, row_of_seed

BUDGET = SETTINGS.max_nodes


def won(seed: int, nodes: int, actions: int = 100, **changes: Any) -> Row:
    """A deal won within so many nodes."""
    values: dict[str, Any] = {"status": "won", "reason": None, "proof": "line", "line": ""}
    values |= {"nodes": nodes, "actions": actions, "score": 0, "seconds": nodes / 1e6}
    return row_of_seed(seed, **(values | changes))


def lost(seed: int, **changes: Any) -> Row:
    """A deal lost without a node; what deal it is is not true."""
    values: dict[str, Any] = {"status": "lost", "reason": None, "proof": "blockade"}
    values |= {"nodes": 0, "seconds": 0.0, "runs_completed": None, "rows_dealt": None}
    return row_of_seed(seed, **(values | changes))


def still_open(seed: int, **changes: Any) -> Row:
    """A deal on which the whole budget was spent."""
    return row_of_seed(seed, **({"nodes": BUDGET, "seconds": 1.0} | changes))


def blockaded(seed: int = 14934) -> Row:
    """A deal of PySol's that is lost."""
    start = numbered("pysol", seed, spider(4))
    return lost(seed, numbering="pysol", deal=start.code, certificate=find_blockade(start))


def write(folder: Path, rows: Iterable[Row], settings: Settings = SETTINGS) -> Path:
    """Write a data set."""
    with SetWriter(folder, settings) as writer:
        writer.add(rows)
    return folder


def small_set(folder: Path) -> Path:
    """Ten deals of four suits, seven of them won, one lost and two open; three of two suits."""
    rows = [won(seed, 2000 * seed**3, 150 + seed) for seed in range(1, 8)]
    rows += [lost(8), still_open(9), still_open(10)]
    rows += [won(seed, 5000 * seed, 120 + seed, suits=2) for seed in range(1, 4)]
    return write(folder, rows)
