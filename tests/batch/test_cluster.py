"""Dask as the executor: a cluster of this machine, and a scheduler and workers by themselves."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from spider_solver.batch import cluster
from spider_solver.batch.cluster import DaskExecutor, connect, own_cluster
from spider_solver.batch.executors import SerialExecutor, make_executor
from spider_solver.batch.runner import BatchError, Job, Start, solve_deals
from spider_solver.game.deal import Deal
from spider_solver.search.result import Limits
from spider_solver.search.solver import SOLVER
from spider_solver.store.row import Row
from tests.batch.fakes import FakeSolver, KilledSolver, SlowSolver, mark, numbers

REPOSITORY = Path(__file__).parents[2]
JOB = Job(Limits(max_nodes=500_000), "test", FakeSolver)


def solved(starts: Sequence[Start], job: Job, executor: Executor) -> list[Row]:
    batches = solve_deals(starts, job, executor, 2)
    rows = [replace(row, seconds=0.0) for batch in batches for row in batch]
    return sorted(rows, key=lambda row: row.seed)


@pytest.fixture(scope="module")
def two_workers() -> Iterator[DaskExecutor]:
    with own_cluster(2) as executor:
        yield executor


def test_rows_are_those_of_two_workers_of_this_program(two_workers: DaskExecutor) -> None:
    starts = [*numbers(range(1, 21), suits=4), *numbers(range(21, 41), suits=1)]
    job = Job(Limits(max_nodes=40_000))
    with make_executor(2) as executor:
        rows = solved(starts, job, executor)
    assert {row.status for row in rows} == {"won", "open"}
    assert solved(starts, job, two_workers) == rows


def test_the_workers_are_counted(two_workers: DaskExecutor) -> None:
    assert two_workers.workers == 2


def test_the_cluster_listens_to_this_machine_alone(two_workers: DaskExecutor) -> None:
    psutil = pytest.importorskip("psutil")  # Dask brings it along
    here = psutil.Process()
    programs = [here, *here.children(recursive=True)]
    sockets = [one for program in programs for one in program.net_connections("inet")]
    listening = [one.laddr.ip for one in sockets if one.status == "LISTEN"]
    # The scheduler's port and its dashboard's; each worker's two.
    assert len(listening) >= 6
    assert set(listening) == {"127.0.0.1"}


def test_workers_leave_ctrl_c_to_their_parent(two_workers: DaskExecutor) -> None:
    blocked = two_workers.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ()).result()
    assert signal.SIGINT in blocked


def test_deals_that_kill_their_worker_twice_stay_open(two_workers: DaskExecutor) -> None:
    seeds = range(6, 12)
    events = []

    def tell(event: str, **fields: object) -> None:
        events.append((event, fields))

    batches = solve_deals(
        numbers(seeds), replace(JOB, make_solver=KilledSolver), two_workers, 2, tell=tell
    )
    rows = sorted((row for batch in batches for row in batch), key=lambda row: row.seed)
    deadly = [seed for seed in seeds if mark(Deal.numbered(seed).position) % 5 == 0]
    assert [row.seed for row in rows] == list(seeds)
    assert [row.seed for row in rows if row.reason == "crash"] == deadly != []
    assert [fields["seed"] for event, fields in events if fields.get("reason") == "crash"] == deadly
    lost = [fields for event, fields in events if event == "lost"]
    assert len(lost) >= 2 * len(deadly)
    assert {fields["error"] for fields in lost} == {"BrokenExecutor: its worker died"}


def test_workers_of_another_version_are_refused(two_workers: DaskExecutor) -> None:
    job = replace(JOB, client="9.9.9+0123456789ab")
    for executor in (two_workers, SerialExecutor()):
        with pytest.raises(BatchError) as caught:
            solved(numbers([1, 2]), job, executor)
        assert f"runs spider_solver {SOLVER}, this program is 9.9.9+0123456789ab" in str(
            caught.value
        )


@contextmanager
def program(folder: Path, module: str, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", f"distributed.cli.{module}", *options]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            process.kill()


class Apart:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        file = folder / "scheduler.json"
        options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.scheduler = stack.enter_context(
            program(folder, "dask_scheduler", *options, "--scheduler-file", str(file))
        )
        for _ in range(1200):
            if file.exists() and file.read_text().endswith("}"):
                break
            time.sleep(0.05)
        self.address: str = json.loads(file.read_text())["address"]
        options = (self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        self.workers = [
            stack.enter_context(program(folder, "dask_worker", *options)) for _ in range(2)
        ]


@pytest.fixture
def apart(tmp_path: Path) -> Iterator[Apart]:
    with ExitStack() as stack:
        yield Apart(tmp_path, stack)


def test_a_worker_that_is_killed_half_way_costs_nothing(apart: Apart) -> None:
    starts = numbers(range(1, 201))
    rows: list[Row] = []
    killed = False
    with connect(apart.address) as executor:
        while executor.workers < 2:
            time.sleep(0.1)
        batches = solve_deals(
            starts, replace(JOB, make_solver=SlowSolver), executor, lambda: executor.workers
        )
        for batch in batches:
            rows += batch
            if len(rows) >= 50 and not killed:
                apart.workers[0].send_signal(signal.SIGKILL)
                killed = True
    assert 50 <= len(rows) == len(starts)
    rows = sorted((replace(row, seconds=0.0) for row in rows), key=lambda row: row.seed)
    assert rows == solved(starts, JOB, SerialExecutor())


def test_a_scheduler_that_dies_ends_the_run(apart: Apart) -> None:
    starts = numbers(range(1, 100_000))
    done = 0

    def run(executor: Executor) -> None:
        nonlocal done
        for batch in solve_deals(starts, replace(JOB, make_solver=SlowSolver), executor, 2):
            done += len(batch)
            if done >= 10:
                apart.scheduler.send_signal(signal.SIGKILL)

    with (
        connect(apart.address) as executor,
        pytest.raises(BatchError, match="the executor has given up"),
    ):
        run(executor)
    assert done >= 10


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.2)
    with pytest.raises(BatchError, match=r"no Dask scheduler at tcp://127\.0\.0\.1:1 "):
        connect("tcp://127.0.0.1:1")
    with pytest.raises(BatchError, match="no Dask scheduler at nonsense://x"):
        connect("nonsense://x")
