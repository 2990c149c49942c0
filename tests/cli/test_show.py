import os
import pty
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spider_solver import Deal, Position
from spider_solver.cli.show import show
from spider_solver.game.notation import parse_line
from spider_solver.game.outcomes import Reason
from spider_solver.game.rules import simple_simon
from spider_solver.show.page import replay_page
from spider_solver.store.closed_sets import closed_set_path, write_closed_set
from spider_solver.store.row import unsolved_row
from spider_solver.store.writing import SetWriter
from tests.analysis.sets import blockaded, write
from tests.case_files import FOLDER, checked_lines
from tests.cli.commands import Ended, run
from tests.rows import SETTINGS, open_row, real_rows, won_row
from tests.show.test_page import told

CASE_161 = next(FOLDER.glob("161-*.txt"))
LINE_161 = next(checked.line for checked in checked_lines() if checked.case == "161")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """A data set of three deals won and one open."""
    folder = tmp_path / "rows"
    with SetWriter(folder, SETTINGS) as writer:
        writer.add(real_rows())
    return folder


def shown(capsys: pytest.CaptureFixture[str], *arguments: object) -> Ended:
    ended = run(capsys, show, *arguments)
    assert ended.code == 0, ended.err
    return ended


def test_a_deal_is_solved_and_its_page_written(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(capsys, "--seed", 3, "--suits", 1).out
    assert re.fullmatch(r"spider-1-suit-kpat-3\.html: kpat 3, spider, 1 suit, \d+ actions\n", out)
    content = told(Path("spider-1-suit-kpat-3.html").read_text(encoding="utf-8"))
    assert content["won"]


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("--seed", 17), "spider-kpat-17.html"),
        (("--seed", 17, "--suits", 2), "spider-2-suits-kpat-17.html"),
        (("--variant", "simple-simon", "--seed", 2), "simple-simon-pysol-2.html"),
    ],
)
def test_pages_of_different_games_have_different_names(
    arguments: tuple[object, ...], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shown(capsys, *arguments).out.startswith(f"{name}: ")
    assert Path(name).is_file()


def test_a_number_that_only_pysolfc_has(capsys: pytest.CaptureFixture[str], rows: Path) -> None:
    game = ("--numbering", "pysol", "--seed", 27380765364592631808, "--suits", 1)
    name = "spider-1-suit-pysol-27380765364592631808.html"
    out = shown(capsys, *game, "--line", "jh1").out
    assert out == f"{name}: pysol 27380765364592631808, spider, 1 suit, 1 action\n"
    assert "pysol 27380765364592631808, spider, 1 suit" in Path(name).read_text(encoding="utf-8")
    ended = run(capsys, show, rows, "--seed", 27380765364592631808)
    assert ended.code == 1
    assert ended.err.startswith(f"Error: {rows} has no row of seed 27380765364592631808: it has ")


def test_a_board_and_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(capsys, CASE_161, "--line", LINE_161, "--out", "161.html").out
    assert out == "161.html: board, spider, 1 suit, 9 actions\n"
    Path("line.txt").write_text(LINE_161)
    shown(capsys, CASE_161, "--line", "line.txt")
    assert Path("spider-board.html").read_text() == Path("161.html").read_text()


def test_a_page_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(capsys, CASE_161, "--line", LINE_161, "--out", "-").out
    shown(capsys, CASE_161, "--line", LINE_161, "--out", "161.html")
    assert out == Path("161.html").read_text()


def test_opening_the_page(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    shown(capsys, CASE_161, "--line", LINE_161, "--open")
    assert opened == [Path("spider-board.html").resolve().as_uri()]


def test_a_row_of_a_data_set(capsys: pytest.CaptureFixture[str], rows: Path) -> None:
    row = won_row()
    out = shown(capsys, rows, "--seed", row.seed, "--suits", row.suits).out
    page_name = f"spider-1-suit-{row.numbering}-{row.seed}.html"
    assert out.startswith(f"{page_name}: {row.numbering} {row.seed}, ")
    page = replay_page(
        Position.from_code(row.deal),
        parse_line(row.line or ""),
        f"{row.numbering} {row.seed}, spider, 1 suit",
    )
    assert Path(page_name).read_text() == page


def test_an_open_and_a_lost_row(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    write(tmp_path / "set", [open_row(), blockaded()])
    out = shown(capsys, "set", "--seed", 14934).out
    assert out.splitlines()[1] == "lost: proved (blockade), no line of play wins"
    assert not told(Path("spider-pysol-14934.html").read_text())["won"]
    out = shown(capsys, "set", "--seed", open_row().seed).out
    assert out.splitlines()[1] == f"open: nothing is proved within {open_row().nodes:,} nodes"


@pytest.mark.parametrize("kept", [False, True])
def test_a_row_of_a_complete_search(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, kept: bool
) -> None:
    folder = write(tmp_path / "set", [])
    certificate = write_closed_set(folder, ["a position"]) if kept else None
    write(folder, [replace(blockaded(), proof="exhausted", certificate=certificate)])
    claimed = "lost: claimed (exhausted), not proved: the positions that prove it are not kept"
    proved = "lost: proved (exhausted), no line of play wins"
    out = shown(capsys, "set", "--seed", 14934).out
    assert out.splitlines()[1] == (proved if kept else claimed)
    if kept:
        closed_set_path(folder, certificate or "").unlink()
        assert shown(capsys, "set", "--seed", 14934).out.splitlines()[1] == claimed


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"certificate": None}, "certificate: certificate '', but the blockade is "),
        ({"proof": "exhausted", "certificate": "x"}, "certificate 'x' is not a SHA-256: 64 digits"),
        ({"proof": None}, "status lost, proof None, reason None do not go together"),
        ({"variant": "klondike"}, "unknown variant 'klondike'"),
    ],
)
def test_a_row_that_contradicts_itself(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    row = replace(blockaded(), **changes)
    write(tmp_path / "set", [row])
    ended = run(capsys, show, "set", "--seed", 14934)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith(f"Error: set: {row.key}: {words}")
    assert ended.err.endswith(": see spider-verify\n")


def test_a_set_says_which_game_it_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    settings = replace(SETTINGS, variant="simple-simon")
    row = unsolved_row(Deal.numbered(6, rules=simple_simon()), Reason.CRASH, SETTINGS.solver)
    write(tmp_path / "ss", [row], settings)
    title = "simple-simon-pysol-6.html: pysol 6, simple-simon, 4 suits, 0 actions"
    assert shown(capsys, "ss", "--seed", 6).out.splitlines()[0] == title
    for given in (("--variant", "simple-simon"), ("--numbering", "pysol"), ("--suits", 4)):
        assert shown(capsys, "ss", "--seed", 6, *given).out.splitlines()[0] == title
    ended = run(capsys, show, "ss", "--seed", 6, "--variant", "spider", "--numbering", "kpat")
    assert ended.err == (
        "Error: ss has no row of seed 6, numbering kpat, variant spider: "
        "it has 1 row of pysol, simple-simon, 4 suits\n"
    )
    write(tmp_path / "empty", [])
    ended = run(capsys, show, "empty", "--seed", 6)
    assert ended.err == "Error: empty has no row of seed 6: it has no rows yet\n"


def test_lost_and_open_deals(capsys: pytest.CaptureFixture[str]) -> None:
    lost = ("--seed", 14934, "--numbering", "pysol")
    assert shown(capsys, *lost).out.splitlines() == [
        "spider-pysol-14934.html: pysol 14934, spider, 4 suits, 0 actions",
        "lost: proved (blockade), no line of play wins",
    ]
    hard = ("--seed", 28241, "--numbering", "pysol", "--max-nodes", 500)
    assert shown(capsys, *hard).out.splitlines()[1] == "open: nothing is proved within 500 nodes"


# In the terminal


def test_every_step_is_printed_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = shown(capsys, CASE_161, "--line", LINE_161, "--terminal").out
    assert [int(n) for n in re.findall(r"action (\d+) of 9, score", out)] == list(range(10))
    assert out.count("\nplayed  ") == out.count("\nnext    ") == 9
    assert out.splitlines()[-1] == "won in 9 actions, score 591"
    assert max(map(len, out.splitlines())) <= 79
    assert not list(Path().iterdir())


def test_keys_in_a_terminal() -> None:
    command = [sys.executable, "-m", "spider_solver.cli.show", str(CASE_161), "--line", LINE_161]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    environment.pop("NO_COLOR", None)
    main, terminal = pty.openpty()
    with subprocess.Popen(
        [*command, "--terminal"], stdin=terminal, stdout=terminal, stderr=terminal, env=environment
    ) as process:
        os.close(terminal)
        read_until(main, "action 0 of 9")
        for keys, answer in (
            (b"\x1b[C", "action 1 of 9"),
            (b" ", "action 2 of 9"),
            (b"\x1b[D", "action 1 of 9"),
            (b"$", "won in 9 actions, score 591"),
            (b"g", "action (0 to 9)"),
            (b"4\n", "action 4 of 9"),
            (b"gx", "action 4 of 9"),
            (b"g77\r", "action 9 of 9"),
            (b"b" * 5, "action 4 of 9"),
            (b"u", "action 4 of 9"),
            (b"0", "action 0 of 9"),
        ):
            os.write(main, keys)
            seen = read_until(main, answer)
        assert "\033[7m" in seen  # the cards of the next move
        os.write(main, b"q")
        assert process.wait(20) == 0
    os.close(main)


def read_until(terminal: int, text: str) -> str:
    """What a terminal shows until some text comes, and the keys that are offered after it."""
    seen = ""
    while not re.search(re.escape(text) + (r"(?s:.*)q: quit" if "0 to" not in text else ""), seen):
        seen += os.read(terminal, 65536).decode(errors="replace")
    return seen


# What is refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "which game? Give a board"),
        ((CASE_161, "--line", LINE_161, "--terminal", "--out", "a.html"), "--terminal writes no"),
        ((CASE_161, "--line", LINE_161, "--out", ""), "'--out': the name is empty"),
        ((CASE_161, "--line", LINE_161, "--open", "--out", "-"), "--open needs a file"),
        ((CASE_161, "--line", "ab2"), "--line: action 1 (ab2): illegal move"),
        ((CASE_161, "--line", LINE_161, "--out", "no/such.html"), "no/such.html: No such file"),
        (("rows",), "which row of rows? Give --seed"),
        (("rows", "--seed", 3, "--line", "ab"), "a row has its own line: leave out --line"),
        (
            ("rows", "--seed", 999),
            "rows has no row of seed 999: it has 4 rows of kpat, spider, 1 suit; kpat",
        ),
        ((".", "--seed", 999), ". is not a data set, but holds some: rows"),
    ],
)
@pytest.mark.usefixtures("rows")
def test_wrong_usage(
    capsys: pytest.CaptureFixture[str], arguments: tuple[object, ...], message: str
) -> None:
    ended = run(capsys, show, *arguments)
    assert ended.code != 0
    assert message in ended.err.splitlines()[-1]


def test_a_row_that_is_not_the_only_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    row = won_row()
    other = Deal.numbered(row.seed, row.suits, "pysol")
    write(tmp_path / "set", [row, unsolved_row(other, Reason.CRASH, SETTINGS.solver)])
    ended = run(capsys, show, "set", "--seed", row.seed)
    assert ended.code == 1
    assert ended.err == (
        f"Error: set has 2 such rows: kpat {row.seed} (spider, suits 1); "
        f"pysol {row.seed} (spider, suits 1): give --numbering\n"
    )
    assert shown(capsys, "set", "--seed", row.seed, "--numbering", "pysol").code == 0
