"""Reads data sets: their settings, their rows, and which deals they hold."""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq

from spider_solver.quoting import one_line
from spider_solver.store.row import COLUMNS, KEY_COLUMNS, SCHEMA_VERSION, Row
from spider_solver.store.settings import differences, short_count


class StoreError(Exception):
    """A data set that cannot be read, written or continued; the message is one line."""


ESCALATION = "_escalation"
"""The folder in that of a data set where its open deals are solved with a larger budget."""

UNREADABLE = (pa.ArrowException, OSError, UnicodeDecodeError)
"""What pyarrow raises on files that are damaged or not there."""

_TYPES = {
    "string": pa.string(),
    "int8": pa.int8(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float64": pa.float64(),
}


_PART = "part-*.parquet"
_BATCH_ROWS = 65_536  # of a set that is read piece by piece


@cache
def arrow_schema() -> Any:
    """The columns of a data set as an Arrow schema, without metadata."""
    hints = get_type_hints(Row, include_extras=True)
    columns = []
    for name in COLUMNS:
        hint, *others = get_args(hints[name])  # of Int8: int, "int8"; of Int8 | None: Int8, None
        nullable = others == [NoneType]
        kind = get_args(hint)[1] if nullable else others[0]
        columns.append(pa.field(name, _TYPES[kind], nullable=nullable))
    return pa.schema(columns)


def part_paths(folder: Path) -> list[Path]:
    """The parts of a data set, in the order of their names.

    Readers of Parquet folders pass over names that begin with ``_`` or ``.``; so does this.

    Raises:
        StoreError: there is no such folder, or something in it belongs to no data set.
    """
    parts, foreign = list_folder(folder)
    for path in foreign:
        raise StoreError(f"{path} is no part of a data set: move it away or use another folder")
    return parts


def list_folder(folder: Path) -> tuple[list[Path], list[Path]]:
    """The parts of a folder, and what else in it readers would take for one.

    Raises:
        StoreError: there is no such folder, or it has data sets in it instead of parts.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if path.name[0] not in "._")
    except OSError as error:
        raise StoreError(f"{folder}: {first_line(error)}") from None
    parts = [path for path in paths if path.match(_PART)]
    if not parts and (inner := [path for path in paths if any(path.glob(_PART))]):
        raise StoreError(
            f"{folder} is not a data set, but holds some: {', '.join(map(str, inner))}"
        )
    return parts, [path for path in paths if path not in set(parts)]


def part_settings(path: Path) -> dict[str, Any]:
    """The settings that a part was written with.

    Raises:
        StoreError: the file cannot be read or is no part of a data set.
    """
    try:
        schema = pq.read_schema(path)
    except UNREADABLE as error:
        raise _unreadable(path, error) from None
    metadata = schema.metadata or {}
    try:
        version = int(metadata[b"schema_version"])
        settings: dict[str, Any] = dict(json.loads(metadata[b"settings"]))
    except (KeyError, ValueError, TypeError):
        raise StoreError(f"{path} is no part of a data set: its settings are missing") from None
    if version != SCHEMA_VERSION:
        raise StoreError(f"{path} has schema version {version}; this program's is {SCHEMA_VERSION}")
    if not _is_readable(schema):
        raise StoreError(f"{path} does not have the columns of schema version {version}")
    return settings


def _is_readable(schema: Any) -> bool:
    """Whether a part has this program's columns; those that may be null may be missing."""
    there = [wanted for wanted in arrow_schema() if wanted.name in schema.names]
    missing = [wanted for wanted in arrow_schema() if wanted.name not in schema.names]
    fits: bool = pa.schema(there).equals(schema, check_metadata=False)
    return fits and all(wanted.nullable for wanted in missing)


def with_all_columns(rows: Any, columns: Iterable[str] = COLUMNS) -> Any:
    """Rows with the columns that they lack, null, in the order of ``columns``.

    Args:
        rows: an Arrow table or record batch of a part.
        columns: the columns wanted.
    """
    for name in columns:
        if name not in rows.schema.names:
            wanted = arrow_schema().field(name)
            rows = rows.append_column(wanted, pa.nulls(rows.num_rows, wanted.type))
    return rows.select(list(columns))


def set_settings(folder: Path) -> dict[str, Any] | None:
    """The settings of a data set; None while the folder holds no part.

    Raises:
        StoreError: a part cannot be read, or two parts were made with different settings.
    """
    first: tuple[Path, dict[str, Any]] | None = None
    for path in part_paths(folder):
        settings = part_settings(path)
        if first is None:
            first = path, settings
        elif different := differences(first[1], settings):
            if (folder / ESCALATION).is_dir() and [one.name for one in different] == ["max_nodes"]:
                nodes = short_count(max(settings["max_nodes"], first[1]["max_nodes"]))
                raise StoreError(
                    f"{folder}: an escalation was cut off; go on with "
                    f"--escalate {nodes} --out {folder}"
                )
            names = ", ".join(difference.name for difference in different)
            raise StoreError(f"{path} and {first[0].name} were made with different {names}")
    return first[1] if first else None


def read_rows(path: Path, start: int = 0, stop: int | None = None) -> list[Row]:
    """Rows of one part, in the order of the file, from ``start`` up to ``stop``.

    Raises:
        StoreError: the file cannot be read.
    """
    length = None if stop is None else stop - start
    table = read_columns(path, COLUMNS).slice(start, length)
    return [Row(**values) for values in table.to_pylist()]


def read_table(folder: Path, columns: Iterable[str] = COLUMNS) -> Any:
    """A data set as one Arrow table, sorted by key, in whatever order its deals came in.

    Args:
        folder: the data set.
        columns: the columns wanted; those of the key always come along, first.

    Raises:
        StoreError: there is no such set, or a part cannot be read.
    """
    wanted = tuple(dict.fromkeys((*KEY_COLUMNS, *columns)))
    tables = [arrow_schema().empty_table().select(wanted)]
    for path in part_paths(folder):
        part_settings(path)  # for its checks
        tables.append(read_columns(path, wanted).select(wanted))
    return pa.concat_tables(tables).sort_by([(name, "ascending") for name in KEY_COLUMNS])


def read_columns(path: Path, columns: tuple[str, ...]) -> Any:
    """Columns of one part as an Arrow table, in that order; those that it lacks are null.

    Raises:
        StoreError: the file cannot be read, or a checksum in it is wrong.
    """
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            table = file.read(list(columns))
        table.validate(full=True)  # whether text is text
    except UNREADABLE as error:
        raise _unreadable(path, error) from None
    return with_all_columns(table.replace_schema_metadata(None), columns)


def stream_columns(folder: Path, columns: Iterable[str]) -> Iterator[tuple[dict[str, Any], Any]]:
    """Columns of a data set, a piece at a time: however large it is, little is in memory.

    Args:
        folder: the data set.
        columns: the columns wanted.

    Yields:
        The settings of a part and an Arrow record batch of some of its rows.

    Raises:
        StoreError: there is no such set, or a part cannot be read.
    """
    columns = tuple(columns)
    for path in part_paths(folder):
        settings = part_settings(path)
        try:
            with pq.ParquetFile(path, page_checksum_verification=True) as file:
                for batch in file.iter_batches(_BATCH_ROWS, columns=list(columns)):
                    batch.validate(full=True)
                    yield settings, with_all_columns(batch, columns)
        except UNREADABLE as error:
            raise _unreadable(path, error) from None


def _unreadable(path: Path, error: Exception) -> StoreError:
    return StoreError(f"{path} cannot be read ({first_line(error)}): remove it and run again")


def first_line(error: BaseException) -> str:
    """What an error says, in one line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return one_line((str(error).splitlines() or [type(error).__name__])[0])
