"""The number of a deal, found from a table of it.

The cards that never moved (see ``completion``) must lie where they were dealt, and the unseen cards
must be those that the deal has face down and in the stock. Ten cards of a fresh four-suit deal fit
one number in 10^17, so among the 2^31 numbers of KPatience they nearly always fit one alone.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from itertools import islice
from math import factorial, prod

import numpy as np

from spider_solver.errors import SpiderError
from spider_solver.game.cards import UNKNOWN, Card, make_card
from spider_solver.game.completion import complete
from spider_solver.game.deal import Deal
from spider_solver.game.numberings import MAX_KPAT_SEED, NUMBERINGS, kpat_deck, kpat_table
from spider_solver.game.position import PositionError
from spider_solver.game.view import View
from spider_solver.kernels import layout
from spider_solver.kernels.numbers import ELSEWHERE, FACE_DOWN, Wanted, fitting_numbers

PYSOL_NUMBERS = 31_999
"""PySolFC's numbers that are tried: those that it deals with Microsoft's generator."""

PIECE = 1 << 22
"""KPatience's numbers that are tried at a time, in a second or so."""

MOST_FOUND = 1000
"""Numbers of a piece that are kept; where more fit, the table tells too little."""

SURE = 1e-6
"""Deals expected to fit by chance, below which the first that fits is taken for the right one."""


class Undetermined(SpiderError):
    """A table that tells too little about its deal; one line."""


def find_deals(
    view: View, progress: Callable[[int, int], None] = lambda done, of: None
) -> list[Deal]:
    """The numbered deals that a table may come from.

    PySolFC's numbers up to ``PYSOL_NUMBERS`` are tried, then all of KPatience's if it deals the
    game, a piece at a time in as many threads as there are cores. The search ends early once it
    is next to impossible that a number fits by chance.

    Args:
        view: the table.
        progress: told how many numbers have been tried, and of how many.

    Returns:
        The deals, PySolFC's first, each with the smallest numbers first.

    Raises:
        Undetermined: more deals would fit by chance than can be told apart.
    """
    numbers = PYSOL_NUMBERS + (MAX_KPAT_SEED if NUMBERINGS["kpat"].deals(view.rules) else 0)
    by_chance = numbers * _fits_by_chance(view)
    if by_chance > 1:
        raise Undetermined(
            f"some {by_chance:,.0f} deals fit this table by chance: too little of it lies as dealt"
        )
    found: list[Deal] = []
    for tried, numbering, fitting in _tried(view):
        for number in fitting:
            deal = Deal.numbered(number, numbering=numbering, rules=view.rules)
            if _comes_from(view, deal):
                found.append(deal)
        progress(tried, numbers)
        if found and by_chance < SURE:
            break
    return found


def _tried(view: View) -> Iterator[tuple[int, str, Sequence[int]]]:
    """Numbers that may fit: how many have been tried so far, the numbering, and those numbers."""
    for first in range(1, PYSOL_NUMBERS + 1, 1000):
        last = min(first + 999, PYSOL_NUMBERS)
        yield last, "pysol", range(first, last + 1)
    if NUMBERINGS["kpat"].deals(view.rules):
        for tried, numbers in _kpat_numbers(view):
            yield PYSOL_NUMBERS + tried, "kpat", numbers


def _comes_from(view: View, deal: Deal) -> bool:
    try:
        complete(view, deal.position)
    except PositionError:
        return False
    return True


def _fits_by_chance(view: View) -> float:
    """The chance that a table fits a random deal."""
    rules = view.rules
    settled = sum(down + 1 for down in view.face_down if down)
    elsewhere = Counter(
        card
        for cards, down in zip(view.columns, view.face_down, strict=True)
        for card in cards[down + 1 if down else 0 :]
    )
    elsewhere.update(
        make_card(rank, done) for done in view.completed for rank in range(1, rules.ranks + 1)
    )
    assert elsewhere.total() == rules.deck_size - settled - len(view.stock)
    return view.arrangements * _orders(elsewhere) / _orders(rules.deck())


def _orders(cards: Counter[Card]) -> int:
    """In how many orders cards can lie."""
    return factorial(cards.total()) // prod(map(factorial, cards.values()))


def _kpat_numbers(view: View) -> Iterator[tuple[int, Sequence[int]]]:
    """KPatience's numbers that fit, by pieces: how many have been tried, and those found."""
    pieces = iter(range(1, MAX_KPAT_SEED + 1, PIECE))
    threads = os.cpu_count() or 1
    tried = 0
    with ThreadPoolExecutor(threads) as pool:
        try:
            waiting = {pool.submit(_piece, view, first) for first in islice(pieces, 2 * threads)}
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    first = next(pieces, None)
                    if first is not None:
                        waiting.add(pool.submit(_piece, view, first))
                    count, numbers = future.result()
                    tried += count
                    yield tried, numbers
        finally:
            pool.shutdown(cancel_futures=True)


def _piece(view: View, first: int) -> tuple[int, Sequence[int]]:
    """How many numbers a piece has, and those that fit."""
    last = min(first + PIECE - 1, MAX_KPAT_SEED)
    found = np.zeros(MOST_FOUND, np.int64)
    count = fitting_numbers(wanted_by(view), first, last, found)
    return last + 1 - first, found[:count].tolist()


def wanted_by(view: View) -> Wanted:
    """What a table says about its deal, for the kernel."""
    rules = view.rules
    size = rules.deck_size
    columns, stock = kpat_table(rules, range(size))
    slots = np.full(size, ELSEWHERE, np.int64)
    for places, cards, down in zip(columns, view.columns, view.face_down, strict=True):
        for place, card in zip(places, cards[: down + 1 if down else 0], strict=False):
            slots[place] = FACE_DOWN if card == UNKNOWN else card
    for place, card in zip(stock[len(stock) - len(view.stock) :], view.stock, strict=True):
        slots[place] = FACE_DOWN if card == UNKNOWN else card
    unseen = np.zeros(layout.CARD_CODES, np.int64)
    for card, copies in view.unseen.items():
        unseen[card] = copies
    known = np.flatnonzero(slots > 0)
    return Wanted(
        slots=slots,
        last_known=int(known[-1]) if known.size else -1,
        unseen=unseen,
        deck=np.array(kpat_deck(rules), np.int64),
        reciprocals=np.array([-(-(2**22) // (place + 1)) for place in range(size)], np.int64),
        shuffled=np.zeros(size, np.int64),
        counted=np.zeros(layout.CARD_CODES, np.int64),
    )
