"""Reads a board in whatever format it comes: the content tells."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from spider_solver.formats.board import read_board, split_boards, write_board
from spider_solver.formats.code import read_code, split_codes, write_code
from spider_solver.formats.grid import is_grid, read_grid, split_grids, write_grid
from spider_solver.formats.solvitaire import (
    is_solvitaire,
    read_solvitaire,
    split_solvitaire,
    write_solvitaire,
)
from spider_solver.formats.table import BoardError
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules
from spider_solver.text.intake import MAX_TEXT


@dataclass(frozen=True)
class Format:
    """A board format.

    Attributes:
        name: its name.
        read: the position of a text, under rules or, for None, those of the suits it shows.
        write: the text of a position.
        split: the boards of a text that holds several, each with the number of lines before it.
    """

    name: str
    read: Callable[[str, Rules | None], Position]
    write: Callable[[Position], str]
    split: Callable[[str], Iterator[tuple[int, str]]]


BOARD = Format("board", read_board, write_board, split_boards)
CODE = Format("code", read_code, write_code, split_codes)
SOLVITAIRE = Format("solvitaire", read_solvitaire, write_solvitaire, split_solvitaire)
GRID = Format("grid", read_grid, write_grid, split_grids)

FORMATS = (BOARD, CODE, SOLVITAIRE, GRID)

Game = Rules | Callable[[int], Rules] | None
"""The game of a board: its rules, or a preset that makes them from the number of suits shown.

None stands for standard Spider.
"""


def format_of(text: str, rules: Rules | None = None) -> Format:
    """The format that a text is in; what no other format claims is board text."""
    if is_solvitaire(text):
        return SOLVITAIRE
    if "/" in _without_comments(text).partition(" ")[0]:
        return CODE
    return GRID if is_grid(text, rules) else BOARD


def read_position(text: str, game: Game = None) -> Position:
    """The position of a board in any of the formats, settled.

    Args:
        text: the board.
        game: the game, by default standard Spider with the suits that the board shows.

    Raises:
        BoardError: the text is no board of the game, or has cards that cannot be known.
    """
    _check_length(text)
    text, board_format = _recognised(text, game)
    return _read(board_format, _without_comments(text) if board_format is CODE else text, game)


def read_positions(text: str, game: Game = None) -> Iterator[Position]:
    """The positions of boards in one text, all in the format of the first, settled.

    How boards stand apart in each format is told by its ``split`` function.

    Args:
        text: the boards.
        game: the game, by default standard Spider with the suits that each board shows.

    Raises:
        BoardError: a board is wrong, or there is none; the message says which, from 1, and on
            which line of the text it begins.
    """
    text, board_format = _recognised(text, game)
    place = 0
    for place, (line, board) in enumerate(board_format.split(text), start=1):
        try:
            _check_length(board)
            yield _read(board_format, board, game)
        except BoardError:
            try:  # once more, below as many lines as in the text, for their numbers in the message
                _check_length(board)
                _read(board_format, "\n" * line + board, game)
            except BoardError as error:
                raise BoardError(f"board {place} (from line {line + 1}): {error}") from None
    if not place:
        raise BoardError("no board in it")


def _read(board_format: Format, text: str, game: Game) -> Position:
    """The position of a board, whose suits are looked for first where a preset needs them."""
    if game is None or isinstance(game, Rules):
        return board_format.read(text, game)
    return board_format.read(text, game(board_format.read(text, None).rules.suits))


def _recognised(text: str, game: Game) -> tuple[str, Format]:
    """A text without the mark that some editors put before it, and the format it is in."""
    text = text.removeprefix("\ufeff")
    head = text
    if len(text) > MAX_TEXT:  # many boards, of which the first tell the format
        head = text[:MAX_TEXT]
        head = head[: head.rfind("\n")]
    if not _without_comments(head):
        where = f"its first {MAX_TEXT:,} characters" if len(text) > MAX_TEXT else "it"
        raise BoardError(f"no board in {where}")
    return text, format_of(head, game if isinstance(game, Rules) else None)


def _check_length(text: str) -> None:
    if len(text) > MAX_TEXT:
        raise BoardError(f"longer than {MAX_TEXT:,} characters, as no board is")


def _without_comments(text: str) -> str:
    """The lines of a text without ``#`` comments and empty ones, as one."""
    return " ".join(" ".join(line.partition("#")[0] for line in text.splitlines()).split())
