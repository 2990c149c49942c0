"""The restart portfolio: one endless list of attempts on a deal, fixed by suits and packs.

A budget only cuts the list, so a deal that is won within a budget is won by the same line within
every greater one.  Very narrow beams come first, because most deals fall to one of them within a
few thousand nodes; an attempt that fails is followed by a wider one with fresh noise and other
settings, since what stops one beam seldom stops the next.  Widths grow by a constant factor, and
settings are drawn from those that win the most deals for their nodes: the first attempts make no
move but joins where there is one, later ones all moves with a purpose, some of the last every move.
Where the numbers come from: "Search strength" in ``benchmarks/README.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np

from spider_solver.game.rules import Rules, spider
from spider_solver.kernels import layout
from spider_solver.kernels.evaluation import ALL_COLUMNS, COST_UNIT, Weights
from spider_solver.kernels.layout import EVERY_MOVE, JOINS_FIRST, PURPOSEFUL, Int64s
from spider_solver.kernels.workspace import MOST_WIDTH

FIRST = Weights()
"""Cross-entropy search on random deals."""

SECOND = Weights(
    off_suit=1.593,
    broken=1.362,
    above=-0.03,
    king_on_card=0.145,
    same_suit_below=0.101,
    off_suit_rank=-0.161,
    broken_rank=-0.063,
    base=0.266,
    base_rank=0.278,
    hidden=0.34,
    any_hidden=0.178,
    first_empty=0.934,
    more_empty=0.613,
    completed_run=0.571,
    curve=0.132,
)
"""CMA-ES from ``FIRST`` (``benchmarks.tune``, kpat 10,000 and up): as good, on other deals."""

CARELESS = Weights(hidden=0.0, any_hidden=0.0)
"""``FIRST`` without a price of face-down cards: some deals must not be dug up early."""


@dataclass(frozen=True)
class Attempt:
    """The settings of one beam.

    Attributes:
        width: positions of a layer.
        classes: at least so many diversity classes share a layer: positions with the same
            face-down counts take at most ``width / classes`` of its places. Games that start
            without face-down cards have no classes.
        noise: width of the noise, in units of the evaluation.
        patience: layers without progress before a stage ends.
        weights: of the evaluation.
        seed: of the noise; odd.
        keyed: the columns whose face-down counts make a diversity class, a bit each.
        last_patience: patience after the last deal.
        length_price: price of an action in the pool, in units of the evaluation: higher makes
            lines shorter and wins rarer.
        proposing: part of a layer, the best first, whose deals are looked at: more costs nodes
            and wins no more.
        moves: which moves positions are expanded by (:mod:`.kernels.purpose`).
        siblings: 1 to leave moves that commute to elder siblings, which saves nodes and loses
            nothing; 0 only to measure that.
    """

    width: int
    classes: float
    noise: float
    patience: int
    weights: Weights
    seed: int
    keyed: int = ALL_COLUMNS
    last_patience: int = 60
    length_price: float = 0.05
    proposing: float = 0.2
    moves: int = PURPOSEFUL
    siblings: int = 1

    def words(self) -> Int64s:
        """The settings as the kernels take them, in an array of the caller's own."""
        return self._words.copy()

    @cached_property
    def _words(self) -> Int64s:
        words = np.zeros(layout.SET_WORDS, np.int64)
        words[layout.SET_WIDTH] = self.width
        words[layout.SET_CLASS_CAP] = max(2, int(self.width / self.classes))
        words[layout.SET_NOISE] = round(self.noise * COST_UNIT)
        words[layout.SET_PATIENCE] = self.patience
        words[layout.SET_PATIENCE_LAST] = self.last_patience
        words[layout.SET_LENGTH] = round(self.length_price * COST_UNIT)
        words[layout.SET_POOL] = 3 * self.width
        words[layout.SET_PROPOSING] = round(1024 * self.proposing)
        words[layout.SET_SIBLINGS] = self.siblings
        words[layout.SET_MOVES] = self.moves
        return words


class Choices(NamedTuple):
    """What the settings of an attempt are drawn from."""

    classes: tuple[tuple[int, tuple[float, ...]], ...]  # for widths up to some number
    noise: tuple[float, ...]  # in multiples of the portfolio's noise
    patience: tuple[int, ...]
    moves: tuple[int, ...]


EARLY = Choices(
    classes=((MOST_WIDTH, (1.5, 2, 2.5, 4, 6)),),
    noise=(1.0, 1.5, 1.8, 2.4),
    patience=(8, 11, 16, 20, 28),
    moves=(JOINS_FIRST,),
)
LATER = Choices(
    classes=((256, (4, 10, 16, 25)), (2048, (4, 10, 25, 60)), (MOST_WIDTH, (25, 60, 150))),
    noise=(1.5, 1.8, 2.4),
    patience=(14, 20, 35, 50),
    moves=(PURPOSEFUL, PURPOSEFUL, JOINS_FIRST),
)
LATEST = LATER._replace(moves=(PURPOSEFUL, PURPOSEFUL, JOINS_FIRST, EVERY_MOVE))


class Order(NamedTuple):
    """Which positions a complete search goes on from first: those with the lowest price.

    A head (see :mod:`spider_solver.proofs.digging`) costs 2, and so does a card in the stock.

    Attributes:
        off_suit: price of a card that is no head and lies on one of another suit.
        noise: greatest price that is added at random, the same for the same position.
    """

    off_suit: int
    noise: int = 0


class Turn(NamedTuple):
    """A turn of the complete search, before the first beam of so many positions a layer.

    Attributes:
        width: positions of a layer of that beam.
        nodes: what it may spend.
        order: which positions it goes on from first; None for the order of actions.
    """

    width: int
    nodes: int
    order: Order | None = None


ORDERS = (Order(4), Order(1), Order(8), Order(0), Order(4, noise=6))
"""Where one order loses itself among millions of positions, another often wins at once."""

SMALL_TURNS = (
    *(Turn(1000, nodes, order) for nodes in (100_000, 400_000, 1_600_000) for order in ORDERS),
    Turn(1000, 18_000_000, ORDERS[0]),
)
"""The turns of games in which complete search decides deals that no beam does."""


class ClassTurn(NamedTuple):
    """A turn of the search of classes, once so many nodes are spent and no run was completed."""

    after: int
    nodes: int


_ONE_PACK = 52  # cards
_GOLDEN = 0x9E3779B97F4A7C15
_WORD = 1 << 64
_MOST_DOUBLINGS = 20  # more would only overflow

Choice = TypeVar("Choice")


@dataclass(frozen=True)
class Portfolio:
    """Which beams try a deal, in order, and when a complete search has its turns.

    Most games are far too large for a complete search, but a few are stuck early, and no beam can
    tell; of lost games of one pack many have a few million positions.  Small games do not wait for
    their turn: see ``Solver``.

    Attributes:
        starts: width of the first beam of a game of two packs, with one suit, two, three and four.
        one_pack_start: the same of a game of one pack, whatever its suits: the narrowest beams win
            few of these.
        doubling: attempts in which widths double.
        early: what the settings of the first attempts are drawn from.
        later: the same of those from ``first_later`` on.
        latest: the same of those from ``first_latest`` on.
        first_later: the first attempt of ``later``.
        first_latest: the first attempt of ``latest``.
        one_pack_moves: the moves of games of one pack, in place of those of the choices.
        noise: width of the noise that the noise of an attempt is a multiple of, in units of the
            evaluation.
        weights: the evaluations of attempts.
        series: of the draws: of eight series the one with the fewest nodes on training deals.
        keyed_width: from this width on, one attempt in four takes its diversity from some of the
            columns only.
        turns: of the complete search, in games of two packs with a stock.
        small_turns: the same in games of one pack or without a stock.
        class_turns: of the search of classes of a fresh deal (:mod:`.search.first_run`); a deal in
            which some search completed a run gets none.
        nodes_a_position: a complete search in its turn gets memory for a position per so many
            nodes, or the default.
    """

    starts: tuple[int, int, int, int] = (2, 3, 6, 12)
    one_pack_start: int = 24
    doubling: int = 5
    early: Choices = EARLY
    later: Choices = LATER
    latest: Choices = LATEST
    first_later: int = 8
    first_latest: int = 24
    one_pack_moves: tuple[int, ...] = (EVERY_MOVE, PURPOSEFUL)
    noise: float = 1.33
    weights: tuple[Weights, ...] = (FIRST, SECOND, CARELESS)
    series: int = 3
    keyed_width: int = 200
    turns: tuple[Turn, ...] = (Turn(1000, 100_000), Turn(3000, 2_000_000))
    small_turns: tuple[Turn, ...] = SMALL_TURNS
    class_turns: tuple[ClassTurn, ...] = (
        ClassTurn(300_000, 1_000_000),
        ClassTurn(3_000_000, 12_000_000),
        ClassTurn(30_000_000, 200_000_000),
    )
    nodes_a_position: int = 3

    def attempt(self, number: int, rules: Rules = spider()) -> Attempt:
        """The attempt with a number, counted from 0, on a game."""
        game = number, rules.suits, rules.deck_size <= _ONE_PACK
        if game not in self._made:
            self._made[game] = self._attempt(*game)
        return self._made[game]

    @cached_property
    def _made(self) -> dict[tuple[int, int, bool], Attempt]:
        """The attempts so far, which all deals share, by number, suits and whether of one pack."""
        return {}

    def _attempt(self, number: int, suits: int, one_pack: bool) -> Attempt:
        start = self.one_pack_start if one_pack else self.starts[suits - 1]
        width = min(round(start * 2 ** min(number / self.doubling, _MOST_DOUBLINGS)), MOST_WIDTH)
        choices = self.early
        if number >= self.first_later:
            choices = self.later if number < self.first_latest else self.latest
        keyed = width >= self.keyed_width and number % 4 == 3
        classes = next(some for most, some in choices.classes if width <= most)
        return Attempt(
            width=width,
            classes=self._pick(number, 1, classes),
            noise=self.noise * self._pick(number, 2, choices.noise),
            patience=self._pick(number, 3, choices.patience),
            weights=self._pick(number, 4, self.weights),
            seed=self._word(number, 0) | 1,
            keyed=self._some_columns(number) if keyed else ALL_COLUMNS,
            moves=self._pick(number, 7, self.one_pack_moves if one_pack else choices.moves),
        )

    def complete_turns(self, rules: Rules) -> tuple[Turn, ...]:
        """When a complete search of a game has its turns, and with how many nodes."""
        small = rules.deck_size <= _ONE_PACK or not rules.stock_size
        return self.small_turns if small else self.turns

    def _word(self, number: int, use: int) -> int:
        """64 bits fixed by an attempt and what they are for (splitmix64)."""
        word = ((1000 * self.series + number) * 16 + use + 1) * _GOLDEN % _WORD
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % _WORD
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB % _WORD
        return word ^ (word >> 31)

    def _pick(self, number: int, use: int, known: Sequence[Choice]) -> Choice:
        return known[self._word(number, use) % len(known)]

    def _some_columns(self, number: int) -> int:
        """Five to seven of ten columns, a bit each."""
        wanted = 5 + self._word(number, 5) % 3
        columns = sorted(range(10), key=lambda column: self._word(number * 10 + column, 6))
        return sum(1 << column for column in columns[:wanted])
