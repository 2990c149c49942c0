"""Commands without what only Unix has, as on Windows: hidden here in a process of its own."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.case_files import FOLDER, checked_lines

COMMANDS = ("deals", "hint", "report", "show", "solve", "verify")
CASE_161 = str(FOLDER / "161-codegolf-13.txt")
LINE_161 = next(checked.line for checked in checked_lines() if checked.case == "161")

HIDDEN = """
import os, signal, sys
for name in ("termios", "tty", "pty", "fcntl", "resource", "pwd", "grp"):
    sys.modules[name] = None
import multiprocessing.util  # which asks the system by its name, not by what it has
for module, names in {
    os: ("posix_fallocate", "sched_getaffinity", "register_at_fork", "fork", "getuid", "geteuid",
         "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_DIRECTORY", "mkfifo", "statvfs", "killpg"),
    signal: ("SIGKILL", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGPIPE", "SIGALRM", "SIGPROF",
             "pthread_sigmask", "setitimer", "alarm", "sigwait"),
}.items():
    for name in names:
        delattr(module, name)
from importlib import import_module
command, *arguments = sys.argv[1:]
sys.argv = [f"spider-{command}", *arguments]
import_module(f"spider_solver.cli.{command}").main()
"""


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-c", HIDDEN, *map(str, arguments)]


def run(*arguments: object, folder: Path | None = None) -> str:
    """What a command prints that ends well."""
    ended = subprocess.run(
        command(*arguments), capture_output=True, text=True, cwd=folder, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_helps(name: str) -> None:
    assert run(name, "--help").startswith(f"Usage: spider-{name} [OPTIONS]")


def test_a_deal_is_solved() -> None:
    assert run("solve", "--suits", 1, "--seeds", 1).startswith("kpat 1, spider, 1 suit: won in ")


def test_a_set_is_made_and_verified(tmp_path: Path) -> None:
    many = ("--suits", 1, "--seeds", "1-3", "--workers", 1, "--out", "set")
    assert "won                3  100.00%" in run("solve", *many, folder=tmp_path)
    assert "bad                    0" in run("verify", "set", "--workers", 1, folder=tmp_path)


def test_a_line_is_shown(tmp_path: Path) -> None:
    game = ("show", CASE_161, "--line", LINE_161)
    assert run(*game, folder=tmp_path).startswith("spider-board.html: board, spider, ")
    out = run(*game, "--terminal")
    assert out.splitlines()[-1] == "won in 9 actions, score 591"


def test_stepping_says_what_is_missing() -> None:
    main, terminal = pty.openpty()
    try:
        ended = subprocess.run(
            command("show", CASE_161, "--line", LINE_161, "--terminal"),
            stdin=terminal,
            stdout=terminal,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        assert ended.returncode == 1
        assert ended.stderr == (
            "Error: stepping with keys needs the module termios, which this system does not have: "
            "print every step with --terminal | more, or leave --terminal out for a page\n"
        )
    finally:
        os.close(main)
        os.close(terminal)
