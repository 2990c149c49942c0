"""Everything in which the games of the Spider family differ, as one frozen value.

The engines read these fields; no game is a special case in code.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from spider_solver.errors import SpiderError
from spider_solver.game.cards import RANKS, SUITS, Card, make_card

MAX_COLUMNS = 26  # a column is one letter in move text


class RulesError(SpiderError, ValueError):
    """Values that no game can be dealt with."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of one game.

    Attributes:
        name: the preset's name, as in ``--variant`` and in the rows of a data set.
        pack: the suits of one pack, one letter for each run in it: ``CDHS`` for four suits,
            ``HSHS`` for two (the order is KPatience's and matters to its deal numbers only).
        packs: number of packs in the deck.
        ranks: cards of a complete run, from the ace up to this rank.
        heights: cards dealt to each column at the start, from the left; the rest of the deck
            is the stock. Some numberings put a row's odd cards on other columns.
        face_up: how many cards at the end of each column start face up.
        deal_over_empty: a row may be dealt while a column is empty.
        group_moves: a descending sequence of any suits moves as one piece, not only a run.
        optional_removal: a complete run leaves when the player says so, as an action of its
            own, instead of at once.

    Raises:
        RulesError: no game can be dealt with these values.
    """

    name: str
    pack: str
    packs: int = 2
    ranks: int = 13
    heights: tuple[int, ...]
    face_up: int = 1
    deal_over_empty: bool = False
    group_moves: bool = False
    optional_removal: bool = False

    def __post_init__(self) -> None:
        if not self.pack or not set(self.pack) <= set(SUITS):
            raise RulesError(f"pack {self.pack!r} is not made of the suits {SUITS}")
        if not 2 <= self.ranks <= len(RANKS):
            raise RulesError(f"ranks must be 2 to {len(RANKS)}, not {self.ranks}")
        if not 1 <= self.columns <= MAX_COLUMNS:
            raise RulesError(f"a game has 1 to {MAX_COLUMNS} columns, not {self.columns}")
        if self.packs < 1 or self.face_up < 1 or min(self.heights) < 0:
            raise RulesError("packs and face_up must be at least 1, heights at least 0")
        if self.stock_size < 0:
            raise RulesError(f"{sum(self.heights)} cards dealt from a deck of {self.deck_size}")

    @property
    def columns(self) -> int:
        """Number of columns, which is also the length of a full stock row."""
        return len(self.heights)

    @property
    def suits(self) -> int:
        """Number of different suits."""
        return len(set(self.pack))

    @property
    def runs(self) -> int:
        """Complete runs that win the game."""
        return len(self.pack) * self.packs

    @property
    def deck_size(self) -> int:
        """Cards in the game."""
        return self.runs * self.ranks

    @property
    def stock_size(self) -> int:
        """Cards in the stock at the start."""
        return self.deck_size - sum(self.heights)

    @property
    def stock_rows(self) -> int:
        """Rows in the stock at the start; the last one may be short."""
        return -(-self.stock_size // self.columns)

    @property
    def stock_sizes(self) -> list[int]:
        """Cards that the stock may hold: whole rows are dealt, the last one may be short."""
        return [*range(self.stock_size, 0, -self.columns), 0]

    def deck(self) -> Counter[Card]:
        """Every card of the deck with its copies."""
        return Counter(
            {
                make_card(rank, suit): self.copies(suit)
                for suit in range(len(SUITS))
                for rank in range(1, self.ranks + 1)
                if self.copies(suit)
            }
        )

    def copies(self, suit: int) -> int:
        """How many of each card of a suit (0..3 = C, D, H, S) the deck holds."""
        return self.pack.count(SUITS[suit]) * self.packs


# The suits of a pack as KPatience composes it (its spider.cpp).
_PACKS = {1: "SSSS", 2: "HSHS", 3: "CSHS", 4: "CDHS"}


def spider(suits: int = 4) -> Rules:
    """Standard Spider: two packs, ten columns, 54 cards dealt, five rows of ten in the stock.

    Args:
        suits: 1 (spades), 2 (spades and hearts), 3 (clubs, spades twice, hearts) or 4.

    Raises:
        RulesError: any other number of suits.
    """
    if suits not in _PACKS:
        raise RulesError(f"Spider has 1 to 4 suits, not {suits}")
    return Rules(name="spider", pack=_PACKS[suits], heights=(6,) * 4 + (5,) * 6)


def spider_of_suits(suits: Iterable[int]) -> Rules:
    """Standard Spider with exactly the given suits (0..3 = C, D, H, S), as text shows them.

    Raises:
        RulesError: no standard game has these suits.
    """
    letters = {SUITS[suit] for suit in suits}
    for count, pack in _PACKS.items():
        if letters == set(pack):
            return spider(count)
    found = " ".join(sorted(letters)) or "none"
    raise RulesError(
        f"suits {found}: Spider is played with S, with H S, with C H S or with C D H S"
    )


def tiny(columns: int, ranks: int, suits: int, copies: int, hidden: int, rows: int) -> Rules:
    """A small game that brute force settles, for tests.

    The deck of ``suits * copies * ranks`` cards leaves ``rows`` full rows in the stock; the
    rest is laid out as evenly as it goes, the first columns taking the odd cards.

    Args:
        columns: number of columns.
        ranks: cards of a complete run.
        suits: different suits, 1 to 4, the last ones of C, D, H, S.
        copies: how many of each card.
        hidden: face-down cards in the highest columns; the others start with as many cards
            face up, so lower ones have one fewer face down.
        rows: rows in the stock.

    Raises:
        RulesError: the cards do not suffice for one face-up card on every column.
    """
    dealt = suits * copies * ranks - rows * columns
    height, odd = divmod(dealt, columns)
    highest = height + (odd > 0)
    if height < 1 or not 0 <= hidden < highest:
        raise RulesError(f"{dealt} cards do not lay out {columns} columns over {hidden} hidden")
    return Rules(
        name=f"tiny-c{columns}r{ranks}s{suits}k{copies}h{hidden}t{rows}",
        pack=SUITS[len(SUITS) - suits :],
        packs=copies,
        ranks=ranks,
        heights=tuple(height + (column < odd) for column in range(columns)),
        face_up=highest - hidden,
    )


def relaxed(suits: int = 4) -> Rules:
    """Spider in which a row may be dealt over empty columns.

    KPatience plays by this rule, and PySolFC as *Relaxed Spider*.

    Raises:
        RulesError: not 1 to 4 suits.
    """
    return replace(spider(suits), name="relaxed", deal_over_empty=True)


def group_moves(suits: int = 4) -> Rules:
    """Spider in which a descending sequence of any suits moves as one piece.

    A house rule that PySolFC has as *Black Widow*, also called Scarab.

    Raises:
        RulesError: not 1 to 4 suits.
    """
    return replace(spider(suits), name="group-moves", group_moves=True)


def optional_removal(suits: int = 4) -> Rules:
    """Spider in which a complete run may stay, as in the program of 1989 by Don Woods.

    Its rules say that it is not always desirable to remove a suit: the run can be taken apart
    again, to fill empty columns before a deal.

    Raises:
        RulesError: not 1 to 4 suits.
    """
    return replace(spider(suits), name="optional-removal", optional_removal=True)


def spiderette(suits: int = 4) -> Rules:
    """Spiderette: one pack, seven columns of 1 to 7 cards, rows of seven and a last one of three.

    As in PySolFC; the last row goes to the first three columns.

    Raises:
        RulesError: not 4 suits.
    """
    return _one_game("spiderette", suits, packs=1, heights=tuple(range(1, 8)))


def will_o_the_wisp(suits: int = 4) -> Rules:
    """Will o' the Wisp: Spiderette from seven columns of three; four rows and a last one of three.

    As in PySolFC; by Albert Morehead and Geoffrey Mott-Smith.

    Raises:
        RulesError: not 4 suits.
    """
    return _one_game("will-o-the-wisp", suits, packs=1, heights=(3,) * 7)


def simple_simon(suits: int = 4) -> Rules:
    """Simple Simon: one pack, all of it dealt face up to ten columns; there is no stock.

    As in PySolFC.

    Raises:
        RulesError: not 4 suits.
    """
    heights = (8, 8, 8, 7, 6, 5, 4, 3, 2, 1)
    return _one_game("simple-simon", suits, packs=1, heights=heights, face_up=8)


def mrs_mop(suits: int = 4) -> Rules:
    """Mrs Mop: two packs, all of them dealt face up to thirteen columns of eight; no stock.

    As in PySolFC.

    Raises:
        RulesError: not 4 suits.
    """
    return _one_game("mrs-mop", suits, packs=2, heights=(8,) * 13, face_up=8)


def _one_game(
    name: str, suits: int, packs: int, heights: tuple[int, ...], face_up: int = 1
) -> Rules:
    """A game that is played with whole packs, and so with four suits."""
    if suits != 4:
        raise RulesError(f"{name} is played with 4 suits, not {suits}")
    return Rules(name=name, pack=_PACKS[4], packs=packs, heights=heights, face_up=face_up)


VARIANTS: dict[str, Callable[[int], Rules]] = {
    "spider": spider,
    "relaxed": relaxed,
    "group-moves": group_moves,
    "optional-removal": optional_removal,
    "spiderette": spiderette,
    "will-o-the-wisp": will_o_the_wisp,
    "simple-simon": simple_simon,
    "mrs-mop": mrs_mop,
}
"""Presets by the name that ``--variant`` takes; each makes the Rules for a number of suits.

``docs/rules.md`` describes them, and says where texts disagree.
"""

WITH_SUITS = ("spider", "relaxed", "group-moves", "optional-removal")
"""The presets with suits to choose; the others have four."""
