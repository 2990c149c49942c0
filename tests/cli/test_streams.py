"""Standard streams that are closed, full, or cannot show a suit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from spider_solver.text.quoting import one_line, printable, shell_quoted

REPOSITORY = Path(__file__).parents[2]
SHOW = "show --seed 1 --suits 4 --line '' --terminal"


def ended(
    command: str, redirections: str = "", encoding: str = "utf-8", folder: Path = REPOSITORY
) -> subprocess.CompletedProcess[bytes]:
    """What a shell sees of a command."""
    name, _, rest = command.partition(" ")
    line = f"{sys.executable} -m spider_solver.cli.{name} {rest} {redirections}"
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONPATH": str(REPOSITORY)}
    environment.pop("SPIDER_TRACEBACK", None)
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, env=environment, cwd=folder, check=False
    )


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp437"])
def test_what_cannot_be_encoded_becomes_letters(encoding: str) -> None:
    utf8 = ended(SHOW).stdout.decode()
    assert set("♣♦♥♠▒") <= set(utf8)
    found = ended(SHOW, encoding=encoding)
    assert (found.returncode, found.stderr) == (0, b"")
    letters = dict(zip("♣♦♥♠▒", "CDHS#", strict=True))
    known = [char for char in letters if char.encode(encoding, "ignore")]
    table = {ord(char): letter for char, letter in letters.items() if char not in known}
    assert found.stdout.decode(encoding) == utf8.translate(table)


def test_errors_that_cannot_be_encoded(tmp_path: Path) -> None:
    found = ended("verify ♠-é", encoding="ascii", folder=tmp_path)
    assert found.returncode == 1
    assert found.stderr == b"Error: S-\\xe9: No such file or directory\n"


def test_standard_output_that_is_closed() -> None:
    found = ended(SHOW, ">&-")
    assert found.returncode == 1
    assert found.stderr == (
        b"Error: standard output is closed: send it to a file or to /dev/null\n"
    )
    both = ended(SHOW, ">&- 2>&-")
    assert (both.returncode, both.stdout, both.stderr) == (1, b"", b"")


def test_standard_error_that_is_closed() -> None:
    assert ended("verify nowhere", "2>&-").returncode == 1
    found = ended(SHOW, "2>&-")
    assert found.returncode == 0
    assert b"action 0 of 0" in found.stdout


def test_standard_input_that_is_closed() -> None:
    found = ended("show - --terminal", "<&-")
    assert found.returncode == 1
    assert found.stderr.startswith(b"Error: ")
    assert found.stderr.count(b"\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
def test_streams_that_are_full() -> None:
    found = ended(SHOW, ">/dev/full")
    assert found.returncode == 1
    assert found.stderr == b"Error: No space left on device\n"
    found = ended("verify nowhere", "2>/dev/full")
    assert (found.returncode, found.stdout, found.stderr) == (1, b"", b"")


def test_a_reader_of_standard_error_that_has_enough() -> None:
    found = ended("verify nowhere", "2> >(exec true); exit ${PIPESTATUS[0]}")
    assert (found.returncode, found.stdout, found.stderr) == (1, b"", b"")


def test_text_that_is_printed_is_printable() -> None:
    assert printable("a\x1b[31m\n\x9bb\u202e\r\t\u2028") == "a\\x1b[31m\n\\x9bb\\u202e\\r\\t\\u2028"
    assert one_line("a\nb") == "a\\nb"
    assert printable("9♠ é 漢") == "9♠ é 漢"


@pytest.mark.parametrize("name", ["set", "a b", "it's", "\x1b[31m'\\\n", "\u202e", "é", "\udcff"])
def test_shells_read_back_what_is_quoted(name: str) -> None:
    word = shell_quoted(name)
    assert word.isprintable()
    found = subprocess.run(
        ["bash", "-c", f"printf %s {word}"], capture_output=True, check=True
    ).stdout
    assert found == os.fsencode(name)
