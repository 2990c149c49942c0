"""What every drawing of cards is made of: shapes of the suits, colours, rank names."""

from spider_solver.game.cards import SUITS, Card, card_symbol, suit

SUIT_PATHS = {
    "C": "M50 4a20 20 0 0 1 15.5 32.6a20.5 20.5 0 1 1-12 33.9q1.5 16.5 12.5 23.5h-32"
    "q11-7 12.5-23.5a20.5 20.5 0 1 1-12-33.9a20 20 0 0 1 15.5-32.6z",
    "D": "M50 3q15 26 35 47q-20 21-35 47q-15-26-35-47q20-21 35-47z",
    "H": "M50 94c-12-21-42-38-42-62a22.5 22.5 0 0 1 42-11.5a22.5 22.5 0 0 1 42 11.5"
    "c0 24-30 41-42 62z",
    "S": "M50 4c12 21 41 37 41 58.5a19.5 19.5 0 0 1-37.3 8q1.3 16.5 12.3 23.5h-32q11-7 12.3-23.5"
    "a19.5 19.5 0 0 1-37.3-8c0-21.5 29-37.5 41-58.5z",
}
"""The outline of each suit, in a square of 100 by 100."""

RED, BLACK = "#c4262e", "#1a1f2b"
PAPER, FELT, FELT_EDGE, BACK, GOLD = "#fffdf8", "#1b7a52", "#0d4a33", "#2f5597", "#ffc53d"
FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"


def ink(card: Card) -> str:
    """The colour of a card."""
    return RED if SUITS[suit(card)] in "DH" else BLACK


def rank_name(card: Card) -> str:
    """The rank as it stands on a card: ``K``, ``10``."""
    return card_symbol(card)[:-1]
