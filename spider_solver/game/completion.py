"""Hidden cards from the number of a deal: they lie as they were dealt.

A card that lies face down has never moved, and nor has the first face-up card on top of face-down
ones: had it left, the card below it would have turned up. So as far as that card each column is
still a prefix of what was dealt to it; and the stock is what the deal's stock ends with.
"""

from dataclasses import replace
from itertools import zip_longest

from spider_solver.game.cards import UNKNOWN, Card, card_text
from spider_solver.game.notation import column_letter
from spider_solver.game.position import Position, PositionError
from spider_solver.game.view import View


def complete(view: View, start: Position) -> Position:
    """The position that a view is of, in a game that began as a given deal did.

    Args:
        view: the table.
        start: the start of the deal, of the same game.

    Raises:
        PositionError: the table does not come from this deal; the message says where it differs.
    """
    columns = []
    for column, (cards, down) in enumerate(zip(view.columns, view.face_down, strict=True)):
        settled = down + 1 if down else 0  # cards that never moved
        dealt = start.columns[column][:settled]
        _compare(cards[:settled], dealt, f"of column {column_letter(column)}")
        columns.append(dealt + cards[len(dealt) :])
    stock = start.stock[len(start.stock) - len(view.stock) :]
    _compare(view.stock, stock, "of the stock")
    position = replace(view, columns=tuple(columns), stock=stock).filled(())
    try:
        position.check()
    except PositionError as error:
        raise PositionError(f"with the hidden cards of the deal, {error}") from None
    return position


def _compare(shown: tuple[Card, ...], dealt: tuple[Card, ...], where: str) -> None:
    """Refuse known cards that are not those dealt to the same places."""
    for place, (card, other) in enumerate(zip_longest(shown, dealt, fillvalue=UNKNOWN), start=1):
        if other == UNKNOWN:
            raise PositionError(f"card {place} {where}: the deal has no card there")
        if card not in (UNKNOWN, other):
            raise PositionError(
                f"card {place} {where} is {card_text(card)}, but the deal has {card_text(other)}"
            )
