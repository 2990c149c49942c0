"""Deal numbers of other programs, bit for bit, and the text that lists seeds.

``kpat``: KPatience (its ``dealer.cpp``, ``shuffle.h`` and ``spider.cpp``), and of its games Spider
only. All that starts as Spider does has these deals, by whatever rules it is played then.

``pysol``: PySolFC, and plspider's 32,000 deals. Its deck order, shuffles and way of dealing
apply to any Rules, so every game of the family, and every tiny test game, has deals by number;
where PySolFC has the game (its ``spider.py``), they are PySolFC's. PySolFC shows two suits as
clubs and diamonds or hearts and one as clubs; here they are spades and hearts, or spades, and lie
the same. It has no Spider of three suits.

Neither is Microsoft's numbering of its own Spider, which is not public.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from spider_solver.errors import SpiderError
from spider_solver.game.cards import SUITS, Card, make_card
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules, spider
from spider_solver.text.intake import MAX_DIGITS, MAX_RANGES
from spider_solver.text.quoting import quoted

MAX_KPAT_SEED = 2**31 - 1
MAX_PYSOL_SEED = 10**20

MAX_SET_SEED = 2**63 - 1
"""The largest seed that a row of a data set can hold."""

# PySolFC shuffles with Microsoft FreeCell's generator below this seed, else by Mersenne Twister.
_MERSENNE_FROM = 32000


class NumberingError(SpiderError, ValueError):
    """A numbering, a seed or a list of seeds that deals nothing."""


@dataclass(frozen=True)
class Numbering:
    """The deal numbers of a program, from 1 on.

    Attributes:
        program: its name, for people.
        games: the games that it deals, for people.
        last: the largest number.
        deals: whether it deals a game.
        deal: the start of the deal with a number.
    """

    program: str
    games: str
    last: int
    deals: Callable[[Rules], bool]
    deal: Callable[[int, Rules], Position]


def numbered(numbering: str, seed: int, rules: Rules) -> Position:
    """The start of the deal with a number.

    Args:
        numbering: a name in ``NUMBERINGS``.
        seed: from 1 to the last number of the numbering.
        rules: the game that is dealt.

    Raises:
        NumberingError: the numbering is unknown, its program does not deal the game or the
            seed is out of range.
    """
    check_numbering(numbering, rules)
    last = NUMBERINGS[numbering].last
    if not 1 <= seed <= last:
        # Python writes out no number of thousands of digits.
        shown = seed if abs(seed) < 10**MAX_DIGITS else f"of more than {MAX_DIGITS} digits"
        longer = [name for name in _that_deal(rules) if last < seed <= NUMBERINGS[name].last]
        further = f" ({longer[0]} goes on to {NUMBERINGS[longer[0]].last})" if longer else ""
        raise NumberingError(
            f"seed {shown}: {numbering} numbers its deals from 1 to {last}{further}"
        )
    return NUMBERINGS[numbering].deal(seed, rules)


def check_numbering(numbering: str, rules: Rules) -> None:
    """Refuse a numbering that does not deal a game.

    Raises:
        NumberingError: the numbering is unknown or its program does not deal the game.
    """
    if numbering not in NUMBERINGS:
        raise NumberingError(f"unknown numbering {quoted(numbering)}: {' or '.join(NUMBERINGS)}")
    if not NUMBERINGS[numbering].deals(rules):
        raise NumberingError(
            f"{numbering} numbers deals of {NUMBERINGS[numbering].games} only: "
            f"those of {rules.name} are numbered by {' or '.join(_that_deal(rules))}"
        )


def default_numbering(rules: Rules) -> str:
    """The usual numbering of a game: ``kpat`` for the deals of Spider, otherwise ``pysol``."""
    return _that_deal(rules)[0]


def _that_deal(rules: Rules) -> list[str]:
    """The numberings that deal a game, the usual one first."""
    return [name for name, numbering in NUMBERINGS.items() if numbering.deals(rules)]


@lru_cache
def _starts_as_spider(rules: Rules) -> bool:
    """Whether a game starts as standard Spider does, however it is played then."""
    standard = spider(rules.suits)
    return (rules.pack, rules.packs, rules.ranks, rules.heights, rules.face_up) == (
        standard.pack,
        standard.packs,
        standard.ranks,
        standard.heights,
        standard.face_up,
    )


def _kpat(seed: int, rules: Rules) -> Position:
    deck = list(kpat_deck(rules))
    _shuffle(deck, _microsoft_draws(seed))
    return _start(rules, *kpat_table(rules, deck[::-1]))


@lru_cache
def kpat_deck(rules: Rules) -> tuple[Card, ...]:
    """KPatience's deck before it is shuffled; it is dealt from the end."""
    one_pack = [
        make_card(rank, SUITS.index(letter))
        for rank in range(1, rules.ranks + 1)
        for letter in rules.pack
    ]
    return tuple(one_pack * rules.packs)


def kpat_table(rules: Rules, cards: Sequence[Card]) -> tuple[list[list[Card]], list[Card]]:
    """The columns, and the stock in dealing order, that KPatience deals from cards in order."""
    rest = iter(cards)
    columns = _dealt_by_row(rest, rules.heights)
    # Each row of the stock is a pile that is dealt from its end.
    stock, width = list(rest), rules.columns
    piles = [stock[start : start + width] for start in range(0, len(stock), width)]
    return columns, [card for pile in piles for card in reversed(pile)]


def _pysol(seed: int, rules: Rules) -> Position:
    deck = list(_pysol_deck(rules))
    if seed < _MERSENNE_FROM:
        if len(deck) == 52:  # PySolFC then puts the deck in the order of Microsoft FreeCell
            deck = [deck[first + rank] for rank in range(13) for first in (0, 39, 26, 13)]
        _shuffle(deck, _microsoft_draws(seed))
    else:
        _shuffle(deck, _mersenne_draws(seed))
    cards = reversed(deck)
    heights = _spread(rules.heights)
    # One card less to each column, then a row of one on all: face down or not, and stairs too.
    below = _dealt_by_row(cards, [max(height - 1, 0) for height in heights])
    last = _dealt_by_row(cards, [min(height, 1) for height in heights])
    return _start(rules, [a + b for a, b in zip(below, last, strict=True)], list(cards))


@lru_cache
def _pysol_deck(rules: Rules) -> tuple[Card, ...]:
    """The deck before it is shuffled."""
    one_pack = [
        make_card(rank, SUITS.index(letter))
        for letter in sorted(rules.pack, key="CSHD".index)
        for rank in range(1, rules.ranks + 1)
    ]
    return tuple(one_pack * rules.packs)


NUMBERINGS = {
    "kpat": Numbering("KPatience", "Spider", MAX_KPAT_SEED, _starts_as_spider, _kpat),
    "pysol": Numbering("PySolFC", "any game", MAX_PYSOL_SEED, lambda rules: True, _pysol),
}
"""All numberings by the names that options and rows have for them.

The usual numbering of a game is the first one that deals it.
"""


def _microsoft_draws(seed: int) -> Callable[[int], int]:
    """Microsoft FreeCell's generator, as a function that draws a number below its argument."""
    state = seed

    def draw(n: int) -> int:
        nonlocal state
        state = state * 214013 + 2531011 & 0xFFFFFFFF
        return (state >> 16 & 0x7FFF) % n

    return draw


def _mersenne_draws(seed: int) -> Callable[[int], int]:
    """The Mersenne Twister as PySolFC uses it, scaling a fraction and not by ``randint``."""
    from random import Random

    fraction = Random(seed).random
    return lambda n: int(fraction() * n)


def _shuffle(deck: list[Card], draw: Callable[[int], int]) -> None:
    """Shuffle from the end, in place, each card with one not above it."""
    for last in range(len(deck) - 1, 0, -1):
        other = draw(last + 1)
        deck[last], deck[other] = deck[other], deck[last]


def _spread(heights: Sequence[int]) -> list[int]:
    """Heights as PySolFC lays out a table that is even but for a few odd cards.

    The odd cards go from the first column to the last at even distances: in Spider to columns
    1, 4, 7 and 10. A table with a shape of its own, such as Spiderette's stairs, stays.
    """
    low, width = min(heights), len(heights)
    odd = sum(heights) - low * width
    if max(heights) - low > 1 or odd == 0:
        return list(heights)
    taller = {place * (width - 1) // max(odd - 1, 1) for place in range(odd)}
    return [low + (column in taller) for column in range(width)]


def _dealt_by_row(cards: Iterator[Card], heights: Sequence[int]) -> list[list[Card]]:
    """Columns of the given heights, dealt row by row to those that still have room."""
    columns: list[list[Card]] = [[] for _ in heights]
    for row in range(max(heights)):
        for column, height in zip(columns, heights, strict=True):
            if row < height:
                column.append(next(cards))
    return columns


def _start(rules: Rules, columns: Iterable[Sequence[Card]], stock: Iterable[Card]) -> Position:
    table = tuple(map(tuple, columns))
    face_down = tuple(max(len(cards) - rules.face_up, 0) for cards in table)
    return Position(rules, table, face_down, tuple(stock)).settled()


def parse_seeds(text: str) -> list[range]:
    """The seeds that a text such as ``1-1000,2000,5000-5010`` lists.

    Returns:
        Ranges in ascending order that neither overlap nor touch, whatever the order and
        overlaps of the text.

    Raises:
        NumberingError: a part of the text is no seed and no range of seeds.
    """
    parts = text.split(",", MAX_RANGES)
    if len(parts) > MAX_RANGES:
        raise NumberingError(f"more than {MAX_RANGES:,} ranges of seeds")
    merged: list[range] = []
    for part in sorted(map(_parse_seed_range, parts), key=lambda part: part.start):
        if merged and part.start <= merged[-1].stop:
            merged[-1] = range(merged[-1].start, max(merged[-1].stop, part.stop))
        else:
            merged.append(part)
    return merged


def _parse_seed_range(text: str) -> range:
    first, dash, last = (part.strip() for part in text.partition("-"))
    if not _is_number(first) or (dash and not _is_number(last)):
        raise NumberingError(
            f"seeds {quoted(text.strip())}: not a number or a range such as 1-1000"
        )
    if max(len(first), len(last)) > MAX_DIGITS:
        raise NumberingError(f"seeds {quoted(text.strip())}: more than {MAX_DIGITS} digits")
    start, end = int(first), int(last or first)
    if not 1 <= start <= end:
        raise NumberingError(f"seeds {quoted(text.strip())}: seeds start at 1 and ranges ascend")
    return range(start, end + 1)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()
