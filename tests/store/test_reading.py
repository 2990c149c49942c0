import errno
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from spider_solver.store.reading import (
    StoreError,
    arrow_schema,
    part_paths,
    part_settings,
    read_rows,
    read_table,
    refuse_strange,
    set_settings,
)
from spider_solver.store.row import KEY_COLUMNS
from spider_solver.store.writing import SetWriter, table_of
from tests.rows import SETTINGS, place_of_data, real_rows, row_of_seed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set of ten rows in two parts (and the one without rows)."""
    rows = [row_of_seed(seed) for seed in (9, 2, 7, 4, 5, 10, 3, 8, 1, 6)]
    with SetWriter(tmp_path / "set", SETTINGS, wait_rows=5, part_rows=5) as writer:
        writer.add(rows[:5])
        writer.add(rows[5:])
    return tmp_path / "set"


def largest_part(folder: Path) -> Path:
    return max(part_paths(folder), key=lambda path: path.stat().st_size)


def test_tables_are_sorted_by_key_whatever_the_order_of_arrival(folder: Path) -> None:
    others = [
        row_of_seed(1, suits=1),
        row_of_seed(2, numbering="board"),
        row_of_seed(10, numbering="pysol"),
    ]
    with SetWriter(folder, SETTINGS) as writer:
        writer.add(others)
    keys = read_table(folder, []).to_pylist()
    assert [tuple(key[name] for name in KEY_COLUMNS) for key in keys] == [
        ("board", "spider", 4, 2),
        ("kpat", "spider", 1, 1),
        *(("kpat", "spider", 4, seed) for seed in range(1, 11)),
        ("pysol", "spider", 4, 10),
    ]


def test_columns_can_be_chosen(folder: Path) -> None:
    assert read_table(folder, ["nodes", "seed"]).column_names == [*KEY_COLUMNS, "nodes"]
    assert read_table(folder).num_columns == len(arrow_schema())


def test_rows_by_place(folder: Path) -> None:
    path = largest_part(folder)
    rows = read_rows(path)
    assert read_rows(path, 1, 4) == rows[1:4]
    assert read_rows(path, 3) == rows[3:]


def test_a_folder_without_parts_has_no_settings(tmp_path: Path) -> None:
    assert set_settings(tmp_path) is None
    assert read_table(tmp_path).num_rows == 0


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere: No such file or directory"):
        part_paths(tmp_path / "nowhere")


@pytest.mark.parametrize("keep", [0, 3, 100, -1])
def test_a_truncated_part_is_named(folder: Path, keep: int) -> None:
    path = largest_part(folder)
    path.write_bytes(path.read_bytes()[:keep])
    for read in (set_settings, read_table):
        with pytest.raises(StoreError, match="cannot be read") as caught:
            read(folder)
        assert path.name in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (pa.ArrowInvalid("no footer"), "(no footer): remove it and run again"),
        (OSError("Corrupt snappy data"), "(Corrupt snappy data): remove it and run again"),
        (pa.ArrowMemoryError("malloc failed"), "(malloc failed): run again when this machine has"),
        (MemoryError(), "(MemoryError): run again when this machine has more memory and threads"),
        (OSError(errno.EAGAIN, "Resource temporarily unavailable"), ": run again when this"),
        (RuntimeError("Resource temporarily unavailable"), ": run again when this machine has"),
        (OSError(errno.EMFILE, "Too many open files"), ": run again when this machine has"),
        (OSError(errno.EACCES, "Permission denied"), "cannot be read (Permission denied)"),
        (OSError(errno.EIO, "Input/output error"), "cannot be read (Input/output error)"),
        (OSError(errno.ENOENT, "No such file or directory"), "(No such file or directory)"),
    ],
)
def test_only_a_damaged_file_is_to_be_removed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise error

    for name, read in (("read_schema", set_settings), ("ParquetFile", read_table)):
        with monkeypatch.context() as changed:
            changed.setattr(pq, name, fail)
            with pytest.raises(StoreError) as caught:
                read(folder)
        message = str(caught.value)
        assert words in message
        assert ("remove it" in message) == ("remove it" in words)


def test_rows_that_no_run_writes_are_refused(tmp_path: Path) -> None:
    table = table_of(real_rows())
    refuse_strange(tmp_path, table)
    refuse_strange(tmp_path, table.slice(0, 0))
    wrong: dict[str, Any] = {"status": "drawn", "suits": 0, "nodes": -1, "seconds": math.nan}
    for name, value in wrong.items():
        rows = [real_rows()[0], replace(real_rows()[1], **{name: value})]
        with pytest.raises(StoreError, match=f"has a row with a wrong {name}: see spider-verify"):
            refuse_strange(tmp_path, table_of(rows))


def test_a_flipped_bit_is_noticed(folder: Path) -> None:
    path = largest_part(folder)
    data = bytearray(path.read_bytes())
    data[place_of_data(path)] ^= 1
    path.write_bytes(data)
    with pytest.raises(StoreError, match=f"{path.name} cannot be read"):
        read_rows(path)


def test_foreign_files_are_named(folder: Path) -> None:
    (folder / "readme.txt").write_text("")
    with pytest.raises(StoreError, match=r"readme\.txt is not part of a data set"):
        part_paths(folder)


def test_a_folder_of_data_sets_names_them(folder: Path) -> None:
    above = folder.parent
    (above / "README.md").write_text("")
    with pytest.raises(StoreError, match=rf"{above} is not a data set, but holds some: {folder}$"):
        part_paths(above)


def _without_metadata(table: Any) -> Any:
    return table.replace_schema_metadata(None)


def _with_other_version(table: Any) -> Any:
    return table.replace_schema_metadata({**table.schema.metadata, b"schema_version": b"99"})


def _with_settings_that_are_none(table: Any) -> Any:
    return table.replace_schema_metadata({**table.schema.metadata, b"settings": b"no JSON"})


OTHER_COLUMNS = "does not have the columns of schema version 1"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_without_metadata, "is not part of a data set: its settings are missing"),
        (_with_settings_that_are_none, "is not part of a data set: its settings are not JSON"),
        (_with_other_version, "has schema version '99'; this program's is 1"),
        (lambda table: table.drop(["nodes"]), OTHER_COLUMNS),
        (lambda table: table.drop(["checked", "deal"]), OTHER_COLUMNS),
        (lambda table: table.append_column("more", table["score"]), OTHER_COLUMNS),
        (lambda table: table.append_column("score", table["score"]), OTHER_COLUMNS),
        (lambda table: table.select(table.column_names[::-1]), OTHER_COLUMNS),
    ],
)
def test_a_part_of_another_kind_is_named(folder: Path, change: Any, words: str) -> None:
    path = largest_part(folder)
    pq.write_table(change(pq.read_table(path)), path)
    with pytest.raises(StoreError) as caught:
        part_settings(path)
    assert str(caught.value) == f"{path} {words}"


def test_parts_with_different_settings_are_no_set(folder: Path, tmp_path: Path) -> None:
    with SetWriter(tmp_path / "other", replace(SETTINGS, max_nodes=5)):
        pass
    for path in part_paths(tmp_path / "other"):
        path.rename(folder / "part-zz.parquet")
    with pytest.raises(StoreError, match=r"part-zz\.parquet and .* with different max_nodes"):
        set_settings(folder)


def _pandas(folder: Path) -> list[dict[str, Any]]:
    import pandas as pd

    frame = pd.read_parquet(folder).sort_values("seed")
    return [dict(row) for row in frame[["seed", "deal"]].to_dict("records")]


def _polars(folder: Path) -> list[dict[str, Any]]:
    import polars as pl

    return pl.read_parquet(folder).select("seed", "deal").sort("seed").to_dicts()


def _polars_by_pattern(folder: Path) -> list[dict[str, Any]]:
    return _polars(folder / "*.parquet")


def _duckdb(folder: Path) -> list[dict[str, Any]]:
    import duckdb

    query = f"select seed, deal from '{folder}/*.parquet' order by seed"
    with duckdb.connect() as connection:
        rows = connection.sql(query).fetchall()
    return [{"seed": seed, "deal": deal} for seed, deal in rows]


def _pyarrow(folder: Path) -> list[dict[str, Any]]:
    table: pa.Table = pq.read_table(folder).select(["seed", "deal"]).sort_by("seed")
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


READERS = [_pandas, _polars, _polars_by_pattern, _duckdb, _pyarrow]


@pytest.mark.parametrize("read", READERS)
def test_other_readers_take_the_folder_at_any_moment(
    tmp_path: Path, read: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = sorted(real_rows(), key=lambda row: row.seed)
    expected = [{"seed": row.seed, "deal": row.deal} for row in rows]
    folder = tmp_path / "set"
    write_table = pq.ParquetWriter.write_table
    meanwhile: list[list[dict[str, Any]]] = []

    def write_and_read(writer: Any, table: Any, *options: Any) -> None:
        write_table(writer, table, *options)  # now half a part is there
        if table.num_rows:
            meanwhile.append(read(folder))

    monkeypatch.setattr(pq.ParquetWriter, "write_table", write_and_read)
    with SetWriter(folder, SETTINGS) as writer:
        assert read(folder) == []
        writer.add(rows[:2])
        writer.flush()
        assert read(folder) == expected[:2]
        writer.add(rows[2:])
    assert read(folder) == expected
    assert meanwhile == [[], expected[:2]]


def test_a_reader_that_has_begun_reads_on(tmp_path: Path) -> None:
    import polars as pl

    rows = [row_of_seed(seed) for seed in range(1, 7)]
    with SetWriter(tmp_path, SETTINGS, wait_rows=1) as writer:
        writer.add(rows[:3])
        (path,) = part_paths(tmp_path)
        metadata = pq.read_metadata(path)
        lazy = pl.scan_parquet(tmp_path / "*.parquet").select("seed")
        lazy.collect_schema()
        for row in rows[3:]:
            writer.add([row])
        for columns in (["seed"], None):
            found = pq.ParquetFile(path, metadata=metadata).read(columns)
            assert found["seed"].to_pylist() == [1, 2, 3]
        assert lazy.collect()["seed"].to_list()[:3] == [1, 2, 3]


@pytest.mark.parametrize("read", [read for read in READERS if read is not _polars])
def test_other_readers_pass_over_files_that_are_no_parts(tmp_path: Path, read: Any) -> None:
    # All but polars, which must be given a pattern: it goes into every folder and file.
    with SetWriter(tmp_path, SETTINGS) as writer:
        writer.add(real_rows()[:1])
    (tmp_path / "_proofs").mkdir()
    pq.write_table(pa.table({"state": [b"x"]}), tmp_path / "_proofs" / "0.parquet")
    (tmp_path / "_notes.txt").write_text("mine")
    assert len(read(tmp_path)) == 1
