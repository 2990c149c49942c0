"""A card is one small integer, suit and rank, with text both ways.

``card = suit * 16 + rank`` fits a byte: suits are C, D, H, S = 0..3 and ranks run from the
ace, 1, to the king, 13. So ``card - 1`` is the next lower card of the same suit, and 0 is
never a card: it stands for one that is not known.
"""

from collections.abc import Iterable

from spider_solver.errors import SpiderError
from spider_solver.text.quoting import quoted

Card = int

UNKNOWN: Card = 0
"""Stands for a card that is not known, written ``??``."""

SUITS = "CDHS"
RANKS = "A23456789TJQK"

_SYMBOLS = "♣♦♥♠"


class CardError(SpiderError, ValueError):
    """A text that names no card."""


def make_card(rank: int, suit: int) -> Card:
    """The card of a rank (1 = ace .. 13 = king) and a suit (0..3 = C, D, H, S)."""
    return suit * 16 + rank


def rank(card: Card) -> int:
    """The rank of a card, 1 (ace) to 13 (king)."""
    return card & 15


def suit(card: Card) -> int:
    """The suit of a card, an index into ``SUITS``."""
    return card >> 4


_TEXTS = {UNKNOWN: "??"} | {
    make_card(rank, suit): RANKS[rank - 1] + SUITS[suit]
    for suit in range(len(SUITS))
    for rank in range(1, len(RANKS) + 1)
}


def card_text(card: Card) -> str:
    """A card as two characters, rank and suit: ``KS``, ``TH``, ``AC``; ``??`` if unknown."""
    return _TEXTS[card]


def card_symbol(card: Card) -> str:
    """A card for people, with the suit's symbol: ``K♠``, ``10♥``."""
    return f"{card_text(card)[0].replace('T', '10')}{_SYMBOLS[suit(card)]}"


_BY_TEXT = {
    name: card for card, text in _TEXTS.items() if card != UNKNOWN for name in (text, text.lower())
}


def cards_text(cards: Iterable[Card]) -> str:
    """Cards as text, two characters each, one after the other."""
    return "".join(map(_TEXTS.__getitem__, cards))


def parse_card(text: str) -> Card:
    """The card that a text names, in upper or lower case; a ten is ``T`` or ``10``.

    Raises:
        CardError: the text names no card.
    """
    card = _BY_TEXT.get(text)
    if card is None:
        name = text.upper()
        card = _BY_TEXT.get("T" + name[2:] if name.startswith("10") else name)
    if card is None:
        raise CardError(f"unknown card {quoted(text)}")
    return card
