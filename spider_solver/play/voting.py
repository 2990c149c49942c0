"""A vote late in the game: how often does each choice lead to a win if all cards were known?

The unseen cards are laid out at random some times, and a narrow beam of the solver, which sees them
all, plays on from each choice. It knows too much, so the share of wins is no forecast; but where
few cards are hidden, what it wins more often is the better choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from spider_solver.game.notation import Move
from spider_solver.game.position import Position
from spider_solver.game.view import View
from spider_solver.kernels.plan_layout import PRICE_UNIT
from spider_solver.play.planner import Plan
from spider_solver.search.solver import Solver


@dataclass(frozen=True)
class Voting:
    """When and how choices are put to a vote.

    Attributes:
        rows_left: at most so many rows are left in the stock.
        hidden: at most so many cards lie face down.
        choices: the best flips that are compared.
        deals: the cheapest ways to the next deal that are compared where no card can be turned up.
        worlds: layouts of the unseen cards; after half of them the worse half of the choices
            drops out.
        attempt: the first of the solver's attempts that play on, one for each layout.
        score_weight: share of wins that one unit of a choice's score is worth.
    """

    rows_left: int = 0
    hidden: int = 44
    choices: int = 6
    deals: int = 0
    worlds: int = 8
    attempt: int = 3
    score_weight: float = 0.016


def is_due(view: View, voting: Voting) -> bool:
    """Whether a choice on this table is put to a vote."""
    rows = -(-len(view.stock) // view.rules.columns)
    return rows <= voting.rows_left and sum(view.face_down) <= voting.hidden


def vote(view: View, choices: Sequence[Plan], solver: Solver, voting: Voting, seed: int) -> Plan:
    """The choice that wins most often; ``seed`` and the table fix the layouts."""
    chance = Random(f"{seed} {view.code}")
    cards = list(view.unseen.elements())
    wins = [0] * len(choices)
    live = list(range(len(choices)))
    made = 0

    def rating(place: int) -> float:
        return wins[place] / made - voting.score_weight * choices[place].score / PRICE_UNIT

    for world in range(voting.worlds):
        chance.shuffle(cards)
        position = view.filled(cards)
        trial = solver.portfolio.attempt(voting.attempt + world, view.rules)
        for place in live:
            after = _played(position, choices[place].moves)
            wins[place] += after.is_won or solver.count_wins(after, [trial])[0]
        made += 1
        if made == voting.worlds // 2:
            live.sort(key=rating, reverse=True)
            live = live[: max(2, (len(live) + 1) // 2)]
    return choices[max(live, key=rating)]


def spread(choices: Sequence[Plan], count: int) -> list[Plan]:
    """So many of the choices, best first: the best from each column, then the others by score."""
    first: list[Plan] = []
    others: list[Plan] = []
    columns = set()
    for choice in choices:
        source = choice.moves[-1].source
        (others if source in columns else first).append(choice)
        columns.add(source)
    return (first + others)[:count]


def _played(position: Position, moves: Sequence[Move]) -> Position:
    for move in moves:
        position = position.play(move)
    return position
