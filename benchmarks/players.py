"""Weak players that a difficulty score is checked against: their taste is not that of its beams.

The blind player sees what a person sees: face-up cards, and how many lie face down. It takes any
move that puts the table in better order by a simple count, with some chance in its choice, deals
when there is none, and never takes anything back.

The digger sees all cards. It is a beam, but with a taste of its own, that of many hand-made
solvers: it wants face-up cards, empty columns and complete runs and hardly minds mixed suits.
"""

import random
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from spider_solver.game.cards import rank
from spider_solver.game.notation import DEAL, Move
from spider_solver.game.position import Position
from spider_solver.kernels.evaluation import Weights
from spider_solver.kernels.layout import EVERY_MOVE
from spider_solver.search.portfolio import Attempt
from spider_solver.search.solver import Solver

SAME_SUIT = 10.0
"""Worth of two neighbours of the same suit in order, to the blind player."""

TURNED_UP = 8.0
EMPTY = 3.0
ANY_SUIT = 2.0
"""Worth of two neighbours in order, of different suits."""

CHANCE = 4.0
"""Spread of what the blind player adds to each worth at random."""

DIGGING = Weights(off_suit=0.3, hidden=2.0, any_hidden=1.0, first_empty=4.0, completed_run=8.0)


class Played(NamedTuple):
    """How a game of the blind player ended."""

    completed: int
    face_down: int
    cards_left: int


def play_blind(position: Position, chance: random.Random) -> Played:
    """One game of the blind player."""
    while not position.is_won:
        if (move := _best_move(position, chance)) is not None:
            position = position.play(move)
        elif (dealt := _filled_and_dealt(position)) is not None:
            position = dealt
        else:
            break
    left = sum(map(len, position.columns)) + len(position.stock)
    return Played(len(position.completed), position.hidden, left)


def _best_move(position: Position, chance: random.Random) -> Move | None:
    """The move that betters the table most, to the blind player's liking; None if none does."""
    best, choice = 0.0, None
    for move in position.legal_moves():
        if not move.is_deal and (worth := _worth(position, move)) > 0:
            worth += chance.random() * CHANCE
            if worth > best:
                best, choice = worth, move
    return choice


def _worth(position: Position, move: Move) -> float:
    """What a move betters, judged by the cards that can be seen; games end, since all moves do."""
    count = move.count or 1
    source, target = position.columns[move.source], position.columns[move.target]
    below = len(source) - count - 1
    worth = _neighbours(target[-1], source[-count]) if target else -EMPTY
    if below < 0:
        worth += EMPTY
    elif below < position.face_down[move.source]:
        worth += TURNED_UP
    else:
        worth -= _neighbours(source[below], source[-count])
    return worth


def _neighbours(below: int, above: int) -> float:
    if below - above == 1:
        return SAME_SUIT
    return ANY_SUIT if rank(below) - rank(above) == 1 else 0.0


def _filled_and_dealt(position: Position) -> Position | None:
    """The position after a deal, empty columns filled from the longest; None if there is no way."""
    if not position.stock:
        return None
    for empty in position.empty_columns:
        heights = [len(cards) for cards in position.columns]
        longest = max(range(len(heights)), key=heights.__getitem__)
        if heights[longest] < 2:
            return None
        position = position.play(Move(longest, empty, 1))
    return position.play(DEAL)


def digger_wins(position: Position, solver: Solver, width: int, beams: int) -> float:
    """The share of the digger's beams that win."""
    wins, _ = solver.count_wins(position, _digging(width, beams))
    return wins / beams


def _digging(width: int, beams: int) -> Iterator[Attempt]:
    for number in range(beams):
        seed = int.from_bytes(sha256(f"digger {number}".encode()).digest()[:8]) | 1
        yield Attempt(width, 1.0, 1.0, 12, DIGGING, seed, last_patience=30, moves=EVERY_MOVE)
