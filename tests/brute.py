"""Brute force on small games: all positions that can come about, and which of them are won.

Only ``Position`` is used, and positions are compared exactly, so that this is the oracle for every
proof and bound. Positions that differ in the order of columns only are one, where each column
takes along the cards of the stock that will be dealt onto it.
"""

from collections import deque
from collections.abc import Hashable

from spider_solver.position import Position


def up_to_order(position: Position) -> Hashable:
    """What two positions of a game share if they differ in the order of columns only."""
    lanes = [
        position.stock[column :: position.rules.columns] for column in range(len(position.columns))
    ]
    return (
        tuple(sorted(zip(position.columns, position.face_down, lanes, strict=True))),
        position.completed,
    )


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
