"""A table with unknown cards: the unseen cards are laid out in all ways, and each way is solved.

Where there are few ways, all are solved, so "lost in all of them" is a proof. Where there are many,
a sample is: every order of the unseen cards is equally likely, since whoever asks has not seen
them. No answer looks under a card. What is counted is still whether a game *could* be won by
someone who sees all cards: who does not may go wrong later on.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from spider_solver.game.cards import Card
from spider_solver.game.notation import Move, format_move
from spider_solver.game.outcomes import Status
from spider_solver.game.position import Position
from spider_solver.game.view import View
from spider_solver.game.words import move_words
from spider_solver.search.result import Limits
from spider_solver.search.solver import Solver

MOST_SOLVED = 1000
"""Arrangements that are all solved; of more, a sample of ``SAMPLE`` is."""

SAMPLE = 100

MOST_CHOICES = 5
"""First moves that are compared: those that begin a winning line most often."""

FILLING_LIMITS = Limits(max_nodes=300_000)
"""What may be spent on each position, of which there are hundreds."""


@dataclass(frozen=True)
class Counts:
    """Of some arrangements, how many are proved won, proved lost, and open."""

    won: int
    lost: int
    open: int

    @classmethod
    def of(cls, statuses: Sequence[Status]) -> Counts:
        """The counts of statuses."""
        counted = Counter(statuses)
        return cls(counted[Status.WON], counted[Status.LOST], counted[Status.OPEN])


@dataclass(frozen=True)
class Choice:
    """A first move, and what the arrangements come to after it."""

    move: Move
    counts: Counts


@dataclass(frozen=True)
class Fillings:
    """What came of the arrangements of a table's unknown cards.

    Attributes:
        view: the table.
        arrangements: how many there are.
        solved: how many were solved; fewer are a sample.
        counts: what they are, with the best first move for each.
        choices: first moves, the one first that is good for the most arrangements.
    """

    view: View
    arrangements: int
    solved: int
    counts: Counts
    choices: tuple[Choice, ...]

    @property
    def is_complete(self) -> bool:
        """Whether all arrangements were solved."""
        return self.solved == self.arrangements

    @property
    def position(self) -> Position:
        """The table with its unseen cards in some order, for pictures and words."""
        return self.view.filled(self.view.unseen.elements()).settled()

    def as_dict(self) -> dict[str, Any]:
        """The answer for programs, ready for JSON."""
        return {
            "position": self.view.code,
            "unknown": self.view.unknown,
            "arrangements": self.arrangements,
            "solved": self.solved,
            **vars(self.counts),
            "moves": [
                {
                    "move": format_move(choice.move),
                    "words": move_words(self.position, choice.move),
                    **vars(choice.counts),
                }
                for choice in self.choices
            ],
        }


def solve_fillings(
    view: View,
    limits: Limits = FILLING_LIMITS,
    solver: Solver | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Fillings:
    """Solve the arrangements of the unknown cards of a table, all or a sample.

    Args:
        view: the table.
        limits: what may be spent on each position.
        solver: a solver to use, by default one of its own.
        seed: of the sample.
        progress: told how many positions are done, and of how many, as far as that is known.

    Raises:
        PositionError: the known cards are not cards of one deck.
        UnsupportedRules: the game is too large for the solver.
    """
    solver = solver or Solver()
    arrangements = view.arrangements
    unseen = list(view.unseen.elements())
    orders = orders_of(unseen) if arrangements <= MOST_SOLVED else sampled_orders(unseen, seed)
    positions = [view.filled(order).settled() for order in orders]
    statuses: list[Status] = []
    firsts: list[Move | None] = []
    for position in positions:
        result = solver.solve(position, limits)
        statuses.append(result.status)
        firsts.append(result.line[0] if result.line else None)
        progress(len(statuses), len(positions))
    candidates = [move for move, _ in Counter(filter(None, firsts)).most_common(MOST_CHOICES)]
    done, total = len(positions), len(positions) * (1 + len(candidates))
    choices = []
    for move in candidates:
        after = []
        for position, status, first in zip(positions, statuses, firsts, strict=True):
            if first != move and status is not Status.LOST:
                status = solver.solve(position.play(move), limits).status
            after.append(status)
            done += 1
            progress(done, total)
        choices.append(Choice(move, Counts.of(after)))
    choices.sort(key=lambda choice: (-choice.counts.won, choice.counts.lost))
    return Fillings(view, arrangements, len(positions), Counts.of(statuses), tuple(choices))


def orders_of(cards: Iterable[Card]) -> Iterator[list[Card]]:
    """Cards in all orders that differ, each once, in ascending order."""
    order = sorted(cards)
    while True:
        yield list(order)
        rises = [place for place in range(len(order) - 1) if order[place] < order[place + 1]]
        if not rises:
            return
        last = rises[-1]
        other = max(place for place in range(len(order)) if order[place] > order[last])
        order[last], order[other] = order[other], order[last]
        order[last + 1 :] = reversed(order[last + 1 :])


def sampled_orders(cards: Iterable[Card], seed: int) -> Iterator[list[Card]]:
    """Cards in ``SAMPLE`` random orders."""
    shuffle = random.Random(seed).shuffle
    order = sorted(cards)
    for _ in range(SAMPLE):
        shuffle(order)
        yield list(order)
