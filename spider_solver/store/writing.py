"""Writes data sets, so that a run may be killed and a set be read at any moment.

Rows that wait are put into the last part until it is full: a file that has all that the part was,
and them at its end, takes its place in one step. So parts are large from the start, nothing has to
be joined later (no order of renames could do that in one step), and whoever reads the folder,
however often and with whatever program, sees each row that was ever there and none twice.
"""

import secrets
from collections.abc import Callable, Iterable
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
    add_to_part,
    find_workshop,
    locked,
    reserved,
    uninterrupted,
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

# Rows are written when so many wait, or the oldest has waited this long; in a long run, up to ten
# times as long, but never for more than a hundredth of the time that the run has taken. It bounds
# what a kill can lose; the rows themselves do not depend on it.
WAIT_ROWS = 10_000
WAIT_SECONDS = 30.0

PART_ROWS = 50_000
"""Rows of a full part (some 15 MB): the most that has to be copied to add to it."""

RESERVE_BYTES = 8_000_000
"""Held free on the disk during a run, so that a full one still takes the rows that wait."""

PART_GROUPS = 32
"""Row groups, one for each time that rows are added, that make a part full, too."""


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
        advice = f"use {options}, or {advice}"
    another = any(difference.name == "variant" for difference in different)
    other = "holds another game" if another else "was made with other settings"
    what = "; ".join(map(str, different))
    raise StoreError(f"{folder} {other} ({what}): {advice}")


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
        wait_seconds: seconds that a row may wait to be written; more in a long run.
        part_rows: rows of a full part.

    Raises:
        StoreError: on entering, the folder holds something else, another run writes to it, or
            an older version wrote it, without a column of today's;
            on writing, the disk is full or fails. What was written stays as it is; on a full
            disk the rows that wait go to the room held for them, if there was any.
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
        self._began = monotonic()
        self._held = ExitStack()
        self._workshop = folder
        self._let_go_of_reserve: Callable[[], None] = self._held.close
        self._last = folder  # the part that is not full, and its rows
        self._last_rows = self._last_groups = 0

    def __enter__(self) -> Self:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            check_settings(self.folder, self.settings)  # before anything is put into it
            self._held.enter_context(locked(self.folder))
            check_settings(self.folder, self.settings)  # a run may have ended meanwhile
            self._workshop = find_workshop(self.folder)
            clear_unfinished(self.folder)
            self._let_go_of_reserve = self._held.enter_context(reserved(self.folder, RESERVE_BYTES))
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
        now = monotonic()
        patience = min(max(self._wait_seconds, (now - self._began) / 100), 10 * self._wait_seconds)
        if len(self._rows) >= self._wait_rows or now - self._oldest >= patience:
            self.flush()

    def flush(self) -> None:
        """Write the rows that wait."""
        with uninterrupted():  # or rows might be written twice, or not at all
            # Taken out first: rows that could not be written are not tried again on leaving.
            rows, self._rows = self._rows, []
            if rows:
                self._write(rows)

    def _find_last(self) -> None:
        """Find the part to go on with; a new set gets one without rows."""
        sizes = {}
        for path in part_paths(self.folder):
            metadata = pq.read_metadata(path)
            missing = set(COLUMNS) - set(metadata.schema.to_arrow_schema().names)
            if missing:  # no reader is to find parts with different columns
                raise StoreError(
                    f"{self.folder} was written by an older version, without {', '.join(missing)}: "
                    "it can be read, but nothing can be added; give another --out"
                )
            sizes[path] = metadata.num_rows, metadata.num_row_groups
        if sizes:
            self._last = min(sizes, key=lambda path: (sizes[path], path))
            self._last_rows, self._last_groups = sizes[self._last]
            return
        self._last = self._new_part()
        try:
            write_part(self._last, self._workshop, self.settings, [])
        except (pa.ArrowException, OSError) as error:
            raise write_error(self.folder, error) from None

    def _write(self, rows: list[Row]) -> None:
        """Put rows into the last part or, where they do not fit, into a new one."""
        table = table_of(rows)
        full = self._last_rows and self._last_rows + len(rows) > self._part_rows
        try:
            if full or self._last_groups >= PART_GROUPS:
                self._begin(table)
            else:
                self._add(table)
        except (pa.ArrowException, OSError) as error:
            lost = f"the last {len(rows)} rows could not be written, all earlier ones are kept; "
            if self._write_into_reserve(table):
                lost = "all finished deals are kept; "
            raise write_error(self.folder, error, lost) from None

    def _write_into_reserve(self, table: Any) -> bool:
        """Write rows where the reserve was; whether they are written."""
        try:
            self._let_go_of_reserve()
            self._begin(table)
        except (pa.ArrowException, OSError):
            return False
        return True

    def _add(self, table: Any) -> None:
        """Add rows to the last part."""
        try:
            add_to_part(self._last, self._workshop, self.settings, table)
        except OSError:  # too little room for all rows of the part may be enough for these
            self._begin(table)
        else:
            self._last_rows += table.num_rows
            self._last_groups += -(-table.num_rows // GROUP_ROWS)

    def _begin(self, table: Any) -> None:
        """Write a new part, the last one from now on."""
        path = self._new_part()
        write_part(path, self._workshop, self.settings, [table])
        self._last, self._last_rows = path, table.num_rows
        self._last_groups = -(-table.num_rows // GROUP_ROWS)

    def _new_part(self) -> Path:
        # A random name: a part never takes the place of another, not even in merged folders.
        return self.folder / f"part-{secrets.token_hex(8)}.parquet"
