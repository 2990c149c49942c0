"""A storm of Ctrl-C at random moments: exit code 130, all that is done kept, nothing twice."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from spider_solver.search.solver import warm_up
from spider_solver.store.reading import read_table
from spider_solver.store.row import COLUMNS
from tests.faults.slow_run import run

REPOSITORY = Path(__file__).parents[2]
PAUSE_A_DEAL = 0.001  # at most, from the start of a run to the first Ctrl-C
OPTIONS = ["--suits", "1", "--max-nodes", "20k", "--out", "set"]
REPRODUCIBLE = [name for name in COLUMNS if name not in ("seconds", "solver")]


def solve(folder: Path, deals: int, *options: str) -> subprocess.Popen[str]:
    """``spider-solve`` in a process group of its own."""
    command = [sys.executable, "-m", "spider_solver.cli.solve", *OPTIONS]
    return subprocess.Popen(
        [*command, "--seeds", f"1-{deals}", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )


def runs_begun(folder: Path) -> int:
    """How many runs have begun, as the manifest of their set says."""
    manifest = folder / "set" / "_run.json"
    return len(json.loads(manifest.read_bytes())["runs"]) if manifest.exists() else 0


def wait_for_run(folder: Path, number: int, process: subprocess.Popen[str]) -> None:
    """Wait until a run has begun; a test that fails waits for two minutes."""
    for _ in range(2400):
        if runs_begun(folder) >= number or process.poll() is not None:
            return
        time.sleep(0.05)
    raise AssertionError("waited in vain")


def storm(folder: Path, deals: int, workers: str, chance: random.Random) -> tuple[int, int]:
    """Send many Ctrl-C to a run; gives their number and the exit code."""
    before = runs_begun(folder)
    process = solve(folder, deals, "--workers", workers)
    try:
        wait_for_run(folder, before + 1, process)
        time.sleep(chance.uniform(0, deals * PAUSE_A_DEAL))
        sent = 0
        longest = chance.choice((0.002, 0.02, 0.2))
        while process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            sent += 1
            time.sleep(chance.uniform(0, longest))
        out, err = process.communicate()
    finally:
        process.kill()
    assert "Traceback" not in out + err
    assert "Exception" not in out + err
    assert "Error" not in out + err
    assert process.returncode in (0, 130), err  # 0: it was done before the first of them
    return sent, process.returncode


def stormed_run(folder: Path, deals: int, storms: int, seed: int) -> tuple[int, int, list[int]]:
    """Storms over one run, then its end; gives the Ctrl-Cs, runs stopped and rows after each."""
    warm_up()
    chance = random.Random(seed)
    sent, stopped, done = 0, 0, [0]
    for number in range(storms):
        more, code = storm(folder, deals, "12"[number % 2], chance)
        sent += more
        stopped += code == 130
        done.append(read_table(folder / "set", []).num_rows)
        assert done[-1] >= done[-2]
    with solve(folder, deals) as process:
        _, err = process.communicate()
    assert process.returncode == 0, err
    rows = read_table(folder / "set", REPRODUCIBLE)
    assert rows["seed"].to_pylist() == list(range(1, deals + 1))
    run(folder / "calm", 1, deals)
    assert rows.equals(read_table(folder / "calm", REPRODUCIBLE))
    return sent, stopped, done


def test_two_storms(tmp_path: Path) -> None:
    sent, _, _ = stormed_run(tmp_path, 300, 2, seed=3)
    assert sent >= 2


@pytest.mark.full
def test_many_storms(tmp_path: Path, tell: Callable[[str], None]) -> None:
    sent, stopped, done = stormed_run(tmp_path, 4000, 20, seed=5)
    tell(f"{sent:,} Ctrl-C stopped {stopped} of 20 runs, with {done[-1]:,} of 4,000 deals done")
