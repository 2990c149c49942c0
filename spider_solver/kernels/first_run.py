"""The search for the first event: all classes of positions that can follow on a fresh deal.

``spider_solver/proofs/first_run.py`` has the rules by which one class follows on another, and
recomputes what this claims. Classes that are stuck (:mod:`spider_solver.kernels.stuck_classes`) are
not kept. The class that was met last is expanded first, so that an event, where there is one, is
soon found.
"""

from __future__ import annotations

from spider_solver.kernels import layout
from spider_solver.kernels.classes import (
    CHAIN,
    CLASS_DEALT,
    CLASS_EXPANDED,
    CLASS_MAX_NODES,
    CLASS_NODES,
    CLASS_PAUSE_AT,
    CLASS_WAITING,
    COVERED,
    ENDS,
    GAME_COLUMNS,
    GAME_RANKS,
    GAME_ROWS,
    HEADS,
    IN_PLACE,
    STRIDE,
    TOP,
    TOPS,
    ClassSearch,
    find,
    keep,
    lower_head,
    prepare,
    tell,
    tell_heads,
    write_out,
)
from spider_solver.kernels.jit import inlined, internal, kernel
from spider_solver.kernels.layout import Int64s
from spider_solver.kernels.rank_counts import any_negative, count_of, fit, high, low
from spider_solver.kernels.stuck_classes import is_stuck

EVENT = layout.WON
"""How a search ends that met an event; it proves nothing."""


@kernel
def begin_classes(search: ClassSearch) -> None:
    """Begin with the class of the deal."""
    prepare(search)
    search.registers[CLASS_DEALT] = 0
    for column in range(search.game[GAME_COLUMNS]):
        search.open[IN_PLACE + column] = search.heights[column]
        search.open[HEADS + column] = 0
    keep(search, find(search))


@kernel
def run_classes(search: ClassSearch) -> int:
    """Go on until all classes are expanded (``layout.FAILED``: no event), or something stops it.

    Returns:
        ``layout.FAILED``, ``EVENT``, ``layout.OUT_OF_NODES``, ``layout.OUT_OF_MEMORY``, or
        ``layout.PAUSED``: call it again.
    """
    registers = search.registers
    while registers[CLASS_WAITING] > 0:
        registers[CLASS_WAITING] -= 1
        registers[CLASS_EXPANDED] += 1
        ended = _expand(search, search.waiting[registers[CLASS_WAITING]])
        if ended != layout.GOES_ON:
            return ended
        if registers[CLASS_NODES] >= registers[CLASS_PAUSE_AT]:
            return layout.PAUSED
    return layout.FAILED


@internal
def _expand(search: ClassSearch, number: int) -> int:
    """Meet all classes that follow on one."""
    told = search.told
    write_out(search, number)
    tell(search, told)
    tell_heads(search, told)
    if _shows_run(search, told):
        return EVENT
    if search.registers[CLASS_DEALT] < search.game[GAME_ROWS]:
        ended = _deal(search, told)
        if ended != layout.GOES_ON:
            return ended
    for column in range(search.game[GAME_COLUMNS]):
        if _can_move(search, told, column):
            ended = _move(search, column)
            if ended != layout.GOES_ON:
                return ended
    return layout.GOES_ON


@internal
def _meet(search: ClassSearch) -> int:
    """Take in the class that is written out, if it is new and not stuck."""
    registers = search.registers
    if registers[CLASS_NODES] == registers[CLASS_MAX_NODES]:
        return layout.OUT_OF_NODES
    registers[CLASS_NODES] += 1
    slot = find(search)
    if search.table[slot] != 0:
        return layout.GOES_ON
    tell(search, search.child_told)
    if is_stuck(search, search.child_told):
        return layout.GOES_ON
    return layout.GOES_ON if keep(search, slot) else layout.OUT_OF_MEMORY


@inlined
def _shows_run(search: ClassSearch, told: Int64s) -> bool:
    """Whether a run may be complete."""
    king = search.game[GAME_RANKS]
    if count_of(told[ENDS], told[ENDS + 1], 1) <= 0:
        return False
    run = (1 << king) - 2
    shown = False
    for column in range(search.game[GAME_COLUMNS]):
        head = told[TOP + column]
        if head & layout.CARD_RANK == king:
            shown |= told[CHAIN] >> (head - king) & run == run
    return shown


@inlined
def _can_move(search: ClassSearch, told: Int64s, column: int) -> bool:
    """Whether the head of a column may move, with the chain on it."""
    head = told[TOP + column]
    rank = head & layout.CARD_RANK
    first, second = told[ENDS], told[ENDS + 1]
    if rank == search.game[GAME_RANKS] or count_of(first, second, rank + 1) <= 0:
        return False
    first_room = first - told[TOPS] + low(rank)  # the ends less the other heads
    second_room = second - told[TOPS + 1] + high(rank)
    for end in range(rank, 0, -1):
        if end < rank and not told[CHAIN] >> (head - rank + end) & 1:
            return False
        there = count_of(first, second, end) > 0
        if there and fit(first_room - low(end), second_room - high(end)):
            return True
    return False


@internal
def _move(search: ClassSearch, column: int) -> int:
    """Meet what follows when the head of a column moves."""
    now = search.open
    if now[HEADS + column] == 0:
        if now[IN_PLACE + column] == 1:
            return EVENT
        now[IN_PLACE + column] -= 1
        ended = _meet(search)
        now[IN_PLACE + column] += 1
        return ended
    row = 0
    while now[HEADS + column] >> (row + 1) != 0:
        row += 1
    now[HEADS + column] ^= 1 << row
    under = lower_head(search, column, now[IN_PLACE + column], now[HEADS + column])
    first, second = _heads_under(search, row)
    ended = layout.GOES_ON
    for end in range(1, (under & layout.CARD_RANK) + 1):
        covered, covered_too = now[COVERED + row], now[COVERED + STRIDE + row]
        if count_of(covered, covered_too, end) > 0 and ended == layout.GOES_ON:
            now[COVERED + row] -= low(end)
            now[COVERED + STRIDE + row] -= high(end)
            if fit(now[COVERED + row] - first, now[COVERED + STRIDE + row] - second):
                ended = _meet(search)
            now[COVERED + row] = covered
            now[COVERED + STRIDE + row] = covered_too
    now[HEADS + column] ^= 1 << row
    return ended


@inlined
def _heads_under(search: ClassSearch, row: int) -> tuple[int, int]:
    """The heads of the segments that the heads of a row cover, by rank."""
    now = search.open
    first, second = 0, 0
    for column in range(search.game[GAME_COLUMNS]):
        if now[HEADS + column] >> row & 1:
            below = now[HEADS + column] & ((1 << row) - 1)
            head = lower_head(search, column, now[IN_PLACE + column], below) & layout.CARD_RANK
            first += low(head)
            second += high(head)
    return first, second


@internal
def _deal(search: ClassSearch, told: Int64s) -> int:
    """Meet what follows when a row is dealt, for each choice of cards that fit where they fall."""
    game, now = search.game, search.open
    columns = game[GAME_COLUMNS]
    row = search.registers[CLASS_DEALT]
    search.registers[CLASS_DEALT] = row + 1
    able = 0  # the columns where the card may fit, a bit each
    for column in range(columns):
        rank = search.stock[row * columns + column] & layout.CARD_RANK
        under = told[TOP + column] & layout.CARD_RANK
        if rank < under and count_of(told[ENDS], told[ENDS + 1], rank + 1) > 0:
            able |= 1 << column
    ended = layout.GOES_ON
    chosen = able
    while ended == layout.GOES_ON:  # all subsets, the largest first
        if _lay(search, told, row, chosen):
            for column in range(columns):
                now[HEADS + column] |= (1 - (chosen >> column & 1)) << row
            ended = _meet(search)
            for column in range(columns):
                now[HEADS + column] &= (1 << row) - 1
        if chosen == 0:
            break
        chosen = (chosen - 1) & able
    search.registers[CLASS_DEALT] = row
    return ended


@inlined
def _lay(search: ClassSearch, told: Int64s, row: int, chosen: int) -> bool:
    """Cover the ends on which no card of a row fits; whether they fit the heads there."""
    columns, now = search.game[GAME_COLUMNS], search.open
    first, second = told[ENDS], told[ENDS + 1]
    first_heads, second_heads = told[TOPS], told[TOPS + 1]
    for column in range(columns):
        if chosen >> column & 1:
            rank = search.stock[row * columns + column] & layout.CARD_RANK
            first -= low(rank + 1)
            second -= high(rank + 1)
            head = told[TOP + column] & layout.CARD_RANK
            first_heads -= low(head)
            second_heads -= high(head)
    now[COVERED + row] = first
    now[COVERED + STRIDE + row] = second
    if any_negative(first) or any_negative(second):
        return False
    return fit(first - first_heads, second - second_heads)
