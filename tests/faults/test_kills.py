"""A run whose client and workers are killed at random moments ends with the undisturbed rows."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from spider_solver.store.reading import read_table
from spider_solver.store.row import COLUMNS
from spider_solver.store.verify import check_slice, survey
from tests.faults.slow_run import run, source

REPOSITORY = Path(__file__).parents[2]
REPRODUCIBLE = [name for name in COLUMNS if name != "seconds"]
SECONDS = 0.05  # that a deal takes while the run is disturbed
MOST_PAUSE = 0.4  # before a kill
DEALS_A_KILL = 30  # more than two workers do between two kills

pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc to find workers")


@contextmanager
def started(folder: Path, deals: int) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "tests.faults.slow_run", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    with subprocess.Popen(
        [*command, "2", str(deals), str(SECONDS)],
        cwd=folder.parent,
        env=environment,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def workers_of(client: int) -> list[int]:
    """The worker processes of a client."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == client and b"spawn_main" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except (OSError, ValueError, IndexError):
            continue
    return found


def rows_in(folder: Path) -> int:
    count: int = read_table(folder, []).num_rows if folder.exists() else 0
    return count


def wait_for_rows(folder: Path, rows: int, client: subprocess.Popen[bytes]) -> None:
    """Wait for rows, or the end of the run; a test that fails waits for two minutes."""
    for _ in range(2400):
        if client.poll() is not None or rows_in(folder) >= rows:
            return
        time.sleep(0.05)
    raise AssertionError("waited in vain")


def disturb(folder: Path, deals: int, kills: int) -> Counter[str]:
    """Run with kills at random moments, of a worker and of the client; gives what was killed.

    Between two kills rows are written: a deal that is under way in three kills on end would be
    taken for one that kills its worker.
    """
    chance = random.Random(7)
    killed: Counter[str] = Counter()
    while killed.total() < kills:
        with started(folder, deals) as client:
            while client.poll() is None:
                wait_for_rows(folder, rows_in(folder) + 1, client)
                time.sleep(chance.uniform(0, MOST_PAUSE))
                workers = workers_of(client.pid)
                if killed.total() % 2 or not workers:
                    client.send_signal(signal.SIGKILL)
                    client.wait()
                    killed["client"] += 1
                    break
                os.kill(chance.choice(workers), signal.SIGKILL)
                killed["worker"] += 1
            assert client.returncode == -signal.SIGKILL, "the run ended before the kills did"
    return killed


def disturbed_run(tmp_path: Path, kills: int) -> tuple[Counter[str], int]:
    deals = kills * DEALS_A_KILL
    run(tmp_path / "calm", 1, deals)
    killed = disturb(tmp_path / "set", deals, kills)
    done = rows_in(tmp_path / "set")
    assert kills < done < deals
    run(tmp_path / "set", 1, deals)
    calm = read_table(tmp_path / "calm", REPRODUCIBLE)
    assert calm.num_rows == source(deals).total == rows_in(tmp_path / "set")
    assert read_table(tmp_path / "set", REPRODUCIBLE).equals(calm)
    for piece in survey(tmp_path / "set")[0]:
        assert check_slice(piece).faults == []
    return killed, done


def test_a_handful_of_kills(tmp_path: Path) -> None:
    killed, _ = disturbed_run(tmp_path, 4)
    assert killed["client"] >= 1
    assert killed["worker"] >= 1


@pytest.mark.full
def test_fifty_kills(tmp_path: Path, tell: Callable[[str], None]) -> None:
    killed, done = disturbed_run(tmp_path, 50)
    tell(
        f"killed {killed['client']} clients and {killed['worker']} workers while "
        f"{done:,} of {50 * DEALS_A_KILL:,} deals were done; the rows are the undisturbed ones"
    )
