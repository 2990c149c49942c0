"""Solves many deals: chunks of them go to an executor, rows come back as they are done.

A row depends on its deal and the limits alone: not on the chunk, the worker or the order. A
chunk goes back to the queue with the deals that it had no time for, so a hard deal never holds
others up for long, and a run can be stopped soon without losing a deal that is done.
"""

import errno
import logging
import os
import socket
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import NamedTuple, Protocol

from spider_solver.batch.executors import IN_FLIGHT
from spider_solver.errors import SpiderError, is_shortage
from spider_solver.game.deal import Deal
from spider_solver.game.outcomes import Reason, Status
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules
from spider_solver.kernels.jit import cache_folder, is_warm
from spider_solver.search.result import Limits, Result
from spider_solver.search.solver import SOLVER, Solver, warm_up
from spider_solver.store.atomic import open_lock
from spider_solver.store.row import Row, row_of, unsolved_row
from spider_solver.text.quoting import one_line

CHUNK_DEALS = 256  # in a chunk, at most
CHUNK_SECONDS = 1.0  # after which a chunk begins no further deal
PULSE_SECONDS = 0.5  # the longest silence of ``solve_deals``
CRASHES_IN_A_ROW = 8  # that end a run: it is not the deals then

_log = logging.getLogger(__name__)


class DealNumber(NamedTuple):
    """A deal by its number, dealt where it is solved."""

    seed: int
    numbering: str
    rules: Rules

    def deal(self) -> Deal:
        """The deal with this number."""
        return Deal.numbered(self.seed, numbering=self.numbering, rules=self.rules)


Start = DealNumber | Deal
"""What chunks are made of."""


class BatchError(SpiderError):
    """A run that cannot go on; the message is one line."""


class WrongWorker(SpiderError):
    """A worker that does not run the client's solver; the message is one line."""


class Listener(Protocol):
    """Hears what happens in a run, such as a log."""

    def __call__(self, event: str, **fields: object) -> None:
        """One event.

        Args:
            event: ``chunk`` (done), ``lost`` (with its worker), ``memory`` (a deal for which the
                machine's memory did not do) or ``open`` (a deal).
            fields: what there is to say about it, ready for JSON.
        """


def _unheard(event: str, **fields: object) -> None:
    pass


class DealSolver(Protocol):
    """What a worker solves deals with, such as ``Solver``: one for each thread."""

    def solve(self, position: Position, limits: Limits) -> Result:
        """The result for one position."""


@dataclass(frozen=True)
class Job:
    """What all deals of a run share; it is sent along with each chunk.

    Attributes:
        limits: the budget of a deal.
        solver: version and hash of the solver, for the rows.
        make_solver: makes the solver of a worker.
        proofs: the data set in which workers put closed sets of lost deals; None for none.
        client: version and hash of the solver that the client runs; so must the workers.
    """

    limits: Limits
    solver: str = SOLVER
    make_solver: Callable[[], DealSolver] = Solver
    proofs: Path | None = None
    client: str = SOLVER


class Solved(NamedTuple):
    """What came of a chunk.

    Attributes:
        rows: of the deals that were done.
        left: the deals not begun.
        starved: the deals for which the machine's memory did not do; they have no rows.
        failures: a line for each.
        worker: its host and process.
        seconds: wall time of the chunk.
    """

    rows: list[Row]
    left: Sequence[Start]
    starved: list[Start]
    failures: list[str]
    worker: str
    seconds: float


_worker = threading.local()  # an executor may run chunks in threads (dask does)


def solve_chunk(job: Job, starts: Sequence[Start]) -> Solved:
    """Solve deals one after the other until all are done or the time of a chunk is over.

    A deal on which the solver raises an error gets an open row with reason ``crash``; one for
    which the machine's memory did not do gets none, since that is no result; one that is lost but
    whose closed set could not be written gets its row without a certificate.

    Raises:
        WrongWorker: this process does not run the solver that the client does.
    """
    worker = f"{socket.gethostname()}:{os.getpid()}"
    if job.client != SOLVER:
        raise WrongWorker(
            f"worker {worker} runs spider_solver {SOLVER}, this program is {job.client}: "
            "install the same version everywhere"
        )
    began = monotonic()
    end = began + CHUNK_SECONDS
    rows: list[Row] = []
    starved: list[Start] = []
    failures: list[str] = []
    for start in starts:
        deal = _dealt(start)
        try:
            result = _solver_here(job.make_solver).solve(deal.position, job.limits)
            row = row_of(deal, result, job.solver)
            if job.proofs is not None and result.has_closed_set:
                certificate, failure = _keep_proof(job.proofs, result)
                row = replace(row, certificate=certificate)
                failures += [f"{_name(deal)}: {failure}"] if failure else []
            rows.append(row)
        except Exception as error:
            _worker.solver = None  # it may be in any state
            if is_shortage(error):
                starved.append(start)
            else:
                rows.append(unsolved_row(deal, Reason.CRASH, job.solver))
            failures.append(_crash_text(deal, error))
        if monotonic() >= end:
            break
    left = starts[len(rows) + len(starved) :]
    return Solved(rows, left, starved, failures, worker, monotonic() - began)


def _keep_proof(folder: Path, result: Result) -> tuple[str | None, str]:
    """Write the closed set of a loss; gives its certificate, or why there is none."""
    # Other workers do without pyarrow, which takes 45 MB.
    from spider_solver.batch.keeping import keep_proof
    from spider_solver.store.reading import StoreError

    try:
        return keep_proof(folder, result), ""
    except StoreError as error:
        return None, f"lost, but its proof is not kept: {error}"


def _dealt(start: Start) -> Deal:
    return start if isinstance(start, Deal) else start.deal()


def _solver_here(make_solver: Callable[[], DealSolver]) -> DealSolver:
    """The solver of this thread, whose workspace all its deals share."""
    solver: DealSolver | None = getattr(_worker, "solver", None)
    if solver is None or _worker.made_by is not make_solver:
        if make_solver is Solver:
            _compile_once()
        solver = make_solver()
        _worker.solver, _worker.made_by = solver, make_solver
    return solver


def _compile_once() -> None:
    """Compile the kernels if this machine has not yet: one of its processes does, others wait."""
    if is_warm():
        return
    try:
        import fcntl

        with open_lock(cache_folder() / "compiling") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            warm_up()
    except (ImportError, OSError):  # no locks here, or no folder for compiled kernels
        warm_up()


def _name(deal: Deal) -> str:
    return f"{deal.numbering} {deal.seed}"


def _crash_text(deal: Deal, error: BaseException) -> str:
    what = "crashed"
    if is_shortage(error):
        is_files = isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)
        what = f"has not enough {'open files' if is_files else 'memory'}"
    return f"{_name(deal)} {what}: {type(error).__name__}: {_line(error)}"


def solve_deals(
    starts: Iterable[Start],
    job: Job,
    executor: Executor,
    workers: int | Callable[[], int],
    stop: Callable[[], bool] = lambda: False,
    tell: Listener = _unheard,
) -> Iterator[list[Row]]:
    """Solve deals on an executor and yield their rows as they are done, in any order.

    The deals of a chunk whose worker was lost are tried again one by one, and those that fail
    again once more while nothing else runs, since some executors lose all that is under way when
    a worker dies: a deal that kills its worker there, too, gets an open row with reason ``crash``.

    A deal for which the machine's memory did not do gets no row: whoever asked for it finds that
    it is missing, and the same run again tries it again.

    Memory stays the same however many deals there are: no more chunks are submitted than two a
    worker, and none while whoever takes the rows is busy (with a slow disk, say).

    Args:
        starts: the deals, by number or as they are.
        job: what they share.
        executor: any executor, of this machine or of many.
        workers: how many chunks it can run at a time, or what says so while that changes.
        stop: asked every now and then; once it says True no chunk is begun any more, those
            that run come to their end, and so does this.
        tell: hears what happens.

    Yields:
        Rows; an empty list when there was nothing new for a while.

    Raises:
        BatchError: deals crash, or have not enough memory, one after the other; a worker runs
            another version, or cannot load the solver; the executor has given up.
    """
    queue = _Queue(starts)
    most = workers if callable(workers) else lambda: workers
    running: dict[Future[Solved], _Chunk] = {}
    doubtful: list[Row] = []  # crashed, and nothing has gone well since
    failed = 0  # deals one after the other, those without rows too
    try:
        while True:
            while len(running) < IN_FLIGHT * max(1, most()) and not stop():
                chunk = queue.take(running.values())
                if chunk is None:
                    break
                running[executor.submit(solve_chunk, job, chunk.starts)] = chunk
            if stop():
                _cancel(running)
            if not running:
                break
            ready: list[Row] = []
            for future in wait(running, PULSE_SECONDS, FIRST_COMPLETED).done:
                rows, starved = _take_in(future, running.pop(future), job.solver, queue, tell)
                failed += starved
                for row in rows:
                    doubtful.append(row)
                    failed += 1
                    if row.reason != Reason.CRASH:
                        ready += doubtful
                        doubtful.clear()
                        failed = 0
            if failed >= CRASHES_IN_A_ROW:
                raise BatchError(f"{failed} deals in a row crashed (see above)")
            yield ready
        yield doubtful
    finally:
        _cancel(running)


class _Chunk(NamedTuple):
    """Deals that are under way."""

    starts: list[Start]
    alone: bool = False  # with nothing else beside it


def _cancel(running: dict[Future[Solved], _Chunk]) -> None:
    """Take back the chunks that no worker has begun."""
    for future in [future for future in running if future.cancel()]:
        del running[future]


def _take_in(
    future: Future[Solved], chunk: _Chunk, solver: str, queue: "_Queue", tell: Listener
) -> tuple[Sequence[Row], int]:
    """The rows of a chunk, and how many deals did not have enough memory.

    What it did not do goes back to the queue.
    """
    try:
        solved = future.result()
    except WrongWorker as error:
        raise BatchError(f"{error}") from None
    except (ImportError, AttributeError) as error:  # from taking in the chunk, not from a deal
        raise BatchError(
            f"a worker cannot load this program ({type(error).__name__}: {_line(error)}): "
            "install the same version everywhere"
        ) from None
    except CancelledError:  # not by us
        raise BatchError(
            "the executor has given up (is its scheduler gone?): run the same command again"
        ) from None
    except Exception as error:  # the worker died, or the way to it
        tell("lost", deals=len(chunk.starts), error=f"{type(error).__name__}: {_line(error)}")
        if not chunk.alone:
            queue.put_suspects(chunk.starts)
            return [], 0
        deal = _dealt(chunk.starts[0])
        _log.warning("%s", _crash_text(deal, error))
        if is_shortage(error):
            return [], _starved(chunk.starts, tell)
        return _opened([unsolved_row(deal, Reason.CRASH, solver)], tell), 0
    for failure in solved.failures:
        _log.warning("%s", one_line(failure))
    queue.put_back(solved.left, seconds=solved.seconds)
    tell("chunk", deals=len(solved.rows), seconds=round(solved.seconds, 3), worker=solved.worker)
    return _opened(solved.rows, tell), _starved(solved.starved, tell)


def _starved(starts: Sequence[Start], tell: Listener) -> int:
    """Report the deals that did not have enough memory; returns how many they are."""
    for start in starts:
        deal = _dealt(start)
        tell("memory", numbering=deal.numbering, seed=deal.seed)
    return len(starts)


def _opened(rows: list[Row], tell: Listener) -> list[Row]:
    """Rows, once those that stay open are told."""
    for row in rows:
        if row.status == Status.OPEN:
            tell("open", **row.key._asdict(), reason=row.reason, nodes=row.nodes)
    return rows


def _line(error: BaseException) -> str:
    """What an error says, in one line."""
    return one_line(" ".join(str(error).split()))


class _Queue:
    """Deals that wait, taken in chunks that grow while they are done in good time."""

    def __init__(self, starts: Iterable[Start]) -> None:
        self._fresh = iter(starts)
        self._left: deque[Start] = deque()
        self._suspects: deque[Start] = deque()  # of a chunk of several that came to nothing
        self._accused: deque[Start] = deque()  # that came to nothing by themselves
        self._size = 1

    def take(self, running: Collection[_Chunk]) -> _Chunk | None:
        """The next chunk, given those under way; None if there is none for now."""
        if any(chunk.alone for chunk in running):
            return None
        if self._suspects:
            return _Chunk([self._suspects.popleft()])
        if self._accused:
            return None if running else _Chunk([self._accused.popleft()], alone=True)
        starts: list[Start] = []
        while self._left and len(starts) < self._size:
            starts.append(self._left.popleft())
        starts.extend(islice(self._fresh, self._size - len(starts)))
        return _Chunk(starts) if starts else None

    def put_back(self, left: Sequence[Start], seconds: float) -> None:
        """Take back what a chunk had no time for, given the time that it took."""
        self._left.extend(left)
        if left:
            self._size = max(1, self._size // 2)
        elif seconds < CHUNK_SECONDS / 4:
            self._size = min(CHUNK_DEALS, self._size * 2)

    def put_suspects(self, starts: list[Start]) -> None:
        """Take back the deals of a chunk that came to nothing."""
        (self._suspects if len(starts) > 1 else self._accused).extend(starts)
