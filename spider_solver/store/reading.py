"""Reads data sets: their settings, their rows, and which deals they hold."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from spider_solver.errors import SpiderError, is_shortage
from spider_solver.game.outcomes import Status
from spider_solver.store.atomic import require_plain
from spider_solver.store.row import COLUMNS, KEY_COLUMNS, SCHEMA_VERSION, Row
from spider_solver.store.settings import (
    SettingsError,
    differences,
    read_settings,
    short_count,
)
from spider_solver.text.quoting import one_line, quoted


class StoreError(SpiderError):
    """A data set that cannot be read, written or continued; the message is one line."""


ESCALATION = "_escalation"
"""The folder in that of a data set where its open deals are solved with a larger budget."""

UNREADABLE = (pa.ArrowException, OSError, UnicodeDecodeError, RuntimeError, MemoryError)
"""What pyarrow raises on files that are damaged or not there, or when the machine is too small."""

_MOST_NAMED = 3  # files in a message

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
        raise StoreError(f"{path} is not part of a data set: move it away or use another folder")
    return parts


def list_folder(folder: Path) -> tuple[list[Path], list[Path]]:
    """The parts of a folder, and what else in it readers would take for one.

    Raises:
        StoreError: there is no such folder, or it has data sets in it instead of parts.
    """
    if not _is_utf8(folder):
        raise StoreError(f"{folder}: Parquet takes only names in UTF-8: give it another one")
    try:
        paths = sorted(path for path in folder.iterdir() if path.name[0] not in "._")
        parts = [p for p in paths if p.match(_PART) and p.is_file() and _is_utf8(p)]
        inner = [] if parts else [path for path in paths if any(path.glob(_PART))]
    except OSError as error:
        raise StoreError(f"{folder}: {first_line(error)}") from None
    if inner:
        names = [*map(str, inner[:_MOST_NAMED]), *["..."] * (len(inner) > _MOST_NAMED)]
        raise StoreError(f"{folder} is not a data set, but holds some: {', '.join(names)}")
    there = set(parts)
    return parts, [path for path in paths if path not in there]


def _is_utf8(path: Path) -> bool:
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def part_settings(path: Path) -> dict[str, Any]:
    """The settings that a part was written with.

    Raises:
        StoreError: the file cannot be read or is no part of a data set.
    """
    try:
        require_plain(path)
        schema = pq.read_schema(path)
    except UNREADABLE as error:
        raise unreadable(path, error) from None
    metadata = schema.metadata or {}
    version, settings_text = metadata.get(b"schema_version"), metadata.get(b"settings")
    if version is None or settings_text is None:
        raise StoreError(f"{path} is not part of a data set: its settings are missing")
    if version != f"{SCHEMA_VERSION}".encode():
        text = quoted(version.decode(errors="replace"), 20)
        raise StoreError(f"{path} has schema version {text}; this program's is {SCHEMA_VERSION}")
    try:
        settings = read_settings(settings_text)
    except SettingsError as error:
        raise StoreError(f"{path} is not part of a data set: {error}") from None
    if not _is_readable(schema):
        raise StoreError(f"{path} does not have the columns of schema version {SCHEMA_VERSION}")
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
                    f"{folder}: an escalation was interrupted; resume it with "
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
        raise unreadable(path, error) from None
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
            raise unreadable(path, error) from None


def refuse_strange(folder: Path, rows: Any) -> None:
    """Refuse rows that no run writes, before they are counted as if they said something.

    Args:
        folder: the data set.
        rows: some of them, as an Arrow table or batch with any columns.

    Raises:
        StoreError: a status is unknown, or a number out of its range.
    """
    for name, is_right in _RIGHT.items():
        if name not in rows.schema.names:
            continue
        if not pc.all(is_right(rows.column(name)), min_count=0).as_py():
            raise StoreError(f"{folder} has a row with a wrong {name}: see spider-verify")


_RIGHT: dict[str, Callable[[Any], Any]] = {
    "status": lambda column: pc.is_in(column, pa.array([*Status])),
    "suits": lambda column: pc.and_(pc.greater(column, 0), pc.less(column, 5)),
    "nodes": lambda column: pc.greater_equal(column, 0),
    "seconds": lambda column: pc.and_(pc.is_finite(column), pc.greater_equal(column, 0)),
}


def unreadable(path: Path, error: Exception) -> StoreError:
    """What to tell the user of a file that cannot be read; to remove it only if it is damaged."""
    advice = ""
    if is_shortage(error):
        advice = ": run again when this machine has more memory and threads to spare"
    elif isinstance(error, pa.ArrowException | UnicodeDecodeError) or (
        isinstance(error, OSError) and error.errno is None  # not the system's, but Parquet's own
    ):
        advice = ": remove it and run again"
    return StoreError(f"{path} cannot be read ({first_line(error)}){advice}")


def first_line(error: BaseException) -> str:
    """What an error says, in one line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return one_line((str(error).splitlines() or [type(error).__name__])[0])
