"""What all board formats have in common: what each of them can do, and comments."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from spider_solver.formats.unchecked import UncheckedBoard
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules
from spider_solver.game.view import View


@dataclass(frozen=True)
class Format:
    """A board format.

    Attributes:
        name: its name.
        claims: whether a text, said to be of a game, can only be meant as this format.
        parse: the board of a text of a game or, for None, of the suits it shows.
        write: the text of a position.
        split: the boards of a text that holds several, each with the number of lines before it.
    """

    name: str
    claims: Callable[[str, Rules | None], bool]
    parse: Callable[[str, Rules | None], UncheckedBoard]
    write: Callable[[Position], str]
    split: Callable[[str], Iterator[tuple[int, str]]]

    def read(self, text: str, rules: Rules | None = None) -> Position:
        """The position of a text, settled.

        Args:
            text: the board.
            rules: the game, by default standard Spider with the suits that the board shows.

        Raises:
            BoardError: the text is no board of the game, or has cards that cannot be known.
        """
        return self.parse(text, rules).position(rules)

    def view(self, text: str, rules: Rules | None = None) -> View:
        """What the board of a text shows of a table; cards may be unknown.

        Raises:
            BoardError: the text is no board of the game, or does not say what lies face up.
        """
        return self.parse(text, rules).view(rules)


def without_comments(text: str) -> str:
    """The lines of a text without ``#`` comments and empty ones, as one."""
    return " ".join(" ".join(line.partition("#")[0] for line in text.splitlines()).split())
