"""All deals of a range of KPatience's numbers, tested for a blockade.

Few deals need the test itself. When it ends with a blockade, all rows are dealt and each column is
stuck on some rank r: its own part of the places on r, what all columns share and the most of the
others add up to less than 0 (``spider_solver/proofs/blockade.py``). The parts of the others are
not negative there. Its own part is not less than minus the number of cards of rank r - 1 in the
column, those dealt onto it included. And what all share is one place for each card of rank r
that is dealt face up, in the first ten or from the stock. So:

    each column holds a king, or of some rank more cards than there are cards of the next rank
    that are not dealt face down.

One deal in 800 is like that. A *tally* of cards has four bits for each rank, the ace's
first: a column holds at most eight cards of a rank. Adding the tally of the cards that are dealt
face down, less one of each rank, moved down by a rank, makes the fourth bit of a rank 1 if the
column has enough cards of it: with h cards of the next rank face down, 8 - h are not, and
n > 8 - h if and only if n + h - 1 is at least 8. (If h is 0, nothing is added: a column with all
eight cards of a rank passes without need.) Above the king all eight cards are missing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spider_solver.game.cards import make_card
from spider_solver.kernels import layout
from spider_solver.kernels.blockade import is_blockaded
from spider_solver.kernels.jit import inlined, kernel
from spider_solver.kernels.layout import Int64s
from spider_solver.kernels.places import Places, make_places

DECK = 104
FACE_DOWN = 44
COLUMNS = 10
ROWS = 5
RANKS = 13
RUNS = 8
TALL = 4  # columns with a card more than the others
STOCK = ROWS * COLUMNS
SUITS = 4

_FACTOR = 214013  # Microsoft's generator: state * _FACTOR + _TERM modulo 2^32
_TERM = 2531011
_QUOTIENT_SHIFT = 22

_RANK_BITS = 4  # of a tally
_ONE_OF_EACH = 0x1111111111111
_ENOUGH = 0x8888888888888
_ABOVE_KING = 7 << (RANKS - 1) * _RANK_BITS


class Scan(NamedTuple):
    """The memory and the constants of a scan; made by :func:`new_scan`."""

    tallied: Int64s  # the deck before the shuffle, each card as a tally of it alone
    unshuffled: Int64s  # the same as cards
    reciprocals: Int64s  # [place] 2^22 / (place + 1), rounded up
    targets: Int64s  # [place] column onto which the card at a place of the deck is dealt
    deck: Int64s
    tallies: Int64s  # [column] of all its cards, those of the stock included
    rules: Int64s
    cards: Int64s  # a dealt table, and so on: what the blockade takes
    heights: Int64s
    face_down: Int64s
    stock: Int64s
    places: Places
    covered: Int64s


def new_scan() -> Scan:
    """The memory of one worker."""
    rules = np.zeros(layout.RULE_WORDS, np.int64)
    rules[layout.RULE_COLUMNS] = COLUMNS
    rules[layout.RULE_RANKS] = RANKS
    rules[layout.RULE_RUNS] = RUNS
    rules[layout.RULE_ROWS] = ROWS
    heights = np.array([6] * TALL + [5] * (COLUMNS - TALL), np.int64)
    ranks = [place % (DECK // 2) // SUITS + 1 for place in range(DECK)]
    suits = [place % SUITS for place in range(DECK)]
    return Scan(
        tallied=np.array([1 << (rank - 1) * _RANK_BITS for rank in ranks], np.int64),
        unshuffled=np.array(list(map(make_card, ranks, suits)), np.int64),
        reciprocals=np.array([-(-(2**22) // (place + 1)) for place in range(DECK)], np.int64),
        targets=np.array(_targets(), np.int64),
        deck=np.zeros(DECK, np.int64),
        tallies=np.zeros(COLUMNS, np.int64),
        rules=rules,
        cards=np.zeros(heights.sum(), np.int64),
        heights=heights,
        face_down=heights - 1,
        stock=np.zeros(STOCK, np.int64),
        places=make_places(),
        covered=np.zeros((ROWS + 1) * COLUMNS, np.int64),
    )


def _targets() -> list[int]:
    """For each place of the deck, the column onto which its card is dealt.

    The deck is dealt from its end. Each row of the stock is a pile that is dealt from its own end.
    """
    table = [turn % COLUMNS for turn in range(DECK - STOCK)]
    stock = [COLUMNS - 1 - turn % COLUMNS for turn in range(STOCK)]
    return [*table, *stock][::-1]


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
    for seed in range(first, last + 1):
        if _may_be_blockaded(scan, seed):
            _deal(scan, seed)
            if _is_blockaded(scan):
                if count < found.size:
                    found[count] = seed
                count += 1
    return count


@inlined
def _may_be_blockaded(scan: Scan, seed: int) -> bool:
    """Whether each column holds a king, or more cards of a rank than there may be places for."""
    deck, tallies = scan.deck, scan.tallies
    _shuffle(scan, scan.tallied, seed)
    tallies[:] = 0
    for place in range(DECK):
        tallies[scan.targets[place]] += deck[place]
    face_down = 0
    for place in range(DECK - FACE_DOWN, DECK):
        face_down += deck[place]
    some = (face_down | face_down >> 1 | face_down >> 2 | face_down >> 3) & _ONE_OF_EACH
    missing = (face_down - some >> _RANK_BITS) + _ABOVE_KING
    stuck = True
    for column in range(COLUMNS):
        stuck &= tallies[column] + missing & _ENOUGH != 0
    return stuck


@inlined
def _shuffle(scan: Scan, unshuffled: Int64s, seed: int) -> None:
    """Shuffle a deck into ``scan.deck`` as KPatience does."""
    deck = scan.deck
    for place in range(DECK):
        deck[place] = unshuffled[place]
    state = seed
    for place in range(DECK - 1, 0, -1):
        state = (state * _FACTOR + _TERM) & 0xFFFFFFFF
        draw = state >> 16 & 0x7FFF
        other = draw - (draw * scan.reciprocals[place] >> _QUOTIENT_SHIFT) * (place + 1)
        deck[place], deck[other] = deck[other], deck[place]


@kernel
def _deal(scan: Scan, seed: int) -> None:
    """Lay out a deal as KPatience does with four suits."""
    deck = scan.deck
    _shuffle(scan, scan.unshuffled, seed)
    for turn in range(scan.cards.size):
        column = turn % COLUMNS
        below = column * 5 + min(column, TALL)  # cards of the columns before
        scan.cards[below + turn // COLUMNS] = deck[DECK - 1 - turn]
    for turn in range(STOCK):
        column = COLUMNS - 1 - turn % COLUMNS
        scan.stock[turn // COLUMNS * COLUMNS + column] = deck[STOCK - 1 - turn]


@inlined
def _is_blockaded(scan: Scan) -> bool:
    """Whether the deal that was laid out last is blockaded."""
    return is_blockaded(
        scan.rules,
        scan.cards,
        scan.heights,
        scan.face_down,
        scan.stock,
        scan.places,
        scan.covered,
    )
