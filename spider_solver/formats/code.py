"""The position code as a format of its own; ``notation`` and ``position`` define it."""

from collections.abc import Iterator

from spider_solver.formats.format import Format, without_comments
from spider_solver.formats.unchecked import BoardError, Cell, UncheckedBoard
from spider_solver.game.cards import UNKNOWN, Card, parse_card
from spider_solver.game.notation import NotationError, PositionParts, column_letter, parse_code
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules


def claims(text: str, rules: Rules | None = None) -> bool:
    """Whether a text can only be meant as a position code, right or wrong: a ``/`` early on."""
    return "/" in without_comments(text).partition(" ")[0]


def is_code(text: str) -> bool:
    """Whether a text looks like a whole position code and not like the name of a file."""
    parts = text.split()
    return len(parts) == 3 and "/" in parts[0]


def parse_code_board(text: str, rules: Rules | None = None) -> UncheckedBoard:
    """The board of a position code; white space around its parts and ``#`` comments do not matter.

    Raises:
        BoardError: the text is no position code.
    """
    try:
        parts = parse_code(without_comments(text), _card)
    except NotationError as error:
        raise BoardError(str(error)) from None
    return _unchecked(parts)


def split_codes(text: str) -> Iterator[tuple[int, str]]:
    """The position codes of a text that has one a line, each with the number of lines before it.

    Empty lines and ``#`` comments do not count.
    """
    for number, line in enumerate(text.splitlines()):
        code = line.partition("#")[0].strip()
        if code:
            yield number, code


def write_code(position: Position) -> str:
    """The position code of a position, with a line end."""
    return f"{position.code}\n"


def _card(text: str) -> Card:
    return UNKNOWN if text == "??" else parse_card(text)


def _unchecked(parts: PositionParts) -> UncheckedBoard:
    columns = [
        [
            Cell(card, f"column {column_letter(number)}", face_down=height < face_down)
            for height, card in enumerate(cards)
        ]
        for number, (cards, face_down) in enumerate(
            zip(parts.columns, parts.face_down, strict=True)
        )
    ]
    stock = [Cell(card, "stock") for card in parts.stock]
    return UncheckedBoard(columns, stock, parts.completed, "completed runs")


CODE = Format("code", claims, parse_code_board, write_code, split_codes)
read_code = CODE.read
