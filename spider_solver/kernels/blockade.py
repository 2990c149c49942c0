"""The staged blockade as bit sets: a test that proves a position lost in about a microsecond.

What it computes, and why that proves a loss, is described in ``spider_solver/proofs/blockade.py``,
which recomputes what this claims. It makes no use of the suits' number or of the options of the
rules, since the proof holds under all of them.

A set of cards is 64 bits, one for each card; a set of ranks is 16 bits.
"""

from __future__ import annotations

from spider_solver.kernels import layout
from spider_solver.kernels.jit import inlined, kernel
from spider_solver.kernels.layout import Int64s

_NEXT_RANK = 2  # a set of one: shifted by a rank, the rank above it
_ANY_SUIT = 0xFFFF


@kernel
def is_blockaded(
    rules: Int64s,
    cards: Int64s,
    heights: Int64s,
    face_down: Int64s,
    stock: Int64s,
    needs: Int64s,
    covered: Int64s,
) -> bool:
    """Whether no column can be emptied and no run completed, with any number of rows dealt.

    Args:
        rules: the rules as numbers, with the rows left.
        cards: the tableau column after column, deepest first.
        heights: cards of each column.
        face_down: face-down cards of each column.
        stock: the rows left, each as long as there are columns; 0 where there is no card.
        needs: scratch, a number for each column.
        covered: filled with how many cards of each column stay face down, a number for each
            column with no row dealt, then with one, and so on. It is the certificate if the
            position is blockaded, otherwise of no meaning.
    """
    columns = rules[layout.RULE_COLUMNS]
    face_up = 0
    start = 0
    for column in range(columns):
        if heights[column] == 0:
            return False
        needs[column] = 0
        covered[column] = face_down[column]
        for place in range(start + face_down[column], start + heights[column]):
            face_up |= 1 << cards[place]
            needs[column] |= _NEXT_RANK << (cards[place] & layout.CARD_RANK)
        start += heights[column]
    for deals in range(rules[layout.RULE_ROWS] + 1):
        stage = deals * columns
        if deals > 0:
            for column in range(columns):
                covered[stage + column] = covered[stage - columns + column]
                card = stock[stage - columns + column]
                if card != 0:
                    face_up |= 1 << card
                    needs[column] |= _NEXT_RANK << (card & layout.CARD_RANK)
        face_up = _uncover(columns, cards, heights, needs, covered, stage, face_up)
        if face_up == 0 or _shows_run(face_up, rules[layout.RULE_RANKS]):
            return False
    return True


@inlined
def _uncover(
    columns: int,
    cards: Int64s,
    heights: Int64s,
    needs: Int64s,
    covered: Int64s,
    stage: int,
    face_up: int,
) -> int:
    """Uncover all that can be; gives the cards face up then, or 0 if a column can be emptied.

    ``needs`` is, for each column, the set of ranks that its cards have to be put onto before the
    next one is uncovered.
    """
    gave_way = True
    while gave_way:
        gave_way = False
        start = 0
        for column in range(columns):
            while needs[column] & ~_ranks(face_up) == 0:
                if covered[stage + column] == 0:
                    return 0
                covered[stage + column] -= 1
                card = cards[start + covered[stage + column]]
                face_up |= 1 << card
                needs[column] |= _NEXT_RANK << (card & layout.CARD_RANK)
                gave_way = True
            start += heights[column]
    return face_up


@inlined
def _ranks(cards: int) -> int:
    """The ranks of a set of cards."""
    return (cards | cards >> 16 | cards >> 32 | cards >> 48) & _ANY_SUIT


@inlined
def _shows_run(cards: int, ranks: int) -> bool:
    """Whether a set of cards holds all ranks of one suit."""
    run = (_NEXT_RANK << ranks) - _NEXT_RANK
    shown = False
    for shift in (0, 16, 32, 48):
        shown |= cards >> shift & run == run
    return shown
