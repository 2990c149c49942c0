"""What is too large or no text at all: refused in one line, and never read whole."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest

from spider_solver import Deal, Position, parse_line
from spider_solver.cli.hint import hint
from spider_solver.cli.show import show
from spider_solver.cli.solve import solve
from spider_solver.formats.board import BOARD
from spider_solver.formats.deals import read_boards
from spider_solver.formats.detect import FORMATS, read_position
from spider_solver.formats.format import Format
from spider_solver.formats.solvitaire import SOLVITAIRE
from spider_solver.formats.unchecked import BoardError
from spider_solver.game.notation import DEAL, NotationError
from spider_solver.game.rules import spider
from spider_solver.text.intake import MAX_MOVES, MAX_TEXT, IntakeError, read_text
from tests.cli.commands import Ended, piped, run
from tests.fuzz.fuzzing import bounded

START = Deal.numbered(1).position
BOARDS = [Deal.numbered(seed).position for seed in (1, 2, 3)]
TOO_LARGE = "larger than 1,000,000 bytes, the most that is read"
TOO_LARGE_SET = "larger than 100,000,000 bytes, the most that is read"

COMMANDS: dict[str, tuple[click.Command, tuple[str, ...]]] = {
    "solve": (solve, ("--board",)),
    "solve many": (solve, ("--boards",)),
    "hint": (hint, ()),
    "show": (show, ()),
    "line": (hint, ("--seed", "1", "--line")),
}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refused(capsys: pytest.CaptureFixture[str], name: str, argument: object) -> str:
    """The one line in which a command refuses an argument, without ``Error:``."""
    command, options = COMMANDS[name]
    with bounded():
        ended: Ended = run(capsys, command, *options, argument)
    assert ended.code in (1, 2)
    assert ended.out == ""
    last = ended.err.splitlines()[-1]
    assert "Traceback" not in ended.err
    return last.removeprefix("Error: ")


# Files


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_devices_without_end(capsys: pytest.CaptureFixture[str], name: str, device: str) -> None:
    if not Path(device).exists():
        pytest.skip(f"there is no {device}")
    if name == "line":  # a line is written out or in a file
        message = f"--line: move 1: '{device}' is no move (such as ac3, ac, deal or a*)"
    else:
        message = f"{device}: {TOO_LARGE_SET if name == 'solve many' else TOO_LARGE}"
    assert refused(capsys, name, device) == message


@pytest.mark.parametrize("name", COMMANDS)
def test_a_huge_file(capsys: pytest.CaptureFixture[str], name: str) -> None:
    with Path("huge").open("wb") as file:
        file.truncate(1 << 40)
    expected = TOO_LARGE_SET if name == "solve many" else TOO_LARGE
    assert refused(capsys, name, "huge") == f"huge: {expected}"


@pytest.mark.parametrize("name", ["solve", "solve many", "hint"])
def test_a_folder(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert refused(capsys, name, ".") == ".: Is a directory"


@pytest.mark.parametrize("name", ["solve", "solve many", "hint", "show"])
def test_a_pipe_without_end(capsys: pytest.CaptureFixture[str], name: str) -> None:
    os.mkfifo("pipe")

    def write() -> None:
        try:
            with Path("pipe").open("wb") as file:
                while True:
                    file.write(b"KS " * 100_000)
        except BrokenPipeError:
            pass

    writer = threading.Thread(target=write)
    writer.start()
    try:
        expected = TOO_LARGE_SET if name == "solve many" else TOO_LARGE
        assert refused(capsys, name, "pipe") == f"pipe: {expected}"
    finally:
        writer.join()


@pytest.mark.parametrize("name", ["solve", "hint", "show"])
def test_standard_input_without_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(sys, "stdin", piped(b"KS " * 1_000_000))
    assert refused(capsys, name, "-") == f"standard input: {TOO_LARGE}"


TEXT = BOARD.write(START)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "line"])
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (TEXT.encode("utf-16"), "not a text file: byte 1 is not UTF-8"),
        (TEXT.encode("utf-16-le"), "not a text file: byte 2 is zero"),
        (TEXT.encode("utf-16-be"), "not a text file: byte 1 is zero"),
        (TEXT.encode("utf-32-le"), "not a text file: byte 2 is zero"),
        (TEXT.encode() + b"\0", f"not a text file: byte {len(TEXT) + 1} is zero"),
        (b"KS \xe9\n", "not a text file: byte 4 is not UTF-8"),
        (b"KS \xed\xa0\x80\n", "not a text file: byte 4 is not UTF-8"),  # a lone surrogate
        (b"\x7fELF\x02\x01\x01\x00", "not a text file: byte 8 is zero"),
        (b"", "no board in it"),
    ],
)
def test_what_is_no_text(
    capsys: pytest.CaptureFixture[str], name: str, data: bytes, message: str
) -> None:
    Path("board").write_bytes(data)
    where = "--board" if (name, data) == ("solve", b"") else "board"
    assert refused(capsys, name, "board") == f"{where}: {message}"


def test_a_file_of_lines_is_limited_too(capsys: pytest.CaptureFixture[str]) -> None:
    foreign = "lines was not written by --follow: give another file"
    for data in (b"[" * 100_000, b" " * 2_000_000, TEXT.encode("utf-16"), b'{"lines": {"a": 1}}'):
        Path("lines").write_bytes(data)
        ended = run(capsys, hint, "--seed", 1, "--suits", 1, "--follow", "lines")
        assert (ended.code, ended.out, ended.err) == (1, "", f"Error: {foreign}\n")


def test_a_text_at_its_limit() -> None:
    path = Path("text")
    path.write_bytes(b"a\r\nb\rc\n" + b" " * (MAX_TEXT - 7))
    assert read_text(path).rstrip(" ") == "a\nb\nc\n"
    assert len(read_text(path)) == MAX_TEXT - 1
    path.write_bytes(b" " * (MAX_TEXT + 1))
    with pytest.raises(IntakeError) as caught:
        read_text(path)
    assert str(caught.value) == TOO_LARGE
    with pytest.raises(IntakeError, match="larger than 3 bytes, the most that is read"):
        read_text(path, 3)


# Boards


@contextmanager
def board_error(message: str) -> Iterator[None]:
    with bounded(), pytest.raises(BoardError) as caught:
        yield
    assert str(caught.value) == message


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_a_board_is_read_up_to_its_limit(form: Format) -> None:
    text = form.write(START)
    padding = MAX_TEXT - len(text)
    assert read_position(text + "\n" * padding) == START
    with board_error("longer than 1,000,000 characters, as no board is"):
        read_position(text + "\n" * (padding + 1))


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_the_boards_of_a_long_text(form: Format) -> None:
    text = "".join(form.write(BOARDS[number % 3]) for number in range(6000))
    assert len(text) > MAX_TEXT
    deals = read_boards(text)
    assert [deal.seed for deal in deals] == list(range(1, 6001))
    assert [deal.position for deal in deals[-2:]] == [BOARDS[1], BOARDS[2]]
    lines = text.count("\n")
    wrong = form.write(BOARDS[0]).replace("8H", "8X", 1).replace("8h", "8x", 1)
    with pytest.raises(BoardError) as caught:
        read_boards(text + wrong)
    message = str(caught.value)
    assert message.startswith(f"board 6001 (from line {lines + 1}): ")
    assert "unknown card" in message


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_one_of_many_boards_is_too_long(form: Format) -> None:
    first, second = map(form.write, BOARDS[:2])
    if form is SOLVITAIRE:
        second = second.replace("[", "[" + " " * MAX_TEXT, 1)
    elif form.name == "code":
        second = second.replace("/", "/" + "KS" * MAX_TEXT, 1)
    else:
        second = second.replace("<8H>", "<8H>" + " " * MAX_TEXT, 1)
    line = first.count("\n") + 1
    with board_error(
        f"board 2 (from line {line}): longer than 1,000,000 characters, as no board is"
    ):
        read_boards(first + second)


def test_a_broken_board_in_a_long_array_says_what_is_wrong() -> None:
    good = SOLVITAIRE.write(START)
    boards = [good, good.replace('"Jd"', '"Jd', 1), *[good] * 3000]
    with pytest.raises(BoardError) as caught:
        read_boards(f"[{','.join(boards)}]")
    assert str(caught.value).startswith("board 2 (from line ")
    assert "Expecting ',' delimiter" in str(caught.value)


def test_long_texts_without_a_board() -> None:
    with board_error("no board in its first 1,000,000 characters"):
        read_boards("# nothing\n" * 200_000 + TEXT)
    with board_error("board 1 (from line 1): longer than 1,000,000 characters, as no board is"):
        read_boards("KS " * 4_000_000)  # a line of 12 MB
    with board_error("no board: lists within lists without end"):
        read_position("[" * 500_000)
    with board_error("tableau piles: a list is expected, not an object"):
        read_position('{"tableau piles": ' + '{"a":' * 400 + "7" + "}" * 401)
    with board_error("no board: a number of thousands of digits"):
        read_position('{"tableau piles": [[' + "9" * 900_000 + "]]}")
    with board_error("AC is missing: 0 of 2 are there"):
        read_position("Talon: KS\n" + "\n" * 900_000, spider(4))


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("\0", "'\\x00'"),
        ("\ud800", "'\\ud800'"),
        ("\x1b[31mKS", "'\\x1b[31mKS'"),
        ("9" * 5000, f"'{'9' * 40}'..."),
        ("K" * 900_000, f"'{'K' * 40}'..."),
    ],
)
def test_strange_cards(token: str, shown: str) -> None:
    with board_error(f"line 2: unknown card {shown}"):
        read_position(TEXT.replace("<JD>", token, 1))


def test_messages_about_many_cards_are_short() -> None:
    hidden = TEXT
    for line in TEXT.splitlines()[1:]:
        cells = line.split()
        hidden = hidden.replace(line, " ".join(["??"] * (len(cells) - 1) + cells[-1:]))
    with board_error(
        "44 cards cannot be known, so nothing can be proved: column a 1-5, column b 1-5, "
        "column c 1-5, column d 1-5, column e 1-4, column f 1-4, column g 1-4, column h 1-4, "
        "column i 1-4, column j 1-4 (counted from the deepest card, the stock in dealing order); "
        "missing from a deck of 4 suits: AC (1), 3C (1), 4C (2), 5C (1), 6C (2), TC (1), JC (1), "
        "KC (1), 2D (1), 3D (1), 4D (1), 5D (1) and 24 more"
    ):
        read_position(hidden)


# Moves and codes


def test_lines_are_limited() -> None:
    assert parse_line("deal " * MAX_MOVES) == [DEAL] * MAX_MOVES
    messages = {
        "deal " * (MAX_MOVES + 1): "more than 100,000 moves",
        "a" * 10_000_000: f"move 1: '{'a' * 40}'... is no move (such as ac3, ac, deal or a*)",
        "ab99999999999999999999": (
            "move 1: 'ab99999999999999999999' is no move (such as ac3, ac, deal or a*)"
        ),
        "ab1 ab\0": "move 2: 'ab\\x00' is no move (such as ac3, ac, deal or a*)",
        "\ud800": "move 1: '\\ud800' is no move (such as ac3, ac, deal or a*)",
        "ab²": "move 1: 'ab²' is no move (such as ac3, ac, deal or a*)",
    }
    for text, message in messages.items():
        with bounded(), pytest.raises(NotationError) as caught:
            parse_line(text)
        assert str(caught.value) == message


def test_codes_are_limited() -> None:
    with bounded(), pytest.raises(NotationError) as caught:
        Position.from_code("KS" * 10_000_000)
    assert str(caught.value) == "a position code has at most 1,000,000 characters"


def test_a_line_file_is_limited(capsys: pytest.CaptureFixture[str]) -> None:
    Path("line").write_text("deal " * (MAX_MOVES + 1))
    assert refused(capsys, "line", "line") == "line: more than 100,000 moves"
    Path("line").write_text("deal " * MAX_MOVES + " " * MAX_TEXT)
    assert refused(capsys, "line", "line") == f"line: {TOO_LARGE}"
    Path("line").write_bytes("deal".encode("utf-16-le"))
    assert refused(capsys, "line", "line") == "line: not a text file: byte 2 is zero"
