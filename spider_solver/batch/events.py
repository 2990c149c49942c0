"""What a run says of itself: a log of its events, and the manifest in the folder of its set."""

import json
import os
import platform
import sys
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import IO, Any, Self

from spider_solver.batch.executors import available_cores
from spider_solver.store.atomic import new_file, require_plain
from spider_solver.store.files import write_error
from spider_solver.store.reading import StoreError, first_line

MANIFEST = "_run.json"
"""The manifest's name in the folder of a data set."""

MOST_RUNS = 1000  # that a manifest keeps, the newest ones

MOST_BYTES = 20_000_000  # that it may have: many times what so many runs take

_LIBRARIES = ("numba", "numpy", "pyarrow")


class RunLog:
    """Events as JSON lines, appended to a file; a context manager, and a ``Listener``.

    Each line has ``time`` (UTC, by the clock of the machine), ``elapsed`` (seconds since the log
    was opened, by one that never goes back) and ``event``, then what there is to say about it.

    Args:
        path: the file; None to hear nothing.

    Raises:
        StoreError: it cannot be written.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: IO[str] | None = None
        self._began = monotonic()

    def __enter__(self) -> Self:
        if self._path is not None:
            try:
                self._file = self._path.open("a", encoding="utf-8")
            except OSError as error:
                raise StoreError(f"{self._path}: {first_line(error)}") from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.close()

    def __call__(self, event: str, **fields: object) -> None:
        """Write one event."""
        if self._file is None:
            return
        line = {"time": _now(), "elapsed": round(monotonic() - self._began, 3), "event": event}
        try:
            self._file.write(json.dumps({**line, **fields}) + "\n")
            self._file.flush()
        except OSError as error:
            raise StoreError(f"{self._path}: {first_line(error)}") from None


class Manifest:
    """The runs that made a data set, as the file ``_run.json`` in its folder.

    The file has ``runs``, the newest last, each with versions, settings, machine, start, end,
    the seconds between by a clock that never goes back, a ``state`` (``running``, ``done``,
    ``stopped``, ``failed``, or ``killed`` as the next run finds out) and the totals at its end.

    Args:
        folder: the data set, held by this run.
        facts: what there is to say about the run at its start.
    """

    def __init__(self, folder: Path, **facts: object) -> None:
        self._folder = folder
        self._began = monotonic()
        self._runs = self._earlier()
        self._run: dict[str, Any] = {
            "state": "running",
            "started": _now(),
            "versions": versions(),
            "machine": machine(),
            **facts,
        }

    def start(self) -> None:
        """Write that the run has begun.

        Raises:
            StoreError: the disk is full or fails.
        """
        self._write()

    def end(self, state: str, **facts: object) -> None:
        """Write how the run ended; a run that failed may have no room left to say so.

        Raises:
            StoreError: the disk is full or fails, in a run that did not fail.
        """
        seconds = round(monotonic() - self._began, 3)
        self._run |= {"state": state, "ended": _now(), "seconds": seconds, **facts}
        if state != "failed":
            self._write()
            return
        with suppress(StoreError):
            self._write()

    def _write(self) -> None:
        text = json.dumps({"runs": [*self._runs, self._run]}, indent=1) + "\n"
        try:
            with new_file(self._folder / MANIFEST) as file:
                file.write(text.encode())
        except OSError as error:
            raise write_error(self._folder / MANIFEST, error) from None

    def _earlier(self) -> list[dict[str, Any]]:
        """The runs before this one; none if the file is not what it should be."""
        path = self._folder / MANIFEST
        try:
            require_plain(path)
            if path.stat().st_size > MOST_BYTES:
                return []
            runs = json.loads(path.read_text(encoding="utf-8"))["runs"]
            earlier = [dict(run) for run in runs[1 - MOST_RUNS :]]
            json.dumps(earlier, indent=1, allow_nan=False)  # as it will be written again
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return []
        for run in earlier:
            if run.get("state") == "running":
                run["state"] = "killed"
        return earlier


def versions(libraries: Iterable[str] = _LIBRARIES) -> dict[str, str]:
    """The versions of Python and of what the rows of a run were computed and written with."""
    return {"python": platform.python_version(), **{name: version(name) for name in libraries}}


def machine() -> dict[str, Any]:
    """The client's machine: system, processor, cores of this process and bytes of memory."""
    memory = None
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "system": sys.platform,
        "processor": platform.machine(),
        "cores": available_cores(),
        "memory": memory,
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
