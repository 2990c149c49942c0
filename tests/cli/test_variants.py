"""Every command with the games of the family."""

import json
from pathlib import Path
from typing import Any

import pytest

from spider_solver import Deal
from spider_solver.cli.hint import hint
from spider_solver.cli.show import show
from spider_solver.cli.solve import solve
from spider_solver.cli.verify import verify
from spider_solver.formats.board import write_board
from spider_solver.game.notation import parse_line
from spider_solver.game.rules import VARIANTS, optional_removal, spiderette
from spider_solver.proofs.check import replay, verify_line
from spider_solver.store.reading import read_table
from tests.case_files import FOLDER
from tests.cli.commands import run

SPIDERETTE = ("--variant", "spiderette")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def answer(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    ended = run(capsys, *arguments, "--json")  # type: ignore[arg-type]
    assert ended.code == 0, ended.err
    found: dict[str, Any] = json.loads(ended.out)
    return found


def test_a_set_of_spiderette_is_solved_extended_and_verified(
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = (*SPIDERETTE, "--max-nodes", "20k", "--workers", 1, "--out", "set")
    assert answer(capsys, solve, *options, "--seeds", "1-4")["solved_now"] == 4
    assert answer(capsys, solve, *options, "--seeds", "1-6")["solved_now"] == 2
    rows = read_table(Path("set")).to_pylist()
    assert [row["seed"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert {(row["numbering"], row["variant"], row["suits"]) for row in rows} == {
        ("pysol", "spiderette", 4)
    }
    assert {row["status"] for row in rows} >= {"won"}
    for row in rows:
        assert row["deal"] == Deal.numbered(row["seed"], rules=spiderette()).position.code
    ended = run(capsys, verify, "set", "--workers", 1)
    assert ended.code == 0, ended.err


def test_another_game_is_another_set(capsys: pytest.CaptureFixture[str]) -> None:
    batch = ("--seeds", 2, "--max-nodes", "20k", "--workers", 1, "--out", "set")
    assert run(capsys, solve, *SPIDERETTE, *batch).code == 0
    ended = run(capsys, solve, "--variant", "relaxed", *batch)
    assert ended.code == 1
    assert ended.err == (
        "Error: set holds another game (variant spiderette there, relaxed here): "
        "give another --out\n"
    )


DECKS = [
    (
        "spiderette",
        "7 columns where the game has 10 (an empty one is a ':' alone)",
        "spiderette or will-o-the-wisp",
    ),
    ("simple-simon", "AC is missing: 1 of 2 are there", "simple-simon"),
    ("mrs-mop", "line 12: column 11 (QC) is too many: the game has 10", "mrs-mop"),
]


@pytest.mark.parametrize(("variant", "message", "named"), DECKS)
def test_a_board_of_another_game_names_it(
    capsys: pytest.CaptureFixture[str], variant: str, message: str, named: str
) -> None:
    position = Deal.numbered(2, rules=VARIANTS[variant](4)).position
    Path("board.txt").write_text(write_board(position))
    for option in ("--board", "--boards"):
        ended = run(capsys, solve, option, "board.txt")
        assert ended.code == 1
        assert message in ended.err
        assert ended.err.endswith(f"; it fits another game: give --variant {named}\n")
    for command in (hint, show):
        ended = run(capsys, command, position.code)
        assert ended.err.startswith("Error: position code: ")
        assert ended.err.endswith(f"; it fits another game: give --variant {named}\n")


def test_a_board_of_spider_where_another_game_was_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ended = run(capsys, solve, *SPIDERETTE, "--board", Deal.numbered(2).position.code)
    assert ended.err == (
        "Error: --board: 10 columns where the game has 7; "
        "it fits another game: give --variant spider\n"
    )


def test_a_board_that_is_wrong_in_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    code = Deal.numbered(2).position.code[2:]
    ended = run(capsys, solve, "--board", code)
    assert ended.code == 1
    assert " is missing: 1 of 2 are there\n" in ended.err


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_deal_of_every_game(capsys: pytest.CaptureFixture[str], variant: str) -> None:
    row = answer(capsys, solve, "--variant", variant, "--seeds", 2)
    assert (row["variant"], row["suits"], row["status"]) == (variant, 4, "won")
    position = Deal.numbered(2, rules=VARIANTS[variant](4)).position
    assert verify_line(position, parse_line(row["line"])).actions == row["actions"]


def test_a_board_is_played_by_the_variant(capsys: pytest.CaptureFixture[str]) -> None:
    board = ("--board", next(FOLDER.glob("209-*.txt")))
    assert answer(capsys, solve, *board)["status"] == "lost"
    row = answer(capsys, solve, *board, "--variant", "relaxed")
    assert (row["status"], row["variant"]) == ("won", "relaxed")
    assert "deal" in row["line"]


def test_a_run_is_kept_and_removed_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    board = next(FOLDER.glob("225-*.txt"))
    row = answer(capsys, solve, "--board", board, "--variant", "optional-removal")
    assert row["status"] == "won"
    assert row["line"].count("*") == 2


def test_a_hint_under_optional_removal(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, hint, "--variant", "optional-removal", "--seed", 2, "--suits", 1)
    assert found["status"] == "won"
    position = Deal.numbered(2, rules=optional_removal(1)).position
    assert replay(position, parse_line(found["move"])).actions == 1


def test_a_page_of_mrs_mop(capsys: pytest.CaptureFixture[str]) -> None:
    ended = run(capsys, show, "--variant", "mrs-mop", "--seed", 2, "--max-nodes", "3M")
    assert ended.code == 0, ended.err
    (page,) = Path().glob("*.html")
    assert "mrs-mop" in page.read_text(encoding="utf-8")
