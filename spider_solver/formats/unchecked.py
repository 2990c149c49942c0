"""What every board format is read into: cells that know where in the text they stand.

From here on all formats share the checks, the messages and the treatment of unknown cards.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from spider_solver.errors import SpiderError
from spider_solver.game.cards import SUITS, Card, CardError, card_text, make_card, parse_card, suit
from spider_solver.game.notation import column_letter
from spider_solver.game.position import Position, PositionError, rules_shown
from spider_solver.game.rules import Rules, spider
from spider_solver.game.words import count_words, list_words
from spider_solver.text.quoting import quoted

UNKNOWN: Card = 0
"""Stands for an unknown card, written ``??``; 0 is never a card."""

_FACE_DOWN = re.compile(r"<([^<>]*)>")
_SYMBOLS = str.maketrans("♣♦♥♠♧♢♡♤", "CDHSCDHS")
_MOST_GAPS = 4  # in the unknown cards of a column, as a message tells their places
_EMOJI = "\ufe0f"  # follows a suit symbol that came from a phone


class BoardError(SpiderError, ValueError):
    """A text that is no board; one line that names the place in the text and the card."""


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

        An unknown card is filled in where the rest of the deck leaves no choice.

        Args:
            rules: the game, by default standard Spider with the suits that the board shows.

        Raises:
            BoardError: the cards make no position of the game, or some cannot be known.
        """
        rules = rules or self.rules_shown()
        try:
            face_down = tuple(map(face_down_count, self.columns))
            missing = self._missing(rules)
            fill = missing.elements()
            position = Position(
                rules,
                tuple(tuple(_filled(cells, fill)) for cells in self.columns),
                face_down,
                tuple(_filled(self.stock, fill)),
                tuple(sorted(self.completed)),
            )
            position.check()
        except PositionError as error:
            raise BoardError(f"{self._place(error, rules)}{error}") from None
        if len(missing) > 1:
            raise BoardError(self._cannot_be_known(missing, rules))
        return position.settled()

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

    def _missing(self, rules: Rules) -> Counter[Card]:
        """The cards of the deck for which the board has only unknown ones.

        Raises:
            PositionError: there are not as many unknown cards as the deck leaves.
        """
        found = Counter(card for card, _ in self._cards(rules))
        unknown = found.pop(UNKNOWN, 0)
        if not unknown:
            return Counter()  # whatever is wrong with the cards, the position will say
        deck = Counter(
            {
                make_card(rank, number): rules.copies(number)
                for number in range(len(SUITS))
                for rank in range(1, rules.ranks + 1)
            }
        )
        for card in found - deck:
            message = f"{found[card]} copies of {card_text(card)}, the deck has {deck[card]}"
            raise PositionError(message, card)
        missing = deck - found
        if unknown != missing.total():
            raise PositionError(
                f"{count_words(unknown, 'unknown card')}, but the board lacks {missing.total()} "
                f"of a deck of {_suits_text(rules)}: {_count_text(missing)}"
            )
        return missing

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

    def _cannot_be_known(self, missing: Counter[Card], rules: Rules) -> str:
        piles = [(f"column {column_letter(i)}", cells) for i, cells in enumerate(self.columns)]
        where = [
            f"{name} {_ranges([cell.card == UNKNOWN for cell in cells])}"
            for name, cells in (*piles, ("stock", self.stock))
            if any(cell.card == UNKNOWN for cell in cells)
        ]
        return (
            f"{missing.total()} cards cannot be known, so nothing can be proved: "
            f"{list_words(where)} (counted from the deepest card, the stock in dealing order); "
            f"missing from a deck of {_suits_text(rules)}: {_count_text(missing)}"
        )


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


def _filled(cells: Iterable[Cell], cards: Iterator[Card]) -> Iterator[Card]:
    """The cards of cells, the unknown ones taken from ``cards``."""
    return (cell.card or next(cards) for cell in cells)


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


def _count_text(cards: Counter[Card]) -> str:
    """Cards by suit and rank, each with its count: ``AC (2), 2C (1)``."""
    return list_words([f"{card_text(card)} ({count})" for card, count in sorted(cards.items())])


def _suits_text(rules: Rules) -> str:
    return count_words(rules.suits, "suit")
