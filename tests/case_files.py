"""The positions of tests/cases, with the lines that their comments say were checked."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from spider_solver.formats.board import read_board
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules

FOLDER = Path(__file__).parent / "cases"
REFUSED = ("230", "231", "243")
"""No boards of standard Spider: wrong ones, and one of Spiderette."""

_CHECKED = re.compile(
    r"# checked(?: \((?P<dealing>strict|relaxed) dealing\))?: winnable"
    r"(?:; a line of (?P<actions>\d+) actions)?: (?P<line>.+)"
)
_UNWINNABLE = re.compile(
    r"# checked(?: \((?P<dealing>strict|relaxed) dealing\))?: unwinnable .*; (?P<states>\d+) states"
)


@dataclass(frozen=True)
class CheckedLine:
    """A line that wins a case, and the actions that it is said to have."""

    case: str
    relaxed: bool
    line: str
    actions: int | None


@dataclass(frozen=True)
class Unwinnable:
    """A case that was searched completely, and the states that this found."""

    case: str
    relaxed: bool
    states: int


def case_names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def case_text(number: str) -> str:
    """The text of the case whose file name starts with a number."""
    (path,) = FOLDER.glob(f"{number}-*.txt")
    return path.read_text(encoding="utf-8")


def case(number: str, *, relaxed: bool = False) -> Position:
    position = read_board(case_text(number))
    return replace(position, rules=relax(position.rules)) if relaxed else position


def relax(rules: Rules) -> Rules:
    """The same game with deals over empty columns."""
    return replace(rules, name="relaxed", deal_over_empty=True)


def checked_lines() -> list[CheckedLine]:
    return [
        CheckedLine(
            name[:3],
            match["dealing"] == "relaxed",
            match["line"],
            int(match["actions"]) if match["actions"] else None,
        )
        for name in case_names()
        for match in _CHECKED.finditer(case_text(name[:3]))
    ]


def unwinnable_cases() -> list[Unwinnable]:
    return [
        Unwinnable(name[:3], match["dealing"] == "relaxed", int(match["states"]))
        for name in case_names()
        for match in _UNWINNABLE.finditer(case_text(name[:3]))
    ]
