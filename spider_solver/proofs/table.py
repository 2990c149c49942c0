"""A table of cards that changes as a line is played: the plain rules, fast enough for data sets.

``Position`` keeps every card and makes a new table for each action. This keeps the runs that the
face-up cards of a column form, each by its first and its last card, and an action changes one or
two of them. As the cards of a run are ``first, first - 1, ..., last`` (see ``cards``),

- the last run may move from any card on that is not above its first,
- cards of its suit that fit on a run make it longer by giving it another last card,
- a run is complete once its first and its last card are as far apart as king and ace.

What the rules do not allow is refused by ``Position``, in its words.
"""

from collections.abc import Iterable
from typing import NoReturn

from spider_solver.game.cards import Card, rank, suit
from spider_solver.game.notation import Move
from spider_solver.game.position import Column, IllegalMove, Position

# Microsoft's scoring: https://en.wikipedia.org/wiki/Spider_(solitaire)
START_SCORE = 500
RUN_SCORE = 100

Run = tuple[Card, Card]
"""The first and the last card of a run."""

_NO_RUN: Run = (-1, 0)  # of an empty column: nothing can move from it

_NEVER = 99  # farther apart than any two cards of a suit


class Table:
    """The table of a game in progress.

    Args:
        position: where the game begins; its cards are those of the deck (``Position.check``).

    Attributes:
        actions: moves, deals and optional removals played.

    Raises:
        PositionError: the position is not settled.
    """

    __slots__ = (
        "_below",
        "_completed",
        "_firsts",
        "_hidden",
        "_lasts",
        "_leaving",
        "_left_at",
        "_rules",
        "_stock",
        "actions",
    )

    def __init__(self, position: Position) -> None:
        rules = position.rules
        self._rules = rules
        self._leaving = leaving = _NEVER if rules.optional_removal else rules.ranks - 1
        self._stock = position.stock
        self._completed = list(position.completed)
        self._left_at: list[int] = []  # for each run that left, the number of the action
        self.actions = 0
        # Of each column: the face-down cards, the runs on them but the last, and the last run.
        self._hidden: list[list[Card]] = []
        self._below: list[list[Run]] = []
        self._firsts: list[Card] = []
        self._lasts: list[Card] = []
        for cards, face_down in zip(position.columns, position.face_down, strict=True):
            below: list[Run] = []
            first, last = _NO_RUN
            for card in cards[face_down:]:
                if card != last - 1:
                    if last:
                        below.append((first, last))
                    first = card
                last = card
            if first - last >= leaving or (cards and not last):
                position.check_settled()
            self._hidden.append(list(cards[:face_down]))
            self._below.append(below)
            self._firsts.append(first)
            self._lasts.append(last)

    @property
    def position(self) -> Position:
        """The table as it is now."""
        columns: list[Column] = []
        table = zip(self._hidden, self._below, self._firsts, self._lasts, strict=True)
        for hidden, below, first, last in table:
            cards = hidden.copy()
            if last:
                for top, bottom in (*below, (first, last)):
                    cards += range(top, bottom - 1, -1)
            columns.append(tuple(cards))
        face_down = tuple(map(len, self._hidden))
        completed = tuple(sorted(self._completed))
        return Position(self._rules, tuple(columns), face_down, self._stock, completed)

    @property
    def score(self) -> int:
        """500, less 1 for each action, plus 100 for each run that it completes.

        It is never below 0 after an action.
        """
        score, scored = START_SCORE, 0
        for action in self._left_at:
            if action > scored:
                score = max(score - (action - scored - 1), 0) - 1
                scored = action
            score += RUN_SCORE
        return max(score - (self.actions - scored), 0)

    def play(self, line: Iterable[Move]) -> None:
        """Play a line: each action and all that follows by itself, as ``Position.play`` does.

        Raises:
            IllegalMove: the rules do not allow an action; the message says why. What came before
                it is played, and ``actions`` counts it.
        """
        firsts, lasts, below, leaving = self._firsts, self._lasts, self._below, self._leaving
        for number, move in enumerate(line, start=self.actions + 1):
            self.actions = number
            source, target, count = move.source, move.target, move.count
            if source < 0 or target < 0:
                self._deal(move) if source < 0 else self._remove(move)
                continue
            try:
                top, last, onto = firsts[source], lasts[source], lasts[target]
            except IndexError:  # there is no such column
                self._refuse(move)
            if count is None:
                count = self._fitting(source, onto)
            first = last + count - 1
            if not last <= first <= top:
                self._move_group(move, count)
                continue
            # What ``_lay`` and ``_take`` do; to call them for each move would take much longer.
            if onto == first + 1:
                lasts[target] = last
                if firsts[target] - last >= leaving:
                    self._leave(target)
            else:
                if onto:
                    if (onto - first) & 15 != 1:  # not one rank apart
                        self._refuse(move)
                    below[target].append((firsts[target], onto))
                firsts[target] = first
                lasts[target] = last
            if first != top:
                lasts[source] = first + 1
            else:
                self._lay_bare(source)

    def _deal(self, move: Move) -> None:
        width = self._rules.columns
        if not self._stock or not (self._rules.deal_over_empty or all(self._lasts)):
            self._refuse(move)
        for column, card in enumerate(self._stock[:width]):
            self._lay(column, card, card)
        self._stock = self._stock[width:]

    def _remove(self, move: Move) -> None:
        rules, column = self._rules, move.source
        if not rules.optional_removal or column >= rules.columns:
            self._refuse(move)
        if self._firsts[column] - self._lasts[column] != rules.ranks - 1:
            self._refuse(move)
        self._leave(column)

    def _fitting(self, source: int, onto: Card) -> int:
        """How many cards a move without a count takes."""
        if onto:
            return rank(onto) - rank(self._lasts[source])
        return sum(first - last + 1 for first, last in self._movable(source))

    def _movable(self, column: int) -> list[Run]:
        """The runs at the end of a column that move as one piece, the last one first."""
        runs = [(self._firsts[column], self._lasts[column])]
        if self._rules.group_moves:
            for first, last in reversed(self._below[column]):
                if rank(last) - rank(runs[-1][0]) != 1:
                    break
                runs.append((first, last))
        return runs

    def _move_group(self, move: Move, count: int) -> None:
        """Move cards of several runs, which only group moves allow."""
        taken: list[Run] = []
        for first, last in self._movable(move.source):
            if count > 0:
                taken.append((min(first, last + count - 1), last))
                count -= first - last + 1
        onto = self._lasts[move.target]
        if count > 0 or not taken or (onto and rank(onto) - rank(taken[-1][0]) != 1):
            self._refuse(move)
        for first, _ in taken:
            self._take(move.source, first)
        for first, last in reversed(taken):
            self._lay(move.target, first, last)

    def _lay(self, column: int, first: Card, last: Card) -> None:
        """Lay cards of one suit on a column."""
        onto = self._lasts[column]
        self._lasts[column] = last
        if onto == first + 1:
            if self._firsts[column] - last >= self._leaving:
                self._leave(column)
            return
        if onto:
            self._below[column].append((self._firsts[column], onto))
        self._firsts[column] = first

    def _take(self, column: int, first: Card) -> None:
        """Take the cards from ``first`` on from the last run of a column."""
        if first != self._firsts[column]:
            self._lasts[column] = first + 1
        else:
            self._lay_bare(column)

    def _lay_bare(self, column: int) -> None:
        """Take the last run of a column away; what lay under it is now its last run."""
        if below := self._below[column]:
            self._firsts[column], self._lasts[column] = first, last = below.pop()
            if first - last >= self._leaving:
                self._leave(column)
        elif hidden := self._hidden[column]:
            self._firsts[column] = self._lasts[column] = hidden.pop()
        else:
            self._firsts[column], self._lasts[column] = _NO_RUN

    def _leave(self, column: int) -> None:
        """Let the complete run at the end of a column leave."""
        self._completed.append(suit(self._lasts[column]))
        self._left_at.append(self.actions)
        self._lay_bare(column)

    def _refuse(self, move: Move) -> NoReturn:
        """Say why a move is illegal."""
        self.actions -= 1
        self.position.play(move)
        raise IllegalMove(f"illegal move {move}: it was refused without a reason")  # a fault here
