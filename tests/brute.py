"""Brute force on small games: all positions that can come about, and which of them are won.

Only ``Position`` is used, and positions are compared exactly, so that this is the oracle for every
proof and bound. Positions that differ in the order of columns only are one, where each column
takes along the cards of the stock that will be dealt onto it.
"""

from collections import deque
from collections.abc import Hashable
from functools import lru_cache
from typing import Literal

from spider_solver.game.cards import Card
from spider_solver.game.position import Position

Verdict = int | Literal["lost", "too large"]


def up_to_order(position: Position) -> Hashable:
    """What two positions of a game share if they differ in the order of columns only."""
    lanes = _lanes(position.stock, position.rules.columns)
    return (
        tuple(sorted(zip(position.columns, position.face_down, lanes, strict=True))),
        position.completed,
    )


@lru_cache(maxsize=64)  # a game has few stocks and many positions
def _lanes(stock: tuple[Card, ...], columns: int) -> list[tuple[Card, ...]]:
    """The cards that will be dealt onto each column."""
    return [stock[column::columns] for column in range(columns)]


def decide(start: Position, most: int) -> Verdict:
    """The fewest actions that win a position, or that it is lost.

    Looks at positions in the order of actions up to the first that is won, at ``most`` of them.
    """
    if start.is_won:
        return 0
    seen = {up_to_order(start)}
    layer = [start]
    actions = 0
    while layer:
        actions += 1
        following: list[Position] = []
        for position in layer:
            for move in position.legal_moves():
                after = position.play(move)
                if after.is_won:
                    return actions
                key = up_to_order(after)
                if key not in seen:
                    seen.add(key)
                    following.append(after)
            if len(seen) > most:
                return "too large"
        layer = following
    return "lost"


def explore(start: Position, most: int) -> dict[Position, int | None] | None:
    """All positions that can come about, each with the fewest actions that win it.

    A lost position has None instead. The answer as a whole is None if there are more than
    ``most`` positions.
    """
    numbers = {up_to_order(start): 0}
    found = [start]
    leading_to: list[list[int]] = [[]]  # for each position those that are one action before it
    for number, position in enumerate(found):  # grows while it is read
        for move in position.legal_moves():
            after = position.play(move)
            other = numbers.setdefault(up_to_order(after), len(found))
            if other == len(found):
                if other == most:
                    return None
                found.append(after)
                leading_to.append([])
            leading_to[other].append(number)
    actions: list[int | None] = [None] * len(found)
    queue = deque(number for number, position in enumerate(found) if position.is_won)
    for number in queue:
        actions[number] = 0
    while queue:
        number = queue.popleft()
        so_far = actions[number]
        assert so_far is not None
        for before in leading_to[number]:
            if actions[before] is None:
                actions[before] = so_far + 1
                queue.append(before)
    return dict(zip(found, actions, strict=True))
