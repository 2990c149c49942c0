"""The plain rules column by column, each worked out once: successors for a few look-ups.

The rules act on a column by what lies in it and on nothing else, and a complete search meets about
a hundred times as many positions as different columns. So columns are numbered as they are met, and
what a move, a deal or a removal makes of one is remembered. What the rules do to a column is
written in :mod:`spider_solver.game.position` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spider_solver.game.cards import Card, rank
from spider_solver.game.position import (
    Column,
    Position,
    ends_in_run,
    movable_cards,
    settled_column,
)
from spider_solver.game.rules import Rules
from spider_solver.game.symmetry import alike_columns, in_order

EMPTY = 0
"""The number of the empty column."""

_NO_RUN = -1


@dataclass(frozen=True, slots=True, eq=False)
class Stock:
    """The cards still to be dealt.

    Attributes:
        cards: in dealing order.
        number: of this stock, from 0 in the order of making.
        alike: the groups of columns with equal lanes, as ``symmetry.alike_columns`` gives them.
        row: the pieces, of a card each, that a deal lays on the columns from the left.
    """

    cards: tuple[Card, ...]
    number: int
    alike: list[list[int]]
    row: tuple[int, ...]

    def sorted(self, columns: Sequence[int]) -> list[int]:
        """The columns sorted by their numbers among those with equal lanes."""
        ordered = list(columns)
        for group in self.alike:
            if len(group) == len(ordered):
                ordered.sort()
                break
            among = sorted([columns[place] for place in group])
            for place, column in zip(group, among, strict=True):
                ordered[place] = column
        return ordered


class Columns:
    """Numbers for the columns of a game, and the rules in terms of these numbers.

    Two columns have one number if and only if their cards and their face-down cards are the same.

    Args:
        rules: the rules of the game.

    Attributes:
        contents: of each column, its cards, deepest first, and how many of them lie face down.
        heights: of each column, how many cards it holds.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.contents: list[tuple[Column, int]] = []
        self.heights: list[int] = []
        self._numbers: dict[tuple[Column, int], int] = {}
        self._ends: list[int] = []  # the rank of the last card, 0 of the empty column
        # Of each column: the pieces that its last cards make, one card first, and what is left.
        self._takes: list[tuple[tuple[int, int], ...]] = []
        self._without_run: list[int | None] = []  # None: not known yet
        self._pieces: dict[Column, int] = {}
        self._laid: list[dict[int, int]] = []  # of each piece: on which column it makes which
        self._piece_cards: list[Column] = []
        self._stocks: dict[tuple[Card, ...], Stock] = {}
        self._leaving = 0 if rules.optional_removal else rules.ranks
        self.number((), 0)

    def number(self, cards: Column, face_down: int) -> int:
        """The number of a column."""
        content = (cards, face_down)
        number = self._numbers.setdefault(content, len(self.contents))
        if number == len(self.contents):
            self.contents.append(content)
            self.heights.append(len(cards))
            self._ends.append(rank(cards[-1]) if cards else 0)
            self._takes.append(())
            self._without_run.append(None)
        return number

    def settled(self, cards: Column, face_down: int) -> int:
        """The number of a column once runs have left it and its last card has turned up."""
        cards, face_down, _ = settled_column(cards, face_down, self._leaving)
        return self.number(cards, face_down)

    def of(self, position: Position) -> list[int]:
        """The numbers of the columns of a position."""
        return list(map(self.number, position.columns, position.face_down))

    def stock(self, cards: tuple[Card, ...]) -> Stock:
        """The stock with these cards."""
        if cards not in self._stocks:
            width = self.rules.columns
            row = tuple(self._piece((card,)) for card in cards[:width])
            alike = alike_columns(cards, width)
            self._stocks[cards] = Stock(cards, len(self._stocks), alike, row)
        return self._stocks[cards]

    def position(self, columns: Sequence[int], stock: Stock) -> Position:
        """The position with these columns and this stock, in order (``symmetry.in_order``)."""
        cards, face_down = zip(*(self.contents[column] for column in columns), strict=True)
        return in_order(Position.with_rest_completed(self.rules, cards, face_down, stock.cards))

    def is_won(self, columns: Sequence[int], stock: Stock) -> bool:
        """Whether no card is left, so that all runs are complete."""
        return not any(columns) and not stock.cards

    def is_short_of_cards(self, columns: Sequence[int], stock: Stock) -> bool:
        """The same as ``proof.is_short_of_cards`` says of the position."""
        return (
            bool(stock.cards)
            and EMPTY in columns
            and not self.rules.deal_over_empty
            and sum(self.heights[column] for column in columns) < self.rules.columns
        )

    def successors(self, columns: Sequence[int], stock: Stock) -> Iterator[tuple[list[int], Stock]]:
        """What each action leads to, in the order of ``Position.legal_moves``.

        The columns stay in their places, in no canonical order.
        """
        ends = [self._ends[column] for column in columns]
        for source, column in enumerate(columns):
            end = ends[source]
            if not end:
                continue
            takes = self._takes[column] or self._find_takes(column)
            movable = len(takes)
            for target, other in enumerate(ends):
                if other and not 0 < other - end <= movable:
                    continue
                for piece, left in takes if not other else takes[other - end - 1 : other - end]:
                    after = list(columns)
                    after[source] = left
                    laid = self._laid[piece].get(columns[target])
                    after[target] = self._lay(piece, columns[target]) if laid is None else laid
                    yield after, stock
        if self.rules.optional_removal:
            yield from self._removals(columns, stock)
        if stock.cards and (self.rules.deal_over_empty or EMPTY not in columns):
            after = list(columns)
            for place, piece in enumerate(stock.row):
                after[place] = self._lay(piece, columns[place])
            yield after, self.stock(stock.cards[self.rules.columns :])

    def _removals(self, columns: Sequence[int], stock: Stock) -> Iterator[tuple[list[int], Stock]]:
        for place, column in enumerate(columns):
            left = self._without_run[column]
            if left is None:
                left = self._without_run[column] = self._remove(column)
            if left != _NO_RUN:
                after = list(columns)
                after[place] = left
                yield after, stock

    def _remove(self, column: int) -> int:
        """The column once the complete run at its end is taken off, or _NO_RUN."""
        (cards, face_down), ranks = self.contents[column], self.rules.ranks
        if not ends_in_run(cards, face_down, ranks):
            return _NO_RUN
        return self.settled(cards[:-ranks], face_down)

    def _find_takes(self, column: int) -> tuple[tuple[int, int], ...]:
        """The pieces that may be taken off a column, and the columns that are left."""
        cards, face_down = self.contents[column]
        movable = movable_cards(cards, face_down, self.rules.group_moves)
        takes = tuple(
            (self._piece(cards[-count:]), self.settled(cards[:-count], face_down))
            for count in range(1, movable + 1)
        )
        self._takes[column] = takes
        return takes

    def _piece(self, cards: Column) -> int:
        """The number of a piece."""
        piece = self._pieces.setdefault(cards, len(self._piece_cards))
        if piece == len(self._piece_cards):
            self._piece_cards.append(cards)
            self._laid.append({})
        return piece

    def _lay(self, piece: int, column: int) -> int:
        """The column with a piece laid on it."""
        laid = self._laid[piece]
        if column not in laid:
            cards, face_down = self.contents[column]
            laid[column] = self.settled(cards + self._piece_cards[piece], face_down)
        return laid[column]
