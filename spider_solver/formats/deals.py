"""Boards as deals: their numbering is ``board``, their seed their place in the file."""

from spider_solver.formats.detect import RulesOrPreset, read_position, read_positions
from spider_solver.game.deal import FROM_TEXT, Deal


def read_boards(text: str, game: RulesOrPreset = None) -> list[Deal]:
    """The deals of a file of boards in any one format, numbered from 1 by their place in it.

    Args:
        text: the file.
        game: the game, by default standard Spider with the suits that each board shows.

    Raises:
        BoardError: a board is wrong, or there is none; the message says which one, and names the
            line of the file.
    """
    positions = read_positions(text, game)
    return [Deal(position, FROM_TEXT, place) for place, position in enumerate(positions, start=1)]


def read_one_board(text: str, game: RulesOrPreset = None) -> Deal:
    """The deal of one board, in any format.

    Raises:
        BoardError: the board is wrong.
    """
    return Deal(read_position(text, game), FROM_TEXT, 1)
