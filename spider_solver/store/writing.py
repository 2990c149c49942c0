"""Writes data sets, part by part, so that a run may be killed at any moment.

A part is written under a hidden name, beside the folder where that is possible, and moved into
it when it is whole: readers never see half a file (polars takes hidden files for parts, too),
and what a killed run leaves behind is cleared by the next one.
"""

import errno
import glob
import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import IO, Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from spider_solver.store.closed_sets import clear_unfinished
from spider_solver.store.reading import (
    StoreError,
    arrow_schema,
    first_line,
    part_paths,
    set_settings,
)
from spider_solver.store.row import COLUMNS, SCHEMA_VERSION, Row
from spider_solver.store.settings import Settings, differences

# A part is written when this many rows wait, or the oldest has waited this long. It bounds
# what a kill can lose; the rows themselves do not depend on it.
PART_ROWS = 10_000
PART_SECONDS = 30.0


def check_settings(folder: Path, settings: Settings) -> None:
    """Make sure that a folder holds no data set, or one with these settings.

    Raises:
        StoreError: it holds one with other settings (the line says what differs and what to
            do), or something else.
    """
    there = set_settings(folder)
    different = [] if there is None else differences(there, settings.as_dict())
    if not different:
        return
    advice = "give another --out"
    if all(difference.adjustable for difference in different):
        options = " and ".join(difference.option for difference in different)
        advice = f"go on with {options}, or {advice}"
    what = "; ".join(map(str, different))
    raise StoreError(f"{folder} was made with other settings ({what}): {advice}")


def as_part(rows: Any, settings: Settings) -> Any:
    """An Arrow table of rows with the metadata that a part of a data set carries."""
    metadata = {"schema_version": str(SCHEMA_VERSION), "settings": settings.to_json()}
    return rows.select(COLUMNS).cast(arrow_schema().with_metadata(metadata))


class SetWriter:
    """Writes rows to a data set; a context manager.

    Entering makes or checks the folder, clears what a killed run left half-written, and puts
    a part without rows into a new set: it is readable, and its settings are fixed, from the
    first moment. Leaving, even by an exception, writes the rows that wait.

    Args:
        folder: the data set; made if it does not exist.
        settings: those of this run.
        part_rows: rows in a part.
        part_seconds: seconds that a row may wait for its part to be written.

    Raises:
        StoreError: on entering, the folder holds something else or another run writes to it;
            on writing, the disk is full or fails. What was written stays as it is.
    """

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        part_rows: int = PART_ROWS,
        part_seconds: float = PART_SECONDS,
    ) -> None:
        self.folder = folder
        self.settings = settings
        self._part_rows = part_rows
        self._part_seconds = part_seconds
        self._rows: list[Row] = []
        self._oldest = 0.0  # when the first of the waiting rows came, by time.monotonic
        self._lock: IO[bytes] | None = None
        self._workshop = folder

    def __enter__(self) -> Self:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            check_settings(self.folder, self.settings)  # before anything is put into it
            self._lock = _lock(self.folder)
            self._workshop = _workshop(self.folder)
            clear_unfinished(self.folder)
            if not part_paths(self.folder):
                self._write([])
        except BaseException as error:
            self._unlock()
            if isinstance(error, OSError):
                raise StoreError(f"{self.folder}: {first_line(error)}") from None
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.flush()
        finally:
            self._unlock()

    def add(self, rows: Iterable[Row] = ()) -> None:
        """Take rows; write a part if enough wait, or the oldest has waited long enough.

        Without rows this only looks at the clock.
        """
        if not self._rows:
            self._oldest = monotonic()
        self._rows.extend(rows)
        if len(self._rows) >= self._part_rows or monotonic() - self._oldest >= self._part_seconds:
            self.flush()

    def flush(self) -> None:
        """Write the rows that wait."""
        # Taken out first: rows that could not be written are not tried again on leaving.
        rows, self._rows = self._rows, []
        try:
            if rows:
                self._write(rows)
        except KeyboardInterrupt:  # but these can be
            self._rows = rows
            raise

    def _write(self, rows: list[Row]) -> None:
        columns = {name: [getattr(row, name) for row in rows] for name in COLUMNS}
        table = as_part(pa.table(columns, schema=arrow_schema()), self.settings)
        # A random name: a part never takes the place of another, not even in merged folders.
        name = f"part-{secrets.token_hex(8)}.parquet"
        hidden = self._workshop / f".{self.folder.resolve().name}.{name}.tmp"
        try:
            with hidden.open("wb") as file:
                pq.write_table(table, file, compression="zstd", write_page_checksum=True)
                file.flush()
                os.fsync(file.fileno())
            hidden.replace(self.folder / name)
        except (pa.ArrowException, OSError) as error:
            with suppress(OSError):
                hidden.unlink()
            raise _write_error(self.folder, len(rows), error) from None

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _workshop(folder: Path) -> Path:
    """Where the parts of a data set are made, cleared of what killed runs left there.

    It is the parent of the folder, or the folder itself if files cannot be moved from there
    (it may be another file system, or not for us to write to).
    """
    folder = folder.resolve()
    leftover = f".{glob.escape(folder.name)}.part-{'[0-9a-f]' * 16}.parquet.tmp"
    for place in (folder.parent, folder):
        for path in place.glob(leftover):
            with suppress(OSError):
                path.unlink()
    trial = f".{folder.name}.trial"
    try:
        (folder.parent / trial).touch()
        (folder.parent / trial).replace(folder / trial)
        (folder / trial).unlink()
    except OSError:
        with suppress(OSError):
            (folder.parent / trial).unlink()
        return folder
    return folder.parent


def _lock(folder: Path) -> IO[bytes] | None:
    """Hold a folder for one run; the system lets go of it however the run ends."""
    try:
        import fcntl
    except ImportError:  # Windows: there, nothing stops two runs at once on one set
        return None
    file = (folder / ".lock").open("wb")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise StoreError(f"{folder}: another run is writing to it") from None
    except OSError:  # a file system without locks
        file.close()
        return None
    return file


def _write_error(folder: Path, rows: int, error: Exception) -> StoreError:
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    why, cure = ("the disk is full", "make room") if full else (first_line(error), "put it right")
    lost = f"the last {rows} rows could not be written, all earlier ones are kept; " if rows else ""
    return StoreError(f"{folder}: {why}; {lost}{cure} and run the same command again")
