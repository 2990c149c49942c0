"""Tables with unknown cards, met in random play."""

from itertools import pairwise
from random import Random

from spider_solver.game.deal import Deal
from spider_solver.game.position import Position


def random_position(seed: int, suits: int) -> Position:
    """A position of standard Spider after some random moves, few of them to and fro."""
    chance = Random(seed)
    position = Deal.numbered(seed, suits).position
    for _ in range(chance.randrange(120)):
        moves = position.legal_moves()
        if not moves:
            break
        after = [position.play(move) for move in moves]
        position = min(chance.sample(after, min(3, len(after))), key=_disorder)
    return position


def _disorder(position: Position) -> tuple[int, int]:
    junctions = sum(
        below != above + 1
        for cards, down in zip(position.columns, position.face_down, strict=True)
        for below, above in pairwise(cards[down:])
    )
    return position.hidden + junctions, -len(position.completed)
