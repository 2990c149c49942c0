"""What a player sees of a table: the cards that lie face up, and whatever else is known.

A ``Position`` knows every card; a ``View`` only those that the player knows. Every order of the
unseen cards is equally likely to a player who has not looked, so a view stands for all the
positions that :meth:`View.filled` can make of it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from math import factorial, prod
from typing import Self

from spider_solver.game.cards import UNKNOWN, Card, card_text, make_card
from spider_solver.game.notation import column_letter, format_code
from spider_solver.game.position import Column, Position, PositionError
from spider_solver.game.rules import Rules
from spider_solver.game.words import count_words, list_words


@dataclass(frozen=True, slots=True)
class View:
    """A table as a player knows it; a card that is not known is ``UNKNOWN``.

    Cards that lie face down, or in the stock, may be known all the same: seen before an undo,
    say, or told by the number of the deal.

    Attributes:
        rules: the rules of the game.
        columns: the cards of each column from the left, deepest first.
        face_down: how many cards at the bottom of each column lie face down.
        stock: the stock in dealing order.
        completed: the suits (0..3 = C, D, H, S) of the completed runs, sorted.
    """

    rules: Rules
    columns: tuple[Column, ...]
    face_down: tuple[int, ...]
    stock: tuple[Card, ...] = ()
    completed: tuple[int, ...] = ()

    @classmethod
    def of(cls, position: Position) -> Self:
        """What a player sees of a position who knows nothing but what lies face up."""
        return cls(
            position.rules,
            tuple(
                (UNKNOWN,) * down + cards[down:]
                for cards, down in zip(position.columns, position.face_down, strict=True)
            ),
            position.face_down,
            (UNKNOWN,) * len(position.stock),
            position.completed,
        )

    @property
    def unknown(self) -> int:
        """How many cards are not known."""
        return sum(cards.count(UNKNOWN) for cards in (*self.columns, self.stock))

    @property
    def unseen(self) -> Counter[Card]:
        """The cards of the deck that are still unknown, each with its copies.

        Raises:
            PositionError: the known cards are not cards of one deck, or the deck does not leave
                as many as are unknown. Not where all are known: ``Position.check`` does that.
        """
        rules = self.rules
        if not self.unknown:
            return Counter()
        known = Counter(self._known_cards())
        deck = rules.deck()
        for card in known - deck:
            message = f"{known[card]} copies of {card_text(card)}, the deck has {deck[card]}"
            raise PositionError(message, card)
        missing = deck - known
        if self.unknown != missing.total():
            raise PositionError(
                f"{count_words(self.unknown, 'unknown card')}, but the board lacks "
                f"{missing.total()} of a deck of {count_words(rules.suits, 'suit')}: "
                f"{counts_text(missing)}"
            )
        return missing

    def _known_cards(self) -> Iterator[Card]:
        """Every card that is known, those of the completed runs first."""
        for done in self.completed:
            for rank in range(1, self.rules.ranks + 1):
                yield make_card(rank, done)
        yield from (card for card in chain(*self.columns, self.stock) if card != UNKNOWN)

    @property
    def arrangements(self) -> int:
        """In how many ways the unseen cards can lie in the unknown places.

        Raises:
            PositionError: as for ``unseen``.
        """
        unseen = self.unseen
        return factorial(unseen.total()) // prod(map(factorial, unseen.values()))

    def filled(self, cards: Iterable[Card]) -> Position:
        """The position with these cards in the unknown places.

        Args:
            cards: as many as are unknown, for the columns from the left, deepest first, and then
                for the stock in dealing order. Whether they are the unseen ones is not checked.
        """
        rest = iter(cards)
        columns = tuple(tuple(card or next(rest) for card in cards) for cards in self.columns)
        stock = tuple(card or next(rest) for card in self.stock)
        return Position(self.rules, columns, self.face_down, stock, self.completed)

    def check(self) -> None:
        """Refuse what no table looks like.

        Raises:
            PositionError: the cards or the sizes are wrong, or a card that lies face up is not
                known; one line that says which.
        """
        for column, (cards, down) in enumerate(zip(self.columns, self.face_down, strict=True)):
            if UNKNOWN in cards[down:]:
                where = f"card {cards.index(UNKNOWN, down) + 1} of column {column_letter(column)}"
                raise PositionError(f"{where} lies face up but is not known", column=column)
        self.filled(self.unseen.elements()).check()

    @property
    def code(self) -> str:
        """The position code, with ``??`` for each card that is not known."""
        return format_code(self.columns, self.face_down, self.stock, self.completed)


def counts_text(cards: Counter[Card]) -> str:
    """Cards by suit and rank, each with its count: ``AC (2), 2C (1)``."""
    return list_words([f"{card_text(card)} ({count})" for card, count in sorted(cards.items())])
