"""What all board formats have in common: what each of them can do, and comments."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from spider_solver.game.position import Position
from spider_solver.game.rules import Rules


@dataclass(frozen=True)
class Format:
    """A board format.

    Attributes:
        name: its name.
        claims: whether a text, said to be of a game, can only be meant as this format.
        read: the position of a text, under rules or, for None, those of the suits it shows.
        write: the text of a position.
        split: the boards of a text that holds several, each with the number of lines before it.
    """

    name: str
    claims: Callable[[str, Rules | None], bool]
    read: Callable[[str, Rules | None], Position]
    write: Callable[[Position], str]
    split: Callable[[str], Iterator[tuple[int, str]]]


def without_comments(text: str) -> str:
    """The lines of a text without ``#`` comments and empty ones, as one."""
    return " ".join(" ".join(line.partition("#")[0] for line in text.splitlines()).split())
