"""The blockade in whole numbers: a test that proves a position lost in some microseconds.

What it computes, and why that proves a loss, is described in ``spider_solver/proofs/blockade.py``,
which recomputes what this claims. It makes no use of the suits' number or of the options of the
rules, since the proof holds under all of them.

A set of cards is 64 bits, one for each card.
"""

from __future__ import annotations

from spider_solver.kernels import layout
from spider_solver.kernels.jit import inlined, kernel
from spider_solver.kernels.layout import Int64s
from spider_solver.kernels.places import PLACE_RANKS, Places

_FIRST_OF_SUIT = 2  # a set of one: the ace
_SUIT_SHIFTS = (0, 16, 32, 48)
_EMPTIED = -1  # no set of cards


@kernel
def is_blockaded(
    rules: Int64s,
    cards: Int64s,
    heights: Int64s,
    face_down: Int64s,
    stock: Int64s,
    places: Places,
    covered: Int64s,
) -> bool:
    """Whether no column can be emptied and no run completed, with any number of rows dealt.

    Args:
        rules: the rules as numbers, with the rows left.
        cards: the tableau column after column, deepest first.
        heights: cards of each column.
        face_down: face-down cards of each column.
        stock: the rows left, each as long as there are columns; 0 where there is no card.
        places: scratch.
        covered: filled with how many cards of each column stay face down, a number for each
            column with no row dealt, then with one, and so on. It is the certificate if the
            position is blockaded, otherwise of no meaning.
    """
    columns = rules[layout.RULE_COLUMNS]
    ranks = rules[layout.RULE_RANKS]
    for column in range(columns):
        if heights[column] == 0:
            return False
    in_runs = _begin(places, columns, ranks, cards, heights, face_down)
    for deals in range(rules[layout.RULE_ROWS] + 1):
        if deals > 0:
            for column in range(columns):
                card = stock[(deals - 1) * columns + column]
                if card != 0:
                    in_runs |= 1 << card
                    places.total[card & layout.CARD_RANK] += 1
                    places.part[_at(column, card) + 1] -= 1
        in_runs = _dig(places, columns, ranks, cards, heights, face_down, in_runs)
        if in_runs == _EMPTIED or _shows_run(in_runs, ranks):
            return False
        start = 0
        for column in range(columns):
            head = places.heads[column] - start
            covered[deals * columns + column] = min(head, face_down[column])
            start += heights[column]
    return True


@inlined
def _begin(
    places: Places,
    columns: int,
    ranks: int,
    cards: Int64s,
    heights: Int64s,
    face_down: Int64s,
) -> int:
    """Set the places of the start; gives the cards that may lie in a run."""
    in_runs = 0
    places.total[:] = 0
    places.part[:] = 0
    places.most[:] = 0
    start = 0
    for column in range(columns):
        shown = start + face_down[column]
        end = start + heights[column] - 1
        for place in range(shown, end + 1):
            if _is_fitted(cards, place, shown) or cards[place] & layout.CARD_RANK == ranks:
                in_runs |= 1 << cards[place]
        places.total[cards[end] & layout.CARD_RANK] += 1
        _come_up(places, column, cards, end, shown)
        start = end + 1
    return in_runs


@inlined
def _at(column: int, card: int) -> int:
    """Where the places of a column are that a card's rank takes or gives."""
    return column * PLACE_RANKS + (card & layout.CARD_RANK)


@inlined
def _is_fitted(cards: Int64s, place: int, shown: int) -> bool:
    """Whether a card lies on a face-up card of the next rank.

    ``shown`` is the place of the column's first face-up card.
    """
    if place <= shown:
        return False
    below = cards[place - 1] & layout.CARD_RANK
    return below == (cards[place] & layout.CARD_RANK) + 1


@inlined
def _come_up(places: Places, column: int, cards: Int64s, end: int, shown: int) -> None:
    """Go on with the segment that ends at this place: its head has to move next."""
    head = end
    while _is_fitted(cards, head, shown):
        head -= 1
    places.heads[column] = head
    places.part[_at(column, cards[head]) + 1] -= 1


@inlined
def _dig(
    places: Places,
    columns: int,
    ranks: int,
    cards: Int64s,
    heights: Int64s,
    face_down: Int64s,
    in_runs: int,
) -> int:
    """Dig all that can be dug; gives the cards that may lie in a run, or _EMPTIED."""
    dug = True
    while dug:
        dug = False
        start = 0
        for column in range(columns):
            while _can_dig(places, column):
                head = places.heads[column]
                if head == start:
                    return _EMPTIED
                end = cards[head - 1]
                in_runs |= 1 << cards[head]
                if end & layout.CARD_RANK == ranks:
                    in_runs |= 1 << end
                places.part[_at(column, end)] += 1
                for rank in range(PLACE_RANKS):
                    at = column * PLACE_RANKS + rank
                    gain = places.part[at] - places.most[at]
                    if gain > 0:
                        places.most[at] += gain
                        places.total[rank] += gain
                _come_up(places, column, cards, head - 1, start + face_down[column])
                dug = True
            start += heights[column]
    return in_runs


@inlined
def _can_dig(places: Places, column: int) -> bool:
    """Whether there may be places for all that lies on the next segment of a column."""
    for rank in range(PLACE_RANKS):
        at = column * PLACE_RANKS + rank
        if places.total[rank] - places.most[at] + places.part[at] < 0:
            return False
    return True


@inlined
def _shows_run(cards: int, ranks: int) -> bool:
    """Whether a set of cards holds all ranks of one suit."""
    run = (_FIRST_OF_SUIT << ranks) - _FIRST_OF_SUIT
    shown = False
    for shift in _SUIT_SHIFTS:
        shown |= cards >> shift & run == run
    return shown
