"""Ctrl-C on a run in a terminal."""

import os
import pty
import re
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from spider_solver.cli.common import ONE_SIGNAL_SECONDS
from spider_solver.store.reading import read_table

REPOSITORY = Path(__file__).parents[2]

SOME_DONE = (
    rb"\| *[1-9]\d*/\d+, +[\d.]+ deals/s, won \d+, lost 0, open \d+(, \d+ workers)?, \S+ left"
)


class Terminal:
    """A program with a terminal of its own as its standard error."""

    def __init__(self, process: subprocess.Popen[bytes], screen: int) -> None:
        self.process = process
        self._screen = screen
        self.shown = b""

    def wait_for(self, pattern: bytes) -> None:
        """Read what is shown until it matches; then forget it."""
        while not (match := re.search(pattern, self.shown)):
            more = self._read()
            assert more, f"ended with {self.shown.decode(errors='replace')}"
            self.shown += more
        self.shown = self.shown[match.end() :]

    def wait(self) -> int:
        """Read on to the end; the exit code."""
        while more := self._read():
            self.shown += more
        return self.process.wait()

    def _read(self) -> bytes:
        try:
            return os.read(self._screen, 65536)
        except OSError:  # Linux says so when the other side is closed
            return b""

    def interrupt(self) -> None:
        """As Ctrl-C does: to all processes of the group."""
        os.killpg(self.process.pid, signal.SIGINT)


@contextmanager
def running(folder: Path, *options: str) -> Iterator[Terminal]:
    screen, side = pty.openpty()
    termios.tcsetwinsize(side, (24, 120))
    command = [sys.executable, "-m", "spider_solver.cli.solve", "--out", "set", *options]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=side,
        process_group=0,
    )
    os.close(side)
    try:
        yield Terminal(process, screen)
    finally:
        process.kill()
        process.communicate()
        os.close(screen)


def rows_in(folder: Path) -> int:
    count: int = read_table(folder, []).num_rows
    return count


@pytest.mark.parametrize(
    "workers", ["1", "2", pytest.param("2 --executor dask", marks=pytest.mark.full)]
)
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path: Path, workers: str) -> None:
    options = ("--suits", "1", "--seeds", "1-1000000", "--workers", *workers.split())
    with running(tmp_path, *options) as terminal:
        terminal.wait_for(SOME_DONE)
        terminal.interrupt()
        code = terminal.wait()
        assert terminal.process.stdout is not None
        summary = terminal.process.stdout.read().decode()
    shown = terminal.shown.decode()
    assert code == 130
    assert "stopping once the deals in progress are done" in shown
    assert "deals to go; resume with: " in shown
    assert f"--out set {' '.join(options)}" in shown
    assert "Traceback" not in shown
    done = rows_in(tmp_path / "set")
    assert done > 0
    assert f"deals   {done:>12,}" in summary


@pytest.mark.parametrize("executor", ["local", pytest.param("dask", marks=pytest.mark.full)])
def test_a_second_ctrl_c_stops_at_once(tmp_path: Path, executor: str) -> None:
    # The first of these is the hardest deal that is known to be winnable.
    options = ("--numbering", "pysol", "--seeds", "28241-30000", "--max-nodes", "1000G")
    with running(tmp_path, *options, "--workers", "2", "--executor", executor) as terminal:
        terminal.wait_for(SOME_DONE)
        terminal.interrupt()
        terminal.wait_for(rb"stopping once")
        time.sleep(2 * ONE_SIGNAL_SECONDS)
        terminal.interrupt()
        code = terminal.wait()
    shown = terminal.shown.decode()
    assert code == 130
    assert "deals to go; resume with: " in shown
    assert "Traceback" not in shown
    assert "Warning" not in shown
    assert rows_in(tmp_path / "set") > 0
