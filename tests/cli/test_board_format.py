"""A board format is one object in a list, and no command needs to be told of a new one."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from spider_solver import Deal, Position
from spider_solver.cli.hint import hint
from spider_solver.cli.solve import solve
from spider_solver.formats import detect
from spider_solver.formats.code import CODE
from spider_solver.formats.format import Format
from spider_solver.formats.unchecked import BoardError, UncheckedBoard
from spider_solver.game.rules import Rules
from spider_solver.store.reading import read_table
from tests.cli.commands import run

Capsys = pytest.CaptureFixture[str]
STARTS = [Deal.numbered(seed, suits=1).position for seed in (1, 2)]


def claims(text: str, rules: Rules | None) -> bool:
    return text.startswith("!")


def parse(text: str, rules: Rules | None) -> UncheckedBoard:
    if not text.endswith(";"):
        raise BoardError("no ; at the end")
    return CODE.parse(text.strip("!;\n")[::-1], rules)


def write(position: Position) -> str:
    return f"!{position.code[::-1]};"


def split(text: str) -> Iterator[tuple[int, str]]:
    return enumerate(text.splitlines())


@pytest.fixture(autouse=True)
def _backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A format for a test: position codes from right to left."""
    backwards = Format("backwards", claims, parse, write, split)
    monkeypatch.setattr(detect, "FORMATS", (backwards, *detect.FORMATS))


def test_one_board(capsys: Capsys, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text(write(STARTS[0]), encoding="utf-8")
    answer = json.loads(run(capsys, hint, file, "--json").out)
    assert answer["position"] == STARTS[0].code


def test_many_boards(capsys: Capsys, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text("\n".join(map(write, STARTS)), encoding="utf-8")
    options = ("--boards", file, "--suits", 1, "--out", tmp_path / "set", "--workers", 1)
    assert run(capsys, solve, *options).code == 0
    table = read_table(tmp_path / "set")
    assert sorted(table["deal"].to_pylist()) == sorted(start.code for start in STARTS)
    assert set(table["numbering"].to_pylist()) == {"board"}


def test_a_bad_board(capsys: Capsys, tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_text(f"{write(STARTS[0])}\n{write(STARTS[1])[:-1]}", encoding="utf-8")
    ended = run(capsys, solve, "--boards", file)
    assert (ended.code, ended.err) == (
        1,
        f"Error: {file}: board 2 (from line 2): no ; at the end\n",
    )
