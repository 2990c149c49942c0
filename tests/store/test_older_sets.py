"""Sets of versions that did not know a column of today's which may be null."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from spider_solver.analysis.lost import losses
from spider_solver.cli.report import report
from spider_solver.cli.show import show
from spider_solver.cli.solve import solve
from spider_solver.cli.verify import verify
from spider_solver.store.files import groups_of
from spider_solver.store.reading import (
    StoreError,
    arrow_schema,
    part_paths,
    read_rows,
    read_table,
    set_settings,
    stream_columns,
)
from spider_solver.store.row import COLUMNS, Row
from spider_solver.store.verify import Verdict, check_slice, survey
from spider_solver.store.writing import SetWriter
from tests.analysis.sets import blockaded, write
from tests.cli.commands import run
from tests.rows import SETTINGS, real_rows

NULLABLE = [column.name for column in arrow_schema() if column.nullable]


def without(folder: Path, columns: list[str]) -> Path:
    """A set as a version wrote it that did not know some columns."""
    for path in part_paths(folder):
        pq.write_table(pq.read_table(path, partitioning=None).drop(columns), path)
    return folder


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """Won, open and lost rows, written without ``checked``."""
    return without(write(tmp_path / "set", [*real_rows(), blockaded()]), ["checked"])


def all_rows(folder: Path) -> list[Row]:
    return [row for path in part_paths(folder) for row in read_rows(path)]


def test_every_reader_reads_it(older: Path) -> None:
    expected = [*real_rows(), blockaded()]
    assert all_rows(older) == expected
    assert [row.checked for row in expected] == [None] * 5
    table = read_table(older)
    assert table.select(COLUMNS).schema.equals(arrow_schema(), check_metadata=False)
    assert table["checked"].null_count == 5
    assert read_table(older, ["checked", "nodes"]).column_names[-2:] == ["checked", "nodes"]
    for columns in (COLUMNS, ("checked",), ("seed", "checked", "nodes"), ("nodes",)):
        batches = [batch for _, batch in stream_columns(older, columns)]
        assert sum(batch.num_rows for batch in batches) == 5
        assert all(tuple(batch.schema.names) == tuple(columns) for batch in batches)
    groups = [group for path in part_paths(older) for group in groups_of(path)]
    assert sum(group.num_rows for group in groups) == 5
    assert all(group.schema.equals(arrow_schema()) for group in groups)
    assert set_settings(older) == SETTINGS.as_dict()


@pytest.mark.parametrize("column", NULLABLE)
def test_any_column_that_may_be_null_may_be_missing(tmp_path: Path, column: str) -> None:
    rows = [*real_rows(), blockaded()]
    folder = without(write(tmp_path / "set", rows), [column])
    nothing: dict[str, Any] = {column: None}
    assert all_rows(folder) == [replace(row, **nothing) for row in rows]
    assert read_table(folder)[column].null_count == 5


def test_it_is_verified(older: Path) -> None:
    slices, faults = survey(older)
    assert faults == []
    counts: Counter[Verdict] = Counter()
    for piece in slices:
        counts += check_slice(piece).counts
    assert counts == {Verdict.WON_VERIFIED: 3, Verdict.LOST_VERIFIED: 1, Verdict.OPEN: 1}


def test_commands_read_it(capsys: pytest.CaptureFixture[str], older: Path) -> None:
    answer = json.loads(run(capsys, verify, older, "--json", "--workers", 1).out)
    assert (answer["rows"], answer["faults"]) == (5, [])
    assert [loss.key.seed for loss in losses(older)] == [14934]
    assert run(capsys, report, "share", older).code == 0
    assert run(capsys, report, "lost", older).code == 0
    page = run(capsys, show, older, "--seed", 14934, "--out", "-")
    assert (page.code, "lost: proved (blockade)" in page.out) == (0, True)


def test_nothing_is_added_to_it(older: Path) -> None:
    words = "older version, without checked: it can be read, but nothing can be added; give another"
    with pytest.raises(StoreError, match=words), SetWriter(older, SETTINGS):
        pass
    assert all_rows(older) == [*real_rows(), blockaded()]


def test_runs_on_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "set"
    command: tuple[Any, ...] = ("--max-nodes", "2k", "--out", folder, "--workers", 1)
    assert run(capsys, solve, "--seeds", "1-4", *command).code == 0
    new = all_rows(folder)
    assert "open" in {row.status for row in new}
    without(folder, ["checked"])
    ended = run(capsys, solve, "--seeds", "1-5", *command)
    assert (ended.code, ended.out) == (1, "")
    assert "written by an older version, without checked: it can be read" in ended.err
    assert all_rows(folder) == new
    ended = run(capsys, solve, "--escalate", "3k", "--out", folder, "--workers", 1)
    assert ended.code == 0
    assert [row.seed for row in all_rows(folder)] == [row.seed for row in new]
    for path in part_paths(folder):
        assert pq.read_schema(path).names == list(COLUMNS)
    assert run(capsys, solve, "--seeds", "1-5", "--max-nodes", "3k", *command[2:]).code == 0
