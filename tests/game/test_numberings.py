"""Deals by number: known vectors, PySol's own shuffles as the oracle, and seeds as text."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer, createCards
from pysol_cards.deal_game import Game
from pysol_cards.random import shuffle
from pysol_cards.random_base import RandomBase

from spider_solver.formats.board import read_board
from spider_solver.game.cards import card_text
from spider_solver.game.deal import Deal
from spider_solver.game.numberings import (
    MAX_KPAT_SEED,
    MAX_PYSOL_SEED,
    NumberingError,
    check_numbering,
    default_numbering,
    numbered,
    parse_seeds,
)
from spider_solver.game.position import Position
from spider_solver.game.rules import (
    Rules,
    mrs_mop,
    relaxed,
    simple_simon,
    spider,
    spiderette,
    tiny,
    will_o_the_wisp,
)
from tests.case_files import case_text
from tests.strategies import ALL_RULES, OTHER_GAMES, TINY_RULES


def column_text(position: Position, column: int) -> str:
    names = list(map(card_text, position.columns[column]))
    down = position.face_down[column]
    return " ".join([*(f"<{name}>" for name in names[:down]), *names[down:]])


def stock_text(position: Position, count: int) -> str:
    return " ".join(map(card_text, position.stock[:count]))


# Vectors


def test_kpat_deal_1_with_four_suits() -> None:
    deal = numbered("kpat", 1, spider(4))
    assert column_text(deal, 0) == "<JD> <4D> <KS> <QD> <4S> 7C"
    assert column_text(deal, 1) == "<8H> <2S> <7S> <6D> <3C> 3S"
    assert stock_text(deal, 10) == "KC QC 7D 5C 4D AH TD 4H 6D TD"
    assert tuple(map(len, deal.columns)) == spider(4).heights


def test_kpat_deal_1_with_two_suits() -> None:
    assert column_text(numbered("kpat", 1, spider(2)), 0) == "<JS> <4S> <KS> <QS> <4S> 7H"


def test_pysol_deal_1_with_four_suits() -> None:
    deal = numbered("pysol", 1, spider(4))
    assert column_text(deal, 0) == "<3D> <AS> <KD> <7D> <3S> 8H"
    assert stock_text(deal, 10) == "QH 9S 2S QH 3C AS 4S KS 6D TD"


def test_pysol_deal_14934_as_plspider_prints_it() -> None:
    assert numbered("pysol", 14934, spider(4)) == read_board(case_text("010"))


def test_pysol_deal_1_of_spiderette() -> None:
    deal = numbered("pysol", 1, spiderette())
    assert [column_text(deal, column) for column in range(3)] == ["AS", "<JD> AH", "<2D> <7C> 3C"]
    assert stock_text(deal, 6) == "4H AC 4D 7S 3S TD"


# PySol's shuffles, dealt here as its Spider does: four rows of ten face down, one more card
# face down on columns 1, 4, 7 and 10, a row face up.


def pysol_spider(seed: int) -> tuple[list[list[str]], list[str]]:
    cards = shuffle(createCards(2), seed, RandomBase.DEALS_PYSOLFC)
    names = [f"{'A23456789TJQK'[card.rank - 1]}{card.suit_s()}" for card in cards]
    columns: list[list[str]] = [[] for _ in range(10)]
    for row in (*[range(10)] * 4, (0, 3, 6, 9), range(10)):
        for column in row:
            columns[column].append(names.pop())
    return columns, names[::-1]


PYSOL_SUIT = {
    1: str.maketrans("CSHD", "SSSS"),
    2: str.maketrans("CSHD", "SSHH"),
    4: str.maketrans("", ""),
}


@pytest.mark.parametrize("suits", [1, 2, 4])
@given(
    # 32000 is the one number that pysol-cards and PySolFC shuffle differently.
    seed=st.integers(1, 31999) | st.integers(32001, 10**6) | st.integers(32001, MAX_PYSOL_SEED)
)
@example(seed=1)
@example(seed=31999)
@example(seed=32001)
@example(seed=2**63 - 1)
@example(seed=2**63)
@example(seed=2**64)
@example(seed=27380765364592631808)
@example(seed=MAX_PYSOL_SEED)
def test_pysol_shuffles_as_pysol_does(seed: int, suits: int) -> None:
    deal = numbered("pysol", seed, spider(suits))
    columns, stock = pysol_spider(seed)
    text = PYSOL_SUIT[suits]
    assert [list(map(card_text, cards)) for cards in deal.columns] == [
        [card.translate(text) for card in cards] for cards in columns
    ]
    assert list(map(card_text, deal.stock)) == [card.translate(text) for card in stock]
    assert deal.face_down == tuple(len(cards) - 1 for cards in deal.columns)


def test_pysol_deals_to_the_last_of_its_numbers() -> None:
    """Sixty numbers over all the words that seed the Mersenne Twister, and both ends."""
    assert MAX_PYSOL_SEED == RandomBase.MAX_SEED == 10**20
    ends = [2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**20 - 1, 10**20]
    spread = [10**20 * step // 53 for step in range(1, 53)]
    for seed in (*ends, *spread):
        columns, stock = pysol_spider(seed)
        deal = Deal.numbered(seed, numbering="pysol")
        assert (deal.numbering, deal.seed) == ("pysol", seed)
        assert [list(map(card_text, cards)) for cards in deal.position.columns] == columns
        assert list(map(card_text, deal.position.stock)) == stock


def test_a_number_that_pysolfc_draws() -> None:
    deal = numbered("pysol", 27380765364592631808, spider(4))
    assert column_text(deal, 0) == "<6H> <9S> <TD> <8D> <JD> 6C"
    assert stock_text(deal, 10) == "9S JS 9H TC 5S 4C TD 3S 3H AD"


# For each game of whole packs: the columns that each row of PySolFC's layout goes to.
PYSOL_LAYOUTS = [
    (spiderette(), [*(range(first, 7) for first in range(1, 7)), range(7)]),
    (will_o_the_wisp(), [range(7)] * 3),
    (simple_simon(), [*map(range, (9, 8, 7, 6, 5, 4, 3)), range(10)]),
    (mrs_mop(), [range(13)] * 8),
]


@pytest.mark.parametrize(
    ("rules", "rows"), PYSOL_LAYOUTS, ids=[rules.name for rules, _ in PYSOL_LAYOUTS]
)
@given(seed=st.integers(1, 31999) | st.integers(32001, MAX_PYSOL_SEED))
def test_pysol_lays_out_the_other_games(rules: Rules, rows: list[range], seed: int) -> None:
    cards = shuffle(createCards(rules.packs), seed, RandomBase.DEALS_PYSOLFC)
    names = [f"{'A23456789TJQK'[card.rank - 1]}{card.suit_s()}" for card in cards]
    columns: list[list[str]] = [[] for _ in rules.heights]
    for row in rows:
        for column in row:
            columns[column].append(names.pop())
    deal = numbered("pysol", seed, rules)
    assert [list(map(card_text, column)) for column in deal.columns] == columns
    assert list(map(card_text, deal.stock)) == names[::-1]
    shown = 1 if rules.stock_size else 8
    assert deal.face_down == tuple(max(height - shown, 0) for height in rules.heights)


@given(st.integers(1, 31999))
def test_simple_simon_as_pysol_cards_deals_it(seed: int) -> None:
    text = Game("simple_simon", seed, RandomBase.DEALS_PYSOLFC).calc_layout_string(
        CardRenderer(True)
    )
    columns = [line.removeprefix(": ").split() for line in text.splitlines()]
    deal = numbered("pysol", seed, simple_simon())
    assert [list(map(card_text, column)) for column in deal.columns] == columns


def test_pysol_uses_the_mersenne_twister_from_32000() -> None:
    with_generator = shuffle(createCards(2), 32000, RandomBase.DEALS_MS)
    first = numbered("pysol", 32000, spider(4)).columns[0][0]
    generators_first = with_generator[-1]
    assert card_text(first) != f"{'A23456789TJQK'[generators_first.rank - 1]}" + (
        generators_first.suit_s()
    )


# Any game


@given(st.sampled_from(ALL_RULES), st.integers(1, MAX_PYSOL_SEED))
def test_pysol_deals_any_game(rules: Rules, seed: int) -> None:
    deal = numbered("pysol", seed, rules)
    deal.check()
    assert deal == numbered("pysol", seed, rules)


@pytest.mark.parametrize("rules", TINY_RULES, ids=lambda rules: rules.name)
def test_tiny_games_are_dealt_as_laid_out(rules: Rules) -> None:
    deal = next(
        deal
        for deal in (numbered("pysol", seed, rules) for seed in range(1, 100))
        if not deal.completed
    )
    assert sorted(map(len, deal.columns)) == sorted(rules.heights)
    assert len(deal.stock) == rules.stock_size
    assert all(
        len(cards) - down == min(len(cards), rules.face_up)
        for cards, down in zip(deal.columns, deal.face_down, strict=True)
    )


def test_odd_cards_are_spread_from_the_first_column_to_the_last() -> None:
    def heights(odd: int) -> list[int]:
        rules = Rules(name="odd", pack="CDHS", heights=(3,) * odd + (2,) * (7 - odd))
        return list(map(len, numbered("pysol", 1, rules).columns))

    assert heights(1) == [3, 2, 2, 2, 2, 2, 2]
    assert heights(2) == [3, 2, 2, 2, 2, 2, 3]
    assert heights(3) == [3, 2, 2, 3, 2, 2, 3]
    assert heights(6) == [3, 3, 3, 3, 3, 2, 3]
    assert heights(7) == [3, 3, 3, 3, 3, 3, 3]


def test_a_deal_that_starts_with_a_complete_run_is_settled() -> None:
    rules = tiny(columns=3, ranks=2, suits=1, copies=6, hidden=1, rows=1)
    deals = [numbered("pysol", seed, rules) for seed in range(1, 50)]
    assert all(deal == deal.settled() for deal in deals)


def test_kpat_deals_standard_spider_however_it_is_played() -> None:
    for rules in map(relaxed, (1, 2, 3, 4)):
        assert default_numbering(rules) == "kpat"
        assert numbered("kpat", 7, rules).code == numbered("kpat", 7, spider(rules.suits)).code


@pytest.mark.parametrize("rules", [*OTHER_GAMES, *TINY_RULES], ids=lambda rules: rules.name)
def test_kpat_deals_no_other_game(rules: Rules) -> None:
    assert default_numbering(rules) == "pysol"
    with pytest.raises(
        NumberingError, match=f"kpat numbers deals of Spider only: those of {rules.name}"
    ):
        check_numbering("kpat", rules)


@pytest.mark.parametrize(
    ("numbering", "seed", "message"),
    [
        ("ms", 1, "unknown numbering 'ms': kpat or pysol"),
        ("board", 1, "unknown numbering 'board': kpat or pysol"),
        ("kpat", 0, "seed 0: kpat numbers its deals from 1 to 2147483647"),
        (
            "kpat",
            MAX_KPAT_SEED + 1,
            "seed 2147483648: kpat numbers its deals from 1 to 2147483647 "
            "(pysol goes on to 100000000000000000000)",
        ),
        ("pysol", -1, "seed -1: pysol numbers its deals from 1 to"),
        (
            "pysol",
            10**20 + 1,
            "seed 100000000000000000001: pysol numbers its deals from 1 to 100000000000000000000",
        ),
    ],
)
def test_what_is_no_deal_number_is_refused(numbering: str, seed: int, message: str) -> None:
    with pytest.raises(NumberingError) as caught:
        numbered(numbering, seed, spider(4))
    assert message in str(caught.value)


def test_a_number_that_python_does_not_write_out() -> None:
    for seed in (10**5000, -(10**5000)):
        with pytest.raises(NumberingError) as caught:
            numbered("pysol", seed, spider(4))
        assert str(caught.value) == (
            "seed of more than 30 digits: pysol numbers its deals from 1 to 100000000000000000000"
        )


# Seeds


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("7", [range(7, 8)]),
        ("1-1000,2000,5000-5010", [range(1, 1001), range(2000, 2001), range(5000, 5011)]),
        (" 3 - 4 , 1 ", [range(1, 2), range(3, 5)]),
        ("5-10,1-4", [range(1, 11)]),
        ("1-10,3-5,10-12,12", [range(1, 13)]),
        ("5,5,5", [range(5, 6)]),
        ("1-9223372036854775807", [range(1, 2**63)]),
        ("1-100000000000000000000", [range(1, 10**20 + 1)]),
        ("0" * 28 + "17", [range(17, 18)]),
    ],
)
def test_seeds(text: str, ranges: list[range]) -> None:
    assert parse_seeds(text) == ranges


@given(st.lists(st.integers(1, 60), min_size=1))
def test_seeds_come_once_and_in_order(seeds: list[int]) -> None:
    ranges = parse_seeds(",".join(map(str, seeds)))
    assert [seed for part in ranges for seed in part] == sorted(set(seeds))
    assert all(a.stop < b.start for a, b in pairwise(ranges))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "seeds '': not a number or a range such as 1-1000"),
        ("1,,2", "seeds '': not a number"),
        ("1-", "seeds '1-': not a number"),
        ("-5", "seeds '-5': not a number"),
        ("1-2-3", "seeds '1-2-3': not a number"),
        ("1..9", "seeds '1..9': not a number"),
        ("x", "seeds 'x': not a number"),
        ("1e3", "seeds '1e3': not a number"),
        ("²", "seeds '²': not a number"),
        ("0", "seeds '0': seeds start at 1 and ranges ascend"),
        ("10-1", "seeds '10-1': seeds start at 1 and ranges ascend"),
        ("9" * 31, "seeds '9999999999999999999999999999999': more than 30 digits"),
    ],
)
def test_what_are_no_seeds_is_refused(text: str, message: str) -> None:
    with pytest.raises(NumberingError) as caught:
        parse_seeds(text)
    assert str(caught.value).startswith(message)


def test_lists_of_seeds_without_end_are_refused() -> None:
    cases = {
        "1-" + "9" * 10**6: f"seeds '1-{'9' * 38}'...: more than 30 digits",
        "1," * 10**6: "more than 100,000 ranges of seeds",
    }
    for text, message in cases.items():
        with pytest.raises(NumberingError) as caught:
            parse_seeds(text)
        assert str(caught.value) == message
    assert parse_seeds("1," * 99_999 + "1") == [range(1, 2)]
