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
    ended = run(capsys, hint, "table.txt")
    assert ended.code == 1
    assert "94 cards cannot be known" in ended.err
    assert ended.err.endswith("; if it is of a numbered deal, give the number with --seed\n")


@pytest.mark.parametrize(
    "arguments", [("--seed", 3, "--find"), ("table.txt", "--seed", 3, "--find"), ("--find",)]
)
def test_only_a_board_has_a_number_to_find(
    capsys: Capsys, arguments: tuple[str | int, ...]
) -> None:
    ended = run(capsys, hint, *arguments)
    assert ended.code == 2
    assert "--find looks for the number of a table: give a board alone" in ended.err
