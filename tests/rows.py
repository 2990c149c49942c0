"""Rows for tests: real ones that spider-solve printed, and ones made up."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from spider_solver.store.row import COLUMNS, Row
from spider_solver.store.settings import Settings

SETTINGS = Settings("spider", 1_000_000, None, 0, False, "0.1.0+test")


def real_rows() -> list[Row]:
    """Three deals won (of 1, 2 and 4 suits) and one open, as rows of one data set."""
    text = (Path(__file__).parent / "data" / "rows.jsonl").read_text(encoding="utf-8")
    blank = dict.fromkeys(COLUMNS)  # a column that is newer than these rows is null
    rows = [Row(**blank | json.loads(line)) for line in text.splitlines()]
    return [replace(row, solver=SETTINGS.solver) for row in rows]


def won_row() -> Row:
    return real_rows()[0]


def open_row() -> Row:
    return real_rows()[-1]


def row_of_seed(seed: int, **changes: Any) -> Row:
    """A row that tells its seed; what else it says is not true."""
    return replace(open_row(), seed=seed, **changes)


def place_of_data(path: Path) -> int:
    """A place in a part at which there is a byte of a row."""
    column = pq.read_metadata(path).row_group(0).column(COLUMNS.index("deal"))
    start: int = column.dictionary_page_offset or column.data_page_offset
    return start + int(column.total_compressed_size) - 2
