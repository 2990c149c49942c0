"""Runs that are killed, and go on."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from spider_solver.store.reading import part_paths, read_rows, read_table
from spider_solver.store.row import COLUMNS
from tests.batch.fakes import GATE
from tests.batch.kill_run import SOURCE, run

REPOSITORY = Path(__file__).parents[2]
REPRODUCIBLE = [name for name in COLUMNS if name != "seconds"]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("undisturbed") / "set"
    run(folder, 1)
    table = read_table(folder, REPRODUCIBLE)
    assert table.num_rows == SOURCE.total
    return table


def wait_for(condition: Any) -> None:
    """Wait for something that is sure to come; a test that fails waits for a minute."""
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("waited in vain")


def rows_in(folder: Path) -> int:
    return sum(len(read_rows(path)) for path in part_paths(folder)) if folder.exists() else 0


def processes_of(folder: Path) -> list[int]:
    """The processes that a run in a folder left: those that work in it."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cwd").resolve() == folder.resolve():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_goes_on_to_the_same_rows(
    tmp_path: Path, workers: int, undisturbed: Any
) -> None:
    folder = tmp_path / "set"
    gate = tmp_path / GATE
    gate.touch()
    command = [sys.executable, "-m", "tests.batch.kill_run", str(folder), str(workers)]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    with subprocess.Popen(command, cwd=tmp_path, env=environment) as process:
        wait_for(lambda: rows_in(folder) >= 3)
        process.send_signal(signal.SIGKILL)
    done = rows_in(folder)
    assert 3 <= done < SOURCE.total
    if Path("/proc").exists():  # a kill leaves no worker behind either
        wait_for(lambda: not processes_of(tmp_path))
    gate.unlink()
    run(folder, workers)
    assert rows_in(folder) == SOURCE.total
    assert read_table(folder, REPRODUCIBLE).equals(undisturbed)
