"""The rules of Spider in plain Python: an immutable table that a person can think in.

This is the oracle that proofs are checked with and that the fast kernels are tested against;
it shares no code with them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from spider_solver.errors import SpiderError
from spider_solver.game.cards import SUITS, Card, card_text, make_card, rank, suit
from spider_solver.game.notation import DEAL, Move, column_letter, format_code, parse_code
from spider_solver.game.rules import Rules, spider_of_suits

Column = tuple[Card, ...]


class IllegalMove(SpiderError, ValueError):
    """A move that the rules do not allow in the position."""


class PositionError(SpiderError, ValueError):
    """Cards that make no position of the game.

    Attributes:
        card: the card that is wrong, or None.
        column: the column that is wrong, or None.
        in_stock: whether it is the stock.
    """

    def __init__(
        self,
        message: str,
        card: Card | None = None,
        column: int | None = None,
        in_stock: bool = False,
    ) -> None:
        super().__init__(message)
        self.card = card
        self.column = column
        self.in_stock = in_stock


@dataclass(frozen=True, slots=True)
class Position:
    """A table of cards under some rules.

    Attributes:
        rules: the rules that it is played by.
        columns: the cards of each column from the left, deepest first.
        face_down: how many cards of each column lie face down, always the deepest ones.
        stock: the cards still to be dealt, in dealing order.
        completed: the suits of the runs that left the table, sorted.
    """

    rules: Rules
    columns: tuple[Column, ...]
    face_down: tuple[int, ...]
    stock: tuple[Card, ...] = ()
    completed: tuple[int, ...] = ()

    @classmethod
    def from_code(cls, text: str, rules: Rules | None = None) -> Self:
        """The position of a position code, settled.

        Args:
            text: the position code.
            rules: the rules; by default standard Spider with the suits that the code shows.

        Raises:
            NotationError: the text is no position code.
            PositionError: its cards make no position of the game.
        """
        parts = parse_code(text)
        position = cls(rules or rules_shown(parts.columns, parts.stock, parts.completed), *parts)
        position.check()
        return position.settled()

    @classmethod
    def with_rest_completed(
        cls,
        rules: Rules,
        columns: Iterable[Column],
        face_down: Iterable[int],
        stock: tuple[Card, ...],
    ) -> Self:
        """A position of which only the table and the stock are known: all else is completed."""
        columns = tuple(columns)
        kings = Counter(
            suit(card) for cards in (*columns, stock) for card in cards if rank(card) == rules.ranks
        )
        completed = tuple(s for s in range(len(SUITS)) for _ in range(rules.copies(s) - kings[s]))
        return cls(rules, columns, tuple(face_down), stock, completed)

    @property
    def code(self) -> str:
        """The position code (see ``notation``)."""
        return format_code(self.columns, self.face_down, self.stock, self.completed)

    def __str__(self) -> str:
        from spider_solver.formats.board import write_board

        return write_board(self).rstrip()

    def _repr_svg_(self) -> str:
        from spider_solver.show.svg import position_svg

        return position_svg(self)

    # What there is to see

    @property
    def is_won(self) -> bool:
        """Whether all runs are complete and off the table."""
        return len(self.completed) == self.rules.runs

    @property
    def hidden(self) -> int:
        """Cards that lie face down."""
        return sum(self.face_down)

    @property
    def empty_columns(self) -> list[int]:
        """The columns without a card."""
        return [column for column, cards in enumerate(self.columns) if not cards]

    @property
    def rows_left(self) -> int:
        """Rows that the stock still holds; the last one may be short."""
        return -(-len(self.stock) // self.rules.columns)

    @property
    def can_deal(self) -> bool:
        """Whether a row may be dealt now."""
        return bool(self.stock) and (self.rules.deal_over_empty or all(self.columns))

    def movable(self, column: int) -> int:
        """How many cards at the end of a column move as one piece (:func:`movable_cards`)."""
        return movable_cards(self.columns[column], self.face_down[column], self.rules.group_moves)

    def legal_moves(self) -> list[Move]:
        """Every action that the rules allow, each move with its count, a deal last."""
        moves = list(self._column_moves())
        if self.rules.optional_removal:
            moves.extend(self._removals())
        if self.can_deal:
            moves.append(DEAL)
        return moves

    def _column_moves(self) -> Iterator[Move]:
        for source, cards in enumerate(self.columns):
            if not cards:
                continue
            movable = self.movable(source)
            for target, others in enumerate(self.columns):
                if target == source:
                    continue
                if not others:
                    yield from (Move(source, target, count) for count in range(1, movable + 1))
                elif 1 <= (count := rank(others[-1]) - rank(cards[-1])) <= movable:
                    yield Move(source, target, count)

    def _removals(self) -> Iterator[Move]:
        ranks = self.rules.ranks
        for column, (cards, down) in enumerate(zip(self.columns, self.face_down, strict=True)):
            if ends_in_run(cards, down, ranks):
                yield Move(column, -1, ranks)

    # Play

    def play(self, move: Move) -> Self:
        """The position after an action and all that follows by itself.

        Complete runs leave (unless removal is optional) and cards laid bare turn up.

        Raises:
            IllegalMove: the rules do not allow it; the message says why.
        """
        move = self.resolve(move)
        if move.is_deal:
            return self._dealt()
        if move.is_removal:
            return self._without_run(move.source)
        assert move.count is not None
        columns = list(self.columns)
        cards = columns[move.source]
        columns[move.source] = cards[: -move.count]
        columns[move.target] += cards[-move.count :]
        return self._settle(columns, (move.source, move.target), self.stock)

    def resolve(self, move: Move) -> Move:
        """The legal move that a move means, with its count.

        Without a count a move takes the cards that fit, to an empty column all that move as
        one piece.

        Raises:
            IllegalMove: the rules do not allow it; the message says why.
        """
        if move.is_deal:
            self._check_deal()
            return DEAL
        if move.is_removal:
            return self._resolve_removal(move)
        source, target = move.source, move.target
        if max(source, target) >= self.rules.columns:
            raise IllegalMove(f"illegal move {move}: there are {self.rules.columns} columns")
        if source == target:
            raise IllegalMove(f"illegal move {move}: the columns are the same")
        if not self.columns[source]:
            raise IllegalMove(f"illegal move {move}: column {column_letter(source)} is empty")
        count = self._fitting(move) if self.columns[target] else move.count
        movable = self.movable(source)
        if count is None:
            count = movable
        if not 1 <= count <= movable:
            raise IllegalMove(
                f"illegal move {move}: of column {column_letter(source)} at most {movable} "
                f"move as one piece, not {count}"
            )
        return move if move.count == count else Move(source, target, count)

    def _fitting(self, move: Move) -> int:
        """The only count with which a move may fit onto the card at the end of its target."""
        upper, lower = self.columns[move.source][-1], self.columns[move.target][-1]
        count = rank(lower) - rank(upper)
        if count < 1:
            raise IllegalMove(
                f"illegal move {move}: nothing that ends in {card_text(upper)} "
                f"goes on {card_text(lower)}"
            )
        if move.count not in (None, count):
            raise IllegalMove(
                f"illegal move {move}: only {count} ending in {card_text(upper)} "
                f"could go on {card_text(lower)}"
            )
        return count

    def _resolve_removal(self, move: Move) -> Move:
        rules = self.rules
        if not rules.optional_removal:
            raise IllegalMove(f"illegal move {move}: complete runs leave by themselves")
        if move.source >= rules.columns:
            raise IllegalMove(f"illegal move {move}: there are {rules.columns} columns")
        if not ends_in_run(self.columns[move.source], self.face_down[move.source], rules.ranks):
            column = column_letter(move.source)
            raise IllegalMove(f"illegal move {move}: column {column} ends in no complete run")
        return Move(move.source, -1, rules.ranks)

    def _check_deal(self) -> None:
        if not self.stock:
            raise IllegalMove("illegal deal: the stock is empty")
        if not self.can_deal:
            letters = " ".join(map(column_letter, self.empty_columns))
            raise IllegalMove(f"illegal deal: empty columns ({letters})")

    def _dealt(self) -> Self:
        width = self.rules.columns
        columns = list(self.columns)
        for column, card in enumerate(self.stock[:width]):
            columns[column] += (card,)
        return self._settle(columns, range(width), self.stock[width:])

    def _without_run(self, column: int) -> Self:
        columns = list(self.columns)
        cards, ranks = columns[column], self.rules.ranks
        columns[column] = cards[:-ranks]
        completed = tuple(sorted((*self.completed, suit(cards[-1]))))
        return replace(self._settle(columns, (column,), self.stock), completed=completed)

    def settled(self) -> Self:
        """This position with complete runs removed (unless optional) and bare cards turned up."""
        return self._settle(list(self.columns), range(self.rules.columns), self.stock)

    def _settle(
        self, columns: list[Column], touched: Iterable[int], stock: tuple[Card, ...]
    ) -> Self:
        """The position with these columns and stock, the touched columns put in order."""
        ranks = 0 if self.rules.optional_removal else self.rules.ranks
        face_down = list(self.face_down)
        removed: list[int] = []
        for column in touched:
            cards, down = columns[column], face_down[column]
            if down < len(cards) and not (ranks and ends_in_run(cards, down, ranks)):
                continue  # as almost always, nothing happens by itself
            columns[column], face_down[column], suits = settled_column(cards, down, ranks)
            removed += suits
        completed = tuple(sorted((*self.completed, *removed))) if removed else self.completed
        return type(self)(self.rules, tuple(columns), tuple(face_down), stock, completed)

    def check_settled(self) -> None:
        """Refuse a table on which something still happens by itself.

        Raises:
            PositionError: a last card lies face down, or a complete run has yet to leave.
        """
        self._check_last_cards()
        if self.rules.optional_removal:
            return
        for column, (cards, down) in enumerate(zip(self.columns, self.face_down, strict=True)):
            if ends_in_run(cards, down, self.rules.ranks):
                letter = column_letter(column)
                message = f"column {letter} ends in a complete run: play on from settled()"
                raise PositionError(message, column=column)

    def check(self) -> None:
        """Refuse what is no position of the game: wrong cards, columns or stock.

        Raises:
            PositionError: with one line that says what is wrong.
        """
        rules = self.rules
        if len(self.columns) != rules.columns or len(self.face_down) != rules.columns:
            columns = "1 column" if len(self.columns) == 1 else f"{len(self.columns)} columns"
            raise PositionError(f"{columns} where the game has {rules.columns}")
        self._check_last_cards()
        self._check_cards()
        self._check_stock()

    def _check_last_cards(self) -> None:
        """Refuse a column whose last card lies face down."""
        for column, (cards, down) in enumerate(zip(self.columns, self.face_down, strict=True)):
            if cards and down >= len(cards):
                letter = column_letter(column)
                raise PositionError(f"the last card of column {letter} is face down", column=column)

    def _check_cards(self) -> None:
        """Refuse a card that the deck does not hold, or not as often as it is here."""
        rules = self.rules
        found = Counter(card for cards in (*self.columns, self.stock) for card in cards)
        for done in self.completed:
            found.update(make_card(r, done) for r in range(1, rules.ranks + 1))
        deck = rules.deck()
        for card, count in found.items():
            if card not in deck:
                raise PositionError(f"{card_text(card)} is not in the deck", card)
            if count > deck[card]:
                message = f"{count} copies of {card_text(card)} where the deck has {deck[card]}"
                raise PositionError(message, card)
        for card, copies in deck.items():
            if found[card] < copies:
                message = f"{card_text(card)} is missing: {found[card]} of {copies} are there"
                raise PositionError(message, card)

    def _check_stock(self) -> None:
        """Refuse a stock that is not left by dealing whole rows (the last one may be short)."""
        possible = self.rules.stock_sizes
        if len(self.stock) not in possible:
            sizes = ", ".join(map(str, possible))
            cards = "1 card" if len(self.stock) == 1 else f"{len(self.stock)} cards"
            message = f"{cards} in the stock, which in rows of {self.rules.columns} holds {sizes}"
            raise PositionError(message, in_stock=True)


def movable_cards(cards: Column, face_down: int, any_suit: bool) -> int:
    """How many cards at the end of a column move as one piece, at most; 0 of an empty one.

    They are face up, each one rank below the card under it, and of one suit unless ``any_suit``
    says that group moves are allowed. Any of them moves with all that lie on it.
    """
    limit = len(cards) - face_down
    count = min(1, limit)
    while count < limit:
        upper, lower = cards[-count], cards[-count - 1]
        if lower - upper != 1 and not (any_suit and rank(lower) - rank(upper) == 1):
            break
        count += 1
    return count


def settled_column(cards: Column, face_down: int, ranks: int) -> tuple[Column, int, list[int]]:
    """A column once complete runs at its end have left and the card laid bare has turned up.

    ``ranks`` is the length of a run that leaves by itself, 0 if none does. Returns the cards, how
    many of them lie face down, and the suits of the runs that left.
    """
    removed: list[int] = []
    while ranks and ends_in_run(cards, face_down, ranks):
        removed.append(suit(cards[-1]))
        cards = cards[:-ranks]
        face_down = _turned_up(cards, face_down)
    return cards, _turned_up(cards, face_down), removed


def ends_in_run(cards: Sequence[Card], face_down: int, ranks: int) -> bool:
    """Whether a column ends in a complete run, face up and of one suit down to the ace."""
    if len(cards) - face_down < ranks or rank(cards[-1]) != 1:
        return False
    ace = cards[-1]
    return all(cards[-count] == ace + count - 1 for count in range(2, ranks + 1))


def _turned_up(cards: Column, face_down: int) -> int:
    """How many cards of a column lie face down once its last card is turned up."""
    return min(face_down, max(len(cards) - 1, 0))


def rules_shown(
    columns: Iterable[Iterable[Card]],
    stock: Iterable[Card],
    completed: Iterable[int],
) -> Rules:
    """Standard Spider with the suits that a table shows.

    Raises:
        PositionError: no standard game has these suits.
    """
    suits = {suit(card) for cards in (*columns, stock) for card in cards} | set(completed)
    try:
        return spider_of_suits(suits)
    except ValueError as error:
        raise PositionError(str(error)) from None
