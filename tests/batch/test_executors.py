import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from spider_solver.batch.executors import (
    ProcessExecutor,
    SerialExecutor,
    available_cores,
    make_executor,
    map_in_order,
)


def square(number: int) -> int:
    return number * number


def fail(number: int) -> int:
    raise ValueError(f"no {number}")


def die(number: int) -> int:
    if number % 3 == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def never_end(path: Path) -> None:
    path.touch()
    while True:
        signal.pause()


def survive_signals(number: int) -> int:
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGTERM)
    return number


def test_one_worker_is_this_process() -> None:
    with make_executor(1) as executor:
        assert executor.submit(os.getpid).result() == os.getpid()
    with make_executor(2) as executor:
        assert executor.submit(os.getpid).result() != os.getpid()


@pytest.fixture(scope="module", params=[1, 2])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    with make_executor(request.param) as made:
        yield made


def test_results_and_errors_come_back(executor: Executor) -> None:
    assert executor.submit(square, 7).result() == 49
    future = executor.submit(fail, 7)
    with pytest.raises(ValueError, match="no 7"):
        future.result()


@pytest.mark.parametrize("count", [0, 1, 5, 40])
def test_map_in_order(executor: Executor, count: int) -> None:
    results = list(map_in_order(executor, 2, square, range(count)))
    assert results == [number * number for number in range(count)]


def test_map_in_order_does_not_run_far_ahead() -> None:
    taken = 0

    def arguments() -> Iterator[int]:
        nonlocal taken
        while taken < 100:
            taken += 1
            yield taken

    with SerialExecutor() as executor:
        results = map_in_order(executor, 3, square, arguments())
        next(results)
        assert taken == 6


def test_a_worker_that_dies_takes_only_its_own_call_along() -> None:
    with ProcessExecutor(2) as executor:
        futures = [executor.submit(die, number) for number in range(9)]
        for number, future in enumerate(futures):
            if number % 3 == 1:
                assert isinstance(future.exception(), BrokenProcessPool)
            else:
                assert future.result() == number


def test_a_program_that_lost_workers_ends() -> None:
    program = """
import os
from spider_solver.batch.executors import ProcessExecutor
with ProcessExecutor(2) as executor:
    for _ in range(3):
        lost = [executor.submit(os._exit, 3) for _ in range(2)]
        print(*(type(call.exception()).__name__ for call in lost))
    print(executor.submit(abs, -7).result())
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True
    )
    assert ended.stdout == "BrokenProcessPool BrokenProcessPool\n" * 3 + "7\n"
    assert ended.stderr == ""


def test_workers_leave_signals_to_their_parent() -> None:
    with ProcessExecutor(2) as executor:
        assert executor.submit(survive_signals, 5).result() == 5


def test_workers_can_be_killed_at_what_they_are_at(tmp_path: Path) -> None:
    with ProcessExecutor(2) as executor:
        futures = [executor.submit(never_end, tmp_path / str(number)) for number in range(4)]
        while len(list(tmp_path.iterdir())) < 2:
            time.sleep(0.05)
        executor.kill()
    assert all(future.cancelled() or future.exception() for future in futures)


def test_cores() -> None:
    assert 1 <= available_cores() <= (os.cpu_count() or 1)
