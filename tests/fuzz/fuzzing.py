"""What a fuzz target is, and the loop that throws damaged inputs at it."""

import resource
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Generic, TypeVar

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spider_solver.text.intake import MAX_MESSAGE

Input = TypeVar("Input")

CORPUS = Path(__file__).parent / "corpus"
"""Inputs that once went wrong, a folder for each target that has some."""

MOST_SECONDS = 10  # of processor time for one input: a hang, to a reader of some kilobytes
MOST_BYTES = 2 << 30  # that one input may let the process grow by


@dataclass(frozen=True)
class Target(Generic[Input]):
    """A reader under fuzz.

    Attributes:
        name: its name; that of its folder in the corpus.
        read: reads an input, and checks what came of it.
        errors: what it may raise, each with a message of one line.
        inputs: damaged inputs.
    """

    name: str
    read: Callable[[Input], object]
    errors: tuple[type[Exception], ...]
    inputs: st.SearchStrategy[Input]


class Hung(BaseException):
    """An input took far too long."""


def outcome(target: Target[Input], given_input: Input) -> str:
    """``read``, or the name of the documented error that an input got; any other one is raised."""
    with bounded():
        try:
            target.read(given_input)
        except target.errors as error:
            message = str(error)
            assert message, "an error without a message"
            assert message.isprintable(), f"a message of several lines or worse: {message!r}"
            assert len(message) <= MAX_MESSAGE, f"a message too long: {message[:300]!r}"
            return type(error).__name__
    return "read"


@contextmanager
def bounded() -> Iterator[None]:
    """Raise ``Hung`` or ``MemoryError`` in what hangs or eats all memory."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Hung(f"more than {MOST_SECONDS} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    size = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = size * resource.getpagesize() + MOST_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most if hard < 0 else min(most, hard), hard))
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def fuzz(target: Target[Input], count: int, seeded: bool = True) -> Counter[str]:
    """Throw inputs at a target.

    Args:
        target: the target.
        count: how many inputs.
        seeded: whether they are the same ones each time.

    Returns:
        How many were read, and how many got which error.
    """
    outcomes: Counter[str] = Counter()

    @settings(
        max_examples=count,
        derandomize=seeded,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(target.inputs)
    def throw(given_input: Input) -> None:
        outcomes[outcome(target, given_input)] += 1

    throw()
    return outcomes


def corpus(name: str) -> Sequence[bytes]:
    """The kept inputs of a target."""
    return [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))]
