"""Starts of games as arrays, fair shuffles of them, and statistics that tell them from others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from spider_solver.analysis.statistics import Floats
from spider_solver.errors import SpiderError
from spider_solver.game.cards import SUITS, Card, make_card
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules

Cards = NDArray[np.int8]
"""Cards by place, shape (..., cards of the deck): the tableau column after column, each from its
deepest card, then the stock in dealing order."""

Places = NDArray[np.int64]

_AT_A_TIME = 20_000  # deals that are simulated together, for the memory's sake
_RANKS = 16  # all ranks, and suits, are below it


class StartError(SpiderError, ValueError):
    """A position that is no start of a game, or of another one; the message is one line."""


@dataclass(frozen=True)
class Layout:
    """Which place of a deal lies where.

    Attributes:
        rules: the game.
        heights: cards in each column at the start.
        on: pairs of places (lower, upper) in the columns, the upper card lying on the lower one.
        ends: the place at the end of each column that has one.
        landing: pairs (lower, upper), the upper one dealt onto the lower one if nothing moves.
        zones: for each place a number: face down, face up, first row of the stock, second, ...
    """

    rules: Rules
    heights: tuple[int, ...]
    on: Places
    ends: Places
    landing: Places
    zones: Places

    @classmethod
    def of(cls, rules: Rules, heights: tuple[int, ...]) -> Self:
        """The layout of a game with the given heights of its columns."""
        starts = np.concatenate([[0], np.cumsum(heights)])
        on, landing, zones = [], [], []
        last = {}
        for column, height in enumerate(heights):
            first = int(starts[column])
            on += [(place, place + 1) for place in range(first, first + height - 1)]
            zones += [int(place >= height - rules.face_up) for place in range(height)]
            if height:
                last[column] = first + height - 1
        ends = [*last.values()]
        for dealt in range(rules.stock_size):
            row, column = divmod(dealt, rules.columns)
            place = int(starts[-1]) + dealt
            if column in last:
                landing.append((last[column], place))
            last[column] = place
            zones.append(2 + row)
        pairs = (np.array(pairs, np.int64).reshape(-1, 2) for pairs in (on, landing))
        on_array, landing_array = pairs
        ends_array, zone_array = np.array(ends, np.int64), np.array(zones, np.int64)
        return cls(rules, heights, on_array, ends_array, landing_array, zone_array)

    def deck(self) -> Cards:
        """All cards of the game, in order."""
        cards = [
            make_card(rank, suit)
            for suit in range(len(SUITS))
            for _ in range(self.rules.copies(suit))
            for rank in range(1, self.rules.ranks + 1)
        ]
        return np.array(cards, np.int8)

    def position(self, cards: Cards) -> Position:
        """The start with these cards, shape (cards,), at its places."""
        ends = np.cumsum(self.heights)
        columns = tuple(tuple(part.tolist()) for part in np.split(cards[: ends[-1]], ends[:-1]))
        face_down = tuple(max(height - self.rules.face_up, 0) for height in self.heights)
        stock = tuple(cards[ends[-1] :].tolist())
        return Position(self.rules, columns, face_down, stock).settled()

    def shuffles(self, count: int, generator: np.random.Generator) -> Cards:
        """Fair shuffles, shape (count, cards): every order of the deck is as likely."""
        return generator.permuted(np.tile(self.deck(), (count, 1)), axis=1)


def read_starts(positions: Sequence[Position]) -> tuple[Layout, Cards]:
    """The starts of one game as arrays.

    Raises:
        StartError: a position is no start, or not of the same game and layout as the first.
    """
    layout = _layout(positions[0], 1)
    rows: list[list[Card]] = []
    for place, position in enumerate(positions, start=1):
        other = _layout(position, place)
        if other.rules != layout.rules:
            suits = f"{other.rules.suits} suits where board 1 has {layout.rules.suits}"
            raise StartError(f"board {place} has {suits}: test them apart")
        if other.heights != layout.heights:
            raise StartError(f"board {place} is laid out otherwise than board 1: test them apart")
        rows.append([*(card for cards in position.columns for card in cards), *position.stock])
    return layout, np.array(rows, np.int8)


def _layout(position: Position, place: int) -> Layout:
    rules = position.rules
    heights = tuple(map(len, position.columns))
    face_down = tuple(max(height - rules.face_up, 0) for height in heights)
    if (
        sorted(heights) != sorted(rules.heights)
        or len(position.stock) != rules.stock_size
        or position.face_down != face_down
    ):
        raise StartError(f"board {place} is not a fresh deal of {rules.name}: play has changed it")
    return Layout.of(rules, heights)


@dataclass(frozen=True)
class Statistic:
    """One number that a file of deals is judged by.

    Attributes:
        name: a few words.
        two_sided: whether too small a value is as telling as too large a one.
    """

    name: str
    two_sided: bool = True


def statistics_of(layout: Layout) -> list[Statistic]:
    """The statistics that say something about a game, in the order of ``measure``."""
    return [statistic for statistic, _ in _kept(layout)]


MOVES = Statistic("moves at the start (ends that fit on other ends)")
_MOVES_SPREAD = Statistic("the same, variance from deal to deal")
_OPEN_RANKS = Statistic("different ranks at the ends")
_DOWN = Statistic("cards lying on the next higher rank")
_SUITED = Statistic("the same, in suit")
_UP = Statistic("cards lying on the next lower rank")
_EQUAL = Statistic("cards lying on their own rank")
_SAME_SUIT = Statistic("cards lying on their own suit")
_LANDING = Statistic("stock cards dealt onto the next higher rank")
_RANK_ZONES = Statistic("ranks: face down, face up, by row (chi-squared)", two_sided=False)
_SUIT_ZONES = Statistic("suits: face down, face up, by row (chi-squared)", two_sided=False)


def _kept(layout: Layout) -> list[tuple[Statistic, int]]:
    """The statistics of a game with their places in what ``_all`` gives."""
    suits = layout.rules.suits > 1
    stock = layout.landing.size > 0
    zones = len(np.unique(layout.zones)) > 1
    every = [
        (MOVES, True),
        (_MOVES_SPREAD, True),
        (_OPEN_RANKS, True),
        (_DOWN, True),
        (_SUITED, suits),
        (_UP, True),
        (_EQUAL, True),
        (_SAME_SUIT, suits),
        (_LANDING, stock),
        (_RANK_ZONES, zones),
        (_SUIT_ZONES, suits and zones),
    ]
    return [(statistic, place) for place, (statistic, told) in enumerate(every) if told]


def measure(layout: Layout, deals: Cards) -> Floats:
    """The statistics of files of deals.

    Args:
        layout: of all of them.
        deals: shape (files, deals of a file, cards of the deck).

    Returns:
        Shape (files, statistics).
    """
    files, size, _ = deals.shape
    ranks, suits = deals & (_RANKS - 1), deals >> 4
    moves, open_ranks = _ends(ranks[..., layout.ends])
    lower, upper = layout.on.T
    step = ranks[..., lower] - ranks[..., upper]
    suited = suits[..., lower] == suits[..., upper]
    dealt_on, dealt = layout.landing.T
    landing = ranks[..., dealt_on] - ranks[..., dealt] == 1
    spread = moves.var(axis=1, ddof=1) if size > 1 else np.zeros(files)
    every = [
        moves.mean(axis=1),
        spread,
        open_ranks.mean(axis=1),
        _mean_count(step == 1),
        _mean_count((step == 1) & suited),
        _mean_count(step == -1),
        _mean_count(step == 0),
        _mean_count(suited),
        _mean_count(landing),
        _chi_squared(layout, ranks),
        _chi_squared(layout, suits),
    ]
    return np.stack([every[place] for _, place in _kept(layout)], axis=1)


def _mean_count(which: NDArray[np.bool_]) -> Floats:
    """How many of the places of a deal are marked, on average over a file."""
    counts: Floats = which.sum(axis=2).mean(axis=1)
    return counts


def _ends(ranks: Cards) -> tuple[Floats, Floats]:
    """Of the ranks at the ends: ordered pairs that fit, and how many are different."""
    files, size, _ = ranks.shape
    counts = np.zeros((files, size, _RANKS + 1), np.int16)
    np.add.at(counts, (*np.indices(ranks.shape)[:2], ranks), 1)
    fits = (counts[..., :-1] * counts[..., 1:]).sum(axis=2)
    return fits.astype(np.float64), (counts > 0).sum(axis=2).astype(np.float64)


def _chi_squared(layout: Layout, values: Cards) -> Floats:
    """How far the counts of values by zone are from what a fair shuffle has on average.

    The scale is that of a chi-squared statistic, but its distribution is not: cards are drawn
    without replacement. It is only ever compared with its own simulated values.
    """
    files, _, cards = values.shape
    zones = int(layout.zones.max()) + 1
    cells = layout.zones * _RANKS + values + (np.arange(files) * zones * _RANKS)[:, None, None]
    counts = np.bincount(cells.ravel(), minlength=files * zones * _RANKS)
    counts = counts.reshape(files, zones, _RANKS)
    of_value = counts.sum(axis=1, keepdims=True)
    of_zone = np.bincount(layout.zones, minlength=zones)[:, None] / cards
    expected = np.where(of_value * of_zone > 0, of_value * of_zone, 1.0)
    distances: Floats = ((counts - of_value * of_zone) ** 2 / expected).sum(axis=(1, 2))
    return distances


def simulate(
    layout: Layout, deals: int, files: int, generator: np.random.Generator
) -> Iterator[Floats]:
    """The statistics of files of fair shuffles, some files at a time.

    Args:
        layout: of all deals.
        deals: in each file.
        files: how many.
        generator: where chance comes from.
    """
    at_a_time = max(_AT_A_TIME // deals, 1)
    for first in range(0, files, at_a_time):
        count = min(at_a_time, files - first)
        shuffled = layout.shuffles(count * deals, generator)
        yield measure(layout, shuffled.reshape(count, deals, -1))


def repeats(deals: Cards) -> tuple[int, float]:
    """How many deals of a file stand in it before, and a p-value for that.

    Args:
        deals: shape (deals, cards).

    Returns:
        The count, and a bound on the chance that fair shuffles repeat at all: the expected
        number of equal pairs.
    """
    count = len(deals) - len(np.unique(deals, axis=0))
    _, copies = np.unique(deals[0], return_counts=True)
    orders = _log_factorial(deals.shape[1]) - sum(map(_log_factorial, copies.tolist()))
    pairs = len(deals) * (len(deals) - 1) / 2
    return count, min(1.0, pairs * float(np.exp(-orders))) if count else 1.0


def _log_factorial(n: int) -> float:
    return float(np.log(np.arange(1, n + 1)).sum())
