"""A deal: a starting position with where it came from."""

from dataclasses import dataclass
from typing import Self

from spider_solver.game.numberings import default_numbering, numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules, spider

FROM_TEXT = "board"
"""The numbering of deals that came as text."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A start of a game and its number.

    Attributes:
        position: the table before the first action.
        numbering: whose deal number it is, a name in ``NUMBERINGS``, or ``board`` for a table
            that came as text.
        seed: the deal number, or the place of a board in its file, from 1.
    """

    position: Position
    numbering: str
    seed: int

    @classmethod
    def numbered(
        cls,
        seed: int,
        suits: int = 4,
        numbering: str | None = None,
        rules: Rules | None = None,
    ) -> Self:
        """The deal with a number.

        Args:
            seed: the deal number, from 1 to the last of the numbering (``kpat``: 2147483647,
                ``pysol``: 10**20).
            suits: suits of standard Spider; not looked at if rules are given.
            numbering: a name in ``NUMBERINGS``; by default ``kpat`` for the deals of standard
                Spider and ``pysol`` for any other game.
            rules: the game, by default standard Spider.

        Raises:
            NumberingError: the numbering is unknown, its program does not deal the game or
                the seed is out of range.
        """
        if rules is None:
            rules = spider(suits)
        if numbering is None:
            numbering = default_numbering(rules)
        return cls(numbered(numbering, seed, rules), numbering, seed)

    def _repr_svg_(self) -> str:
        from spider_solver.show.svg import position_svg

        return position_svg(self.position)
