"""Tables with unknown cards that come from numbered deals."""

import json
import re
from pathlib import Path

import pytest

from spider_solver import Deal
from spider_solver.cli.hint import hint
from spider_solver.formats.board import write_board
from spider_solver.game.position import Position
from spider_solver.game.view import View
from tests.cli.commands import run

Capsys = pytest.CaptureFixture[str]
QUICK = ("--effort", "quick", "--json")

# kpat 31 on its winning line, where four different cards lie face down
FOUR_UNKNOWN = (
    "2D/KCQC3CKHQHJHTH9H8H7H6H5H4H/QSJSTS9S8S7S6S5S4S3S2SAS/????????9C8C7C6C5C5D4C3D2HAHKDQDJDTD9D8D"
    "7D6D/7S6S5S4S3S2SAS/KSQSJSJCTC/2CAC/9S/4D/3H - CDH"
)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def played(position: Position, actions: int) -> Position:
    for _ in range(actions):
        position = position.play(position.legal_moves()[0])
    return position


def as_seen(position: Position) -> str:
    """The board text of a table, with hidden cards and the stock unknown."""
    lines = write_board(position).splitlines(keepends=True)
    return re.sub(r"<..>", "??", "".join(line for line in lines if not line.startswith("Talon")))


@pytest.mark.parametrize(("numbering", "actions"), [("kpat", 0), ("kpat", 12), ("pysol", 5)])
def test_the_number_tells_the_hidden_cards(capsys: Capsys, numbering: str, actions: int) -> None:
    position = played(Deal.numbered(44, suits=1, numbering=numbering).position, actions)
    Path("table.txt").write_text(as_seen(position))
    ended = run(capsys, hint, "table.txt", "--seed", 44, "--numbering", numbering, *QUICK)
    assert json.loads(ended.out)["position"] == position.code
    hidden = View.of(position).unknown
    assert f"{hidden} hidden cards of table.txt filled in from {numbering} 44" in ended.err


def test_a_position_code_with_unknown_cards(capsys: Capsys) -> None:
    position = played(Deal.numbered(44, suits=1).position, 3)
    ended = run(capsys, hint, View.of(position).code, "--seed", 44, *QUICK)
    assert json.loads(ended.out)["position"] == position.code


def test_the_number_is_found(capsys: Capsys) -> None:
    position = played(Deal.numbered(44, numbering="pysol").position, 5)
    Path("table.txt").write_text(as_seen(position))
    ended = run(capsys, hint, "table.txt", "--suits", 4, "--find", *QUICK)
    assert json.loads(ended.out)["position"] == position.code
    assert "filled in from pysol 44" in ended.err


def test_a_table_of_another_deal(capsys: Capsys) -> None:
    Path("table.txt").write_text(as_seen(Deal.numbered(44, suits=1).position))
    ended = run(capsys, hint, "table.txt", "--seed", 45)
    assert ended.code == 1
    assert re.fullmatch(
        r"Error: table.txt: no table of kpat 45: card 6 of column a is .S, but the deal has .S\n",
        ended.err,
    )


def test_unknown_cards_without_a_number(capsys: Capsys) -> None:
    Path("table.txt").write_text(as_seen(Deal.numbered(44, suits=1).position))
    ended = run(capsys, hint, "table.txt", "--line", "ab")
    assert ended.code == 1
    assert "94 cards cannot be known" in ended.err
    assert ended.err.endswith("; if it is of a numbered deal, give the number with --seed\n")


def test_unknown_cards_are_laid_out_in_all_ways(capsys: Capsys) -> None:
    ended = run(capsys, hint, FOUR_UNKNOWN, "--suits", 4)
    assert ended.code == 0
    assert "4 unknown cards can lie in 24 ways: 24 won, 0 lost, 0 open\n" in ended.out
    assert "won in 24 of 24 after: move 3♥ from column j to column b: `jb1`\n" in ended.out
    assert "no card was looked under" in ended.out


def test_unknown_cards_are_drawn_at_random(capsys: Capsys) -> None:
    Path("table.txt").write_text(as_seen(Deal.numbered(44, suits=1).position))
    answer = json.loads(run(capsys, hint, "table.txt", "--json").out)
    assert (answer["unknown"], answer["solved"]) == (94, 100)
    assert answer["won"] >= 95
    assert answer["moves"][0]["won"] >= answer["moves"][-1]["won"]


def test_what_lies_face_up_must_be_known(capsys: Capsys) -> None:
    ended = run(capsys, hint, FOUR_UNKNOWN.replace("/3H -", "/?? -"), "--suits", 4)
    assert ended.code == 1
    assert ended.err == "Error: card 1 of column j lies face up but is not known\n"


@pytest.mark.parametrize(
    "arguments", [("--seed", 3, "--find"), ("table.txt", "--seed", 3, "--find"), ("--find",)]
)
def test_only_a_board_has_a_number_to_find(
    capsys: Capsys, arguments: tuple[str | int, ...]
) -> None:
    ended = run(capsys, hint, *arguments)
    assert ended.code == 2
    assert "--find looks for the number of a table: give a board alone" in ended.err
