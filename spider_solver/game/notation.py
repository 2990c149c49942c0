"""Moves, lines and the position code as text.

Move text: columns are letters from ``a``. ``ac3`` moves three cards from column a to column
c, ``ac`` as many as fit, ``deal`` deals a row, ``a*`` removes the complete run of column a
where removal is optional. A line is moves with single spaces between.

Position code, one line as FEN is for chess: the columns from the left joined by ``/``, each
deepest card first, two characters a card, in lower case while face down; the stock in dealing
order; the suits of the completed runs in the order C D H S. The three parts stand apart by a
space; an empty column is empty, an empty stock or no run is ``-``.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from spider_solver.errors import SpiderError
from spider_solver.game.cards import SUITS, Card, CardError, cards_text, parse_card
from spider_solver.game.rules import MAX_COLUMNS
from spider_solver.text.intake import MAX_MOVES, MAX_TEXT
from spider_solver.text.quoting import quoted


class NotationError(SpiderError, ValueError):
    """A text that is no move, line or position code."""


@dataclass(frozen=True, slots=True)
class Move:
    """One action of the player: a move of cards, a deal or the removal of a run.

    Attributes:
        source: the column that cards leave, from 0; -1 in a deal.
        target: the column that they go to; -1 in a deal and in a removal.
        count: how many cards; 0 in a deal. None stands for as many as fit, until
            ``Position.resolve`` says how many.
    """

    source: int
    target: int
    count: int | None = None

    @property
    def is_deal(self) -> bool:
        """Whether this deals a row from the stock."""
        return self.source < 0

    @property
    def is_removal(self) -> bool:
        """Whether this removes a complete run (under optional removal)."""
        return self.target < 0 <= self.source

    def __str__(self) -> str:
        return format_move(self)


DEAL = Move(-1, -1, 0)
"""Deal one row from the stock."""

_DEAL_TEXT = "deal"
_MOVE = re.compile(r"([a-z])(?:([a-z])([1-9][0-9]?)?|(\*))")


def column_letter(column: int) -> str:
    """The letter of a column, counted from 0: ``a``, ``b``, ..."""
    return chr(ord("a") + column)


def _column_index(letter: str) -> int:
    return ord(letter) - ord("a")


def format_move(move: Move) -> str:
    """A move as text, with its count if it has one."""
    if move.is_deal:
        return _DEAL_TEXT
    source = column_letter(move.source)
    if move.is_removal:
        return f"{source}*"
    count = "" if move.count is None else move.count
    return f"{source}{column_letter(move.target)}{count}"


def parse_move(text: str) -> Move:
    """The move that a text names; its count is None where the text leaves it out.

    Raises:
        NotationError: the text is no move.
    """
    token = text.lower()
    if token == _DEAL_TEXT:
        return DEAL
    match = _MOVE.fullmatch(token)
    if match is None:
        raise NotationError(f"{quoted(text)} is no move (such as ac3, ac, deal or a*)")
    source, target, count, removal = match.groups()
    if removal:
        return Move(_column_index(source), -1)
    return Move(_column_index(source), _column_index(target), int(count) if count else None)


def format_line(moves: Iterable[Move]) -> str:
    """Moves as one line of text, with single spaces between."""
    return " ".join(map(format_move, moves))


def parse_line(text: str) -> list[Move]:
    """The moves of a line of text; white space of any kind separates them.

    Raises:
        NotationError: one of them is no move (the message says which, from 1), or there are
            more than ``intake.MAX_MOVES``.
    """
    tokens = text.split(maxsplit=MAX_MOVES)
    if len(tokens) > MAX_MOVES:
        raise NotationError(f"more than {MAX_MOVES:,} moves")
    moves: list[Move] = []
    try:
        moves.extend(map(_MOVES.__getitem__, tokens))
    except NotationError as error:
        raise NotationError(f"move {len(moves) + 1}: {error}") from None
    return moves


class _Moves(dict[str, Move]):
    """The moves of the texts that were parsed so far: there are few, and lines repeat them."""

    _MOST = 10_000

    def __missing__(self, text: str) -> Move:
        move = parse_move(text)
        if len(self) < self._MOST:
            self[text] = move
        return move


_MOVES = _Moves()


class PositionParts(NamedTuple):
    """What a position code holds, in the form of the fields of ``Position``."""

    columns: tuple[tuple[Card, ...], ...]
    face_down: tuple[int, ...]
    stock: tuple[Card, ...]
    completed: tuple[int, ...]


def format_code(
    columns: Sequence[Sequence[Card]],
    face_down: Sequence[int],
    stock: Sequence[Card],
    completed: Sequence[int],
) -> str:
    """The position code of a table given by the fields of ``Position``."""
    table = "/".join(map(_format_column, map(tuple, columns), face_down))
    rest = cards_text(stock) or "-"
    done = "".join(SUITS[suit] for suit in sorted(completed)) or "-"
    return f"{table} {rest} {done}"


@lru_cache(maxsize=4096)  # proofs write millions of codes, most of their columns over and over
def _format_column(cards: tuple[Card, ...], face_down: int) -> str:
    text = cards_text(cards)
    return text[: 2 * face_down].lower() + text[2 * face_down :]


def parse_code(text: str, read_card: Callable[[str], Card] = parse_card) -> PositionParts:
    """The parts of a position code, as written: whether the cards make a deck is not checked.

    Args:
        text: the code.
        read_card: reads the two characters of a card, or raises a CardError.

    Raises:
        NotationError: the text is no position code.
    """
    if len(text) > MAX_TEXT:
        raise NotationError(f"a position code has at most {MAX_TEXT:,} characters")
    parts = text.rstrip().split(" ")
    if len(parts) != 3:
        raise NotationError(
            f"a position code has three parts with spaces between, not {len(parts)}"
        )
    table, stock, completed = parts
    if (count := table.count("/") + 1) > MAX_COLUMNS:
        raise NotationError(f"a position code has at most {MAX_COLUMNS} columns, not {count}")
    columns = [
        _parse_column(cards, f"column {column_letter(column)}", read_card)
        for column, cards in enumerate(table.split("/"))
    ]
    return PositionParts(
        columns=tuple(cards for cards, _ in columns),
        face_down=tuple(face_down for _, face_down in columns),
        stock=() if stock == "-" else _parse_cards(stock, "stock", read_card),
        completed=() if completed == "-" else parse_suits(completed),
    )


def _parse_column(
    text: str, where: str, read_card: Callable[[str], Card]
) -> tuple[tuple[Card, ...], int]:
    """The cards of a column and how many of them are face down.

    An unknown card, ``??``, has no case: it is face down unless it is the last.
    """
    cards = _parse_cards(text, where, read_card)
    pairs = [text[i : i + 2] for i in range(0, len(text), 2)]
    cased = pairs[:-1] if pairs and pairs[-1] == pairs[-1].upper() else pairs
    face_down = sum(pair == pair.lower() for pair in cased)
    for pair in pairs[:face_down]:
        if pair != pair.lower():
            raise NotationError(f"{where}: the face-up {pair} lies under a face-down card")
    for pair in pairs[face_down:]:
        if pair != pair.upper():
            raise NotationError(f"{where}: {pair!r} is in mixed case")
    return cards, face_down


def _parse_cards(text: str, where: str, read_card: Callable[[str], Card]) -> tuple[Card, ...]:
    try:
        return tuple(read_card(text[i : i + 2]) for i in range(0, len(text), 2))
    except CardError as error:
        raise NotationError(f"{where}: {error}") from None


def parse_suits(text: str) -> tuple[int, ...]:
    """The suits (0..3) that a text of suit letters names, sorted.

    Raises:
        NotationError: a letter is no suit.
    """
    suits = [SUITS.find(letter) for letter in text.upper()]
    if -1 in suits:
        raise NotationError(f"unknown suit {text[suits.index(-1)]!r}")
    return tuple(sorted(suits))
