"""Boards and lines that come as files, on standard input or on the command line itself."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from spider_solver.game.deal import Deal
from spider_solver.game.notation import Move, NotationError, parse_line
from spider_solver.game.rules import VARIANTS, WITH_SUITS, Rules
from spider_solver.text.intake import MAX_BOARDS_BYTES, MAX_TEXT, IntakeError, read_text
from spider_solver.text.quoting import one_line, quoted

if TYPE_CHECKING:  # the readers of boards are imported when there is a board to read
    from spider_solver.formats.detect import RulesOrPreset
    from spider_solver.game.view import View

Read = TypeVar("Read")


def names_a(kind: Callable[[Path], bool], argument: str) -> bool:
    """Whether an argument names something of a kind, such as ``Path.is_file``.

    What is no name at all, such as a line of play too long for one, names nothing.
    """
    try:
        return kind(Path(argument))
    except (OSError, ValueError):
        return False


def read_argument(argument: str, most: int = MAX_TEXT) -> str:
    """The text of a file, or of standard input for ``-``.

    Args:
        argument: file name or ``-``.
        most: how many bytes it may have.

    Raises:
        ClickException: it is larger, or cannot be read.
    """
    if not argument:
        raise click.UsageError(
            "the name of the file is empty: give a file, or - for standard input"
        )
    name = "standard input" if argument == "-" else one_line(argument, 200)
    try:
        return read_text(sys.stdin.buffer if argument == "-" else Path(argument), most)
    except OSError as error:
        raise click.UsageError(f"{name}: {error.strerror}") from None
    except IntakeError as error:
        raise click.ClickException(f"{name}: {error}") from None


class UnknownTable(click.ClickException):
    """A board with unknown cards where all must be known.

    Attributes:
        view: what it shows.
    """

    def __init__(self, message: str, view: "View") -> None:
        super().__init__(message)
        self.view = view


def read_board_argument(
    argument: str, game: "RulesOrPreset", name: str, if_unknown: str = ""
) -> Deal:
    """The deal of a board: of a file, of standard input, or a position code itself.

    Args:
        argument: file name, ``-`` or position code.
        game: the game, by default standard Spider with the suits that the board shows.
        name: of the option, for messages.
        if_unknown: what to do about unknown cards, for messages.

    Raises:
        UnknownTable: cards are unknown, and ``if_unknown`` says what to do.
        ClickException: the board is wrong or cannot be read.
    """
    from spider_solver.formats.code import is_code
    from spider_solver.formats.deals import read_one_board
    from spider_solver.formats.unchecked import UnknownCards

    text = argument if is_code(argument) else read_argument(argument)
    try:
        return _read(read_one_board, text, game, name)
    except click.ClickException as error:
        if if_unknown and isinstance(error.__cause__, UnknownCards):
            view = error.__cause__.view
            raise UnknownTable(f"{error.message}; {if_unknown}", view) from None
        raise


def read_view_argument(argument: str, game: "RulesOrPreset", name: str) -> "View":
    """The same for a table on which cards may be unknown: what it shows.

    Raises:
        ClickException: the board is wrong or cannot be read.
    """
    from spider_solver.formats.code import is_code
    from spider_solver.formats.detect import read_view

    text = argument if is_code(argument) else read_argument(argument)
    return _read(read_view, text, game, name)


def read_boards_argument(argument: str, game: "RulesOrPreset") -> list[Deal]:
    """The deals of a file of boards, or of standard input.

    Raises:
        ClickException: a board is wrong, there is none, or the file cannot be read.
    """
    from spider_solver.formats.deals import read_boards

    return _read(read_boards, read_argument(argument, MAX_BOARDS_BYTES), game, argument)


def _read(
    reader: Callable[[str, "RulesOrPreset"], Read], text: str, game: "RulesOrPreset", name: str
) -> Read:
    """What a reader makes of a text; if it cannot, the message names the games that it fits."""
    from spider_solver.formats.unchecked import BoardError

    try:
        return reader(text, game)
    except BoardError as error:
        fitting = [other for other in _other_games(game) if _reads(reader, text, other)]
        advice = f"; it fits another game: give --variant {' or '.join(fitting)}"
        raise click.ClickException(f"{name}: {error}{advice if fitting else ''}") from error


def _other_games(game: "RulesOrPreset") -> list[str]:
    """The variants with other cards or columns than a game; one name for all kinds of Spider."""
    name = game.name if isinstance(game, Rules) else "spider"
    asked = "spider" if name in WITH_SUITS else name
    games = ["spider", *(name for name in VARIANTS if name not in WITH_SUITS)]
    return [name for name in games if name != asked]


def _reads(reader: Callable[[str, "RulesOrPreset"], Read], text: str, variant: str) -> bool:
    """Whether a reader takes a text for boards of a variant."""
    from spider_solver.formats.unchecked import BoardError

    try:
        reader(text, game_of_boards(variant, None))
    except BoardError:
        return False
    return True


def chosen_rules(variant: str, suits: int | None) -> Rules:
    """The rules that ``--variant`` and ``--suits`` choose.

    Raises:
        UsageError: the game is not played with so many suits.
    """
    try:
        return VARIANTS[variant](suits or 4)
    except ValueError as error:
        raise click.UsageError(f"{error}: leave out --suits") from None


def game_of_boards(variant: str, suits: int | None) -> "RulesOrPreset":
    """The same for boards, which show their suits where those are not given.

    Raises:
        UsageError: the game is not played with so many suits.
    """
    if suits is None and variant in WITH_SUITS:
        return VARIANTS[variant]
    return chosen_rules(variant, suits)


def read_line_argument(argument: str, name: str) -> list[Move]:
    """The moves of a line: written out, or in a file.

    Args:
        argument: moves, or a file name.
        name: of the option, for messages.

    Raises:
        ClickException: it is neither.
    """
    try:
        return parse_line(argument)
    except NotationError as error:
        if not names_a(Path.is_file, argument):
            why = f"there is no file {quoted(argument)}" if Path(argument).suffix else str(error)
            raise click.ClickException(f"{name}: {why}") from None
    try:
        return parse_line(read_argument(argument))
    except NotationError as error:
        raise click.ClickException(f"{argument}: {error}") from None
