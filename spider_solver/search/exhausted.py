"""Checks the positions that a complete search has met, before they are said to prove a loss.

The search that met the positions is a kernel. What is checked here, by the plain rules, is its
result: that play, from the start on, never leaves these positions and none of them is won
(``closed_set.check_closed_set`` says why that proves a loss). Of the search nothing is used but the
positions, read from its memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
from numpy.typing import NDArray

from spider_solver.game.position import Position
from spider_solver.game.symmetry import in_order
from spider_solver.kernels import catalogues
from spider_solver.proofs.check import ProofError
from spider_solver.proofs.closed_set import PositionSet, check_time, fault_text
from spider_solver.proofs.columns import EMPTY, Columns, Stock
from spider_solver.proofs.digging import is_buried
from spider_solver.search.complete import Exploration

CHECKED_POSITIONS = 50_000
"""Positions that are checked before a verdict: all of a search, or as many of them, drawn."""

_CHUNK = 1 << 15  # positions, or successors, that are looked at at a time

Fingerprints = NDArray[np.uint64]


def check_exhausted(found: Exploration, deadline: float | None = None) -> int:
    """Check that the positions of a complete search prove its start lost.

    Up to ``CHECKED_POSITIONS`` all of them are checked, exactly as a closed set that is read from a
    file. Of more, the start and others up to that number, drawn with the start's position code as
    seed, are checked: what each action there leads to must be among all the positions met, and no
    position met may be won. For that a position is reduced to a fingerprint of 64 bits. If one that
    is missing had the fingerprint of one that was met (the chance is one in 2^64 for each position
    met), that fault would not be seen; nothing else depends on fingerprints, and no true loss is
    refused.

    Positions that are short of cards or buried need no successors; others do.

    Args:
        found: a search that ended as lost.
        deadline: when to stop, as ``time.perf_counter`` tells the time.

    Returns:
        How many positions were checked.

    Raises:
        ProofError: they do not; the message says what is wrong.
        OutOfTime: the deadline came first; nothing is proved.
    """
    if found.size > CHECKED_POSITIONS:
        return _SampleCheck(found, deadline).check()
    positions = PositionSet(found.start)
    met = _NumberedPositions(found, positions.columns)
    for number, (columns, dealt) in enumerate(met.each(), start=1):
        positions.add(columns, met.stocks[dealt], number)
    positions.check(deadline=deadline)
    return found.size


class _NumberedPositions:
    """The positions of a search, as the numbers of their columns.

    Args:
        found: the search.
        columns: numbers the columns.

    Attributes:
        stocks: the stock after each number of rows dealt since the start.
    """

    def __init__(self, found: Exploration, columns: Columns) -> None:
        self._found = found
        self._columns = columns
        width = self._width = found.start.rules.columns
        stock = found.start.stock
        self.stocks = [
            columns.stock(stock[dealt * width :]) for dealt in range(found.start.rows_left + 1)
        ]
        nodes = int(found.catalogue.registers[catalogues.SEARCH_COLUMNS])
        self._numbers = np.full(nodes, -1, np.int64)  # of the column that a node stands for

    def chunks(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """The columns of positions, a row each, and how many rows were dealt."""
        size, words = self._found.size, catalogues.ROW_WORDS
        for first in range(0, size, _CHUNK):
            last = min(size, first + _CHUNK)
            rows = self._found.catalogue.rows[first * words : last * words].reshape(-1, words)
            nodes = rows[:, : self._width]
            for node in np.unique(nodes).tolist():
                if self._numbers[node] < 0:
                    self._numbers[node] = self._columns.number(*self._found.column(node))
            dealt = rows[:, catalogues.ROW_STAGE] & catalogues.ROWS_DEALT
            yield self._numbers[nodes], dealt.astype(np.int64)

    def each(self) -> Iterator[tuple[list[int], int]]:
        """The columns of each position, and how many rows were dealt."""
        for columns, dealt in self.chunks():
            yield from zip(columns.tolist(), dealt.tolist(), strict=True)

    def __getitem__(self, row: int) -> tuple[list[int], int]:
        """One position, once :meth:`chunks` has come past it."""
        at = row * catalogues.ROW_WORDS
        words = self._found.catalogue.rows[at : at + catalogues.ROW_WORDS]
        columns = self._numbers[words[: self._width]].tolist()
        return columns, int(words[catalogues.ROW_STAGE]) & catalogues.ROWS_DEALT


class _SampleCheck:
    """The check of some positions of a search that has met many.

    Args:
        found: the search.
        deadline: when to stop, as ``time.perf_counter`` tells the time.
    """

    def __init__(self, found: Exploration, deadline: float | None) -> None:
        self._found = found
        self._deadline = deadline
        self._columns = Columns(found.start.rules)
        self._met = _NumberedPositions(found, self._columns)
        self._known = self._all_fingerprints()

    def check(self) -> int:
        """Check the start and the positions drawn; gives their number."""
        found = self._found
        if not self._holds(found.start):
            raise ProofError(f"the start is not in the closed set: {in_order(found.start).code}")
        drawn = Random(found.start.code).sample(range(1, found.size), CHECKED_POSITIONS - 1)
        start = self._columns.of(found.start), 0
        led_to: list[tuple[list[int], Stock]] = []
        led_from: list[tuple[tuple[int, ...], Stock]] = []
        for columns, dealt in [start, *map(self._met.__getitem__, sorted(drawn))]:
            stock = self._met.stocks[dealt]
            if self._columns.is_short_of_cards(columns, stock):
                continue
            position = tuple(columns), stock
            for after in self._columns.successors(columns, stock):
                led_to.append(after)
                led_from.append(position)
            if len(led_to) >= _CHUNK:
                self._check_all_known(led_to, led_from)
                led_to, led_from = [], []
        self._check_all_known(led_to, led_from)
        return CHECKED_POSITIONS

    def _all_fingerprints(self) -> Fingerprints:
        """The fingerprints of all positions, sorted, once it is seen that none is won."""
        fingerprints = []
        for columns, dealt in self._met.chunks():
            check_time(self._deadline)
            last = dealt == len(self._met.stocks) - 1
            if np.any(last & np.all(columns == EMPTY, axis=1)):
                raise ProofError("a position of the closed set is won")
            chunk = np.zeros(len(dealt), np.uint64)
            for stage in np.unique(dealt).tolist():
                among = dealt == stage
                chunk[among] = _fingerprints(columns[among], self._met.stocks[stage])
            fingerprints.append(chunk)
        known = np.concatenate(fingerprints)
        known.sort()
        return known

    def _check_all_known(
        self,
        led_to: list[tuple[list[int], Stock]],
        led_from: list[tuple[tuple[int, ...], Stock]],
    ) -> None:
        """Whether all of some positions are among those met, or need not be.

        Args:
            led_to: the positions.
            led_from: for each of them one that leads to it.
        """
        check_time(self._deadline)
        buried: set[tuple[tuple[int, ...], Stock]] = set()
        by_stock: dict[Stock, list[int]] = {}
        for place, (_, stock) in enumerate(led_to):
            by_stock.setdefault(stock, []).append(place)
        for stock, places in by_stock.items():
            columns = np.array([led_to[place][0] for place in places], np.int64)
            missing = np.flatnonzero(~self._are_known(_fingerprints(columns, stock)))
            for place in missing.tolist():
                parent = led_from[places[place]]
                if parent in buried:
                    continue
                check_time(self._deadline)
                if is_buried(self._columns.position(*parent)):
                    buried.add(parent)
                    continue
                code = self._columns.position(*parent).code
                fault = fault_text(self._columns, *parent, self._holds)
                raise ProofError(f"position {code} of the closed set: {fault}")

    def _are_known(self, fingerprints: Fingerprints) -> NDArray[np.bool_]:
        """Which of some fingerprints are among those of the positions met."""
        places = np.searchsorted(self._known, fingerprints)
        return np.equal(self._known[np.minimum(places, self._known.size - 1)], fingerprints)

    def _holds(self, position: Position) -> bool:
        """Whether a position, or one alike, is among those met."""
        columns = np.array([self._columns.of(position)], np.int64)
        stock = self._columns.stock(position.stock)
        return bool(self._are_known(_fingerprints(columns, stock))[0])


def _fingerprints(columns: NDArray[np.int64], stock: Stock) -> Fingerprints:
    """64 bits for each of some positions with one stock, the same for positions that are alike.

    Args:
        columns: the numbers of their columns, a row each.
        stock: their stock.
    """
    ordered = columns.copy()
    for group in stock.alike:
        ordered[:, group] = np.sort(columns[:, group], axis=1)
    found = np.full(len(ordered), stock.number + 1, np.uint64)
    for column in ordered.T.astype(np.uint64):
        found = _mixed(found * _FACTOR + column)
    return found


_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


def _mixed(words: Fingerprints) -> Fingerprints:
    """Words with each bit spread over the others; different words stay different."""
    words = (words ^ (words >> _SHIFT)) * _FACTOR
    return words ^ (words >> _SHIFT)
