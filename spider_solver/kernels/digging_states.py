"""Digging: what the test for buried positions plays in place of the game.

A state says how many heads are left in each column, and what follows from that. The rules, and why
they lead to an end wherever the game does, are in ``proofs/digging.py``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.bits import mix
from spider_solver.kernels.jit import inlined, internal
from spider_solver.kernels.layout import Int32s, Int64s

MOST_STATES = 1000
"""States of digging that are looked at."""

SUITS = 4

# --- a state of digging ---------------------------------------------------------------------------
STATE_ROWS = layout.MAX_COLUMNS  # words before: heads left in a column * DEALT + where its card is
STATE_KEY = STATE_ROWS + 1  # words that the others follow from
STATE_EMPTIED = STATE_KEY
STATE_LOOSE = STATE_KEY + 1
STATE_KINGS = STATE_KEY + 2  # a word for each suit
STATE_PLACES = STATE_KINGS + SUITS  # a word for each rank, and the one above the king's
STATE_IN_PLACE = STATE_PLACES + 16
STATE_WORDS = STATE_IN_PLACE + 16
STATE_SLOTS = 1 << 12

DEALT = 4
NOT_DEALT = 0
ON_TOP = 1
MOVED = 2
LOOSE = 3


class Board(NamedTuple):
    """One position while it is dug up."""

    heads: Int64s  # [column * MAX_CARDS + depth]
    ends: Int64s  # [column * MAX_CARDS + depth]: ranks
    row: Int64s  # the card dealt onto each column, 0 for none
    states: Int64s  # [state * STATE_WORDS + word]
    table: Int32s  # state numbers + 1 by hash, 0 where free
    waiting: Int32s  # states that have not been gone on from


def make_board() -> Board:
    """Room for any position."""
    return Board(
        heads=np.zeros(layout.MAX_COLUMNS * layout.MAX_CARDS, np.int64),
        ends=np.zeros(layout.MAX_COLUMNS * layout.MAX_CARDS, np.int64),
        row=np.zeros(layout.MAX_COLUMNS, np.int64),
        states=np.zeros((MOST_STATES + 1) * STATE_WORDS, np.int64),
        table=np.zeros(STATE_SLOTS, np.int32),
        waiting=np.zeros(MOST_STATES, np.int32),
    )


@internal
def dig_up(columns: int, ranks: int, board: Board, most: int) -> int:
    """Look at all states unless in one all heads have left, or there are too many.

    Gives how many were looked at, as a negative number if the position is buried.
    """
    states = board.states
    waiting = board.waiting
    for slot in range(STATE_SLOTS):
        board.table[slot] = 0
    _settle(columns, ranks, board, 0)
    count = _add(columns, board, 0)
    waiting[0] = 0
    left = 1
    while left > 0:
        left -= 1
        at = np.int64(waiting[left]) * STATE_WORDS
        if _is_done(columns, states, at):
            return count
        for column in range(columns + 1):
            after = count * STATE_WORDS
            if column == columns:
                if states[at + STATE_ROWS] == 0:
                    break
                _copy(states, at, after)
                _deal(columns, ranks, board, after)
            else:
                head = _top_head(board, at, column)
                if head == 0 or not _can_move(ranks, states, at, head):
                    continue
                if (
                    head & layout.CARD_RANK == ranks
                    and states[at + column] // DEALT == 1
                    and states[at + column] & (DEALT - 1) != ON_TOP
                    and states[at + STATE_ROWS] == 0
                ):
                    continue  # a king moved from the bottom of a column changes nothing
                _copy(states, at, after)
                _move(ranks, board, after, column, head)
            _settle(columns, ranks, board, after)
            added = _add(columns, board, count)
            if added > count:
                if count == most:
                    return count
                waiting[left] = count
                left += 1
                count = added
    return -count


@inlined
def _copy(states: Int64s, at: int, to: int) -> None:
    for word in range(STATE_WORDS):
        states[to + word] = states[at + word]


@inlined
def _is_done(columns: int, states: Int64s, at: int) -> bool:
    """Whether all heads have left and the row is dealt."""
    done = states[at + STATE_ROWS] == 0
    for column in range(columns):
        done = done and states[at + column] < DEALT
    return done


@internal
def _add(columns: int, board: Board, state: int) -> int:
    """The number of states with this one, the last of them: the same as before if it is not new."""
    states = board.states
    at = state * STATE_WORDS
    key = np.uint64(states[at + STATE_ROWS])
    for column in range(columns):
        key = mix(key ^ (np.uint64(states[at + column]) + (key << np.uint64(7))))
    slot = np.int64(key >> np.uint64(1)) & (STATE_SLOTS - 1)
    while board.table[slot] != 0:
        other = (np.int64(board.table[slot]) - 1) * STATE_WORDS
        equal = states[other + STATE_ROWS] == states[at + STATE_ROWS]
        for column in range(columns):
            equal = equal and states[other + column] == states[at + column]
        if equal:
            return state
        slot = (slot + 1) & (STATE_SLOTS - 1)
    board.table[slot] = state + 1
    return state + 1


@inlined
def _top_head(board: Board, at: int, column: int) -> int:
    """The head in place that lies highest in a column, 0 if there is none."""
    word = board.states[at + column]
    if word & (DEALT - 1) == ON_TOP:
        return board.row[column]
    left = word // DEALT
    return board.heads[column * layout.MAX_CARDS + left - 1] if left > 0 else 0


@inlined
def _can_move(ranks: int, states: Int64s, at: int, head: int) -> bool:
    """Whether a head may leave: on it lies a run of its suit, down to an end that is open."""
    need = (head & layout.CARD_RANK) + 1
    spare = states[at + STATE_EMPTIED]  # emptied columns without a card that lacks a place
    for place in range(2, ranks + 2):
        spare += min(np.int64(0), states[at + STATE_PLACES + place])
    if states[at + STATE_PLACES + need] <= 0:
        spare -= 1
    for card in range(head, head - need + 1, -1):
        if card != head and not states[at + STATE_LOOSE] >> card & 1:
            return False
        end = card & layout.CARD_RANK
        short = end > 1 and states[at + STATE_PLACES + end] <= 0
        if spare - short >= 0:
            return True
    return False


@internal
def _move(ranks: int, board: Board, at: int, column: int, head: int) -> None:
    """Let the top head of a column leave; from now on it is loose and needs a place."""
    states = board.states
    states[at + STATE_PLACES + (head & layout.CARD_RANK) + 1] -= 1
    states[at + STATE_LOOSE] |= np.int64(1) << head
    if head & layout.CARD_RANK == ranks:
        states[at + STATE_KINGS + (head >> 4)] += 1
    _take(board, at, column, head)


@internal
def _take(board: Board, at: int, column: int, head: int) -> None:
    """Take the top head of a column away; the sequence under it is laid open."""
    states = board.states
    states[at + STATE_IN_PLACE + (head & layout.CARD_RANK)] -= 1
    if states[at + column] & (DEALT - 1) == ON_TOP:
        states[at + column] += MOVED - ON_TOP  # the end under it has been counted all the time
        return
    states[at + column] -= DEALT
    left = states[at + column] // DEALT
    if left == 0:
        states[at + STATE_EMPTIED] += 1
    else:
        states[at + STATE_PLACES + board.ends[column * layout.MAX_CARDS + left - 1]] += 1


@internal
def _deal(columns: int, ranks: int, board: Board, at: int) -> None:
    """Deal the row; what it covers still counts as open."""
    states = board.states
    states[at + STATE_ROWS] -= 1
    for column in range(columns):
        card = board.row[column]
        if card == 0:
            continue
        states[at + STATE_PLACES + (card & layout.CARD_RANK)] += 1
        if states[at + column] >= DEALT:
            states[at + column] += ON_TOP
            states[at + STATE_IN_PLACE + (card & layout.CARD_RANK)] += 1
        else:
            states[at + column] += LOOSE
            states[at + STATE_LOOSE] |= np.int64(1) << card
            if card & layout.CARD_RANK == ranks:
                states[at + STATE_KINGS + (card >> 4)] += 1


@internal
def _settle(columns: int, ranks: int, board: Board, at: int) -> None:
    """Do at once what can do no harm: complete suits and, with no row left, make safe moves."""
    while _complete(columns, ranks, board, at) or (
        board.states[at + STATE_ROWS] == 0 and _move_safely(columns, ranks, board, at)
    ):
        pass


@internal
def _complete(columns: int, ranks: int, board: Board, at: int) -> bool:
    """Let kings leave whose suit has all other ranks loose; whether there was one."""
    states = board.states
    others = (np.int64(1) << ranks) - 2  # the bits of the ranks below the king
    found = False
    for suit in range(SUITS):
        if ~(states[at + STATE_LOOSE] >> (suit << 4)) & others:
            continue
        found = found or states[at + STATE_KINGS + suit] > 0
        states[at + STATE_PLACES + ranks + 1] += states[at + STATE_KINGS + suit]
        states[at + STATE_KINGS + suit] = 0
        king = (suit << 4) + ranks
        for column in range(columns):
            while _top_head(board, at, column) == king:
                _take(board, at, column, king)
                found = True
    return found


@internal
def _move_safely(columns: int, ranks: int, board: Board, at: int) -> bool:
    """Move heads that it costs nothing to move; whether there was one."""
    states = board.states
    found = False
    for column in range(columns):
        head = _top_head(board, at, column)
        if head == 0 or head & layout.CARD_RANK == ranks:
            continue
        need = (head & layout.CARD_RANK) + 1
        left = states[at + column] // DEALT
        below = 0
        if states[at + column] & (DEALT - 1) == ON_TOP:
            left = 0
        elif left > 1:
            below = board.ends[column * layout.MAX_CARDS + left - 2]
        if (
            left == 1  # a column is emptied
            or states[at + STATE_PLACES + need] > states[at + STATE_IN_PLACE + need - 1]
            or below == need
        ) and _can_move(ranks, states, at, head):
            _move(ranks, board, at, column, head)
            found = True
    return found
