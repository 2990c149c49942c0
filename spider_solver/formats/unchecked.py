"""What every board format is read into: cells that know where in the text they stand.

From here on all formats share the checks, the messages and the treatment of unknown cards.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from spider_solver.errors import SpiderError
from spider_solver.game.cards import (
    SUITS,
    UNKNOWN,
    Card,
    CardError,
    card_text,
    make_card,
    parse_card,
    suit,
)
from spider_solver.game.notation import column_letter
from spider_solver.game.position import Position, PositionError, rules_shown
from spider_solver.game.rules import Rules, spider
from spider_solver.game.view import View, counts_text
from spider_solver.game.words import count_words, list_words
from spider_solver.text.quoting import quoted

_FACE_DOWN = re.compile(r"<([^<>]*)>")
_SYMBOLS = str.maketrans("♣♦♥♠♧♢♡♤", "CDHSCDHS")
_MOST_GAPS = 4  # in the unknown cards of a column, as a message tells their places
_EMOJI = "\ufe0f"  # follows a suit symbol that came from a phone


class BoardError(SpiderError, ValueError):
    """A text that is no board; one line that names the place in the text and the card."""


class UnknownCards(BoardError):
    """A board with cards that cannot be known, where all must be.

    Attributes:
        view: what the board shows; not checked is whether what lies face up is known.
    """

    def __init__(self, message: str, view: View) -> None:
        super().__init__(message)
        self.view = view


@dataclass(frozen=True, slots=True)
class Cell:
    """A card of a board text.

    Attributes:
        card: the card, or ``UNKNOWN``.
        place: where in the text it stands, for messages: ``line 3``, ``column b``.
        face_down: whether the text says that it lies face down.
    """

    card: Card
    place: str
    face_down: bool = False


def read_cell(token: str, place: str) -> Cell:
    """A card as people write it: ``KS``, ``10h``, ``9♥``, face down ``<KS>``, unknown ``??``.

    Raises:
        BoardError: the token is no card.
    """
    hidden = _FACE_DOWN.fullmatch(token)
    name = hidden[1] if hidden else token
    if name in ("?", "??"):
        return Cell(UNKNOWN, place, hidden is not None)
    try:
        card = parse_card(name.translate(_SYMBOLS).replace(_EMOJI, ""))
    except CardError:
        raise BoardError(f"{place}: unknown card {quoted(name)}") from None
    return Cell(card, place, hidden is not None)


@dataclass(slots=True)
class UncheckedBoard:
    """A board as it was read, with nothing checked yet.

    Attributes:
        columns: the cells of each column from the left, deepest first.
        stock: the stock in dealing order.
        completed: the suits of the completed runs.
        completed_place: where the text says so.
    """

    columns: list[list[Cell]] = field(default_factory=list)
    stock: list[Cell] = field(default_factory=list)
    completed: tuple[int, ...] = ()
    completed_place: str = ""

    def position(self, rules: Rules | None = None) -> Position:
        """The position of the board, settled.

        Unknown cards are filled in where the rest of the deck leaves no choice.

        Args:
            rules: the game, by default standard Spider with the suits that the board shows.

        Raises:
            BoardError: the cards make no position of the game.
            UnknownCards: some of them cannot be known.
        """
        rules = rules or self.rules_shown()
        view = self._view(rules)
        unseen = view.unseen
        if len(unseen) > 1:
            raise UnknownCards(self._cannot_be_known(view), view)
        return view.filled(unseen.elements()).settled()

    def view(self, rules: Rules | None = None) -> View:
        """What the board shows of a table, on which cards may be unknown.

        A stock that is missing, or a ``??`` alone, stands for as many unknown cards as the rest
        of the deck leaves.

        Raises:
            BoardError: the cards make no table of the game, or a card that lies face up is
                unknown.
        """
        rules = rules or self.rules_shown()
        view = self._view(rules)
        try:
            view.check()
        except PositionError as error:
            raise BoardError(f"{self._place(error, rules)}{error}") from None
        return view

    def _view(self, rules: Rules) -> View:
        """The view of the board, whose cards make a deck, whichever of them are known."""
        try:
            view = View(
                rules,
                tuple(tuple(cell.card for cell in cells) for cells in self.columns),
                tuple(map(face_down_count, self.columns)),
                tuple(cell.card for cell in self.stock),
                tuple(sorted(self.completed)),
            )
            view = _with_whole_stock(view)
            view.filled(view.unseen.elements()).check()
        except PositionError as error:
            raise BoardError(f"{self._place(error, rules)}{error}") from None
        return view

    def rules_shown(self) -> Rules:
        """Standard Spider with the suits that the board shows; the fewest if cards are unknown.

        Raises:
            BoardError: no standard game has these suits.
        """
        columns = [[cell.card for cell in cells] for cells in self.columns]
        stock = [cell.card for cell in self.stock]
        if UNKNOWN not in {card for cards in (*columns, stock) for card in cards}:
            try:
                return rules_shown(columns, stock, self.completed)
            except PositionError as error:
                raise BoardError(str(error)) from None
        shown = {suit(card) for cards in (*columns, stock) for card in cards if card}
        letters = {SUITS[number] for number in shown | set(self.completed)}
        return next(rules for rules in map(spider, (1, 2, 3, 4)) if letters <= set(rules.pack))

    def _cards(self, rules: Rules) -> Iterator[tuple[Card, str]]:
        """Every card of the board with its place, those of completed runs first."""
        for number in self.completed:
            for rank in range(1, rules.ranks + 1):
                yield make_card(rank, number), self.completed_place
        for cells in (self.stock, *self.columns):
            for cell in cells:
                yield cell.card, cell.place

    def _place(self, error: PositionError, rules: Rules) -> str:
        """``line 3: ``, where all that an error names stands, or nothing if it stands nowhere."""
        if error.in_stock:
            return f"{self.stock[0].place}: "
        if error.column is not None:
            return f"{self.columns[error.column][-1].place}: "
        if error.card is None:
            return ""
        places = [place for card, place in self._cards(rules) if card == error.card]
        if len(places) <= rules.copies(suit(error.card)):
            return ""  # too few, and where the others belong is unknown
        return f"{_joined(places)}: "

    def _cannot_be_known(self, view: View) -> str:
        piles = [(f"column {column_letter(i)}", cards) for i, cards in enumerate(view.columns)]
        where = [
            f"{name} {_ranges([card == UNKNOWN for card in cards])}"
            for name, cards in (*piles, ("stock", view.stock))
            if UNKNOWN in cards
        ]
        return (
            f"{view.unknown} cards cannot be known, so nothing can be proved: "
            f"{list_words(where)} (counted from the deepest card, the stock in dealing order); "
            f"missing from a deck of {count_words(view.rules.suits, 'suit')}: "
            f"{counts_text(view.unseen)}"
        )


def _with_whole_stock(view: View) -> View:
    """A view of a board that leaves its stock out, or says ``??``: all that the deck leaves."""
    if view.stock not in ((), (UNKNOWN,)) or not view.unknown:
        return view
    in_columns = sum(map(len, view.columns))
    rules = view.rules
    size = rules.deck_size - in_columns - len(view.completed) * rules.ranks
    if size not in rules.stock_sizes:
        return view
    return replace(view, stock=(UNKNOWN,) * size)


def face_down_count(cells: Sequence[Cell]) -> int:
    """How many cards of a column lie face down; an unknown one does unless it is the last.

    Raises:
        BoardError: a card lies face down on one that is face up.
    """
    count = 0
    for height, cell in enumerate(cells):
        last = height == len(cells) - 1
        if cell.face_down or (cell.card == UNKNOWN and not last):
            if count < height:
                name = card_text(cell.card) if cell.card else "??"
                raise BoardError(f"{cell.place}: <{name}> face down on a face-up card")
            count += 1
    return count


def _joined(places: Iterable[str]) -> str:
    """Places in the order of the text, lines as ``lines 1, 2``."""
    distinct = list(dict.fromkeys(places))
    numbers = [re.fullmatch(r"line (\d+)", place) for place in distinct]
    lines = sorted(int(number[1]) for number in numbers if number)
    if len(lines) < len(distinct) or len(lines) == 1:
        return list_words(distinct)
    return f"lines {list_words(list(map(str, lines)))}"


def _ranges(flags: Sequence[bool]) -> str:
    """The places of those that hold, from 1: ``1-4+7``."""
    places = [place for place, holds in enumerate(flags, start=1) if holds]
    parts: list[list[int]] = []
    for place in places:
        if parts and parts[-1][-1] == place - 1:
            parts[-1].append(place)
        else:
            parts.append([place])
    texts = [f"{part[0]}-{part[-1]}" if part[1:] else str(part[0]) for part in parts]
    return "+".join(texts[:_MOST_GAPS]) + "+..." * (len(texts) > _MOST_GAPS)
