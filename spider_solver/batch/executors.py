"""Where chunks of deals are solved: in this process or in others.

The batch asks for no more than the interface of ``concurrent.futures.Executor``, so those of
dask (``Client.get_executor()``) and mpi4py (``MPIPoolExecutor``) do as well.
"""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context, parent_process, resource_tracker
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")

IN_FLIGHT = 2  # calls for each worker: one runs, one waits so that no worker does


def make_executor(workers: int) -> "SerialExecutor | ProcessExecutor":
    """The executor for a number of workers on this machine: one is this process itself."""
    return SerialExecutor() if workers == 1 else ProcessExecutor(workers)


def available_cores() -> int:
    """The cores that this process may use (a batch system may grant fewer than there are)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_in_order(
    executor: Executor, workers: int, fn: Callable[[A], T], arguments: Iterable[A]
) -> Iterator[T]:
    """The results of calls, in order; never many more are submitted than workers can run."""
    running: deque[Future[T]] = deque()
    for argument in arguments:
        running.append(executor.submit(fn, argument))
        if len(running) >= IN_FLIGHT * workers:
            yield running.popleft().result()
    while running:
        yield running.popleft().result()


class SerialExecutor(Executor):
    """Runs each call in this process, before ``submit`` returns."""

    workers = 1

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run a call; the future that comes back is done."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future

    def kill(self) -> None:
        """Nothing: no call is under way when another can be made."""


class ProcessExecutor(ThreadPoolExecutor):
    """Runs calls in worker processes, each behind a thread of its own.

    When a worker dies, only the call that it was running fails, with BrokenProcessPool, and a
    new worker takes its place; in one ProcessPoolExecutor all calls in flight would fail, and
    nobody could tell which of them killed it.
    """

    def __init__(self, workers: int) -> None:
        super().__init__(workers, initializer=_block_interrupt)
        self.workers = workers
        self._of_thread = threading.local()
        self._pids: dict[ProcessPoolExecutor, int] = {}
        self._killed = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run a call in the next worker that is free."""
        return super().submit(self._run, fn, *args, **kwargs)

    def _run(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        pool = self._pool()
        try:
            if pool not in self._pids:
                self._pids[pool] = pool.submit(os.getpid).result()
            if self._killed:
                raise BrokenProcessPool("the workers were killed")
            return pool.submit(fn, *args, **kwargs).result()
        except BrokenProcessPool:
            self._of_thread.pool = None
            self._pids.pop(pool, None)
            # From Python 3.12 on, a broken pool that is dropped before its thread has ended can
            # lock itself up, and the whole program at its end.
            pool.shutdown()
            raise

    def _pool(self) -> ProcessPoolExecutor:
        """The pool of one worker that belongs to this thread."""
        pool: ProcessPoolExecutor | None = getattr(self._of_thread, "pool", None)
        if pool is None:
            # Spawned, not forked: this process has threads, and a worker has little to load.
            pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=_start_worker)
            self._of_thread.pool = pool
        return pool

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers once they have done what they are at."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        if wait:
            for pool in tuple(self._pids):
                pool.shutdown()

    def kill(self) -> None:
        """End the workers at once, whatever they are at."""
        self._killed = True
        super().shutdown(wait=False, cancel_futures=True)
        for pid in tuple(self._pids.values()):
            with suppress(ProcessLookupError):
                os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def _block_interrupt() -> None:
    """Keep Ctrl-C from the calling thread and from the processes that it starts.

    A worker would otherwise be open to it until ``_start_worker`` has run in it. The resource
    tracker of ``multiprocessing``, as it starts, takes the block away again: it goes first.
    """
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _start_worker() -> None:
    """Make a worker leave signals to its parent, and end when the parent ends, even by a kill.

    Terminals send Ctrl-C, batch systems a request to end, to every process of a run; the
    parent takes in what the workers have done before it ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
