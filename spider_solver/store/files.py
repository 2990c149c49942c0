"""The files of a data set: whole or not there, and made by one run at a time.

A file is written under a hidden name, beside the folder where that is possible, and takes its
name, or the place of the file that had it, in one step when it is whole: readers never see half a
file, and what a killed run leaves behind is cleared by the next one.
"""

import errno
import glob
import logging
import os
import secrets
import shutil
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import pyarrow.parquet as pq

from spider_solver.store.atomic import TOKEN, new_file, open_lock
from spider_solver.store.footer import metadata_of, moved, split_footer, with_frame
from spider_solver.store.reading import (
    UNREADABLE,
    StoreError,
    arrow_schema,
    first_line,
    unreadable,
    with_all_columns,
)
from spider_solver.store.row import COLUMNS, SCHEMA_VERSION
from spider_solver.store.settings import Settings
from spider_solver.text.quoting import one_line

GROUP_ROWS = 10_000
"""Rows in a row group of a part, at most: what is in memory when one is read."""

_log = logging.getLogger(__name__)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back where a file and what is known of it must change together.

    A signal that came meanwhile is taken in at the end. Elsewhere than in the main thread there
    is nothing to hold back.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number, handler in handlers.items():
        if callable(handler):
            signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, handler)
        for interrupt in came:
            signal.raise_signal(interrupt)


def as_part(rows: Any, settings: Settings) -> Any:
    """An Arrow table of rows with the metadata that a part of a data set carries."""
    metadata = {"schema_version": str(SCHEMA_VERSION), "settings": settings.to_json()}
    return rows.select(COLUMNS).cast(arrow_schema().with_metadata(metadata))


def write_part(path: Path, workshop: Path, settings: Settings, tables: Iterable[Any]) -> None:
    """Write a part, or replace it.

    Args:
        path: the part.
        workshop: where it is made.
        settings: of its rows.
        tables: the rows, as Arrow tables; one is in memory at a time.

    Raises:
        OSError, ArrowException: the disk is full or fails.
    """
    with new_file(path, workshop) as file:
        _write(file, settings, tables)


def add_to_part(path: Path, workshop: Path, settings: Settings, table: Any) -> None:
    """Replace a part by one that has more rows, in row groups of their own.

    The new file begins with all bytes of the old one, its footer included; then come the new row
    groups and a footer for all. So a program that opens the part a second time, with what it knows
    from the first (polars and DuckDB do), finds the rows that it expects.

    Args:
        path: the part.
        workshop: where it is made.
        settings: of its rows.
        table: the rows to add, as an Arrow table.

    Raises:
        OSError, ArrowException: the disk is full or fails.
    """
    more = BytesIO()
    _write(more, settings, [table])
    body, footer = split_footer(more.getvalue())
    metadata = pq.read_metadata(path)
    metadata.append_row_groups(metadata_of(moved(footer, path.stat().st_size)))
    end = BytesIO()
    metadata.write_metadata_file(end)
    with new_file(path, workshop) as file, path.open("rb") as before:
        shutil.copyfileobj(before, file, 1 << 20)
        file.write(body)
        file.write(with_frame(split_footer(end.getvalue())[1]))


def _write(file: IO[bytes], settings: Settings, tables: Iterable[Any]) -> None:
    """Write tables as Parquet."""
    schema = as_part(arrow_schema().empty_table(), settings).schema
    options = {"compression": "zstd", "write_page_checksum": True}
    with pq.ParquetWriter(file, schema, **options) as writer:
        for table in tables:
            writer.write_table(as_part(table, settings), GROUP_ROWS)


def groups_of(path: Path) -> Iterator[Any]:
    """The rows of a part as Arrow tables of all columns, without metadata, a row group each.

    Raises:
        StoreError: the part cannot be read.
    """
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            for number in range(file.num_row_groups):
                group = file.read_row_group(number).replace_schema_metadata(None)
                yield with_all_columns(group)
    except UNREADABLE as error:
        raise unreadable(path, error) from None


def find_workshop(folder: Path) -> Path:
    """Where the files of a data set are made, cleared of what killed runs left there.

    It is the parent of the folder, since some readers take hidden files for parts, or the folder
    itself if files cannot be moved from there (it may be another file system, or not for us to
    write to).
    """
    folder = folder.resolve()
    name = glob.escape(folder.name)
    leftovers = (f".{name}.part-{TOKEN}.parquet.{TOKEN}.tmp", f".{name}._run.json.{TOKEN}.tmp")
    for place in (folder.parent, folder):
        for leftover in leftovers:
            for path in place.glob(leftover):
                with suppress(OSError):
                    path.unlink()
    trial = f".{folder.name}.{secrets.token_hex(8)}.trial"
    try:
        (folder.parent / trial).touch(exist_ok=False)
        (folder.parent / trial).replace(folder / trial)
        (folder / trial).unlink()
    except OSError:
        with suppress(OSError):
            (folder.parent / trial).unlink()
        return folder
    return folder.parent


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder for one run; the system lets go of it however the run ends.

    Between machines this is as good as the file system: NFS (version 4, or 3 with its lock
    service) and Lustre mounted with ``flock`` refuse a second run on another machine; with
    ``localflock`` only one on the same machine is refused. Where there are no locks at all a
    warning says so.

    Raises:
        StoreError: another run holds it, or it is not there or not for us to write to.
    """
    try:
        import fcntl
    except ImportError:  # Windows: there, nothing stops two runs at once on one set
        yield
        return
    try:
        file = open_lock(folder / ".lock")
    except OSError as error:
        where = folder / ".lock" if folder.is_dir() else folder
        raise StoreError(f"{where}: {first_line(error)}") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(f"{folder}: another run is writing to it") from None
        except OSError:
            _log.warning(
                "%s: this file system has no locks; see that no other run writes to it",
                one_line(f"{folder}"),
            )
        yield


@contextmanager
def reserved(folder: Path, size: int) -> Iterator[Callable[[], None]]:
    """Hold so many bytes of a folder's disk free, or none where that cannot be done.

    They are those of a file without a name, which is gone however the run ends.

    Yields:
        What lets go of them.
    """
    with ExitStack() as held:
        with suppress(OSError, AttributeError):
            file = held.enter_context(TemporaryFile(dir=folder, buffering=0))
            os.posix_fallocate(file.fileno(), 0, size)
        yield held.close


def is_full(error: Exception) -> bool:
    """Whether an error says that no more fits on a disk, into a quota or into a file."""
    return isinstance(error, OSError) and error.errno in (
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EFBIG,
    )


def write_error(folder: Path, error: Exception, lost: str = "") -> StoreError:
    """What to tell the user when a file cannot be written.

    Args:
        folder: the data set.
        error: why.
        lost: what could not be written, ending in ``; ``.
    """
    full = is_full(error) and getattr(error, "errno", None) != errno.EFBIG
    why, cure = ("the disk is full", "make room") if full else (first_line(error), "put it right")
    return StoreError(f"{folder}: {why}; {lost}{cure} and run the same command again")
