from dataclasses import replace
from typing import Any

import pytest

from spider_solver.game.cards import SUITS
from spider_solver.game.numberings import numbered
from spider_solver.game.rules import (
    VARIANTS,
    WITH_SUITS,
    Rules,
    spider,
    spider_of_suits,
    spiderette,
    tiny,
)


@pytest.mark.parametrize(
    ("suits", "copies"),
    [(1, "SSSSSSSS"), (2, "HHHHSSSS"), (3, "CCHHSSSS"), (4, "CCDDHHSS")],
)
def test_standard_spider(suits: int, copies: str) -> None:
    rules = spider(suits)
    assert rules.name == "spider"
    assert rules.suits == suits
    assert (rules.columns, rules.ranks, rules.runs) == (10, 13, 8)
    assert rules.heights == (6, 6, 6, 6, 5, 5, 5, 5, 5, 5)
    assert (rules.deck_size, rules.stock_size, rules.stock_rows) == (104, 50, 5)
    assert "".join(SUITS[suit] * rules.copies(suit) for suit in range(4)) == copies
    assert not any((rules.deal_over_empty, rules.group_moves, rules.optional_removal))
    assert VARIANTS["spider"](suits) == rules


@pytest.mark.parametrize("suits", [0, 5, -1])
def test_spider_has_one_to_four_suits(suits: int) -> None:
    with pytest.raises(ValueError, match="1 to 4 suits"):
        spider(suits)


@pytest.mark.parametrize(("letters", "suits"), [("S", 1), ("SH", 2), ("CSH", 3), ("CDHS", 4)])
def test_suits_shown_tell_the_game(letters: str, suits: int) -> None:
    assert spider_of_suits(SUITS.index(letter) for letter in letters) == spider(suits)


@pytest.mark.parametrize("letters", ["", "C", "CD", "DHS"])
def test_suits_of_no_game_are_refused(letters: str) -> None:
    with pytest.raises(ValueError, match=r"suits .*: Spider is played with"):
        spider_of_suits(SUITS.index(letter) for letter in letters)


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("relaxed", "deal_over_empty"),
        ("group-moves", "group_moves"),
        ("optional-removal", "optional_removal"),
    ],
)
@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_house_rules_change_one_thing(name: str, option: str, suits: int) -> None:
    rules = VARIANTS[name](suits)
    assert rules.name == name
    assert getattr(rules, option)
    changed: dict[str, Any] = {"name": "spider", option: False}
    assert replace(rules, **changed) == spider(suits)


@pytest.mark.parametrize(
    ("name", "columns", "dealt", "rows", "face_down", "runs"),
    [
        ("spiderette", 7, 28, [7, 7, 7, 3], 21, 4),
        ("will-o-the-wisp", 7, 21, [7, 7, 7, 7, 3], 14, 4),
        ("simple-simon", 10, 52, [], 0, 4),
        ("mrs-mop", 13, 104, [], 0, 8),
    ],
)
def test_games_of_whole_packs(
    name: str, columns: int, dealt: int, rows: list[int], face_down: int, runs: int
) -> None:
    rules = VARIANTS[name](4)
    assert (rules.name, rules.suits, rules.runs, rules.columns) == (name, 4, runs, columns)
    assert (sum(rules.heights), rules.stock_size, rules.stock_rows) == (dealt, sum(rows), len(rows))
    position = numbered("pysol", 1, rules)
    assert (position.hidden, len(position.stock)) == (face_down, sum(rows))
    assert not any((rules.deal_over_empty, rules.group_moves, rules.optional_removal))


@pytest.mark.parametrize("name", [name for name in VARIANTS if name not in WITH_SUITS])
@pytest.mark.parametrize("suits", [1, 2, 3])
def test_games_of_whole_packs_have_four_suits(name: str, suits: int) -> None:
    with pytest.raises(ValueError, match=f"{name} is played with 4 suits, not {suits}"):
        VARIANTS[name](suits)


def test_a_short_last_row_counts_as_a_row() -> None:
    assert (spiderette().stock_size, spiderette().stock_rows) == (24, 4)


def test_tiny_game_that_comes_out_even() -> None:
    rules = tiny(columns=4, ranks=6, suits=2, copies=2, hidden=2, rows=3)
    assert (rules.pack, rules.packs, rules.runs) == ("HS", 2, 4)
    assert (rules.heights, rules.face_up) == ((3, 3, 3, 3), 1)
    assert (rules.deck_size, rules.stock_size, rules.stock_rows) == (24, 12, 3)


def test_tiny_game_with_odd_cards() -> None:
    rules = tiny(columns=4, ranks=5, suits=2, copies=2, hidden=1, rows=2)
    assert (rules.heights, rules.face_up) == ((3, 3, 3, 3), 2)
    rules = tiny(columns=4, ranks=3, suits=3, copies=2, hidden=2, rows=1)
    assert (rules.pack, rules.heights, rules.face_up) == ("DHS", (4, 4, 3, 3), 2)


@pytest.mark.parametrize(("hidden", "rows"), [(1, 4), (3, 1), (-1, 1), (0, 5)])
def test_tiny_game_that_cannot_be_laid_out(hidden: int, rows: int) -> None:
    with pytest.raises(ValueError, match="do not lay out"):
        tiny(columns=4, ranks=4, suits=2, copies=2, hidden=hidden, rows=rows)


def test_tiny_games_have_names_of_their_own() -> None:
    assert tiny(4, 4, 2, 2, 1, 2).name == "tiny-c4r4s2k2h1t2"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"pack": ""}, "pack"),
        ({"pack": "SX"}, "pack"),
        ({"ranks": 0}, "ranks"),
        ({"ranks": 14}, "ranks"),
        ({"heights": ()}, "columns"),
        ({"heights": (1,) * 27}, "columns"),
        ({"packs": 0}, "packs"),
        ({"face_up": 0}, "face_up"),
        ({"heights": (2, -1)}, "heights"),
        ({"heights": (53, 52)}, "105 cards dealt from a deck of 104"),
    ],
)
def test_impossible_rules_are_refused(wrong: dict[str, Any], message: str) -> None:
    right = {"name": "wrong", "pack": "CDHS", "heights": (6,) * 4 + (5,) * 6}
    with pytest.raises(ValueError, match=message):
        Rules(**(right | wrong))
