"""Difficulties beside a data set."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest

from spider_solver.store.difficulties import (
    DifficultyRow,
    add_difficulties,
    read_difficulties,
)
from spider_solver.store.reading import StoreError

ROW = DifficultyRow("kpat", "spider", 2, 7, 2.5, 60, "medium", [32, 30, 2], 200_000)
SHIPPED = Path(__file__).parents[2] / "data" / "kpat-1-1000"


def rows(folder: Path) -> list[DifficultyRow]:
    return [DifficultyRow(**values) for values in read_difficulties(folder).to_pylist()]


def test_they_come_back_sorted_and_a_new_one_takes_its_deal_s_place(tmp_path: Path) -> None:
    assert rows(tmp_path) == []
    add_difficulties(tmp_path, [])
    assert rows(tmp_path) == []
    other, changed = replace(ROW, suits=1, seed=9), replace(ROW, score=2.75)
    add_difficulties(tmp_path, [ROW, other])
    assert rows(tmp_path) == [other, ROW]
    add_difficulties(tmp_path, [changed])
    assert rows(tmp_path) == [other, changed]
    assert read_difficulties(tmp_path).to_pylist() == [asdict(other), asdict(changed)]


def test_each_measure_has_a_file_of_its_own(tmp_path: Path) -> None:
    add_difficulties(tmp_path, [ROW])
    add_difficulties(tmp_path, [replace(ROW, score=9.0, beams_lost=[])], "nodes")
    assert rows(tmp_path) == [ROW]
    assert read_difficulties(tmp_path, "nodes")["score"].to_pylist() == [9.0]
    assert (tmp_path / "_difficulty/nodes.parquet").exists()


def test_a_broken_file_is_one_line(tmp_path: Path) -> None:
    add_difficulties(tmp_path, [ROW])
    (tmp_path / "_difficulty/difficulty.parquet").write_bytes(b"PAR1")
    with pytest.raises(StoreError, match=r"difficulty\.parquet cannot be read \("):
        read_difficulties(tmp_path)


@pytest.mark.parametrize(
    "read",
    [
        lambda: pd.read_parquet(SHIPPED),
        lambda: pl.read_parquet(SHIPPED / "*.parquet"),
        lambda: pq.read_table(SHIPPED),
    ],
    ids=["pandas", "polars", "pyarrow"],
)
def test_readers_of_a_set_pass_over_them(read: Any) -> None:
    assert len(read()) == 3000
