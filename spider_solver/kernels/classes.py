"""Classes of positions before the first event: how they are written, kept, and what they tell.

``spider_solver/proofs/first_run.py`` says what a class is. A class that is kept is a few words of
64 bits: the rows dealt, for each column its cards of the start in place and a bit for each row
whose card is a head, and for each row dealt the ends covered, where ``count`` ones and a zero stand
for each rank. Equal classes have equal words, which are compared; hashes only say where to look.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spider_solver.kernels import layout
from spider_solver.kernels.bits import mix
from spider_solver.kernels.jit import inlined, internal, kernel
from spider_solver.kernels.layout import Int32s, Int64s
from spider_solver.kernels.rank_counts import count_of, high, low

# --- the game -------------------------------------------------------------------------------------
GAME_COLUMNS = 0
GAME_RANKS = 1
GAME_ROWS = 2
GAME_HEIGHT_BITS = 3  # of a number of cards of the start in one column
GAME_WORDS = 4  # of a class
GAME_FIELDS = 5
DEALT_BITS = 4
MOST_WORDS = 8
STRIDE = 16  # of tables by column, rank or row

# --- registers ------------------------------------------------------------------------------------
CLASS_NODES = 0  # classes that followed on others, each time counted
CLASS_MAX_NODES = 1
CLASS_PAUSE_AT = 2
CLASS_KEPT = 3
CLASS_EXPANDED = 4
CLASS_WAITING = 5
CLASS_MOST_ROWS = 6  # dealt in a class that is kept
CLASS_DEALT = 7  # rows dealt in the class that is written out
CLASS_FIELDS = 8

# --- the class that is written out: tables by column or row ---------------------------------------
IN_PLACE = 0
HEADS = STRIDE
COVERED = 2 * STRIDE  # by row; here and below the second word of counts is STRIDE, or 1, further on
OPEN_WORDS = 4 * STRIDE

# --- what follows from it -------------------------------------------------------------------------
ENDS = 0  # active ends
TOPS = 2  # active heads, by rank
CHAIN = 4  # the chain cards, a bit each
TOP = 5  # by column: the active head
TOLD_WORDS = TOP + STRIDE

# --- what a card, or the cards of the start in a column, add to the ends and to the chain cards ---
PART_CHAIN = 2  # after the two words of ends
PART_WORDS = 3

_ONE = np.uint64(1)


class ClassSearch(NamedTuple):
    """The memory of a search of classes."""

    classes: NDArray[np.uint64]
    table: Int32s  # numbers of classes + 1 by hash, 0 where free
    waiting: Int32s  # numbers of classes to be expanded, the next one last
    game: Int64s
    heights: Int64s
    cards: Int64s  # by column, deepest first, all columns of equal length
    stock: Int64s  # row by row
    start_parts: Int64s  # by column and number of cards in place: PART_WORDS
    head_parts: Int64s  # by row and column: a head
    chain_parts: Int64s  # the same: a chain card
    open: Int64s  # the class that is written out
    told: Int64s  # what follows from the class that is expanded
    child_told: Int64s  # and from one that follows on it
    counts: Int64s  # scratch of the test that counts ends
    key: NDArray[np.uint64]  # scratch
    registers: Int64s


@inlined
def _put(key: NDArray[np.uint64], at: int, value: int, width: int) -> int:
    """Write a number of so many bits; gives the place after it."""
    word, shift = at >> 6, at & 63
    key[word] |= np.uint64(value) << np.uint64(shift)
    if shift + width > 64:
        key[word + 1] |= np.uint64(value) >> np.uint64(64 - shift)
    return at + width


@inlined
def _get(words: NDArray[np.uint64], first: int, at: int, width: int) -> int:
    """Read a number of so many bits."""
    word, shift = first + (at >> 6), at & 63
    value = words[word] >> np.uint64(shift)
    if shift + width > 64:
        value |= words[word + 1] << np.uint64(64 - shift)
    return np.int64(value & ((_ONE << np.uint64(width)) - _ONE))


@internal
def _write_key(search: ClassSearch) -> None:
    """The words of the class that is written out."""
    game, now, key = search.game, search.open, search.key
    columns, ranks = game[GAME_COLUMNS], game[GAME_RANKS]
    dealt = search.registers[CLASS_DEALT]
    for word in range(game[GAME_WORDS]):
        key[word] = np.uint64(0)
    at = _put(key, 0, dealt, DEALT_BITS)
    for column in range(columns):
        at = _put(key, at, now[IN_PLACE + column], game[GAME_HEIGHT_BITS])
        at = _put(key, at, now[HEADS + column], game[GAME_ROWS])
    for row in range(dealt):
        code, width = 0, 0
        for rank in range(1, ranks + 1):
            count = count_of(now[COVERED + row], now[COVERED + STRIDE + row], rank)
            code = (code << (count + 1)) | (((1 << count) - 1) << 1)
            width += count + 1
        at = _put(key, at, code, width)


@kernel
def write_out(search: ClassSearch, number: int) -> None:
    """Write out a class that is kept."""
    game, now, words = search.game, search.open, search.classes
    columns, ranks = game[GAME_COLUMNS], game[GAME_RANKS]
    first = number * game[GAME_WORDS]
    dealt = _get(words, first, 0, DEALT_BITS)
    search.registers[CLASS_DEALT] = dealt
    at = DEALT_BITS
    for column in range(columns):
        now[IN_PLACE + column] = _get(words, first, at, game[GAME_HEIGHT_BITS])
        at += game[GAME_HEIGHT_BITS]
        now[HEADS + column] = _get(words, first, at, game[GAME_ROWS]) if dealt > 0 else 0
        at += game[GAME_ROWS]
    for row in range(dealt):
        width = ranks
        for column in range(columns):
            width += now[HEADS + column] >> row & 1
        code = _get(words, first, at, width)
        at += width
        now[COVERED + row] = 0
        now[COVERED + STRIDE + row] = 0
        for rank in range(ranks, 0, -1):
            code >>= 1
            while code & 1:
                code >>= 1
                now[COVERED + row] += low(rank)
                now[COVERED + STRIDE + row] += high(rank)


@kernel
def find(search: ClassSearch) -> int:
    """The slot of the class that is written out in the table; a free one if it is not kept."""
    _write_key(search)
    table, classes, key = search.table, search.classes, search.key
    words = search.game[GAME_WORDS]
    word = np.uint64(0)
    for place in range(words):
        word = mix(word ^ key[place])
    slots = table.size - 1
    slot = np.int64(word >> _ONE) & slots
    while table[slot] != 0:
        first = np.int64(table[slot] - 1) * words
        equal = True
        for place in range(words):
            equal = equal and classes[first + place] == key[place]
        if equal:
            break
        slot = (slot + 1) & slots
    return slot


@internal
def keep(search: ClassSearch, slot: int) -> bool:
    """Keep the class that :func:`find` did not find; False if there is no room."""
    registers = search.registers
    words = search.game[GAME_WORDS]
    number = registers[CLASS_KEPT]
    if number >= search.waiting.size:
        return False
    for place in range(words):
        search.classes[number * words + place] = search.key[place]
    search.table[slot] = number + 1
    search.waiting[registers[CLASS_WAITING]] = number
    registers[CLASS_WAITING] += 1
    registers[CLASS_KEPT] = number + 1
    registers[CLASS_MOST_ROWS] = max(registers[CLASS_MOST_ROWS], registers[CLASS_DEALT])
    return True


@inlined
def lower_head(search: ClassSearch, column: int, in_place: int, heads: int) -> int:
    """The uppermost head of a column, given its cards of the start in place and dealt heads."""
    game = search.game
    row = game[GAME_ROWS] - 1
    while row >= 0 and not heads >> row & 1:
        row -= 1
    if row >= 0:
        return search.stock[row * game[GAME_COLUMNS] + column]
    height = search.cards.size // game[GAME_COLUMNS]
    return search.cards[column * height + in_place - 1]


@internal
def prepare(search: ClassSearch) -> None:
    """Note what cards add to a class."""
    game = search.game
    columns = game[GAME_COLUMNS]
    height = search.cards.size // columns
    for column in range(columns):
        for in_place in range(1, search.heights[column] + 1):
            at = (column * (height + 1) + in_place) * PART_WORDS
            head = search.cards[column * height + in_place - 1] & layout.CARD_RANK
            search.start_parts[at] = low(head)
            search.start_parts[at + 1] = high(head)
            search.start_parts[at + PART_CHAIN] = 0
            for place in range(in_place, search.heights[column]):
                _add_chain_card(search.start_parts, at, search.cards[column * height + place])
    for place in range(game[GAME_ROWS] * columns):
        at, card = place * PART_WORDS, search.stock[place]
        search.head_parts[at] = low(card & layout.CARD_RANK)
        search.head_parts[at + 1] = high(card & layout.CARD_RANK)
        search.head_parts[at + PART_CHAIN] = 0
        for word in range(PART_WORDS):
            search.chain_parts[at + word] = 0
        _add_chain_card(search.chain_parts, at, card)


@inlined
def _add_chain_card(parts: Int64s, at: int, card: int) -> None:
    """Count a chain card: an end, on what is one no more."""
    rank = card & layout.CARD_RANK
    parts[at] += low(rank) - low(rank + 1)
    parts[at + 1] += high(rank) - high(rank + 1)
    parts[at + PART_CHAIN] |= 1 << card


@internal
def tell(search: ClassSearch, told: Int64s) -> None:
    """What the class that is written out has of active ends and of chain cards."""
    game, now = search.game, search.open
    columns = game[GAME_COLUMNS]
    dealt = search.registers[CLASS_DEALT]
    height = search.cards.size // columns
    ends_low, ends_high, chain = 0, 0, 0
    for column in range(columns):
        at = (column * (height + 1) + now[IN_PLACE + column]) * PART_WORDS
        ends_low += search.start_parts[at]
        ends_high += search.start_parts[at + 1]
        chain |= search.start_parts[at + PART_CHAIN]
    for row in range(dealt):
        ends_low -= now[COVERED + row]
        ends_high -= now[COVERED + STRIDE + row]
        for column in range(columns):
            at = (row * columns + column) * PART_WORDS
            if now[HEADS + column] >> row & 1:
                ends_low += search.head_parts[at]
                ends_high += search.head_parts[at + 1]
            else:
                ends_low += search.chain_parts[at]
                ends_high += search.chain_parts[at + 1]
                chain |= search.chain_parts[at + PART_CHAIN]
    told[ENDS] = ends_low
    told[ENDS + 1] = ends_high
    told[CHAIN] = chain


@internal
def tell_heads(search: ClassSearch, told: Int64s) -> None:
    """The active heads of the class that is written out."""
    now = search.open
    tops_low, tops_high = 0, 0
    for column in range(search.game[GAME_COLUMNS]):
        top = lower_head(search, column, now[IN_PLACE + column], now[HEADS + column])
        told[TOP + column] = top
        tops_low += low(top & layout.CARD_RANK)
        tops_high += high(top & layout.CARD_RANK)
    told[TOPS] = tops_low
    told[TOPS + 1] = tops_high
