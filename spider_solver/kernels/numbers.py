"""KPatience's numbers tried one after the other: which deals does a table fit?

KPatience shuffles from the end of the deck, swapping the card at each place with one at a random
place not above it, and deals from the end. So the card that is dealt next is known after each swap,
and most numbers are ruled out by the first card that must lie in a certain place and does not.
"""

from __future__ import annotations

from typing import NamedTuple

from spider_solver.kernels import layout
from spider_solver.kernels.jit import inlined, kernel
from spider_solver.kernels.layout import Int64s

# What must lie in a slot, a place in the order in which cards are dealt, besides a card itself.
FACE_DOWN = -1  # a card that is not known, of which the table lacks enough
ELSEWHERE = -2  # a card that left its place: it lies face up somewhere, or has been completed

_FACTOR = 214013  # Microsoft's generator: state * _FACTOR + _TERM modulo 2^32
_TERM = 2531011
_STATE_MASK = 0xFFFFFFFF
_DRAW_SHIFT = 16
_DRAW_MASK = 0x7FFF  # a draw is 15 bits of the state
_QUOTIENT_SHIFT = 22


class Wanted(NamedTuple):
    """What a table says about the deal that it came from, and memory; all arrays are int64.

    Attributes:
        slots: [slot] the card that was dealt there, ``FACE_DOWN`` or ``ELSEWHERE``.
        last_known: the last slot whose card is known, or -1.
        unseen: [card] copies that lie in the slots of ``FACE_DOWN``.
        deck: the unshuffled deck.
        reciprocals: [place] 2^22 / (place + 1), rounded up.
        shuffled: scratch, as long as the deck.
        counted: [card] scratch.
    """

    slots: Int64s
    last_known: int
    unseen: Int64s
    deck: Int64s
    reciprocals: Int64s
    shuffled: Int64s
    counted: Int64s


@kernel
def fitting_numbers(wanted: Wanted, first: int, last: int, found: Int64s) -> int:
    """Find the numbers whose deals a table fits.

    Args:
        wanted: what the table says, with memory that is this thread's own.
        first: the first number to try.
        last: the last one, at most 2^31 - 1.
        found: filled with the numbers in ascending order, as far as it has room.

    Returns:
        How many there are.
    """
    count = 0
    for number in range(first, last + 1):
        if _fits(wanted, number):
            if count < found.size:
                found[count] = number
            count += 1
    return count


@inlined
def _fits(wanted: Wanted, number: int) -> bool:
    """Whether the table fits the deal with a number."""
    shuffled = wanted.shuffled
    for place in range(shuffled.size):
        shuffled[place] = wanted.deck[place]
    state = number
    top = shuffled.size - 1
    for slot in range(shuffled.size):
        place = top - slot
        state = (state * _FACTOR + _TERM) & _STATE_MASK
        other = _below(state >> _DRAW_SHIFT & _DRAW_MASK, place, wanted.reciprocals[place])
        card = shuffled[other]
        shuffled[other] = shuffled[place]
        shuffled[place] = card
        known = wanted.slots[slot]
        if known > 0 and known != card:
            return False
        if slot == wanted.last_known:
            break
    # The places below hold their cards, if not in order, and no slot of them has a known card.
    return _hides_unseen(wanted, state)


@inlined
def _below(draw: int, place: int, reciprocal: int) -> int:
    """A draw modulo ``place + 1``, exact for 15 bits and up to 104 places."""
    return draw - (draw * reciprocal >> _QUOTIENT_SHIFT) * (place + 1)


@inlined
def _hides_unseen(wanted: Wanted, state: int) -> bool:
    """Whether the face-down slots take just the unseen cards, once the shuffle is finished."""
    shuffled, counted = wanted.shuffled, wanted.counted
    top = shuffled.size - 1
    for slot in range(wanted.last_known + 1, shuffled.size):
        place = top - slot
        state = (state * _FACTOR + _TERM) & _STATE_MASK
        other = _below(state >> _DRAW_SHIFT & _DRAW_MASK, place, wanted.reciprocals[place])
        shuffled[place], shuffled[other] = shuffled[other], shuffled[place]
    for card in range(layout.CARD_CODES):
        counted[card] = wanted.unseen[card]
    for slot in range(shuffled.size):
        if wanted.slots[slot] == FACE_DOWN:
            card = shuffled[top - slot]
            counted[card] -= 1
            if counted[card] < 0:
                return False
    return True
