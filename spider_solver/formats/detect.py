"""Reads a board in whatever format it comes: the content tells."""

from collections.abc import Callable
from dataclasses import dataclass

from spider_solver.formats.board import read_board, write_board
from spider_solver.formats.code import read_code, write_code
from spider_solver.formats.grid import is_grid, read_grid, write_grid
from spider_solver.formats.solvitaire import is_solvitaire, read_solvitaire, write_solvitaire
from spider_solver.formats.table import BoardError
from spider_solver.position import Position
from spider_solver.rules import Rules


@dataclass(frozen=True)
class Format:
    """A board format: its name, what reads it (text, and the game or None) and what writes it."""

    name: str
    read: Callable[[str, Rules | None], Position]
    write: Callable[[Position], str]


BOARD = Format("board", read_board, write_board)
CODE = Format("code", read_code, write_code)
SOLVITAIRE = Format("solvitaire", read_solvitaire, write_solvitaire)
GRID = Format("grid", read_grid, write_grid)

FORMATS = (BOARD, CODE, SOLVITAIRE, GRID)


def format_of(text: str, rules: Rules | None = None) -> Format:
    """The format that a text is in; what no other format claims is board text."""
    if is_solvitaire(text):
        return SOLVITAIRE
    if "/" in _without_comments(text).partition(" ")[0]:
        return CODE
    return GRID if is_grid(text, rules) else BOARD


def read_position(text: str, rules: Rules | None = None) -> Position:
    """The position of a board in any of the formats, settled.

    Args:
        text: the board.
        rules: the game, by default standard Spider with the suits that the board shows.

    Raises:
        BoardError: the text is no board of the game, or has cards that cannot be known.
    """
    text = text.removeprefix("\ufeff")  # a mark that some editors put before all text
    content = _without_comments(text)
    if not content:
        raise BoardError("no board in it")
    board_format = format_of(text, rules)
    return board_format.read(content if board_format is CODE else text, rules)


def _without_comments(text: str) -> str:
    """The lines of a text without ``#`` comments and empty ones, as one."""
    return " ".join(" ".join(line.partition("#")[0] for line in text.splitlines()).split())
