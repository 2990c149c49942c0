"""Reads a board in whatever format it comes: the content tells."""

from collections.abc import Callable, Iterator

from spider_solver.formats.board import BOARD
from spider_solver.formats.code import CODE
from spider_solver.formats.format import Format, without_comments
from spider_solver.formats.grid import GRID
from spider_solver.formats.solvitaire import SOLVITAIRE
from spider_solver.formats.unchecked import BoardError
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules
from spider_solver.game.view import View
from spider_solver.text.intake import MAX_TEXT

FORMATS = (SOLVITAIRE, CODE, GRID, BOARD)
"""All formats. A text is in the first one that claims it, and the last one claims them all."""

RulesOrPreset = Rules | Callable[[int], Rules] | None
"""The game of a board: its rules, or a preset that makes them from the number of suits shown.

None stands for standard Spider.
"""


def format_of(text: str, rules: Rules | None = None) -> Format:
    """The format that a text is in."""
    return next(form for form in FORMATS if form.claims(text, rules))


def read_position(text: str, game: RulesOrPreset = None) -> Position:
    """The position of a board in any of the formats, settled.

    Args:
        text: the board.
        game: the game, by default standard Spider with the suits that the board shows.

    Raises:
        BoardError: the text is no board of the game, or has cards that cannot be known.
    """
    _check_length(text)
    text, board_format = _recognised(text, game)
    return board_format.read(text, _rules(board_format, text, game))


def read_view(text: str, game: RulesOrPreset = None) -> View:
    """What a board in any of the formats shows of a table, on which cards may be unknown.

    Args:
        text: the board.
        game: the game, by default standard Spider with the suits that the board shows.

    Raises:
        BoardError: the text is no board of the game, or does not say what lies face up.
    """
    _check_length(text)
    text, board_format = _recognised(text, game)
    return board_format.view(text, _rules(board_format, text, game))


def read_positions(text: str, game: RulesOrPreset = None) -> Iterator[Position]:
    """The positions of boards in one text, all in the format of the first, settled.

    The ``split`` function of a format says how its boards are separated.

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
            yield board_format.read(board, _rules(board_format, board, game))
        except BoardError:
            try:  # once more, below as many lines as in the text, for their numbers in the message
                _check_length(board)
                lower = "\n" * line + board
                board_format.read(lower, _rules(board_format, lower, game))
            except BoardError as error:
                raise BoardError(f"board {place} (from line {line + 1}): {error}") from None
    if not place:
        raise BoardError("no board in it")


def _rules(board_format: Format, text: str, game: RulesOrPreset) -> Rules | None:
    """The rules of a board, whose suits are looked for first where a preset needs them."""
    if game is None or isinstance(game, Rules):
        return game
    return game(board_format.parse(text, None).rules_shown().suits)


def _recognised(text: str, game: RulesOrPreset) -> tuple[str, Format]:
    """A text without the mark that some editors put before it, and the format it is in."""
    text = text.removeprefix("\ufeff")
    head = text
    if len(text) > MAX_TEXT:  # many boards, of which the first tell the format
        head = text[:MAX_TEXT]
        head = head[: head.rfind("\n")]
    if not without_comments(head):
        where = f"its first {MAX_TEXT:,} characters" if len(text) > MAX_TEXT else "it"
        raise BoardError(f"no board in {where}")
    return text, format_of(head, game if isinstance(game, Rules) else None)


def _check_length(text: str) -> None:
    if len(text) > MAX_TEXT:
        raise BoardError(f"longer than {MAX_TEXT:,} characters, as no board is")
