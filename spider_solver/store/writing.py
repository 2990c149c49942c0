"""Writes data sets, so that a run may be killed and a set be read at any moment.

Rows that wait are put into the last part until it is full: the part is written anew, with them at
its end, and replaced in one step. So there are never many small parts to be joined, and whoever
reads the folder, however often and with whatever program, sees each row that was ever there and
none twice. (No order of renames could join two parts into one in one step.)
"""

import secrets
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from spider_solver.store.closed_sets import clear_unfinished
from spider_solver.store.files import (
    GROUP_ROWS,
    find_workshop,
    groups_of,
    locked,
    write_error,
    write_part,
)
from spider_solver.store.reading import (
    StoreError,
    arrow_schema,
    first_line,
    part_paths,
    set_settings,
)
from spider_solver.store.row import COLUMNS, Row
from spider_solver.store.settings import Settings, differences

# Rows are written when so many wait, or the oldest has waited this long. It bounds what a kill
# can lose; the rows themselves do not depend on it.
WAIT_ROWS = 10_000
WAIT_SECONDS = 30.0

PART_ROWS = 50_000
"""Rows of a full part (some 15 MB): the most that has to be written anew to add to it."""


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


def table_of(rows: Iterable[Row]) -> Any:
    """Rows as an Arrow table."""
    rows = list(rows)
    columns = {name: [getattr(row, name) for row in rows] for name in COLUMNS}
    return pa.table(columns, schema=arrow_schema())


class SetWriter:
    """Writes rows to a data set; a context manager.

    Entering makes or checks the folder, clears what a killed run left half-written, and puts
    a part without rows into a new set: it is readable, and its settings are fixed, from the
    first moment. Leaving, even by an exception, writes the rows that wait.

    Args:
        folder: the data set; made if it does not exist.
        settings: those of this run.
        wait_rows: rows that may wait to be written.
        wait_seconds: seconds that a row may wait to be written.
        part_rows: rows of a full part.

    Raises:
        StoreError: on entering, the folder holds something else or another run writes to it;
            on writing, the disk is full or fails. What was written stays as it is.
    """

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        wait_rows: int = WAIT_ROWS,
        wait_seconds: float = WAIT_SECONDS,
        part_rows: int = PART_ROWS,
    ) -> None:
        self.folder = folder
        self.settings = settings
        self._wait_rows = wait_rows
        self._wait_seconds = wait_seconds
        self._part_rows = part_rows
        self._rows: list[Row] = []
        self._oldest = 0.0  # when the first of the waiting rows came, by time.monotonic
        self._held = ExitStack()
        self._workshop = folder
        self._last = folder  # the part that is not full, and its rows
        self._last_rows = 0

    def __enter__(self) -> Self:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            check_settings(self.folder, self.settings)  # before anything is put into it
            self._held.enter_context(locked(self.folder))
            check_settings(self.folder, self.settings)  # a run may have ended meanwhile
            self._workshop = find_workshop(self.folder)
            clear_unfinished(self.folder)
            self._find_last()
        except BaseException as error:
            self._held.close()
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
            self._held.close()

    def add(self, rows: Iterable[Row] = ()) -> None:
        """Take rows; write them if enough wait, or the oldest has waited long enough.

        Without rows this only looks at the clock.
        """
        if not self._rows:
            self._oldest = monotonic()
        self._rows.extend(rows)
        if len(self._rows) >= self._wait_rows or monotonic() - self._oldest >= self._wait_seconds:
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

    def _find_last(self) -> None:
        """Find the part to go on with; a new set gets one without rows."""
        sizes = {path: pq.read_metadata(path).num_rows for path in part_paths(self.folder)}
        if not sizes:
            self._last, self._last_rows = self._new_part(), 0
            try:
                write_part(self._last, self._workshop, self.settings, [table_of([])])
            except (pa.ArrowException, OSError) as error:
                raise write_error(self.folder, error) from None
        else:
            self._last = min(sizes, key=lambda path: (sizes[path], path))
            self._last_rows = sizes[self._last]

    def _write(self, rows: list[Row]) -> None:
        """Put rows into the last part or, where they do not fit, into a new one."""
        table = table_of(rows)
        path, before = self._last, self._last_rows
        if before and before + len(rows) > self._part_rows:
            path, before = self._new_part(), 0
        try:
            try:
                tables = _grown(path, table) if before else [table]
                write_part(path, self._workshop, self.settings, tables)
            except OSError:  # too little room to write a part anew may be enough for the rows
                if not before:
                    raise
                path, before = self._new_part(), 0
                write_part(path, self._workshop, self.settings, [table])
        except (pa.ArrowException, OSError) as error:
            lost = f"the last {len(rows)} rows could not be written, all earlier ones are kept; "
            raise write_error(self.folder, error, lost) from None
        self._last, self._last_rows = path, before + len(rows)

    def _new_part(self) -> Path:
        # A random name: a part never takes the place of another, not even in merged folders.
        return self.folder / f"part-{secrets.token_hex(8)}.parquet"


def _grown(path: Path, table: Any) -> Iterator[Any]:
    """The rows of a part, then those of a table; row groups that are full stay as they are."""
    waiting = arrow_schema().empty_table()
    for group in groups_of(path):
        waiting = pa.concat_tables([waiting, group])
        if waiting.num_rows >= GROUP_ROWS:
            yield waiting
            waiting = arrow_schema().empty_table()
    yield pa.concat_tables([waiting, table])
