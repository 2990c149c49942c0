"""The test that a class of positions leads to no first event, by counting ends of each rank.

``spider_solver/proofs/first_run_stuck.py`` says what is counted and why it proves that. Counts are
those of :mod:`spider_solver.kernels.rank_counts`.
"""

from __future__ import annotations

from spider_solver.kernels import layout
from spider_solver.kernels.classes import (
    CHAIN,
    CLASS_DEALT,
    COVERED,
    ENDS,
    GAME_COLUMNS,
    GAME_RANKS,
    GAME_ROWS,
    HEADS,
    IN_PLACE,
    STRIDE,
    ClassSearch,
    lower_head,
)
from spider_solver.kernels.jit import inlined, internal
from spider_solver.kernels.layout import Int64s
from spider_solver.kernels.rank_counts import (
    any_negative,
    high,
    larger,
    low,
    positive,
    smaller,
    up_to,
)

_SUITS = 4
_SUIT_STRIDE = 16

# --- scratch: tables by column or by row; what counts ranks has two words, LOW and HIGH -----------
_LEFT = 0  # cards of the start that have not moved
_LAID = STRIDE  # dealt heads of the class that have not moved
_PAID = 2 * STRIDE  # rows whose cards are among what moved
_NOW = 3 * STRIDE  # what each column adds
_BEST = 5 * STRIDE  # and at its best
_ROW = 7 * STRIDE  # ends that each row covers
_UNCOVERED = 9 * STRIDE  # ends uncovered from each row, each as often as it may come
_TOTAL = 11 * STRIDE  # the best of all columns, the cards dealt and the ends
_RELEASED = 11 * STRIDE + 2  # the ends uncovered, at most
_CHAIN = 11 * STRIDE + 4
COUNT_WORDS = 11 * STRIDE + 5


@internal
def is_stuck(search: ClassSearch, told: Int64s) -> bool:
    """Whether no event can follow on the class that is written out, as far as counting tells.

    Args:
        search: the memory.
        told: what ``classes.tell`` says of the class.
    """
    game, counts = search.game, search.counts
    columns, rows = game[GAME_COLUMNS], game[GAME_ROWS]
    dealt = search.registers[CLASS_DEALT]
    _begin(search, told)
    while True:
        moved = True
        while moved:
            moved = False
            for column in range(columns):
                while _move(search, column, dealt):
                    moved = True
                    if counts[_LEFT + column] == 0:
                        return False
        run = (1 << game[GAME_RANKS]) - 2
        for suit in range(_SUITS):
            if counts[_CHAIN] >> (_SUIT_STRIDE * suit) & run == run:
                return False
        if dealt == rows:
            return True
        for column in range(columns):
            card = search.stock[dealt * columns + column]
            counts[_CHAIN] |= 1 << card
            counts[_TOTAL] += low(card & layout.CARD_RANK)
            counts[_TOTAL + 1] += high(card & layout.CARD_RANK)
        dealt += 1


@internal
def _begin(search: ClassSearch, told: Int64s) -> None:
    """Set up the counts for a class."""
    game, counts, now = search.game, search.counts, search.open
    dealt = search.registers[CLASS_DEALT]
    for column in range(game[GAME_COLUMNS]):
        counts[_LEFT + column] = now[IN_PLACE + column]
        counts[_LAID + column] = now[HEADS + column]
        counts[_PAID + column] = dealt
        for word in (0, STRIDE):
            counts[_NOW + word + column] = 0
            counts[_BEST + word + column] = 0
    for row in range(dealt):
        for word in (0, STRIDE):
            counts[_ROW + word + row] = now[COVERED + word + row]
            counts[_UNCOVERED + word + row] = 0
    counts[_TOTAL] = told[ENDS]
    counts[_TOTAL + 1] = told[ENDS + 1]
    counts[_RELEASED] = 0
    counts[_RELEASED + 1] = 0
    counts[_CHAIN] = told[CHAIN]


@inlined
def _move(search: ClassSearch, column: int, dealt: int) -> bool:
    """Move the head of a column, if it may."""
    game, counts = search.game, search.counts
    columns, king = game[GAME_COLUMNS], game[GAME_RANKS]
    head = lower_head(search, column, counts[_LEFT + column], counts[_LAID + column])
    rank = head & layout.CARD_RANK
    if rank == king:
        return False
    first = counts[_NOW + column] - low(rank + 1)
    second = counts[_NOW + STRIDE + column] - high(rank + 1)
    for row in range(counts[_PAID + column], dealt):
        value = search.stock[row * columns + column] & layout.CARD_RANK
        if value == king:
            return False
        first -= low(value + 1)
        second -= high(value + 1)
    count = counts[_TOTAL] - counts[_BEST + column] + first + counts[_RELEASED]
    other_count = (
        counts[_TOTAL + 1] - counts[_BEST + STRIDE + column] + second + counts[_RELEASED + 1]
    )
    if rank == 1 or not counts[_CHAIN] >> (head - 1) & 1:
        count -= low(rank)
        other_count -= high(rank)
    if any_negative(count) or any_negative(other_count):
        return False
    counts[_CHAIN] |= 1 << head
    counts[_PAID + column] = dealt
    if counts[_LAID + column] != 0:
        _uncover(search, column)
    else:
        counts[_LEFT + column] -= 1
        if counts[_LEFT + column] == 0:
            return True
        up = lower_head(search, column, counts[_LEFT + column], 0) & layout.CARD_RANK
        first += low(up)
        second += high(up)
    _take(counts, column, 0, first)
    _take(counts, column, 1, second)
    return True


@inlined
def _take(counts: Int64s, column: int, word: int, now: int) -> None:
    """Note what a column adds now, and at its best."""
    at = word * STRIDE + column
    counts[_NOW + at] = now
    best = larger(counts[_BEST + at], now)
    counts[_TOTAL + word] += best - counts[_BEST + at]
    counts[_BEST + at] = best


@inlined
def _uncover(search: ClassSearch, column: int) -> None:
    """Take away the dealt head of a column that has moved and count the end under it."""
    counts = search.counts
    laid = counts[_LAID + column]
    row = 0
    while laid >> (row + 1) != 0:
        row += 1
    laid ^= 1 << row
    counts[_LAID + column] = laid
    under = lower_head(search, column, counts[_LEFT + column], laid) & layout.CARD_RANK
    for word in range(2):
        covered = counts[_ROW + word * STRIDE + row]
        uncovered = counts[_UNCOVERED + word * STRIDE + row]
        more = uncovered + (positive(covered) & up_to(under, word))
        counts[_RELEASED + word] += smaller(more, covered) - smaller(uncovered, covered)
        counts[_UNCOVERED + word * STRIDE + row] = more
