"""A plain grid, as people keep tables in spreadsheets: a line goes across all columns.

For example (here with spaces; tabs, commas, semicolons and ``|`` do as well)::

    a     b     c
    <JD>  <8H>  .
    7C    3S    .
          KH
    stock
    KC    QC    7D
    completed  S H

The first line may name the columns, by letters or numbers. An empty cell is empty, ``.`` or
``-``; between spaces it must be one of the latter. ``<KC>`` lies face down. After ``stock`` (or
``talon``) come the rows of the stock, the next one first, or all of it on the same line;
``completed`` (or ``foundations``) has a suit for each completed run. ``#`` starts a comment.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from spider_solver.formats.format import Format
from spider_solver.formats.unchecked import BoardError, Cell, UncheckedBoard, read_cell
from spider_solver.game.cards import SUITS, card_text
from spider_solver.game.notation import NotationError, column_letter, parse_suits
from spider_solver.game.position import Position
from spider_solver.game.rules import MAX_COLUMNS, Rules

_SEPARATORS = "|\t;,"  # in the order in which they are looked for
_EMPTY = ("", ".", "-", "--")
_LABEL = re.compile(r"\W*(stock|talon|completed|foundations?)\b\W*", re.IGNORECASE)
_NO_CARDS = re.compile(r"[\s|;,.:+=-]*")  # such as the line under the head of a table
_USUAL_COLUMNS = 10


def claims(text: str, rules: Rules | None = None) -> bool:
    """Whether a text can only be meant as a grid.

    What gives it away is a line that names the columns, a separator that cards do not have, an
    empty cell, or else its shape: as many cells in the first line as there are columns, but
    not as many lines.
    """
    rows: list[str] = []  # those of the columns, with empty lines between them
    for line in map(_content, text.splitlines()):
        if _LABEL.match(line):
            if rows:
                break
        elif line.strip() or rows:
            rows.append(line)
    lines = [line for line in rows if line.strip()]
    if not lines:
        return False
    separator = _separator(lines)
    cells = [_split(line, separator) for line in lines]
    if _is_head(cells[0]) or separator in ("|", ";", ","):
        return True
    if any(cell in _EMPTY for row in cells for cell in row):
        return True
    columns = rules.columns if rules else _USUAL_COLUMNS
    gaps = any(not line.strip() for line in rows[: rows.index(lines[-1])])
    return len(cells[0]) == columns != len(cells) and not gaps


def parse_grid(text: str, rules: Rules | None = None) -> UncheckedBoard:
    """The board of a grid, with as many columns as the game has.

    Raises:
        BoardError: the text is no grid.
    """
    lines = list(map(_content, text.splitlines()))
    separator = _separator([line for line in lines if not _LABEL.match(line)])
    reader = _GridReader(separator)
    for number, line in enumerate(lines, start=1):
        if not _NO_CARDS.fullmatch(line):
            reader.read_line(number, line)
    board = reader.board
    width = rules.columns if rules else _USUAL_COLUMNS
    board.columns += [[] for _ in range(width - len(board.columns))]
    return board


def split_grids(text: str) -> Iterator[tuple[int, str]]:
    """The grids of a text that holds several, each with the number of lines before it.

    If the first names its columns, each line that does begins a grid. Otherwise an empty line
    does that has a row of cards below it, and not the stock or the completed runs.
    """
    lines = text.splitlines()
    starts = [0]
    in_grid = has_heads = after_gap = False
    for number, line in enumerate(map(_content, lines)):
        if _NO_CARDS.fullmatch(line):
            after_gap = True
            continue
        if not _LABEL.match(line):
            is_head = _is_head(_split(line, _separator([line])))
            has_heads |= is_head and not in_grid
            if in_grid and (is_head if has_heads else after_gap):
                starts.append(number)
            in_grid = True
        after_gap = False
    for start, end in pairwise([*starts, len(lines)]):
        yield start, "\n".join(lines[start:end])


def write_grid(position: Position) -> str:
    """The grid of a position, its cells separated by tabs, as spreadsheets paste them."""
    names = [list(map(card_text, cards)) for cards in position.columns]
    for column, face_down in zip(names, position.face_down, strict=True):
        column[:face_down] = [f"<{name}>" for name in column[:face_down]]
    width = len(names)
    rows = [[column_letter(number) for number in range(width)]]
    for height in range(max(map(len, names))):
        rows.append([column[height] if height < len(column) else "" for column in names])
    if position.stock:
        stock = list(map(card_text, position.stock))
        rows += [["stock"], *(stock[at : at + width] for at in range(0, len(stock), width))]
    if position.completed:
        rows.append(["completed", *(SUITS[done] for done in position.completed)])
    return "".join("\t".join(row).rstrip() + "\n" for row in rows)


@dataclass(slots=True)
class _GridReader:
    """The parts of a grid as they are read."""

    separator: str | None
    board: UncheckedBoard = field(default_factory=UncheckedBoard)
    labels: set[str] = field(default_factory=set)
    rows: int = 0  # of the columns, as far as they have been read
    in_stock: bool = False  # whether rows belong to the stock

    def read_line(self, number: int, line: str) -> None:
        """Take in one line without its comment."""
        place = f"line {number}"
        label = _LABEL.match(line)
        if label:
            self._read_label(label[1].lower(), line[label.end() :], place)
            return
        cells = _split(line, self.separator)
        if not self.rows and _is_head(cells):
            self.board.columns = [[] for _ in cells]
        elif self.in_stock:
            self.board.stock += _cards(cells, place)
        else:
            self._read_row(cells, place)

    def _read_label(self, name: str, rest: str, place: str) -> None:
        is_stock = name in ("stock", "talon")
        if ("stock" if is_stock else "completed") in self.labels:
            raise BoardError(f"{place}: a second {name!r} line")
        self.labels.add("stock" if is_stock else "completed")
        if is_stock:
            self.board.stock = _cards(_split(rest, self.separator), place)
            self.in_stock = not self.board.stock and bool(self.board.columns)
            return
        self.board.completed_place = place
        self.in_stock = False
        try:
            self.board.completed = parse_suits(re.sub(r"[\s|;,.-]", "", rest))
        except NotationError as error:
            raise BoardError(f"{place}: {error}") from None

    def _read_row(self, cells: Sequence[str], place: str) -> None:
        columns = self.board.columns
        for number, name in enumerate(cells):
            if name in _EMPTY:
                continue
            where = f"{place} column {column_letter(number)}" if number < MAX_COLUMNS else place
            columns += [[] for _ in range(number + 1 - len(columns))]
            if len(columns[number]) < self.rows:
                raise BoardError(f"{where}: a card below an empty cell")
            columns[number].append(read_cell(name, where))
        self.rows += 1


def _content(line: str) -> str:
    """A line without its comment; the white space before the first cell may separate cells."""
    return line.partition("#")[0].rstrip("\r\n ")


def _separator(rows: Sequence[str]) -> str | None:
    """What separates cells; None for any white space."""
    return next((mark for mark in _SEPARATORS if any(mark in row for row in rows)), None)


def _split(line: str, separator: str | None) -> list[str]:
    """The cells of a line."""
    if separator is None:
        return line.split()
    if separator == "|":
        line = line.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().strip('"') for cell in line.split(separator)]


def _is_head(cells: Sequence[str]) -> bool:
    """Whether cells name the columns: a b c or 1 2 3."""
    names = [cell.lower() for cell in cells if cell]
    letters = [column_letter(number) for number in range(min(len(names), MAX_COLUMNS))]
    numbers = [str(number + 1) for number in range(len(names))]
    return len(names) > 1 and names in (letters, numbers)


def _cards(cells: Sequence[str], place: str) -> list[Cell]:
    return [read_cell(name, place) for name in cells if name not in _EMPTY]


GRID = Format("grid", claims, parse_grid, write_grid, split_grids)
read_grid = GRID.read
