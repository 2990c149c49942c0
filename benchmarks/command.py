"""Runs ``spider-solve`` as a user would, and tells what it took: time, CPU time and memory."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

SAMPLE_SECONDS = 2.0  # between two looks at the processes

_TICKS = os.sysconf("SC_CLK_TCK")


class Sample(NamedTuple):
    """What the processes of a run held and had used at some time.

    Attributes:
        time: seconds since the epoch.
        cpu: seconds of CPU time of all processes that were there, and of those they waited for.
        client: resident bytes of the client.
        worker: resident bytes of its largest child; 0 without one.
        worker_peak: the most that any child that was there has held; 0 without one.
    """

    time: float
    cpu: float
    client: int
    worker: int
    worker_peak: int


@dataclass(frozen=True)
class Run:
    """One run of the command.

    Attributes:
        answer: what it printed with ``--json``.
        seconds: wall time.
        cpu: seconds of CPU time, its workers included.
        samples: looks at its processes, every ``SAMPLE_SECONDS``.
    """

    answer: dict[str, Any]
    seconds: float
    cpu: float
    samples: list[Sample]

    @property
    def worker_peak(self) -> int:
        """The most bytes that a worker held, as far as the samples tell."""
        return max((sample.worker_peak for sample in self.samples), default=0)


class Taken(NamedTuple):
    """What deals took beside the start of the run that they were part of.

    Attributes:
        seconds: wall time.
        cpu: seconds of CPU time, that of workers included.
        worker_peak: the most bytes that a worker held; 0 if there was none.
    """

    seconds: float
    cpu: float
    worker_peak: int


SETTLING = 1500
"""Deals that come before those that are measured: with them a run is past its start."""


def measured_seeds(first: int, deals: int) -> range:
    """The seeds that :func:`solve_beyond_start` measures."""
    return range(first + SETTLING, first + SETTLING + deals)


def solve_beyond_start(first: int, deals: int, *options: object) -> Taken:
    """Solve deals, ``SETTLING`` others first; gives what they took more than those alone.

    Raises:
        CalledProcessError: the command fails.
    """
    runs = []
    for last in (first + SETTLING - 1, first + SETTLING + deals - 1):
        with TemporaryDirectory() as folder:
            runs.append(solve(Path(folder) / "set", "--seeds", f"{first}-{last}", *options))
    start, whole = runs
    return Taken(whole.seconds - start.seconds, whole.cpu - start.cpu, whole.worker_peak)


def solve(
    folder: Path, *options: object, heard: Callable[[Sample], None] = lambda sample: None
) -> Run:
    """Run ``spider-solve`` into a data set.

    Args:
        folder: the set.
        options: of the command, besides ``--out`` and ``--json``.
        heard: gets each sample as it is taken, in a thread of its own.

    Raises:
        CalledProcessError: the command fails.
    """
    command = [sys.executable, "-m", "spider_solver.cli.solve", "--out", folder, "--json", *options]
    words = list(map(str, command))
    before = _cpu_of_children()
    began = time.perf_counter()
    with (
        subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process,
        _watched(process.pid, heard) as samples,
    ):
        assert process.stdout is not None
        printed = process.stdout.read()
        code = process.wait()
    seconds = time.perf_counter() - began
    if code:
        raise subprocess.CalledProcessError(code, words)
    return Run(json.loads(printed), seconds, _cpu_of_children() - before, samples)


def _cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@contextmanager
def _watched(pid: int, heard: Callable[[Sample], None]) -> Iterator[list[Sample]]:
    """Look at a process and all that it started every now and then; gives the samples."""
    samples: list[Sample] = []
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(SAMPLE_SECONDS):
            samples.append(_sample(pid))
            heard(samples[-1])

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield samples
    finally:
        ended.set()
        watcher.join()


def _sample(pid: int) -> Sample:
    """A look at a process and all that it started, as Linux tells."""
    used = dict(_family(pid))
    children = [child for child in used if child != pid]
    return Sample(
        time=time.time(),
        cpu=sum(used.values()),
        client=_status(pid, "VmRSS"),
        worker=max((_status(child, "VmRSS") for child in children), default=0),
        worker_peak=max((_status(child, "VmHWM") for child in children), default=0),
    )


def _family(pid: int) -> Iterator[tuple[int, float]]:
    """A process and all that it started, each with its CPU time and that of children it reaped."""
    stats = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:  # the name, in brackets, may hold anything
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:  # it is gone
            continue
        stats[int(path.parent.name)] = fields
    found = {pid}
    for child in sorted(stats):  # a child comes after its parent, but for numbers used again
        if int(stats[child][1]) in found:
            found.add(child)
    for member in found & stats.keys():
        yield member, sum(map(int, stats[member][11:15])) / _TICKS  # utime, stime and of children


def _status(pid: int, name: str) -> int:
    """Bytes that the status of a process says; 0 if it is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return 0
