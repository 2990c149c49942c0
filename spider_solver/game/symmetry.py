"""The one symmetry of Spider that proofs may use: columns that swap places with their lanes.

A column's *lane* is the cards of the stock that are still to be dealt onto it.  Two columns that
swap places together with their lanes give the same game, so columns with equal lanes may stand in
any order; columns with different lanes may not.
"""

from dataclasses import replace
from functools import lru_cache

from spider_solver.game.cards import Card
from spider_solver.game.position import Position


def lane(position: Position, column: int) -> tuple[Card, ...]:
    """The cards still to be dealt onto a column, next one first.

    A short last row does not reach the last columns, whose lanes then are one card shorter.
    """
    return position.stock[column :: position.rules.columns]


def in_order(position: Position) -> Position:
    """The position with its columns in canonical order.

    Among the places with equal lanes, columns are sorted by their cards, deepest first, as
    numbers, and where these are equal by the number of face-down cards.
    """
    groups = alike_columns(position.stock, position.rules.columns)
    if not groups:
        return position
    columns = list(position.columns)
    face_down = list(position.face_down)
    for group in groups:
        ordered = sorted((columns[column], face_down[column]) for column in group)
        for column, (cards, down) in zip(group, ordered, strict=True):
            columns[column], face_down[column] = cards, down
    return replace(position, columns=tuple(columns), face_down=tuple(face_down))


@lru_cache(maxsize=64)  # a game has few stocks and many positions
def alike_columns(stock: tuple[Card, ...], columns: int) -> list[list[int]]:
    """The groups of columns with equal lanes, those alone left out, from the left.

    Args:
        stock: the cards still to be dealt.
        columns: number of columns.
    """
    groups: dict[tuple[Card, ...], list[int]] = {}
    for column in range(columns):
        groups.setdefault(stock[column::columns], []).append(column)
    return [group for group in groups.values() if len(group) > 1]
