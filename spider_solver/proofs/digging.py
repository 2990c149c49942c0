"""Buried positions: lost, because their columns can never all be dug up.

Cut each column into *sequences*: a sequence begins with a *head*, a card that does not lie on a
face-up card of the next rank (the deepest card of a column, every face-down card, every card that
lies on a wrong one), and goes on with cards each one rank below the one it lies on, whatever their
suits. Its last card is its *end*. All cards that are not heads are *loose*. To win, every head must
leave its place at some time: it is moved, with a run of its suit that lies on it, or it is a king
whose run is complete. The moves by which heads leave are few and each has a price. Here all else of
a position is forgotten, and all orders in which heads may leave are tried. If in no order all do,
the position is lost. ``docs/proofs.md`` explains why, in the section on buried positions.

Plain Python that shares nothing with the kernel of the same name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from spider_solver.game.cards import SUITS, Card, make_card, rank, suit
from spider_solver.game.position import Position

MOST_ROWS = 1
"""Rows left in the stock at most: with more the test would prove next to nothing."""

MOST_STATES = 1000
"""States of digging that are looked at. Beyond them nothing is proved."""

# Where the card is that was dealt onto a column.
_NOT_DEALT = 0
_ON_TOP = 1
_MOVED = 2
_LOOSE = 3  # since it was dealt: its column had no head left


@dataclass(frozen=True, slots=True)
class _Table:
    """What does not change while heads leave.

    Attributes:
        ranks: cards of a complete run.
        heads: of each column, the heads from the deepest up.
        ends: of each column, the ranks of the ends of these sequences but the uppermost.
        row: the card to be dealt onto each column, 0 for none.
    """

    ranks: int
    heads: tuple[tuple[Card, ...], ...]
    ends: tuple[tuple[int, ...], ...]
    row: tuple[Card, ...]


@dataclass(slots=True)
class _State:
    """Which heads are in place, and what they can leave with.

    Attributes:
        left: of each column, how many of its heads are in place.
        dealt: of each column, where the card is that was dealt onto it.
        rows: rows left in the stock.
        places: by rank, open ends less the cards of the next lower rank that came to need one
            (negative where so many of them lie in emptied columns).
        emptied: columns in which no head is left.
        loose: the cards of which a copy is loose, a bit each.
        kings: by suit, kings that were dug up before their suit had all its other ranks loose.
        in_place: by rank, heads in place.
    """

    left: list[int]
    dealt: list[int]
    rows: int
    places: list[int]
    emptied: int
    loose: int
    kings: list[int]
    in_place: list[int]

    def copy(self) -> _State:
        return replace(
            self,
            left=self.left.copy(),
            dealt=self.dealt.copy(),
            places=self.places.copy(),
            kings=self.kings.copy(),
            in_place=self.in_place.copy(),
        )


def is_buried(position: Position) -> bool:
    """Whether digging proves that a position is lost.

    It says yes if there are at most ``MOST_STATES`` states of digging, and in none of them all
    heads have left and all rows are dealt. The answer depends neither on the order in which states
    are looked at nor on that of columns with equal lanes. It is always no under group moves, for
    which there is no proof, and where more than ``MOST_ROWS`` rows are left.
    """
    if position.rules.group_moves or position.rows_left > MOST_ROWS:
        return False
    columns: list[_Column] = []
    open_ends: list[int] = []
    loose = 0
    stock = position.stock
    for place, cards in enumerate(position.columns):
        heads: list[Card] = []
        ends: list[int] = []
        for depth, card in enumerate(cards):
            if depth > position.face_down[place] and rank(cards[depth - 1]) == rank(card) + 1:
                ends[-1] = rank(card)
                loose |= 1 << card
            else:
                heads.append(card)
                ends.append(rank(card))
        open_ends += ends[-1:]
        dealt = stock[place] if place < len(stock) else 0
        columns.append((tuple(heads), tuple(ends[:-1]), dealt))
    columns.sort()
    open_ends.sort()
    return _never_dug_up(position.rules.ranks, tuple(columns), tuple(open_ends), loose, bool(stock))


_Column = tuple[tuple[Card, ...], tuple[int, ...], Card]
"""The heads of a column, the ends of its sequences but the uppermost, the card dealt onto it."""


@lru_cache(maxsize=1 << 14)
def _never_dug_up(
    ranks: int, columns: tuple[_Column, ...], open_ends: tuple[int, ...], loose: int, rows: int
) -> bool:
    """The test itself, remembered: thousands of positions have all of this in common."""
    heads, ends, row = zip(*columns, strict=True)
    table = _Table(ranks, heads, ends, row)
    places, in_place = [0] * (ranks + 2), [0] * (ranks + 2)
    for end in open_ends:
        places[end] += 1
    for head in chain.from_iterable(heads):
        in_place[rank(head)] += 1
    state = _State(
        left=list(map(len, heads)),
        dealt=[_NOT_DEALT] * len(columns),
        rows=int(rows),
        places=places,
        emptied=heads.count(()),
        loose=loose,
        kings=[0] * len(SUITS),
        in_place=in_place,
    )
    _settle(table, state)
    seen = {_key(state)}
    waiting = [state]
    while waiting:
        state = waiting.pop()
        if not state.rows and not any(state.left):
            return False
        for after in _followers(table, state):
            _settle(table, after)
            key = _key(after)
            if key not in seen:
                if len(seen) == MOST_STATES:
                    return False
                seen.add(key)
                waiting.append(after)
    return True


def _key(state: _State) -> tuple[int, ...]:
    """What all the rest of a settled state follows from."""
    return (state.rows, *state.left, *state.dealt)


def _top_head(table: _Table, state: _State, column: int) -> Card | None:
    """The head in place that lies highest in a column."""
    if state.dealt[column] == _ON_TOP:
        return table.row[column]
    left = state.left[column]
    return table.heads[column][left - 1] if left else None


def _suffices(state: _State, rank_needed: int, rank_open: int) -> bool:
    """Whether there are places for all cards that need one, and besides these two ends.

    Cards without a place lie in emptied columns, one in each at most.
    """
    places = state.places
    places[rank_needed] -= 1
    places[rank_open] -= 1
    missing = -sum(count for count in places[2:] if count < 0)
    places[rank_needed] += 1
    places[rank_open] += 1
    return missing <= state.emptied


def _can_move(state: _State, head: Card) -> bool:
    """Whether a head may leave: on it lies a run of its suit, down to an end that is open."""
    for end in range(rank(head), 0, -1):
        if end < rank(head) and not state.loose >> make_card(end, suit(head)) & 1:
            return False
        if _suffices(state, rank(head) + 1, end):
            return True
    return False


def _move(table: _Table, state: _State, column: int, head: Card) -> None:
    """Let the top head of a column leave; from now on it is loose and needs a place."""
    state.places[rank(head) + 1] -= 1
    state.loose |= 1 << head
    if rank(head) == table.ranks:
        state.kings[suit(head)] += 1
    _take(table, state, column, head)


def _take(table: _Table, state: _State, column: int, head: Card) -> None:
    """Take the top head of a column away; the sequence under it is laid open."""
    state.in_place[rank(head)] -= 1
    if state.dealt[column] == _ON_TOP:
        state.dealt[column] = _MOVED  # the end under it has been counted all the time
        return
    state.left[column] -= 1
    if state.left[column]:
        state.places[table.ends[column][state.left[column] - 1]] += 1
    else:
        state.emptied += 1


def _settle(table: _Table, state: _State) -> None:
    """Do at once what can do no harm: complete suits and, with no row left, make safe moves."""
    while _complete(table, state) or (not state.rows and _move_safely(table, state)):
        pass


def _complete(table: _Table, state: _State) -> bool:
    """Let kings leave whose suit has all other ranks loose; whether there was one."""
    others = (1 << table.ranks) - 2  # the bits of the ranks below the king
    for done in range(len(SUITS)):
        if ~(state.loose >> make_card(0, done)) & others:
            continue
        if state.kings[done]:
            state.places[table.ranks + 1] += state.kings[done]
            state.kings[done] = 0
            return True
        king = make_card(table.ranks, done)
        for column in range(len(table.heads)):
            if _top_head(table, state, column) == king:
                _take(table, state, column, king)
                return True
    return False


def _move_safely(table: _Table, state: _State) -> bool:
    """Move a head that it costs nothing to move; whether there was one."""
    for column, left in enumerate(state.left):
        head = _top_head(table, state, column)
        if head is None or rank(head) == table.ranks:
            continue
        place = rank(head) + 1
        below = left > 1 and state.dealt[column] != _ON_TOP and table.ends[column][left - 2]
        if (
            (left == 1 and state.dealt[column] != _ON_TOP)  # a column is emptied
            or state.places[place] > state.in_place[rank(head)]  # places for all that need one
            or below == place  # a place for one
        ) and _can_move(state, head):
            _move(table, state, column, head)
            return True
    return False


def _followers(table: _Table, state: _State) -> Iterator[_State]:
    """What one move of a head leads to, and a deal."""
    for column, left in enumerate(state.left):
        head = _top_head(table, state, column)
        if head is None or not _can_move(state, head):
            continue
        at_bottom = left == 1 and state.dealt[column] != _ON_TOP
        if rank(head) == table.ranks and at_bottom and not state.rows:
            continue  # from the bottom of one column to that of another: nothing changes
        after = state.copy()
        _move(table, after, column, head)
        yield after
    if state.rows:
        yield _dealt(table, state)


def _dealt(table: _Table, state: _State) -> _State:
    """The state once the row is dealt; what it covers still counts as open."""
    after = state.copy()
    after.rows -= 1
    for column, card in enumerate(table.row):
        if not card:
            continue
        after.places[rank(card)] += 1
        if after.left[column]:
            after.dealt[column] = _ON_TOP
            after.in_place[rank(card)] += 1
        else:
            after.dealt[column] = _LOOSE
            after.loose |= 1 << card
            if rank(card) == table.ranks:
                after.kings[suit(card)] += 1
    return after
