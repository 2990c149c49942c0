"""SIGTERM and Ctrl-C end commands that are about one deal, and the first compile, soon."""

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from spider_solver.kernels.jit import CACHE_VARIABLE
from spider_solver.search.solver import warm_up
from spider_solver.store.writing import SetWriter
from tests.rows import SETTINGS, won_row

REPOSITORY = Path(__file__).parents[2]
MOST_SECONDS = 5.0  # on a busy machine; on one that is not, it takes less than one
SIGNALS = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])

# the hardest deal that is known to be winnable
NUMBER = ("28241", "--numbering", "pysol", "--max-nodes", "1000G")
SEARCHES = {
    "solve": ("solve", "--seeds", *NUMBER),
    "into a set": ("solve", "--seeds", *NUMBER, "--out", "set"),
    "shorten": ("solve", "--seeds", "1", "--shorten", "1000G"),
    "shortest": ("solve", "--seeds", "1", "--shortest", "1G"),
    "hint": ("hint", "--seed", *NUMBER),
    "review": ("hint", "--seed", *NUMBER, "--line", "deal", "--review"),
    "show": ("show", "--seed", *NUMBER),
    "deals": ("deals", "--difficulty", "expert", "--count", "10000", "--workers", "1"),
    "deals by workers": ("deals", "--difficulty", "expert", "--count", "10000", "--workers", "2"),
}

BEGUN = """
import sys
from spider_solver.search import solver
from spider_solver.cli import {command}
make = solver.make_workspace
def told():
    print("begun", file=sys.stderr, flush=True)
    return make()
solver.make_workspace = told
{command}.main()
"""
"""A command that says when its solver is made."""


@contextmanager
def running(folder: Path, *command: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A command in a process group of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", BEGUN.format(command=command[0]), *command[1:]],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ended_by(process: subprocess.Popen[str], number: signal.Signals) -> tuple[str, str]:
    """Send a signal to a process, wait until it has ended, and look at how; what it printed."""
    began = time.perf_counter()
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert time.perf_counter() - began < MOST_SECONDS
    assert process.returncode == 128 + number
    assert "Traceback" not in err
    assert "Error" not in err
    return out, err


def wait_for(process: subprocess.Popen[str], start: str) -> None:
    """Read standard error up to a line that begins like this."""
    assert process.stderr is not None
    while not (line := process.stderr.readline()).startswith(start):
        assert line, "it ended"


@SIGNALS
@pytest.mark.parametrize("command", SEARCHES.values(), ids=SEARCHES)
def test_a_search_of_hours(
    tmp_path: Path, command: tuple[str, ...], number: signal.Signals
) -> None:
    warm_up()
    with running(tmp_path, *command) as process:
        if "2" in command[-1:]:
            time.sleep(2.0)  # its workers make the solvers
        else:
            wait_for(process, "begun")
            time.sleep(0.5)
        _, err = ended_by(process, number)
    go_on = [line for line in err.splitlines() if line.startswith("stopped with ")]
    assert len(go_on) == ("--out" in command or command[0] == "deals")


@SIGNALS
@pytest.mark.parametrize("workers", ["1", "2"])
def test_checking_many_rows(tmp_path: Path, workers: str, number: signal.Signals) -> None:
    with SetWriter(tmp_path / "set", SETTINGS) as writer:
        writer.add([replace(won_row(), numbering="board", seed=seed) for seed in range(1, 20_001)])
    with running(tmp_path, "verify", "set", "--workers", workers) as process:
        time.sleep(3.0)
        os.killpg(process.pid, number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert (out, err.strip()) == ("", "")


def test_more_signals_do_not_break_into_the_end(tmp_path: Path) -> None:
    warm_up()
    with running(tmp_path, *SEARCHES["solve"]) as process:
        wait_for(process, "begun")
        for _ in range(20):
            process.send_signal(signal.SIGTERM)
            time.sleep(0.002)
        assert ended_by(process, signal.SIGTERM) == ("", "\n")


@SIGNALS
@pytest.mark.parametrize("options", [(), ("--out", "set")], ids=["one deal", "into a set"])
def test_the_first_compile(
    tmp_path: Path, options: tuple[str, ...], number: signal.Signals
) -> None:
    folder = tmp_path / "cache"
    command = ("solve", "--seeds", "1", *options)
    with running(tmp_path, *command, **{CACHE_VARIABLE: str(folder)}) as process:
        wait_for(process, "compiling, once ")
        wait_for(process, "begun")
        time.sleep(3.0)  # in the middle of it
        out, err = ended_by(process, number)
    assert (out, err.strip()) == ("", "")
    assert not list(folder.glob("*/compiled-*"))  # it is not called done
    for index in folder.rglob("*.nbi"):  # and nothing is there by halves
        with index.open("rb") as file:
            assert pickle.load(file)
            pickle.load(file)
