"""Many boards in one file: board texts one after the other, or a position code a line."""

import re
from collections.abc import Iterator
from itertools import pairwise

from spider_solver.deal import Deal
from spider_solver.formats.board import read_board
from spider_solver.formats.code import is_code, read_code
from spider_solver.formats.detect import read_position
from spider_solver.formats.table import BoardError
from spider_solver.position import Position
from spider_solver.rules import Rules

BOARD = "board"
"""The numbering of deals that came as text."""

_HEADER = re.compile(r"\s*(foundations|talon)\s*:", re.IGNORECASE)


def read_boards(text: str, rules: Rules | None = None) -> list[Deal]:
    """The deals of a file of boards, numbered from 1 by their place in it.

    In board text, every board but the first must have a ``Talon:`` or ``Foundations:`` line.
    Position codes stand one a line; empty lines and ``#`` comments do not count.

    Args:
        text: the file.
        rules: the game, by default standard Spider with the suits that each board shows.

    Raises:
        BoardError: a board is wrong, or there is none; the message says which, and names the
            line of the file.
    """
    lines = text.splitlines()
    first = next(filter(None, map(_content, lines)), None)
    if first is None:
        raise BoardError("no board in it")
    boards, read = (_codes, _read_code) if is_code(first) else (_split, read_board)
    deals = []
    for place, (line, board) in enumerate(boards(lines), start=1):
        try:
            deals.append(Deal(read(board, rules), BOARD, place))
        except BoardError:
            try:  # once more, below as many lines as in the file, for their numbers in the message
                read("#\n" * line + board, rules)
            except BoardError as error:
                raise BoardError(f"board {place}: {error}") from None
    return deals


def read_one_board(text: str, rules: Rules | None = None) -> Deal:
    """The deal of one board, in any format.

    Raises:
        BoardError: the board is wrong.
    """
    return Deal(read_position(text, rules), BOARD, 1)


def _content(line: str) -> str:
    """A line without its comment."""
    return line.partition("#")[0].strip()


def _codes(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The position codes of a file, each with the number of lines before it."""
    return ((number, line) for number, line in enumerate(lines) if _content(line))


def _read_code(text: str, rules: Rules | None) -> Position:
    """The position of the code on the last line of a text."""
    lines = text.splitlines()
    try:
        return read_code(_content(lines[-1]), rules)
    except BoardError as error:
        raise BoardError(f"line {len(lines)}: {error}") from None


def _split(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The board texts of a file, each with the number of lines before it."""
    starts = [0]
    in_columns = False  # whether the board that was begun has had a column
    for number, line in enumerate(lines):
        if not _HEADER.match(line):
            in_columns |= bool(_content(line))
        elif in_columns:
            starts.append(number)
            in_columns = False
    for start, end in pairwise([*starts, len(lines)]):
        yield start, "\n".join(lines[start:end])
