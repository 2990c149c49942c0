import logging
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from queue import SimpleQueue
from typing import Any

import pytest

from spider_solver.batch import runner
from spider_solver.batch.executors import SerialExecutor, make_executor
from spider_solver.batch.runner import BatchError, DealSolver, Job, Start, solve_chunk, solve_deals
from spider_solver.game.deal import Deal
from spider_solver.search.result import Limits
from spider_solver.search.solver import Solver
from spider_solver.store.row import Row
from tests.batch.fakes import (
    BrokenSolver,
    DeadlySolver,
    FailingSolver,
    FakeSolver,
    KilledSolver,
    StarvedSolver,
    ThreadlessSolver,
    mark,
    numbers,
)

SEEDS = range(1, 61)
JOB = Job(Limits(max_nodes=500_000), "test", FakeSolver)


def job(make_solver: Callable[[], DealSolver]) -> Job:
    return replace(JOB, make_solver=make_solver)


def solved(starts: Sequence[Start], job: Job, executor: Executor, workers: int) -> list[Row]:
    """The rows of a run by seed, without their times."""
    batches = solve_deals(starts, job, executor, workers)
    rows = [replace(row, seconds=0.0) for batch in batches for row in batch]
    return sorted(rows, key=lambda row: row.seed)


@pytest.fixture(scope="module")
def two_workers() -> Iterator[Executor]:
    with make_executor(2) as executor:
        yield executor


def test_rows_do_not_depend_on_workers_or_order(two_workers: Executor) -> None:
    starts = numbers(SEEDS)
    rows = solved(starts, JOB, SerialExecutor(), 1)
    assert [row.seed for row in rows] == list(SEEDS)
    assert {row.status for row in rows} == {"won", "open"}
    assert solved(starts, JOB, two_workers, 2) == rows
    assert solved(random.Random(1).sample(starts, 60), JOB, two_workers, 2) == rows
    with ThreadPoolExecutor(3) as threads:
        assert solved(starts, JOB, threads, 3) == rows


def test_real_rows_do_not_depend_on_workers(two_workers: Executor) -> None:
    starts = [*numbers(range(1, 21), suits=4), *numbers(range(21, 31), suits=1)]
    real = Job(Limits(max_nodes=40_000))
    rows = solved(starts, real, SerialExecutor(), 1)
    assert {row.status for row in rows} == {"won", "open"}
    assert solved(starts[::-1], real, two_workers, 2) == rows


def test_a_smaller_budget_only_cuts(two_workers: Executor) -> None:
    starts = numbers(range(1, 31))
    large = solved(starts, Job(Limits(max_nodes=1_000_000)), two_workers, 2)
    small = solved(starts, Job(Limits(max_nodes=20_000)), two_workers, 2)
    assert {row.status for row in small} == {"won", "open"}
    for a, b in zip(large, small, strict=True):
        if a.status == "open" or a.nodes > 20_000:
            assert (b.status, b.reason, b.line) == ("open", "nodes", None)
        else:
            assert b == a


def test_deals_are_taken_as_they_are() -> None:
    deals = [Deal(Deal.numbered(seed, suits=2).position, "board", seed) for seed in (3, 1)]
    rows = solved(deals, JOB, SerialExecutor(), 1)
    assert [(row.numbering, row.suits, row.seed) for row in rows] == [
        ("board", 2, 1),
        ("board", 2, 3),
    ]


def test_nothing_to_do() -> None:
    assert solved([], JOB, SerialExecutor(), 1) == []


def test_a_chunk_gives_back_what_it_has_no_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.3  # a look at the clock after each deal
        return now

    monkeypatch.setattr(runner, "monotonic", clock)
    starts = numbers(range(1, 10))
    first = solve_chunk(JOB, starts)
    assert [row.seed for row in first.rows] == [1, 2, 3, 4]
    assert first.left == starts[4:]
    assert [row.seed for row in solved(starts, JOB, SerialExecutor(), 1)] == list(range(1, 10))


@pytest.mark.parametrize("workers", [1, 2])
def test_deals_that_raise_errors_get_rows(
    workers: int, two_workers: Executor, caplog: pytest.LogCaptureFixture
) -> None:
    executor = SerialExecutor() if workers == 1 else two_workers
    rows = {row.seed: row for row in solved(numbers(SEEDS), job(FailingSolver), executor, workers)}
    good = {row.seed: row for row in solved(numbers(SEEDS), JOB, executor, workers)}
    failed = [0, 0]
    for seed in SEEDS:
        kind = mark(Deal.numbered(seed).position) % 5
        if kind > 1:
            assert rows[seed] == good[seed]
            continue
        failed[kind] += 1
        if kind == 1:  # that memory was short is no result
            assert seed not in rows
            assert f"kpat {seed} has not enough memory: MemoryError" in caplog.text
            continue
        row = rows[seed]
        assert (row.status, row.reason, row.deal) == ("open", "crash", good[seed].deal)
        assert f"kpat {seed} crashed: RuntimeError: the table is on fire" in caplog.text
    assert min(failed) > 5


def test_deals_that_lack_memory_are_told_and_tried_again() -> None:
    events: list[tuple[str, dict[str, object]]] = []
    starts = numbers(SEEDS)
    first = solve_deals(
        starts,
        job(FailingSolver),
        SerialExecutor(),
        1,
        tell=lambda event, **fields: events.append((event, fields)),
    )
    done = {row.seed for rows in first for row in rows}
    told = [fields for event, fields in events if event == "memory"]
    assert {one["seed"] for one in told} == set(SEEDS) - done != set()
    assert len(told) == len(SEEDS) - len(done)
    assert {one["numbering"] for one in told} == {"kpat"}
    left = [start for start in starts if start.seed not in done]
    assert {row.seed for row in solved(left, JOB, SerialExecutor(), 1)} == set(SEEDS) - done


@pytest.mark.parametrize("make_solver", [StarvedSolver, ThreadlessSolver])
def test_a_run_whose_deals_all_lack_memory_ends_without_rows(
    make_solver: Callable[[], DealSolver], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    rows: list[Row] = []

    def run() -> None:
        for batch in solve_deals(numbers(SEEDS), job(make_solver), SerialExecutor(), 1):
            rows.extend(batch)

    with pytest.raises(BatchError, match="deals in a row crashed"):
        run()
    assert rows == []
    assert solved(numbers([1, 2]), job(make_solver), SerialExecutor(), 1) == []


def test_memory_that_is_short_at_times_ends_no_run(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    lacking = [seed for seed in range(1, 400) if mark(Deal.numbered(seed).position) % 5 < 2]
    assert len(lacking) > 2 * runner.CRASHES_IN_A_ROW
    rows = solved(numbers(range(1, 400)), job(FailingSolver), SerialExecutor(), 1)
    assert len(rows) > 300


def test_deals_that_kill_their_worker_get_rows(caplog: pytest.LogCaptureFixture) -> None:
    seeds = range(6, 12)
    with make_executor(2) as executor:
        rows = solved(numbers(seeds), job(KilledSolver), executor, 2)
    good = {row.seed: row for row in solved(numbers(seeds), JOB, SerialExecutor(), 1)}
    deadly = [seed for seed in seeds if mark(Deal.numbered(seed).position) % 5 == 0]
    assert [row.seed for row in rows] == list(seeds)
    assert [row.seed for row in rows if row.reason == "crash"] == deadly != []
    assert all(row == good[row.seed] for row in rows if row.reason != "crash")
    assert len([record for record in caplog.records if "crashed" in record.message]) == len(deadly)


class Fragile(Executor):
    """Takes the calls that wait together and fails them all if one would kill its worker."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[tuple[Future[Any], Callable[[], Any], bool]] = SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        deadly = any(start.seed % 7 == 0 for start in args[1])
        self._waiting.put((future, partial(fn, *args, **kwargs), deadly))
        return future

    def _work(self) -> None:
        while True:
            calls = [self._waiting.get()]
            while len(calls) < 6 and not self._waiting.empty():
                calls.append(self._waiting.get())
            for future, call, _ in calls:
                if any(deadly for *_, deadly in calls):
                    future.set_exception(RuntimeError("a worker died"))
                else:
                    future.set_result(call())


def test_deals_that_were_under_way_beside_a_deadly_one_are_not_blamed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rows = solved(numbers(SEEDS), JOB, Fragile(), 3)
    good = {row.seed: row for row in solved(numbers(SEEDS), JOB, SerialExecutor(), 1)}
    assert [row.seed for row in rows] == list(SEEDS)
    for row in rows:
        assert row == good[row.seed] if row.seed % 7 else row.reason == "crash"
    assert len(caplog.records) == len(SEEDS) // 7


def test_a_run_whose_workers_all_die_ends(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "CRASHES_IN_A_ROW", 1)
    with make_executor(2) as executor, pytest.raises(BatchError, match="deals in a row crashed"):
        solved(numbers(SEEDS), job(DeadlySolver), executor, 2)
    assert len(caplog.records) == 1


def test_a_run_whose_deals_all_fail_ends_without_rows(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    rows: list[Row] = []

    def run() -> None:
        for batch in solve_deals(numbers(SEEDS), job(BrokenSolver), SerialExecutor(), 1):
            rows.extend(batch)

    with pytest.raises(BatchError):
        run()
    assert rows == []


def test_a_few_deals_may_all_crash() -> None:
    rows = solved(numbers([1, 2]), job(BrokenSolver), SerialExecutor(), 1)
    assert [row.reason for row in rows] == ["crash", "crash"]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_is_stopped_gives_all_that_it_began(workers: int, two_workers: Executor) -> None:
    executor = SerialExecutor() if workers == 1 else two_workers
    rows: list[Row] = []
    starts = iter(numbers(range(1, 100_000)))
    for batch in solve_deals(starts, JOB, executor, workers, stop=lambda: len(rows) >= 30):
        rows.extend(batch)
    assert 30 <= len(rows) < 5000
    # What was taken from the list and is not among the rows was in chunks that never began.
    assert len({row.seed for row in rows}) == len(rows)


def test_the_solver_of_a_worker_is_made_once() -> None:
    made = 0

    def make() -> FakeSolver:
        nonlocal made
        made += 1
        return FakeSolver()

    solved(numbers(SEEDS), job(make), SerialExecutor(), 1)
    assert made == 1


def test_a_job_is_for_the_real_solver_by_default() -> None:
    assert Job(Limits()).make_solver is Solver
