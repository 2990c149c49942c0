"""What all commands share: options, messages and how they end."""

import codecs
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import StringIO, TextIOWrapper
from math import inf
from time import monotonic
from types import FrameType
from typing import Any, NoReturn

import click

from spider_solver import __version__
from spider_solver.cli.signals import (
    ENDING,
    INTERRUPTED,
    Signalled,
    end_at_once,
    ending_on_signal,
    not_ending,
)
from spider_solver.errors import SpiderError
from spider_solver.text.quoting import one_line, printable, quoted

HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

version_option = click.version_option(__version__, message="%(prog)s %(version)s")
"""``--version`` of a command."""

# Some programs send a signal to a process and to its group: within this time it counts once.
ONE_SIGNAL_SECONDS = 0.5

_MULTIPLES = {"k": 10**3, "m": 10**6, "g": 10**9}


def count(text: str, most: int = 2**63 - 1) -> int:
    """A positive whole number, also written as ``1e6``, ``1M`` or ``167k``; an option's type."""
    from decimal import Decimal

    plain = text.strip().lower().replace(",", "").replace("_", "")
    multiple = _MULTIPLES.get(plain[-1:], 1)
    try:
        number = Decimal(plain[:-1] if multiple > 1 else plain) * multiple
        if number < 1 and number == int(number):
            raise click.BadParameter(f"{quoted(text)}: must be at least 1")
        if number.is_finite() and number > most:
            raise click.BadParameter(f"{quoted(text)}: must be at most {most}")
        if number <= most and number == int(number):
            return int(number)
    except (ArithmeticError, ValueError):
        pass
    raise click.BadParameter(
        f"{quoted(text)} is not a whole number such as 500000, 1e6, 1M or 167k"
    )


def seconds(text: str) -> float:
    """A number of seconds above 0 and not infinite; an option's type."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < inf:  # nor nan
        raise click.BadParameter(
            f"{quoted(text)} is not a number of seconds above 0; for no limit leave the option out"
        )
    return number


class Named(click.Path):
    """A file or folder with a name: an empty text is often a variable without a value."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, once it is looked at."""
        if value == "":
            self.fail("the name is empty", param, ctx)
        return super().convert(value, param, ctx)


file_or_stream = Named(allow_dash=True, readable=False)
"""The name of a file to write, or ``-`` for standard output; an option's type."""


def run_command(command: click.Command, arguments: list[str] | None = None) -> NoReturn:
    """Run a command and end the program.

    Exit codes: 0; 2 for wrong usage; 130 after Ctrl-C; 143 after SIGTERM; 1 for anything else that
    fails, with one line and no traceback (unless SPIDER_TRACEBACK is set in the environment). Once
    the program is about to end, by Ctrl-C or not, Ctrl-C is ignored.
    """
    if arguments is None:
        sys.meta_path.insert(0, _WithoutPandas())
    try:
        _prepare_streams()
        with ending_on_signal(ends_program=True), _interrupts_in_callbacks(lambda: None):
            code = command.main(arguments, standalone_mode=False) or 0
        sys.stdout.flush()
    except click.ClickException as error:
        say(_error_text(error))
        code = error.exit_code
    except Signalled as error:
        end_at_once(error.code)
    except (click.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except BrokenPipeError:  # whoever read the output has enough
        code = 1
    except Exception as error:
        if os.environ.get("SPIDER_TRACEBACK"):
            raise
        say(f"Error: {_failure_text(error)}")
        code = 1
    _give_up_unwritten()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    exec("")  # Python forgets a KeyboardInterrupt in an exec, for which it would kill itself yet
    sys.exit(code)


class _WithoutPandas:
    """Keeps pandas from being imported into this program, which does not use it.

    To see whether a list that it is given is one of pandas', pyarrow imports all of it: half a
    second in which it would find out that none is.
    """

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        """Say of pandas that it is not there, of other modules nothing."""
        if fullname == "pandas":
            raise ModuleNotFoundError("No module named 'pandas'", name="pandas")


def _prepare_streams() -> None:
    """Make the standard streams fit to print to.

    What one cannot encode becomes ASCII letters. In the place of a closed one comes the null
    device, or the next file that is opened would take its number.

    Raises:
        ClickException: standard output is closed.
    """
    closed = [name for name in ("stdin", "stdout", "stderr") if getattr(sys, name) is None]
    for name in closed:
        mode = "r" if name == "stdin" else "w"
        setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_LETTERS)
    if "stdout" in closed:
        raise click.ClickException("standard output is closed: send it to a file or to /dev/null")


def _give_up_unwritten() -> None:
    """Drop what a stream does not take any more, or Python would complain of it at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _failure_text(error: Exception) -> str:
    """What an error says in one line, and of what kind it is unless it was meant to be told.

    A proof of the solver's own that does not hold is a fault of this program.
    """
    from spider_solver.proofs.check import ProofError

    text = one_line(str(error))
    if isinstance(error, SpiderError) and not isinstance(error, ProofError):
        return text
    if isinstance(error, OSError) and error.strerror:  # such as a full disk
        return (
            f"{one_line(str(error.filename))}: {error.strerror}"
            if error.filename
            else error.strerror
        )
    kind = "not enough memory" if isinstance(error, MemoryError) else type(error).__name__
    return f"{kind}: {text}"


def _error_text(error: click.ClickException) -> str:
    """What click shows of an error, its message in one line."""
    shown = StringIO()
    error.show(shown)
    message = error.format_message()
    return shown.getvalue().replace(message, one_line(message)).rstrip("\n")


_LETTERS = "spider-letters"
_PLAIN = {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "▒": "#", "±": "+-", "…": "..."}


def _in_letters(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that a stream cannot encode: letters for suits, or escapes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    plain = (_PLAIN.get(char) or ascii(char)[1:-1] for char in missing)
    return "".join(plain), error.end


codecs.register_error(_LETTERS, _in_letters)


class Stop:
    """Ctrl-C, or a request of the system to end, as a flag that a run looks at.

    Attributes:
        code: the exit code that the signal asks for; 0 as long as there was none.
        at_once: whether the first signal raises KeyboardInterrupt already, as where nothing would
            be kept by coming to an end in good order.
    """

    def __init__(self) -> None:
        self.code = 0
        self.at_once = False
        self._since = 0.0
        self._raised = False

    def __call__(self) -> bool:
        """Whether there was a signal."""
        return self.code != 0

    def take(self, number: int, frame: FrameType | None) -> None:
        """Take in a signal: the first sets the flag, a second raises KeyboardInterrupt, once.

        It says nothing: what it interrupts may be writing to the same stream.
        """
        first = not self.code
        if first:
            self.code = 128 + number
            self._since = monotonic()
        again = not first and monotonic() - self._since > ONE_SIGNAL_SECONDS
        if (again or self.at_once) and not self._raised:
            self._raised = True
            raise KeyboardInterrupt

    def missed(self) -> None:
        """Let the next signal raise KeyboardInterrupt: the last one ended in a callback."""
        self._raised = False


@contextmanager
def _interrupts_in_callbacks(missed: Callable[[], None]) -> Iterator[None]:
    """Call ``missed`` when Python drops a KeyboardInterrupt, instead of showing where.

    It drops, with a traceback, what is raised in the callback of a weak reference, for example.
    """
    before = sys.unraisablehook

    def hook(dropped: "sys.UnraisableHookArgs") -> None:
        if isinstance(dropped.exc_value, KeyboardInterrupt):
            missed()
        else:
            before(dropped)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


@contextmanager
def stop_on_signal() -> Iterator[Stop]:
    """Let Ctrl-C end what runs inside in good order; afterwards more of it is ignored."""
    import pyarrow as pa

    pa.enable_signal_handlers(False)  # or it would cancel reading, as if the files were damaged
    stop = Stop()
    with not_ending():
        before = {number: signal.signal(number, stop.take) for number in ENDING}
        try:
            with _interrupts_in_callbacks(stop.missed):
                yield stop
        finally:
            for number, handler in before.items():
                ended = number == signal.SIGINT and stop()
                ignored = signal.getsignal(number) is signal.SIG_IGN  # by what it was compiling
                signal.signal(number, signal.SIG_IGN if ended or ignored else handler)


def echo(text: str) -> None:
    """Print a text, what is not printable in it escaped: it may come from anywhere."""
    draw(printable(text))


def draw(text: str) -> None:
    """Print a text of our own, which may have colours."""
    click.echo(text, file=sys.stdout)  # or click would choose another encoding than the stream's


def say(text: str) -> None:
    """Tell the user something on standard error, if anybody listens."""
    with suppress(OSError):
        click.echo(printable(text), file=sys.stderr)
