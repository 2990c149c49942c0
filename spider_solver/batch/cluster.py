"""Dask as the executor of a batch: workers of this machine, or those of a scheduler anywhere.

Needs ``spider-solver[dask]``. Nothing here is more than an ``Executor`` that ``solve_deals``
takes; ``Client.get_executor()`` is one as well, but it cannot tell a chunk that runs from one that
waits, and lets go of both when a run is stopped.
"""

import logging
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    InvalidStateError,
)
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from time import monotonic
from typing import Any, ParamSpec, TypeVar

import dask
from distributed import Client, KilledWorker, LocalCluster
from distributed import Future as Task

from spider_solver.batch.runner import BatchError

P = ParamSpec("P")
T = TypeVar("T")

_HOST = "127.0.0.1"  # whoever reaches a port of a scheduler or worker can run code there

CONNECT_SECONDS = 20  # for the scheduler to answer
WORKERS_SECONDS = 60  # for its first worker to come
LOOK_SECONDS = 2.0  # between two counts of the workers


class DaskExecutor(Executor):
    """Runs calls on the workers of a Dask scheduler.

    Args:
        client: a client of it.
        cluster: ended along with this executor; None for one that others look after.
    """

    def __init__(self, client: Client, cluster: LocalCluster | None = None) -> None:
        self._client = client
        self._cluster = cluster
        self._waiting: set[Future[Any]] = set()
        self._counted = -LOOK_SECONDS
        self._workers = 0

    @property
    def workers(self) -> int:
        """Calls that can run at a time: the threads of all workers that are there now."""
        if monotonic() - self._counted >= LOOK_SECONDS:
            self._counted = monotonic()
            with suppress(OSError, TimeoutError):
                self._workers = sum(self._client.nthreads().values())
        return self._workers

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run a call on some worker; it cannot be cancelled."""
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        self._waiting.add(future)
        task = self._client.submit(fn, *args, **kwargs, pure=False)
        task.add_done_callback(lambda done: self._hand_over(done, future))
        return future

    def _hand_over(self, task: Task, future: Future[Any]) -> None:
        """Give the outcome of a task to whoever waits for it."""
        outcome: Any = None
        error: Exception | None = None
        try:
            outcome = task.result()
        except KilledWorker:
            error = BrokenExecutor("its worker died")
        except Exception as raised:
            error = raised
        except BaseException:  # asyncio's CancelledError: the scheduler is gone
            error = CancelledError()
        with suppress(InvalidStateError):  # killed meanwhile
            self._waiting.discard(future)
            if error is None:
                future.set_result(outcome)
            else:
                future.set_exception(error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of the scheduler, or end it with its workers if they are this executor's own."""
        with suppress(OSError, TimeoutError):
            self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    def kill(self) -> None:
        """Give up all calls; the workers of others end what they are at, own ones are killed."""
        for future in tuple(self._waiting):
            with suppress(InvalidStateError):  # done meanwhile
                future.set_exception(BrokenExecutor("the workers were killed"))
        if self._cluster is not None:
            for nanny in self._cluster.workers.values():
                with suppress(AttributeError, ProcessLookupError):
                    nanny.process.process.kill()


def own_cluster(workers: int) -> DaskExecutor:
    """A Dask cluster of this machine: a scheduler, and a process for each worker.

    A chunk that loses its worker comes back at once, as with processes of the batch itself, and a
    worker that takes long to start again is waited for (on a busy machine it may). All of it
    listens to this machine alone.
    """
    dask.config.set(
        {
            "distributed.scheduler.allowed-failures": 0,
            "distributed.deploy.lost-worker-timeout": "1 day",
        }
    )
    with _signals_blocked():
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=None,  # a deal bounds its memory itself
            host=_HOST,
            dashboard_address=f"{_HOST}:0",  # no port that others want
            silence_logs=logging.CRITICAL,
        )
        return DaskExecutor(Client(cluster, set_as_default=False), cluster)


def connect(address: str) -> DaskExecutor:
    """The executor of a scheduler that is there already, such as ``tcp://host:8786``.

    Raises:
        BatchError: it does not answer, or has no workers.
    """
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise BatchError(f"no Dask scheduler at {address} ({error})") from None
    try:
        client.wait_for_workers(1, timeout=WORKERS_SECONDS)
    except TimeoutError:
        client.close()
        raise BatchError(
            f"the scheduler at {address} has no workers: start some with dask worker {address}"
        ) from None
    return DaskExecutor(client)


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Keep Ctrl-C from the threads and processes that start inside, and from theirs."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # begins with the first process else, and lets them through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
