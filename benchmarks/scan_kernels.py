"""All deals of a range of KPatience's numbers, tested for a blockade at some 70 ns a deal.

In standard Spider a blockade keeps some rank from 2 to king out of sight for good: if all ranks
but the ace could come to light, all cards but the kings could move, and eight kings cannot hold ten
columns. So the eight cards of that rank are among the 44 that are dealt face down. One deal in 120
is like that; only there are the cards dealt and the blockade itself is looked for.

Which cards are dealt face down can be told without shuffling. The shuffle goes through the places
103, 102, ... of the deck, swapping the card at each with one at a random place not above it, and
the deck is dealt from its end: the steps of the places 103 to 60 fix the 44 cards. Now read these
steps backwards, keeping the set of places whose card will be *buried*, that is, brought to a place
from 60 up by the steps that follow. Before the step that swaps the places ``n`` and ``j`` the card
at ``j`` is buried by that step, and the card at ``n`` will be if the card at ``j`` was after it.
What is left at the beginning is the set of places of the unshuffled deck whose cards are dealt face
down.

The generator can jump: its state after ``k`` draws is ``a * seed + c`` modulo 2^32 with constants
for each ``k``. So a step is the same short piece of arithmetic for each seed, without a branch, and
the compiler makes it into vector instructions over a block of seeds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spider_solver.kernels import layout
from spider_solver.kernels.blockade import is_blockaded
from spider_solver.kernels.jit import inlined, kernel
from spider_solver.kernels.layout import Int64s

UInt32s = NDArray[np.uint32]

BLOCK = 1024  # seeds that are sifted together
DECK = 104
FACE_DOWN = 44
COLUMNS = 10
ROWS = 5
RANKS = 13
RUNS = 8
TALL = 4  # columns with a card more than the others

_LOWEST = DECK - FACE_DOWN  # place of the last card that is dealt face down
_FACTOR = 214013  # Microsoft's generator: state * _FACTOR + _TERM modulo 2^32
_TERM = 2531011
_DRAW_SHIFT = np.uint32(16)  # a draw is 15 bits of the state
_DRAW_MASK = np.uint32(0x7FFF)
_QUOTIENT_SHIFT = np.uint32(22)

_ZERO = np.uint32(0)
_ONE = np.uint32(1)
_TWO = np.uint32(2)
_THREE = np.uint32(3)
_WORD_SHIFT = np.uint32(5)
_WORD_MASK = np.uint32(31)

# Place p of the unshuffled deck holds rank p % 52 // 4 + 1: the upper pack lies 52 places up.
_NEXT = np.uint64(1)
_NEXT_TWO = np.uint64(2)
_HALF = np.uint64(32)
_TO_LOWER_PACK = np.uint64(52)
_UPPER_WORDS = np.uint64(64 - 52)
_RANKS_FROM_TWO = np.uint64(0x1111111111110)  # in the lower pack, the first card of each
_NO_RANK = np.uint64(0)


class Scan(NamedTuple):
    """The memory and the constants of a scan; made by :func:`new_scan`."""

    factors: UInt32s  # [place] how the generator jumps from the seed to the draw of the place
    terms: UInt32s
    reciprocals: UInt32s  # [place] 2^22 / (place + 1), rounded up
    buried_0: UInt32s  # [seed of the block] buried cards at places 0 to 31
    buried_1: UInt32s  # 32 to 63
    buried_2: UInt32s  # 64 to 95
    buried_3: UInt32s  # 96 to 103
    deck: Int64s
    rules: Int64s
    cards: Int64s  # a dealt table, and so on: what the blockade takes
    heights: Int64s
    face_down: Int64s
    stock: Int64s
    needs: Int64s
    covered: Int64s


def new_scan() -> Scan:
    """The memory of one worker."""
    rules = np.zeros(layout.RULE_WORDS, np.int64)
    rules[layout.RULE_COLUMNS] = COLUMNS
    rules[layout.RULE_RANKS] = RANKS
    rules[layout.RULE_RUNS] = RUNS
    rules[layout.RULE_ROWS] = ROWS
    heights = np.array([6] * TALL + [5] * (COLUMNS - TALL), np.int64)
    factors, terms = _jumps()
    return Scan(
        factors=factors,
        terms=terms,
        reciprocals=np.array([-(-(2**22) // (place + 1)) for place in range(DECK)], np.uint32),
        buried_0=np.zeros(BLOCK, np.uint32),
        buried_1=np.zeros(BLOCK, np.uint32),
        buried_2=np.zeros(BLOCK, np.uint32),
        buried_3=np.zeros(BLOCK, np.uint32),
        deck=np.zeros(DECK, np.int64),
        rules=rules,
        cards=np.zeros(heights.sum(), np.int64),
        heights=heights,
        face_down=heights - 1,
        stock=np.zeros(ROWS * COLUMNS, np.int64),
        needs=np.zeros(COLUMNS, np.int64),
        covered=np.zeros((ROWS + 1) * COLUMNS, np.int64),
    )


def _jumps() -> tuple[UInt32s, UInt32s]:
    """For each place, the factor and the term that lead from the seed to the state of its draw."""
    factors, terms = np.zeros(DECK, np.uint32), np.zeros(DECK, np.uint32)
    factor, term = 1, 0
    for place in range(DECK - 1, -1, -1):
        factor, term = factor * _FACTOR % 2**32, (term * _FACTOR + _TERM) % 2**32
        factors[place], terms[place] = factor, term
    return factors, terms


@kernel
def scan_range(scan: Scan, first: int, last: int, found: Int64s) -> int:
    """Find the blockaded deals among the numbers from ``first`` to ``last``, both included.

    Args:
        scan: memory that is this worker's own.
        first: at least 1.
        last: at most 2^31 - 1.
        found: filled with the blockaded numbers in ascending order, as far as it has room.

    Returns:
        How many there are.
    """
    count = 0
    for block in range(first, last + 1, BLOCK):
        _bury(scan, block)
        for seed in range(block, min(block + BLOCK, last + 1)):
            if _hides_rank(scan, seed - block):
                _deal(scan, seed)
                if _is_blockaded(scan):
                    if count < found.size:
                        found[count] = seed
                    count += 1
    return count


@kernel
def _bury(scan: Scan, first: int) -> None:
    """Find which cards of the unshuffled deck are dealt face down, for each seed of a block."""
    buried_0, buried_1 = scan.buried_0, scan.buried_1
    buried_2, buried_3 = scan.buried_2, scan.buried_3
    buried_0[:] = _ZERO
    buried_1[:] = _ZERO
    buried_2[:] = _ZERO
    buried_3[:] = _ZERO
    for place in range(_LOWEST, DECK):
        factor = scan.factors[place]
        term = scan.terms[place]
        reciprocal = scan.reciprocals[place]
        places = np.uint32(place + 1)
        here = np.uint32(_ONE << np.uint32(place & 31))
        here_1 = here if place < 64 else _ZERO
        here_2 = here if 64 <= place < 96 else _ZERO
        here_3 = here if place >= 96 else _ZERO
        for lane in range(BLOCK):
            state = np.uint32(np.uint32(np.uint32(first + lane) * factor) + term)
            draw = np.uint32(np.uint32(state >> _DRAW_SHIFT) & _DRAW_MASK)
            other = _below(draw, places, reciprocal)
            word = np.uint32(other >> _WORD_SHIFT)
            there = np.uint32(_ONE << np.uint32(other & _WORD_MASK))
            there_0 = _if(word == _ZERO, there)
            there_1 = _if(word == _ONE, there)
            there_2 = _if(word == _TWO, there)
            there_3 = _if(word == _THREE, there)
            set_0, set_1 = buried_0[lane], buried_1[lane]
            set_2, set_3 = buried_2[lane], buried_3[lane]
            common = np.uint32(
                np.uint32(set_0 & there_0)
                | np.uint32(set_1 & there_1)
                | np.uint32(set_2 & there_2)
                | np.uint32(set_3 & there_3)
            )
            follows = common != _ZERO
            buried_0[lane] = np.uint32(set_0 | there_0)
            buried_1[lane] = np.uint32(np.uint32(set_1 | there_1) | _if(follows, here_1))
            buried_2[lane] = np.uint32(np.uint32(set_2 | there_2) | _if(follows, here_2))
            buried_3[lane] = np.uint32(np.uint32(set_3 | there_3) | _if(follows, here_3))


@inlined
def _if(condition: bool, bits: np.uint32) -> np.uint32:
    """The bits if the condition holds, otherwise none; not a branch, which widens to 64 bits."""
    return np.uint32(bits & np.uint32(-np.int32(condition)))


@inlined
def _below(draw: np.uint32, places: np.uint32, reciprocal: np.uint32) -> np.uint32:
    """The remainder of a draw by a number of places, exact for all draws and up to 104 places."""
    quotient = np.uint32(np.uint32(draw * reciprocal) >> _QUOTIENT_SHIFT)
    return np.uint32(draw - np.uint32(quotient * places))


@inlined
def _hides_rank(scan: Scan, lane: int) -> bool:
    """Whether all eight cards of a rank from 2 to king are buried."""
    low = np.uint64(scan.buried_0[lane]) | np.uint64(scan.buried_1[lane]) << _HALF
    high = np.uint64(scan.buried_2[lane]) | np.uint64(scan.buried_3[lane]) << _HALF
    both = low & (low >> _TO_LOWER_PACK | high << _UPPER_WORDS)
    both &= both >> _NEXT
    both &= both >> _NEXT_TWO
    return both & _RANKS_FROM_TWO != _NO_RANK


@kernel
def _deal(scan: Scan, seed: int) -> None:
    """Shuffle and lay out a deal as KPatience does with four suits."""
    deck = scan.deck
    for place in range(DECK):
        deck[place] = place % 4 * 16 + place % 52 // 4 + 1
    state = seed
    for place in range(DECK - 1, 0, -1):
        state = (state * _FACTOR + _TERM) & 0xFFFFFFFF
        other = (state >> 16 & 0x7FFF) % (place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    for turn in range(scan.cards.size):
        column = turn % COLUMNS
        below = column * 5 + min(column, TALL)  # cards of the columns before
        scan.cards[below + turn // COLUMNS] = deck[DECK - 1 - turn]
    # Each row is a pile that is dealt from its end.
    for turn in range(scan.stock.size):
        column = COLUMNS - 1 - turn % COLUMNS
        scan.stock[turn // COLUMNS * COLUMNS + column] = deck[scan.stock.size - 1 - turn]


@inlined
def _is_blockaded(scan: Scan) -> bool:
    """Whether the deal that was laid out last is blockaded."""
    return is_blockaded(
        scan.rules,
        scan.cards,
        scan.heights,
        scan.face_down,
        scan.stock,
        scan.needs,
        scan.covered,
    )
