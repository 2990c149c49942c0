"""What another solver is said to reach, to stand beside what this one does."""

from typing import NamedTuple

from spider_solver.game.deal import FROM_TEXT
from spider_solver.store.keys import GameKey

WHOSE = "another solver"

NOTE = (
    "another solver: what a public game site says of its own solver, for deals of its own. Its "
    "positions are as it counts them; it does not say whether one that comes up again counts "
    "again. Here every successor computed counts, repeated ones included: two to four for "
    "each position expanded."
)
"""What has to be said wherever the figures stand."""


class Published(NamedTuple):
    """One published figure.

    Attributes:
        suits: of standard Spider.
        positions: the budget, as that solver counts.
        share: of deals won.
        text: the figure as it was published.
    """

    suits: int
    positions: int
    share: float
    text: str


def stands_beside(suits: int, game: GameKey) -> bool:
    """Whether a figure for standard Spider with so many suits has something to say of a game.

    Not of boards: who picked them, and how, is not known.
    """
    return (game.variant, game.suits) == ("spider", suits) and game.numbering != FROM_TEXT


PUBLISHED = (
    Published(2, 167_000, 0.80, "80 of 100"),
    Published(2, 1_000_000, 0.92, "92%"),
    Published(4, 1_000_000, 0.45, "45%"),
)
