"""A position as terminal text, suits as symbols, in colour where the terminal has it."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

from spider_solver.game.cards import SUITS, Card, card_symbol, make_card, suit
from spider_solver.game.notation import Move, column_letter
from spider_solver.game.position import Position
from spider_solver.game.words import count_words

WIDTH = 79
"""Characters in the longest line."""

_WIDEST_COLUMN = 7
_BACK = "▒▒"
_RED, _DIM, _BOLD, _REVERSE, _RESET = "\033[31m", "\033[2m", "\033[1m", "\033[7m", "\033[0m"
_RED_SUITS = frozenset({SUITS.index("D"), SUITS.index("H")})


def use_colour(stream: TextIO) -> bool:
    """Whether to write colours to a stream: to terminals, unless NO_COLOR is set.

    Source: https://no-color.org
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def position_text(
    position: Position,
    *,
    colour: bool = False,
    mark: Move | None = None,
    look_under: bool = False,
) -> str:
    """The table as text: the stock, the completed runs, then the columns side by side.

    Args:
        position: the position.
        colour: whether to use colours (ANSI escape codes).
        mark: a legal move to point out: its cards, and where they go.
        look_under: whether to show what lies face down, one card a line; else only how many do.
    """
    width = min(_WIDEST_COLUMN, WIDTH // position.rules.columns)
    columns = [
        _column(position, column, mark, look_under) for column in range(position.rules.columns)
    ]
    lines = [_top_line(position, colour), ""]
    for height in range(max(map(len, columns))):
        cells = [column[height] if height < len(column) else _Styled("") for column in columns]
        lines.append("".join(cell.drawn(width, colour) for cell in cells).rstrip())
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Styled:
    """What stands in one place of the picture, and its colour."""

    text: str
    style: str = ""

    def drawn(self, width: int, colour: bool) -> str:
        """The cell as wide as a column; suits stand below each other, brackets or not."""
        indent = width // 2 + 1 - len(self.text.rstrip(")]"))
        padding = " " * (width - indent - len(self.text))
        text = f"{self.style}{self.text}{_RESET}" if colour and self.style else self.text
        return " " * indent + text + padding


def _top_line(position: Position, colour: bool) -> str:
    rows = position.rows_left
    stock = f"stock {' '.join([_BACK] * rows)} {count_words(rows, 'row')}" if rows else "no stock"
    done = " ".join(_suit_text(number, colour) for number in position.completed)
    count = f"{len(position.completed)} of {position.rules.runs} runs completed"
    return f" {stock}    {count}{': ' * bool(done)}{done}"


def _suit_text(number: int, colour: bool) -> str:
    symbol = card_symbol(make_card(1, number))[-1]
    return f"{_RED}{symbol}{_RESET}" if colour and number in _RED_SUITS else symbol


def _column(position: Position, column: int, mark: Move | None, look_under: bool) -> list[_Styled]:
    """The cells of a column, its letter first."""
    cards, face_down = position.columns[column], position.face_down[column]
    moved = len(cards)  # where marked cards begin
    if mark is not None and mark.source == column:
        moved -= position.resolve(mark).count or 0
    cells = [_Styled(column_letter(column), _BOLD)]
    if look_under:
        cells += [_Styled(f"({card_symbol(card)})", _DIM) for card in cards[:face_down]]
    elif face_down:
        cells.append(_Styled(f"{face_down}{_BACK}", _DIM))
    cells += _face_up(cards, face_down, moved)
    if mark is not None and mark.target == column and not mark.is_deal:
        cells.append(_Styled("[ ]"))
    return cells


def _face_up(cards: Sequence[Card], first: int, moved: int) -> list[_Styled]:
    """The cards from ``first`` on, those from ``moved`` on marked."""
    cells = []
    for height, card in enumerate(cards[first:], start=first):
        style = _RED if suit(card) in _RED_SUITS else ""
        text = card_symbol(card)
        if height >= moved:
            text, style = f"[{text}]", style + _REVERSE
        cells.append(_Styled(text, style))
    return cells
