"""Ctrl-C and SIGTERM end a program soon, whatever it is doing."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

INTERRUPTED = 128 + signal.SIGINT  # exit code 130, as shells have it

ENDING = (signal.SIGINT, signal.SIGTERM)
"""The signals that end a program."""

GRACE_SECONDS = 0.5
"""How long a program may take to end by itself, once a signal came."""


class Signalled(KeyboardInterrupt):
    """A signal that ends the program.

    Attributes:
        code: the exit code that it asks for, 130 or 143.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.code = 128 + number


def end_at_once(code: int) -> NoReturn:
    """End the program without taking the interpreter down, which takes up to a second."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # it may be closed
            stream.flush()
    os._exit(code)


@contextmanager
def ending_on_signal(ends_program: bool = False) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end what runs inside: they raise Signalled, once.

    Python raises it between two of its own instructions. Compiling a kernel can take many seconds
    with none in between, and what is raised in some callbacks is dropped. So a thread listens too,
    and ends the program outright after ``GRACE_SECONDS``. Once a signal came, more of them are
    ignored, afterwards as well: they must not break into how the program ends. Other errors are
    then taken for what the signal has done.

    Args:
        ends_program: whether the program ends after it, so that Ctrl-C has nothing left to end.
    """
    came: list[int] = []

    def end(number: int, frame: FrameType | None) -> NoReturn:
        for each in ENDING:
            signal.signal(each, signal.SIG_IGN)
        came.append(number)
        raise Signalled(number)

    before = {number: signal.signal(number, end) for number in ENDING}
    ear, mouth = os.pipe()
    os.set_blocking(mouth, False)
    outer = signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
    left = threading.Event()
    threading.Thread(target=_end_for_sure, args=(ear, left), daemon=True).start()
    try:
        yield
    except BaseException as error:
        if isinstance(error.__cause__, Signalled):  # click makes an Abort of it
            raise error.__cause__ from None
        if came and not isinstance(error, Signalled):
            raise Signalled(came[0]) from error
        raise
    finally:
        left.set()
        signal.set_wakeup_fd(outer)
        os.close(mouth)  # which the thread hears
        for number, handler in before.items():
            ignored = ends_program and number == signal.SIGINT
            if not came:
                signal.signal(number, signal.SIG_IGN if ignored else handler)


@contextmanager
def not_ending() -> Iterator[None]:
    """Let a signal that comes inside be answered by its handler alone."""
    outer = signal.set_wakeup_fd(-1)
    try:
        yield
    finally:
        signal.set_wakeup_fd(outer)


def _end_for_sure(ear: int, left: threading.Event) -> None:
    """End the program some time after a signal, unless it has left what a signal may end."""
    with open(ear, "rb", buffering=0) as heard:
        while number := heard.read(1):
            if number[0] in ENDING and not left.wait(GRACE_SECONDS):
                os._exit(128 + number[0])
