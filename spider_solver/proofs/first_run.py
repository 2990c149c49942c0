"""The classes of positions before the first run: a proof that none is ever completed.

Like the blockade (:mod:`spider_solver.proofs.blockade`) this looks at play up to the *first
event*: the first empty column or the first complete run. It does so exactly, but for where the
ends lie and which suits lie where. ``docs/proofs.md`` says in words why this proves a loss.

**Words.** A card is *in place* if it has not moved since it was dealt. A *head* is a card in place
that does not lie on a face-up card of the next rank; all other face-up cards are *chain cards*.
So a column is a stack of segments, each a head and the chain cards on it down to the *end*, which
is a card one rank lower for each chain card. The uppermost segment of a column is *active*, the
others are covered. In a fresh deal whose columns each show one card, the heads are the lowest
face-up card of each column and dealt cards; below lie the face-down cards.

**A class** (:class:`PositionClass`) tells which cards of the start lie in place in each column,
which dealt cards are heads, and, for each row dealt, how many ends of each rank its heads cover.
All else follows: which cards are chain cards, and, since each of them lies on a card of the next
rank, how many ends of each rank there are, (face-up cards of the rank) - (chain cards of the rank
below). Those not covered are active.

**What follows on a class** (:meth:`FirstPhase.successors`):

* *A head x moves*, with the chain on it. Its rank is p < king, its suit q. An active end of rank
  p + 1 is needed, and for some k >= 0 an active end of rank p - k, the end of its segment: the
  chain cards p - 1, ..., p - k of suit q must be among the chain cards, and the other active ends
  must fit the other active heads, each end on a head of at least its rank. Then x is a chain card.
  If it came from the start, the next card turns up, a head and an active end; if there is none, a
  column is empty: an event. If it was dealt in a row, the segment that it covered is active again,
  with any end among those covered by the row that is no higher than its head and leaves ends that
  fit the other segments covered by the row.
* *A row is dealt.* A dealt card of rank d may lie on an end d + 1, where the head is d + 1 or
  higher: it is then a chain card. For every choice of columns in which this happens that leaves
  ends which fit the heads of the other columns, the cards dealt there are heads and cover these
  ends.

**A run** can be complete only if an active head is a king, an ace is an active end, and all
lower cards of its suit are among the chain cards: an event (:meth:`FirstPhase.shows_run`).

A class that :func:`spider_solver.proofs.first_run_stuck.is_stuck` proves to lead to no event
needs no successors.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate, combinations
from typing import NamedTuple

from spider_solver.game.cards import Card, rank, suit
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules
from spider_solver.proofs.rank_counts import MOST, any_negative, count_of, counted, each, fit, one


class PositionClass(NamedTuple):
    """Positions before the first event that differ only in chains.

    Attributes:
        in_place: for each column, how many cards of the start lie in place.
        heads: for each column, the rows whose card is a head there: bit 0 for the first row.
        covered: for each row dealt, the ends that its heads cover, by rank
            (:mod:`spider_solver.proofs.rank_counts`).
    """

    in_place: tuple[int, ...]
    heads: tuple[int, ...]
    covered: tuple[int, ...]


class ColumnPart(NamedTuple):
    """What a column adds to a class.

    Attributes:
        head: the active head.
        below: for each row whose card is a head, with the row's number, the rank of the head under
        it.
        chain: the chain cards that were dealt to this column, a bit each.
        ends: what its cards add to the ends, by rank.
    """

    head: Card
    below: tuple[tuple[int, int], ...]
    chain: int
    ends: int


class Table(NamedTuple):
    """What follows from a class.

    Attributes:
        parts: the columns.
        chain: all chain cards, a bit each.
        ends: the active ends, by rank.
        heads: the active heads, by rank.
    """

    parts: tuple[ColumnPart, ...]
    chain: int
    ends: int
    heads: int


def has_first_phase(position: Position) -> bool:
    """Whether the classes stand for what can happen: a fresh deal, with one card a column face up.

    Its rows are whole, only runs move as one piece, and there are few enough cards to count.
    """
    rules = position.rules
    fresh = not position.completed and len(position.stock) == rules.stock_size
    one_up = all(
        len(cards) == down + 1
        for cards, down in zip(position.columns, position.face_down, strict=True)
    )
    whole = rules.stock_size % rules.columns == 0
    return fresh and one_up and whole and not rules.group_moves and _is_countable(rules)


def _is_countable(rules: Rules) -> bool:
    """Whether no count of the proof can leave the range of ``rank_counts``."""
    return 2 * rules.runs + rules.stock_size <= MOST


class FirstPhase:
    """The play of a fresh deal up to the first event, class by class.

    Args:
        position: the deal, one that :func:`has_first_phase`.

    Attributes:
        columns: the cards of the start, deepest first.
        rows: the rows of the stock.
        places: for each column and number of rows dealt, the places that the cards dealt there
            would take, by rank: each one end of its next rank.
        ranks: the rank of a king.
        run: the cards of a run below the king, a bit each, for clubs.
    """

    def __init__(self, position: Position) -> None:
        width = position.rules.columns
        stock = position.stock
        self.columns = position.columns
        self.rows = tuple(stock[at : at + width] for at in range(0, len(stock), width))
        self.places = tuple(
            tuple(accumulate((one(rank(row[column]) + 1) for row in self.rows), initial=0))
            for column in range(width)
        )
        self.ranks = position.rules.ranks
        self.run = (1 << self.ranks) - 2
        self.part: Callable[[int, int, int, int], ColumnPart] = cache(self._part)

    def start(self) -> PositionClass:
        """The class of the deal."""
        return PositionClass(tuple(map(len, self.columns)), (0,) * len(self.columns), ())

    def _part(self, column: int, in_place: int, heads: int, dealt: int) -> ColumnPart:
        """What a column adds, by its cards in place and the number of rows dealt."""
        cards = self.columns[column]
        head = cards[in_place - 1]
        chain_cards = list(cards[in_place:])
        below = []
        ends = one(rank(head))
        for row in range(dealt):
            card = self.rows[row][column]
            if heads >> row & 1:
                below.append((row, rank(head)))
                head = card
                ends += one(rank(card))
            else:
                chain_cards.append(card)
        ends += sum(one(rank(card)) - one(rank(card) + 1) for card in chain_cards)
        chain = 0
        for card in chain_cards:
            chain |= 1 << card
        return ColumnPart(head, tuple(below), chain, ends)

    def table(self, found: PositionClass) -> Table:
        """What follows from a class."""
        dealt = len(found.covered)
        parts = tuple(
            self.part(column, in_place, heads, dealt)
            for column, (in_place, heads) in enumerate(
                zip(found.in_place, found.heads, strict=True)
            )
        )
        chain = 0
        for part in parts:
            chain |= part.chain
        ends = sum(part.ends for part in parts) - sum(found.covered)
        return Table(parts, chain, ends, counted(rank(part.head) for part in parts))

    def shows_run(self, table: Table) -> bool:
        """Whether a run may be complete."""
        return count_of(table.ends, 1) > 0 and any(
            rank(part.head) == self.ranks and self.has_run(table.chain, suit(part.head))
            for part in table.parts
        )

    def has_run(self, chain: int, of: int) -> bool:
        """Whether all cards of a suit below the king are among these chain cards."""
        return (chain >> 16 * of) & self.run == self.run

    def successors(self, found: PositionClass) -> Iterator[PositionClass | None]:
        """The classes that may follow on one, None for an event."""
        table = self.table(found)
        if self.shows_run(table):
            yield None
        for column in range(len(table.parts)):
            if self._can_move(table, column):
                yield from self._moved(found, table, column)
        if len(found.covered) < len(self.rows):
            yield from self._dealt(found, table)

    def _can_move(self, table: Table, column: int) -> bool:
        """Whether the head of a column may move, with the chain on it."""
        head = table.parts[column].head
        value = rank(head)
        if value == self.ranks or count_of(table.ends, value + 1) <= 0:
            return False
        others = table.heads - one(value)
        for end in range(value, 0, -1):
            if end < value and not table.chain >> (head - value + end) & 1:
                return False
            if count_of(table.ends, end) > 0 and fit(table.ends - one(end), others):
                return True
        return False

    def _moved(
        self, found: PositionClass, table: Table, column: int
    ) -> Iterator[PositionClass | None]:
        """What follows when the head of a column moves."""
        if not found.heads[column]:
            if found.in_place[column] == 1:
                yield None
            else:
                in_place = _with(found.in_place, column, found.in_place[column] - 1)
                yield found._replace(in_place=in_place)
            return
        row, head = table.parts[column].below[-1]
        heads = _with(found.heads, column, found.heads[column] - (1 << row))
        others = counted(
            under
            for place, part in enumerate(table.parts)
            if place != column
            for at, under in part.below
            if at == row
        )
        for end in sorted(set(each(found.covered[row]))):
            left = found.covered[row] - one(end)
            if end <= head and fit(left, others):
                yield found._replace(heads=heads, covered=_with(found.covered, row, left))

    def _dealt(self, found: PositionClass, table: Table) -> Iterator[PositionClass]:
        """What follows when a row is dealt."""
        dealt = len(found.covered)
        values = [rank(card) for card in self.rows[dealt]]
        tops = [rank(part.head) for part in table.parts]
        able = [
            column
            for column, (value, top) in enumerate(zip(values, tops, strict=True))
            if value < top and count_of(table.ends, value + 1) > 0
        ]
        for size in range(len(able) + 1):
            for chosen in combinations(able, size):
                ends = table.ends - counted(values[column] + 1 for column in chosen)
                heads = table.heads - counted(tops[column] for column in chosen)
                if not any_negative(ends) and fit(ends, heads):
                    laid = tuple(
                        bits if column in chosen else bits | 1 << dealt
                        for column, bits in enumerate(found.heads)
                    )
                    yield PositionClass(found.in_place, laid, (*found.covered, ends))


def _with(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    """A tuple with one value exchanged."""
    return (*values[:place], value, *values[place + 1 :])
