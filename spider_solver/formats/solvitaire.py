"""The JSON of Solvitaire, https://github.com/thecharlieblake/Solvitaire.

For example::

    {"tableau piles": [["3d", "10S"], [], ["KH"]],
     "stock": ["9S", "QH"],
     "foundations": [["AS", "2S", "3S"], []]}

Piles run from the deepest card to the last one. A suit in lower case marks a card that lies face
down; ranks are A, 2 to 10, J, Q, K or plain numbers up to 13. The stock is a pile too: its last
card is dealt first. A foundation holds a completed run or nothing. In a deal that no card has
been moved in, with no suit in lower case at all, the cards are taken to lie as they are dealt.
"""

import json
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

from spider_solver.formats.format import Format
from spider_solver.formats.unchecked import BoardError, Cell, UncheckedBoard
from spider_solver.game.cards import RANKS, SUITS, UNKNOWN, Card, card_text, make_card, rank, suit
from spider_solver.game.notation import column_letter
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules
from spider_solver.text.intake import MAX_TEXT
from spider_solver.text.quoting import quoted

_log = logging.getLogger(__name__)

_PILES, _STOCK, _FOUNDATIONS = "tableau piles", "stock", "foundations"
_DECODER = json.JSONDecoder()
_USUAL_LENGTH = 8192  # of a board, in characters
_SPACE = re.compile(r"[\s,]*")
_NUMBERS = {"1": 1, "10": 10, "11": 11, "12": 12, "13": 13}
_RANKS = {name: number for number, name in enumerate(RANKS, start=1)} | _NUMBERS


def claims(text: str, rules: Rules | None = None) -> bool:
    """Whether a text can only be meant as JSON."""
    return text.lstrip()[:1] in ("{", "[")


def parse_solvitaire(text: str, rules: Rules | None = None) -> UncheckedBoard:
    """The board of a JSON object of Solvitaire's.

    Raises:
        BoardError: the text is no such object.
    """
    with _one_line():
        decoded = json.loads(text)
    board = _unchecked(decoded, rules.ranks if rules else len(RANKS))
    rules = rules or board.rules_shown()
    if _is_unmarked_deal(board, rules):
        for cells in board.columns:
            hidden = max(len(cells) - rules.face_up, 0)
            cells[:hidden] = [replace(cell, face_down=True) for cell in cells[:hidden]]
        _tell_of_fresh_deal()
    return board


@cache
def _tell_of_fresh_deal() -> None:
    """Say, once however many boards there are, that cards were taken to lie face down."""
    _log.warning("read as a fresh deal: the lower cards of each column are face down")


def split_solvitaire(text: str) -> Iterator[tuple[int, str]]:
    """The boards of a text that holds several, each with the number of lines before it.

    They are the elements of an array, or objects one after the other, such as one a line.

    Raises:
        BoardError: an array is left open, or something follows it.
    """
    is_array = text.lstrip().startswith("[")
    at, line, counted = (text.index("[") + 1 if is_array else 0), 0, 0
    while (at := _past_space(text, at)) < len(text) and text[at] != "]":
        end = _end_of_value(text, at)
        line += text.count("\n", counted, at)
        yield line, text[at:end]
        at, counted = end, at
    if is_array != text.startswith("]", at) or text[at + 1 :].strip():
        raise BoardError("the array of boards has no end, or something after it")


def _end_of_value(text: str, at: int) -> int:
    """Where the board ends that begins at a place of a text.

    If it is no JSON this is after what is wrong with it, and beyond ``MAX_TEXT`` if it is longer.
    """
    error: Exception | None = None
    for length in (_USUAL_LENGTH, MAX_TEXT):
        piece = text[at : at + length]
        try:
            return at + _DECODER.raw_decode(piece)[1]
        except (ValueError, RecursionError) as caught:
            error = caught
    is_cut = at + len(piece) < len(text) and getattr(error, "pos", 0) > len(piece) - 100
    return at + len(piece) + is_cut


def _past_space(text: str, at: int) -> int:
    """Where white space and commas end that begin at a place of a text."""
    space = _SPACE.match(text, at)
    return space.end() if space else at


@contextmanager
def _one_line() -> Iterator[None]:
    """Say in one line what is wrong with JSON."""
    try:
        yield
    except json.JSONDecodeError as error:
        raise BoardError(f"line {error.lineno}, character {error.colno}: {error.msg}") from None
    except RecursionError:
        raise BoardError("no board: lists within lists without end") from None
    except ValueError:
        raise BoardError("no board: a number of thousands of digits") from None


def write_solvitaire(position: Position) -> str:
    """The JSON of a position, a pile a line."""
    piles = [
        [_card_text(card, height < face_down) for height, card in enumerate(cards)]
        for cards, face_down in zip(position.columns, position.face_down, strict=True)
    ]
    entries = [f'"{_PILES}": {_lines(piles)}']
    if position.stock:
        entries.append(f'"{_STOCK}": {json.dumps(list(map(_card_text, position.stock[::-1])))}')
    if position.completed:
        ranks = range(1, position.rules.ranks + 1)
        runs = [[_card_text(make_card(r, done)) for r in ranks] for done in position.completed]
        runs += [[] for _ in range(position.rules.runs - len(runs))]
        entries.append(f'"{_FOUNDATIONS}": {_lines(runs)}')
    return "{" + ",\n ".join(entries) + "}\n"


def _lines(piles: Iterable[Sequence[str]]) -> str:
    return "[\n  " + ",\n  ".join(map(json.dumps, piles)) + "]"


def _card_text(card: Card, face_down: bool = False) -> str:
    letter = SUITS[suit(card)]
    name = card_text(card)[0].replace("T", "10")
    return name + (letter.lower() if face_down else letter)


def _unchecked(decoded: Any, ranks: int) -> UncheckedBoard:
    """The board of decoded JSON in a game with so many ranks."""
    if not isinstance(decoded, dict):
        raise BoardError(f'no board: an object with "{_PILES}" is expected')
    for key in decoded:
        if key not in (_PILES, _STOCK, _FOUNDATIONS):
            raise BoardError(f"{quoted(key)} has no place in Spider")
    if _PILES not in decoded:
        raise BoardError(f'"{_PILES}" are missing')
    columns = [
        list(_cells(pile, f"column {column_letter(number)}"))
        for number, pile in enumerate(_list(decoded[_PILES], _PILES))
    ]
    stock = list(_cells(decoded.get(_STOCK, []), _STOCK))[::-1]
    runs = _list(decoded.get(_FOUNDATIONS, []), _FOUNDATIONS)
    completed = [
        _run(pile, ranks, f"foundation {place}") for place, pile in enumerate(runs, 1) if pile
    ]
    return UncheckedBoard(columns, stock, tuple(completed), _FOUNDATIONS)


def _list(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise BoardError(f"{place}: a list is expected, not {_brief(value)}")
    return value


def _brief(value: Any) -> str:
    """What stands in the place of something else, for messages."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return json.dumps(value)[:30]


def _cells(pile: Any, place: str) -> Iterator[Cell]:
    for name in _list(pile, place):
        if not isinstance(name, str):
            raise BoardError(f"{place}: a card is expected, not {_brief(name)}")
        if name in ("?", "??"):
            yield Cell(UNKNOWN, place)
            continue
        number, letter = _RANKS.get(name[:-1].upper()), name[-1:]
        if number is None or letter.upper() not in SUITS:
            raise BoardError(f"{place}: unknown card {quoted(name)}")
        face_down = letter.islower() and place != _STOCK
        yield Cell(make_card(number, SUITS.index(letter.upper())), place, face_down)


def _run(pile: Any, ranks: int, place: str) -> int:
    """The suit of a foundation, which must hold a complete run, in whatever order."""
    cards = [cell.card for cell in _cells(pile, place)]
    if {suit(c) for c in cards} != {suit(cards[0])} or sorted(map(rank, cards)) != [
        *range(1, ranks + 1)
    ]:
        raise BoardError(f"{place}: not a complete run of one suit")
    return suit(cards[0])


def _is_unmarked_deal(board: UncheckedBoard, rules: Rules) -> bool:
    """Whether a board is as dealt, but does not say which cards lie face down."""
    return (
        sorted(map(len, board.columns)) == sorted(rules.heights)
        and len(board.stock) == rules.stock_size > 0
        and not any(cell.face_down for cells in board.columns for cell in cells)
    )


SOLVITAIRE = Format("solvitaire", claims, parse_solvitaire, write_solvitaire, split_solvitaire)
read_solvitaire = SOLVITAIRE.read
