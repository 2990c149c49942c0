"""Board text as PySol and fc-solve write it, the convention of the field.

For example::

    Foundations: S H
    Talon: QH 9S 2S
    <3D> <AS> 8H
    :
    TC 9C

A suit letter for each completed run (the line may be missing); the stock, next card first;
then a line for each column, deepest card first, ``<KC>`` face down, a ten ``T`` or ``10``,
with or without a ``:`` before it. An empty column is a ``:`` alone or an empty line. ``#``
starts a comment.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from spider_solver.formats.format import Format
from spider_solver.formats.unchecked import (
    BoardError,
    Cell,
    UncheckedBoard,
    face_down_count,
    read_cell,
)
from spider_solver.game.cards import SUITS, card_text
from spider_solver.game.notation import NotationError, parse_suits
from spider_solver.game.position import Position
from spider_solver.game.rules import MAX_COLUMNS, Rules
from spider_solver.game.words import count_words

_HEADER = re.compile(r"(foundations|talon)\s*:(.*)", re.IGNORECASE)


def claims(text: str, rules: Rules | None = None) -> bool:
    """Whether a text is board text: whatever it is, if no other format claims it."""
    return True


def parse_board(text: str, rules: Rules | None = None) -> UncheckedBoard:
    """The board of a board text, with as many columns as the game has.

    Raises:
        BoardError: the text is no board of the game.
    """
    reader = _BoardReader()
    for number, line in enumerate(text.splitlines(), start=1):
        content, comment, _ = line.partition("#")
        if content.strip() or not comment:
            reader.read_line(number, content.strip())
    return reader.finished(rules)


def write_board(position: Position) -> str:
    """The board text of a position, with a line end after each line."""
    lines = []
    if position.completed:
        lines.append(f"Foundations: {' '.join(SUITS[done] for done in position.completed)}")
    lines.append(" ".join(["Talon:", *map(card_text, position.stock)]))
    for cards, face_down in zip(position.columns, position.face_down, strict=True):
        names = list(map(card_text, cards))
        names[:face_down] = [f"<{name}>" for name in names[:face_down]]
        lines.append(" ".join(names) or ":")
    return "\n".join(lines) + "\n"


def split_boards(text: str) -> Iterator[tuple[int, str]]:
    """The boards of a text that holds several, each with the number of lines before it.

    Every board but the first must have a ``Talon:`` or ``Foundations:`` line.
    """
    lines = text.splitlines()
    starts = [0]
    in_columns = False  # whether the board that was begun has had a column
    for number, line in enumerate(lines):
        content = line.partition("#")[0].strip()
        if not _HEADER.fullmatch(content):
            in_columns |= bool(content)
        elif in_columns:
            starts.append(number)
            in_columns = False
    for start, end in pairwise([*starts, len(lines)]):
        yield start, "\n".join(lines[start:end])


@dataclass(slots=True)
class _Column:
    line: int
    cells: list[Cell]
    blank: bool  # an empty line: an empty column only where one is due


@dataclass(slots=True)
class _BoardReader:
    """The parts of a board as they are read, with the lines that they stand on."""

    board: UncheckedBoard = field(default_factory=UncheckedBoard)
    headers: set[str] = field(default_factory=set)
    columns: list[_Column] = field(default_factory=list)
    _gap: int = 0  # empty lines since the last one that was not

    def read_line(self, number: int, line: str) -> None:
        """Take in one line without its comment."""
        header = _HEADER.fullmatch(line)
        if header:
            self._read_header(header[1].capitalize(), header[2], number)
        else:
            if not line and self._gap >= MAX_COLUMNS:
                return  # one more empty line after so many says nothing
            self._gap = 0 if line else self._gap + 1
            cells = _read_cells(line.removeprefix(":"), number)
            face_down_count(cells)  # for its check, before columns are counted
            self.columns.append(_Column(number, cells, blank=not line))

    def _read_header(self, name: str, content: str, number: int) -> None:
        if name in self.headers:
            raise BoardError(f"line {number}: a second {name!r} line")
        if not all(column.blank for column in self.columns):
            raise BoardError(f"line {number}: {name!r} after the first column")
        self.columns.clear()
        self._gap = 0
        self.headers.add(name)
        if name == "Talon":
            self.board.stock = _read_cells(content, number)
            return
        self.board.completed_place = f"line {number}"
        try:
            self.board.completed = parse_suits("".join(content.split()))
        except NotationError as error:
            raise BoardError(f"line {number}: {error}") from None

    def finished(self, rules: Rules | None) -> UncheckedBoard:
        """The board of all that was read."""
        self._check_columns(rules or self._with_columns().rules_shown())
        return self._with_columns()

    def _with_columns(self) -> UncheckedBoard:
        self.board.columns = [column.cells for column in self.columns]
        return self.board

    def _check_columns(self, rules: Rules) -> None:
        """Drop the empty lines that are no columns; refuse too many or too few."""
        columns = self.columns
        while len(columns) > rules.columns and columns[-1].blank:
            columns.pop()
        while len(columns) > rules.columns and columns[0].blank:
            columns.pop(0)
        if len(columns) > rules.columns:
            extra = columns[rules.columns]
            first = card_text(extra.cells[0].card) if extra.cells else "empty"
            raise BoardError(
                f"line {extra.line}: column {rules.columns + 1} ({first}) is too many: "
                f"the game has {rules.columns}"
            )
        if len(columns) < rules.columns:
            raise BoardError(
                f"{count_words(len(columns), 'column')} where the game has {rules.columns} "
                "(an empty one is a ':' alone)"
            )


def _read_cells(text: str, number: int) -> list[Cell]:
    return [read_cell(token, f"line {number}") for token in text.split()]


BOARD = Format("board", claims, parse_board, write_board, split_boards)
read_board = BOARD.read
