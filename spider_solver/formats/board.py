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

from spider_solver.cards import SUITS, Card, CardError, card_text, make_card, parse_card, suit
from spider_solver.notation import NotationError, parse_suits
from spider_solver.position import Position, PositionError, rules_shown
from spider_solver.rules import Rules

_HEADER = re.compile(r"(foundations|talon)\s*:(.*)", re.IGNORECASE)
_FACE_DOWN = re.compile(r"<([^<>]*)>")


class BoardError(ValueError):
    """A text that is no board; one line that names the line of the text and the card."""


def read_board(text: str, rules: Rules | None = None) -> Position:
    """The position of a board text, settled.

    Args:
        text: the board.
        rules: the game, by default standard Spider with the suits that the board shows.

    Raises:
        BoardError: the text is no board of the game.
    """
    board = _Board()
    for number, line in enumerate(text.splitlines(), start=1):
        content, comment, _ = line.partition("#")
        if content.strip() or not comment:
            board.read_line(number, content.strip())
    return board.position(rules)


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


@dataclass(slots=True)
class _Column:
    line: int
    cards: list[Card] = field(default_factory=list)
    face_down: int = 0
    blank: bool = False  # an empty line: an empty column only where one is due


@dataclass(slots=True)
class _Board:
    """The parts of a board as they are read, with the lines that they stand on."""

    headers: dict[str, int] = field(default_factory=dict)
    completed: tuple[int, ...] = ()
    stock: list[Card] = field(default_factory=list)
    columns: list[_Column] = field(default_factory=list)

    def read_line(self, number: int, line: str) -> None:
        """Take in one line without its comment."""
        try:
            header = _HEADER.fullmatch(line)
            if header:
                self._read_header(header[1].capitalize(), header[2], number)
            else:
                self._read_column(number, line)
        except (CardError, NotationError) as error:
            raise BoardError(f"line {number}: {error}") from None

    def _read_header(self, name: str, content: str, number: int) -> None:
        if name in self.headers:
            raise BoardError(f"line {number}: a second {name!r} line")
        if not all(column.blank for column in self.columns):
            raise BoardError(f"line {number}: {name!r} after the first column")
        self.columns.clear()
        self.headers[name] = number
        if name == "Talon":
            self.stock = [parse_card(token) for token in content.split()]
        else:
            self.completed = parse_suits("".join(content.split()))

    def _read_column(self, number: int, line: str) -> None:
        column = _Column(number, blank=not line)
        for token in line.removeprefix(":").split():
            hidden = _FACE_DOWN.fullmatch(token)
            column.cards.append(parse_card(hidden[1] if hidden else token))
            if hidden:
                column.face_down += 1
                if column.face_down < len(column.cards):
                    raise BoardError(f"line {number}: {token} face down on a face-up card")
        self.columns.append(column)

    def position(self, rules: Rules | None) -> Position:
        """The position of all that was read."""
        try:
            rules = rules or rules_shown(
                (column.cards for column in self.columns), self.stock, self.completed
            )
            self._check_columns(rules)
            position = Position(
                rules,
                tuple(tuple(column.cards) for column in self.columns),
                tuple(column.face_down for column in self.columns),
                tuple(self.stock),
                self.completed,
            )
            position.check()
        except PositionError as error:
            raise BoardError(f"{self._place(error, rules)}{error}") from None
        return position.settled()

    def _check_columns(self, rules: Rules) -> None:
        """Drop the empty lines that are no columns; refuse too many or too few."""
        columns = self.columns
        while len(columns) > rules.columns and columns[-1].blank:
            columns.pop()
        while len(columns) > rules.columns and columns[0].blank:
            columns.pop(0)
        if len(columns) > rules.columns:
            extra = columns[rules.columns]
            first = card_text(extra.cards[0]) if extra.cards else "empty"
            raise BoardError(
                f"line {extra.line}: column {rules.columns + 1} ({first}) is too many: "
                f"the game has {rules.columns}"
            )
        if len(columns) < rules.columns:
            raise BoardError(
                f"{len(columns)} columns where the game has {rules.columns} "
                "(an empty one is a ':' alone)"
            )

    def _place(self, error: PositionError, rules: Rules | None) -> str:
        """``line 3: ``, where all that an error names stands, or nothing if it stands nowhere."""
        if error.in_stock:
            return f"line {self.headers['Talon']}: "
        if error.column is not None:
            return f"line {self.columns[error.column].line}: "
        if error.card is None or rules is None:
            return ""
        lines = [line for card, line in self._cards_read(rules) if card == error.card]
        if len(lines) <= rules.copies(suit(error.card)):
            return ""  # too few, and nobody knows where the others should be
        numbers = sorted(set(lines))
        return f"line{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}: "

    def _cards_read(self, rules: Rules) -> Iterator[tuple[Card, int]]:
        """Every card of the board with its line, in the order of the text."""
        for done in self.completed:
            for rank in range(1, rules.ranks + 1):
                yield make_card(rank, done), self.headers["Foundations"]
        for card in self.stock:
            yield card, self.headers["Talon"]
        for column in self.columns:
            for card in column.cards:
                yield card, column.line
