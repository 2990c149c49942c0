import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable

import click
import pytest

from spider_solver.cli import common
from spider_solver.cli.common import (
    Stop,
    count,
    run_command,
    seconds,
    stop_on_signal,
)
from spider_solver.proofs.check import ProofError
from spider_solver.store.reading import StoreError
from tests.cli.commands import run


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        ("500000", 500_000),
        ("1,000,000", 10**6),
        ("1_000_000", 10**6),
        ("1e6", 10**6),
        ("2.5E5", 250_000),
        ("1M", 10**6),
        ("1.5m", 1_500_000),
        ("167k", 167_000),
        ("2G", 2 * 10**9),
        (" 10K ", 10_000),
    ],
)
def test_counts(text: str, number: int) -> None:
    assert count(text) == number


@pytest.mark.parametrize("text", ["", "k", "1.5", "1e-3", "0.0001k", "many", "1kk", "inf", "nan"])
def test_texts_that_are_no_counts(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is not a whole number such as"):
        count(text)


@pytest.mark.parametrize("text", ["0", "-5", "-1k"])
def test_counts_begin_at_one(text: str) -> None:
    with pytest.raises(click.BadParameter, match=f"'{text}': must be at least 1"):
        count(text)


@pytest.mark.parametrize("text", ["9223372036854775808", "1e30", "1e999999", "9" * 5000, "1e19k"])
def test_counts_end_somewhere(text: str) -> None:
    with pytest.raises(click.BadParameter, match="must be at most 9223372036854775807"):
        count(text)
    assert count("9223372036854775807") == 2**63 - 1


def test_seconds() -> None:
    assert [seconds(text) for text in ("2", " 0.5 ", "1e3")] == [2.0, 0.5, 1000.0]


@pytest.mark.parametrize("text", ["", "0", "-1", "-inf", "nan", "inf", "1e999", "a minute"])
def test_texts_that_are_no_seconds(text: str) -> None:
    with pytest.raises(click.BadParameter) as caught:
        seconds(text)
    assert caught.value.message == (
        f"{text!r} is not a number of seconds above 0; for no limit leave the option out"
    )


def command(ends: Callable[[], int | None]) -> click.Command:
    return click.Command("try", callback=ends)


def ending(error: BaseException) -> click.Command:
    def ends() -> int:
        raise error

    return command(ends)


def test_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, command(lambda: None)).code == 0
    assert run(capsys, command(lambda: 1)).code == 1
    assert run(capsys, command(lambda: None), "--help").code == 0
    assert run(capsys, command(lambda: None), "--nonsense").code == 2
    assert run(capsys, ending(click.UsageError("so not"))).code == 2
    assert run(capsys, ending(KeyboardInterrupt())).code == 130


def test_failures_are_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPIDER_TRACEBACK", raising=False)
    known = run(capsys, ending(click.ClickException("the disk is full")))
    assert known == (1, "", "Error: the disk is full\n")
    unknown = run(capsys, ending(KeyError("two\nlines")))
    assert unknown == (1, "", "Error: KeyError: 'two\\nlines'\n")
    full = run(capsys, ending(OSError(errno.ENOSPC, "No space left on device")))
    assert full == (1, "", "Error: No space left on device\n")
    named = run(capsys, ending(OSError(errno.EMFILE, "Too many open files", "part\n1")))
    assert named == (1, "", "Error: part\\n1: Too many open files\n")
    monkeypatch.setenv("SPIDER_TRACEBACK", "1")
    with pytest.raises(KeyError):
        run_command(ending(KeyError("two")), [])


def test_errors_for_the_user(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPIDER_TRACEBACK", raising=False)
    ended = run(capsys, ending(StoreError("no such folder\n")))
    assert ended == (1, "", "Error: no such folder\\n\n")
    fault = run(capsys, ending(ProofError("the start is not in the closed set")))
    assert fault == (1, "", "Error: ProofError: the start is not in the closed set\n")


def test_a_reader_that_has_enough() -> None:
    program = (
        "import click; from spider_solver.cli.common import run_command\n"
        "run_command(click.Command('try', callback=lambda: click.echo('x' * 10**6)), [])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_stop_in_good_order(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(common, "monotonic", lambda: now)
    before = signal.getsignal(number)
    with stop_on_signal() as stop:
        assert not stop()
        os.kill(os.getpid(), number)
        assert stop()
        assert stop.code == 128 + number
        os.kill(os.getpid(), number)  # the same once more, as timeout(1) sends it
        now += 1
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
        os.kill(os.getpid(), number)  # how it ends is not to be broken into
    ignored = number == signal.SIGINT
    assert signal.getsignal(number) is (signal.SIG_IGN if ignored else before)
    signal.signal(number, before)


def test_an_interrupt_that_python_drops(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    now = 100.0
    monkeypatch.setattr(common, "monotonic", lambda: now)

    class Thing:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with stop_on_signal() as stop:
        os.kill(os.getpid(), signal.SIGINT)
        now += 1
        Thing()  # what is raised as it goes is dropped
        assert stop()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    signal.signal(signal.SIGINT, before)
    assert capfd.readouterr().err == ""


def test_no_signal() -> None:
    assert Stop().code == 0
