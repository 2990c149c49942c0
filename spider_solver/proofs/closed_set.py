"""Checks closed sets: positions that play can never leave, none of them won, prove a loss.

Only the plain rules are used here, never a kernel.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from struct import Struct

from spider_solver.errors import SpiderError
from spider_solver.game.cards import SUITS, make_card
from spider_solver.game.notation import PositionParts, format_code, format_move, parse_code
from spider_solver.game.position import Column, Position
from spider_solver.game.symmetry import in_order
from spider_solver.proofs.check import ProofError
from spider_solver.proofs.columns import Columns, Stock
from spider_solver.proofs.digging import is_buried

PROGRESS_POSITIONS = 1000
"""Positions of a closed set that are checked between two reports of progress."""


class OutOfTime(SpiderError):
    """A check that its deadline ended; it has proved nothing and refuted nothing."""


def check_closed_set(
    position: Position,
    codes: Iterable[str],
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Check that a set of positions proves a loss.

    Call a position *short of cards* if its stock holds cards, fewer cards lie on its table than it
    has columns, and the rules do not deal over empty columns (``proof.is_short_of_cards``). Call it
    *buried* if ``digging.is_buried`` proves it lost. A set S of positions proves that ``position``
    is lost if

    (a) ``position`` with its columns in order (``symmetry.in_order``) is in S,
    (b) no position in S is won, and
    (c) for every position in S that is neither short of cards nor buried, and every legal action
        there, a deal included, the position that follows, with its columns in order, is in S.

    **Why.** Call two positions *alike* if one becomes the other by letting columns with equal
    lanes swap places; a column's lane is the cards of the stock still to be dealt onto it.
    ``in_order`` gives a position that is alike. Alike positions are of one value:

    1. Let q be p with columns a and b swapped, whose lanes are equal. The stock is the same, so q
       is p with the columns swapped *together with their lanes*. Every legal action of p is
       legal in q when a and b are swapped in its name: whether cards move depends on the cards of
       the two columns named and on nothing else, and whether a row may be dealt on which columns
       are empty, or on none of that, but never on where they stand.
    2. The positions that follow are again p' and q' = p' with a and b swapped, and again with
       equal lanes. A move leaves the stock as it is and changes only the columns that it names,
       and what happens by itself (a complete run leaves, a bare card turns up) happens within a
       column. A deal puts the first card of its lane on each column and takes it from the lane:
       equal lanes have equal first cards (or none, if a short row does not reach them) and stay
       equal.
    3. So what can be reached from q is, swap by swap, what can be reached from p, and the runs
       completed are the same: p can be won if and only if q can. A reordering among equal lanes
       is a sequence of such swaps.

    A position that is short of cards is lost. A row can be dealt only if every column holds a
    card. Only a deal puts cards on the table; moves leave their number as it is, and runs that
    leave take some away. So at no time after it can a row be dealt, its stock never comes
    into any run, and the cards of that stock are missing from the runs that would win the game.
    That a buried position is lost is proved in ``docs/proofs.md``.

    Suppose now that a line won from ``position``. By (a) a position alike to its start is in S.
    If a position alike to the one before an action is in S, then it is neither short of cards nor
    buried: it would be lost, and the line wins from one that is alike. So by 1 the same action,
    renamed, is legal there, by 2 it leads to a position alike to the one after the action, and by
    (c) S holds that in order. So S holds one alike to the end of the line, which is won as that is:
    against (b). Hence there is no such line, and ``position`` is lost.

    Swapping columns with *different* lanes would not do: 1 holds, but 2 fails at the next deal.
    That S holds more than can be reached does no harm, nor does a position that is twice in it.

    **How.** The codes are read once. A position is kept as the numbers of its columns
    (``columns``), sorted among columns with equal lanes, and of its stock: four bytes each,
    compared exactly, some 120 bytes a position in all. A code must be the one that its
    position, in order, is written as; the proof does not need that, but so a set has one form only.
    Whether a position is buried is worked out only where something that follows on it is missing.

    Args:
        position: the position that is claimed to be lost.
        codes: the position codes of S.
        progress: told every now and then how many positions of how many have been checked.

    Returns:
        How many positions the set holds, each counted once.

    Raises:
        ProofError: the first thing that is wrong, in one line; positions are numbered from 1, where
            an action leads out of the set without those that were in it before.
    """
    positions = PositionSet(position)
    reader = _Reader(positions.columns)
    for number, code in enumerate(codes, start=1):
        positions.add(*reader.read(code, number), number)
    positions.check(progress)
    return len(positions)


class PositionSet:
    """Positions of a game, each kept once, that may prove the first one lost.

    Args:
        start: the position that is claimed to be lost.

    Attributes:
        columns: what the columns of these positions are numbered by.
    """

    def __init__(self, start: Position) -> None:
        self.columns = Columns(start.rules)
        self._start = start
        self._pack = Struct(f"{start.rules.columns + 1}I")
        self._known: dict[bytes, Stock] = {}

    def __len__(self) -> int:
        return len(self._known)

    def add(self, columns: Sequence[int], stock: Stock, number: int) -> None:
        """Take in a position.

        Args:
            columns: the numbers of its columns, in any order that its lanes allow.
            stock: its stock.
            number: its place in the set, for the message.

        Raises:
            ProofError: it is won.
        """
        if self.columns.is_won(columns, stock):
            code = self.columns.position(columns, stock).code
            raise ProofError(f"position {number} of the closed set is won: {code}")
        self._known[self._key(columns, stock)] = stock

    def _key(self, columns: Sequence[int], stock: Stock) -> bytes:
        """What alike positions have in common, and no others."""
        return self._pack.pack(stock.number, *stock.sorted(columns))

    def check(
        self,
        progress: Callable[[int, int], None] | None = None,
        deadline: float | None = None,
    ) -> None:
        """Check that the start is in the set and that no action leads out of it, or to a win.

        Args:
            progress: told every now and then how many positions of how many have been checked.
            deadline: when to stop, as ``time.perf_counter`` tells the time.

        Raises:
            ProofError: the first thing that is wrong.
            OutOfTime: the deadline came first.
        """
        numbers, start = self.columns, self._start
        if self._key(numbers.of(start), numbers.stock(start.stock)) not in self._known:
            raise ProofError(f"the start is not in the closed set: {in_order(start).code}")
        for number, (key, stock) in enumerate(self._known.items(), start=1):
            self._check_closed(self._pack.unpack(key)[1:], stock, number, deadline)
            if number % PROGRESS_POSITIONS == 0:
                check_time(deadline)
                if progress is not None:
                    progress(number, len(self._known))

    def _check_closed(
        self, columns: Sequence[int], stock: Stock, number: int, deadline: float | None
    ) -> None:
        """Whether all that follows on a position is in the set, or need not be."""
        if self.columns.is_short_of_cards(columns, stock):
            return
        known, key = self._known, self._key
        for after, left in self.columns.successors(columns, stock):
            if key(after, left) not in known:
                check_time(deadline)
                if is_buried(self.columns.position(columns, stock)):
                    return
                raise ProofError(
                    f"position {number} of the closed set: "
                    f"{fault_text(self.columns, columns, stock, self.holds)}"
                )

    def holds(self, position: Position) -> bool:
        """Whether a position, or one alike, is in the set."""
        stock = self.columns.stock(position.stock)
        return self._key(self.columns.of(position), stock) in self._known


def check_time(deadline: float | None) -> None:
    """Raise OutOfTime if a time, as ``time.perf_counter`` tells it, is over."""
    if deadline is not None and time.perf_counter() > deadline:
        raise OutOfTime


def fault_text(
    numbers: Columns,
    columns: Sequence[int],
    stock: Stock,
    holds: Callable[[Position], bool],
) -> str:
    """Which action leads out of a set from one of its positions, and where to.

    It is looked for again, by ``Position`` alone.

    Args:
        numbers: what the columns are numbered by.
        columns: the columns of the position.
        stock: its stock.
        holds: whether a position is in the set.
    """
    position = numbers.position(columns, stock)
    for move in position.legal_moves():
        after = position.play(move)
        if after.is_won or not holds(after):
            fault = "wins" if after.is_won else f"leads out of the set, to {in_order(after).code}"
            return f"{format_move(move)} {fault}"
    return f"the plain rules and their columns disagree about {position.code}"


class _Reader:
    """Reads position codes, each of the texts in them once.

    Args:
        columns: numbers the columns.
    """

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        rules = self._rules = columns.rules
        # Cards are counted in one number, so many bits for each: more than any sum here can fill,
        # so that two sums are equal if and only if the cards are.
        self._bits = ((rules.columns + 2) * rules.deck_size).bit_length()
        self._deck = sum(rules.copies(suit) * self._run(suit) for suit in range(len(SUITS)))
        self._sizes = {*range(rules.stock_size, 0, -rules.columns), 0}
        self._column_texts: dict[str, tuple[int, int]] = {}
        self._stock_texts: dict[str, tuple[Stock, int]] = {}
        self._completed_texts: dict[str, int] = {}

    def read(self, code: str, number: int) -> tuple[list[int], Stock]:
        """The columns and the stock of a position code.

        Raises:
            ProofError: it is not the code of a position of the game, in order.
        """
        try:
            table, stock_text, completed = code.split(" ")
            texts = self._column_texts
            found = [texts.get(text) or self._column(text) for text in table.split("/")]
            stock, cards = self._stock_texts.get(stock_text) or self._stock(stock_text)
            cards += self._completed_texts.get(completed) or self._completed(completed)
        except ValueError:
            raise self._fault(code, number) from None
        columns = [column for column, _ in found]
        cards += sum(count for _, count in found)
        right = cards == self._deck and len(columns) == self._rules.columns
        if not right or not self._is_in_order(columns, stock):
            raise self._fault(code, number)
        return columns, stock

    def _is_in_order(self, columns: Sequence[int], stock: Stock) -> bool:
        """Whether columns with equal lanes stand as ``symmetry.in_order`` puts them."""
        contents = self._columns.contents
        for group in stock.alike:
            among = [contents[columns[place]] for place in group]
            if among != sorted(among):
                return False
        return True

    def _column(self, text: str) -> tuple[int, int]:
        """The number of a column and its cards, counted."""
        parts = _parsed(f"{text} - -")
        (cards,), (face_down,) = parts.columns, parts.face_down
        number = self._columns.number(cards, face_down)
        if number != self._columns.settled(cards, face_down):
            raise ValueError("a run is complete, or the last card is face down")
        self._column_texts[text] = number, self._count(cards)
        return self._column_texts[text]

    def _stock(self, text: str) -> tuple[Stock, int]:
        """A stock and its cards, counted."""
        cards = _parsed(f" {text} -").stock
        if len(cards) not in self._sizes:
            raise ValueError("rows of the stock are not whole")
        self._stock_texts[text] = self._columns.stock(cards), self._count(cards)
        return self._stock_texts[text]

    def _completed(self, text: str) -> int:
        """The cards of completed runs, counted."""
        suits = _parsed(f" - {text}").completed
        if len(suits) > self._rules.runs:
            raise ValueError("too many runs")
        self._completed_texts[text] = sum(map(self._run, suits))
        return self._completed_texts[text]

    def _run(self, suit: int) -> int:
        """The cards of a complete run, counted."""
        return self._count(tuple(make_card(rank, suit) for rank in range(1, self._rules.ranks + 1)))

    def _count(self, cards: Column) -> int:
        """Cards, counted."""
        if len(cards) > self._rules.deck_size:
            raise ValueError("more cards than the deck has")
        return sum(1 << self._bits * card for card in cards)

    def _fault(self, code: str, number: int) -> ProofError:
        """What is wrong with a code."""
        where = f"position {number} of the closed set"
        try:
            Position.from_code(code, self._rules)
        except ValueError as error:
            return ProofError(f"{where}: {error}")
        return ProofError(f"{where} is not in order: {code.rstrip()}")


def _parsed(code: str) -> PositionParts:
    """The parts of a code that is written as codes are.

    Raises:
        ValueError: it is not.
    """
    parts = parse_code(code)
    if format_code(*parts) != code:
        raise ValueError("not as codes are written")
    return parts
