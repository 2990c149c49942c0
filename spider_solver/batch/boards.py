"""Many boards in one file: board texts one after the other, or a position code a line."""

import re
from collections.abc import Iterator

from spider_solver.deal import Deal
from spider_solver.formats.board import BoardError, read_board
from spider_solver.notation import NotationError
from spider_solver.position import Position, PositionError
from spider_solver.rules import Rules

BOARD = "board"
"""The numbering of deals that came as text."""

_HEADER = re.compile(r"\s*(foundations|talon)\s*:", re.IGNORECASE)


def read_boards(text: str, rules: Rules | None = None) -> list[Deal]:
    """The deals of a file of boards, numbered from 1 by their place in it.

    In board text each board begins with its ``Talon:`` or ``Foundations:`` line. Position
    codes stand one a line; empty lines and ``#`` comments do not count.

    Args:
        text: the file.
        rules: the game, by default standard Spider with the suits that each board shows.

    Raises:
        BoardError: a board is wrong, or there is none; the line names the line of the file.
    """
    lines = text.splitlines()
    content = [line for line in lines if line.partition("#")[0].strip()]
    if content and is_code(content[0]):
        positions = list(_codes(lines, rules))
    else:
        positions = [read_board(board, rules) for board in _split(lines)]
    if not positions:
        raise BoardError("no board in it (a board begins with its Talon: line)")
    return [Deal(position, BOARD, place) for place, position in enumerate(positions, start=1)]


def read_one_board(text: str, rules: Rules | None = None) -> Deal:
    """The deal of one board, as board text or as a position code.

    Raises:
        BoardError: the board is wrong.
    """
    if is_code(text):
        return read_boards(text, rules)[0]
    return Deal(read_board(text, rules), BOARD, 1)


def is_code(text: str) -> bool:
    """Whether a text can only be meant as a position code: three parts, columns with ``/``."""
    parts = text.split()
    return len(parts) == 3 and "/" in parts[0]


def _codes(lines: list[str], rules: Rules | None) -> Iterator[Position]:
    for number, line in enumerate(lines, start=1):
        code = line.partition("#")[0].strip()
        if code:
            try:
                yield Position.from_code(code, rules)
            except (NotationError, PositionError) as error:
                raise BoardError(f"line {number}: {error}") from None


def _split(lines: list[str]) -> Iterator[str]:
    """The board texts of a file, each with the lines before it commented out.

    So the number of a line that is wrong is its number in the file.
    """
    starts = []
    in_columns = True  # before the first board as after the columns of one
    for number, line in enumerate(lines):
        if _HEADER.match(line):
            if in_columns:
                starts.append(number)
            in_columns = False
        elif line.partition("#")[0].strip():
            in_columns = True
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield "\n".join(["#"] * start + lines[start:end])
