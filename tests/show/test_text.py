"""The table as terminal text: golden pictures, width, colour only where it is wanted."""

import io
import re

import pytest
from hypothesis import given

from spider_solver import DEAL, Deal, Position
from spider_solver.game.notation import parse_move
from spider_solver.show.text import WIDTH, position_text, use_colour
from tests.case_files import case
from tests.strategies import positions

FRESH = """\
 stock ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ 5 rows    0 of 8 runs completed

   a      b      c      d      e      f      g      h      i      j
 5▒▒    5▒▒    5▒▒    5▒▒    4▒▒    4▒▒    4▒▒    4▒▒    4▒▒    4▒▒
  7♣     3♠     2♥     4♠     9♦     9♠     7♥     3♥    [8♦]    9♣
                              [ ]"""

LATE = """\
 no stock    6 of 8 runs completed: ♣ ♣ ♦ ♦ ♥ ♠

   a      b      c      d      e      f      g      h      i      j
  K♠     K♥     [ ]
  Q♠     Q♥
  J♠     J♥
 10♠    10♥
  9♠     9♥
  8♠     8♥
  7♥     7♠
 [6♠]    6♥
 [5♠]    5♥
 [4♠]    4♥
 [3♠]    3♥
 [2♠]    2♥
 [A♠]    A♥"""


@pytest.mark.parametrize(
    ("position", "mark", "picture"),
    [(Deal.numbered(1).position, "ie", FRESH), (case("215"), "ac6", LATE)],
)
def test_golden_pictures(position: Position, mark: str, picture: str) -> None:
    assert position_text(position, mark=parse_move(mark)) == picture


def test_looking_under_face_down_cards() -> None:
    lines = position_text(Deal.numbered(1).position, look_under=True).splitlines()
    assert lines[3].split()[:4] == ["(J♦)", "(8♥)", "(3♥)", "(10♥)"]
    assert lines[8].split() == ["7♣", "3♠", "2♥", "4♠"]


def test_a_deal_has_no_cards_to_mark() -> None:
    position = Deal.numbered(1).position
    assert position_text(position, mark=DEAL) == position_text(position)


def test_a_won_table() -> None:
    text = position_text(Position.from_code("///////// - CCDDHHSS"))
    assert text.splitlines()[0] == " no stock    8 of 8 runs completed: ♣ ♣ ♦ ♦ ♥ ♥ ♠ ♠"


@given(position=positions())
def test_no_line_is_too_long_and_colour_adds_nothing_but_codes(position: Position) -> None:
    plain = position_text(position, mark=next(iter(position.legal_moves()), None))
    assert max(map(len, plain.splitlines())) <= WIDTH
    coloured = position_text(position, mark=next(iter(position.legal_moves()), None), colour=True)
    assert "\033[" in coloured
    assert re.sub(r"\033\[\d+m", "", coloured) == plain
    assert position_text(position, look_under=True).count("♥") >= plain.count("♥")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_only_on_terminals_that_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert use_colour(Terminal())
    assert not use_colour(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not use_colour(Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not use_colour(Terminal())
