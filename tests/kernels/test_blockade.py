"""The jitted blockade against the plain one, and from inside another jitted function."""

from dataclasses import replace
from random import Random
from typing import Any

import numba
import numpy as np
import pytest

from spider_solver.game.numberings import default_numbering, numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules, spider
from spider_solver.kernels.blockade import is_blockaded
from spider_solver.kernels.layout import Int64s
from spider_solver.kernels.places import Places, make_places
from spider_solver.proofs.blockade import find_blockade
from spider_solver.search.packing import PackedPosition, pack
from tests.small_games import LARGER_GAMES, SMALL_GAMES_WITH_OPTIONS, game_name, random_game
from tests.strategies import ALL_RULES

RULES = tuple(dict.fromkeys((*ALL_RULES, *SMALL_GAMES_WITH_OPTIONS, *LARGER_GAMES)))


def packed(position: Position) -> PackedPosition:
    """A position as arrays; how cards are moved and dealt is of no concern to the blockade."""
    plain = replace(position.rules, deal_over_empty=False, group_moves=False)
    return pack(replace(position, rules=plain))


def blockade(position: Position) -> str | None:
    """The certificate that the kernel finds."""
    arrays = packed(position)
    columns = position.rules.columns
    covered = np.full((position.rows_left + 1) * columns, -1, np.int64)
    if not is_blockaded(
        arrays.rules,
        arrays.cards,
        arrays.heights,
        arrays.face_down,
        arrays.stock,
        make_places(),
        covered,
    ):
        return None
    return "/".join(",".join(map(str, stage)) for stage in covered.reshape(-1, columns))


def compare(rules: Rules, seeds: range) -> tuple[int, int]:
    """Compare both in random games; gives the positions compared and those blockaded."""
    compared = blockaded = 0
    for seed in seeds:
        start = numbered(default_numbering(rules), seed, rules)
        for position in random_game(start, Random(seed)):
            found = find_blockade(position)
            assert blockade(position) == found, position.code
            compared += 1
            blockaded += found is not None
    return compared, blockaded


def test_agrees_with_the_plain_one() -> None:
    counts = [compare(rules, range(1, 6)) for rules in RULES]
    compared, blockaded = map(sum, zip(*counts, strict=True))
    assert compared > 5000
    assert blockaded > 1000


@pytest.mark.full
@pytest.mark.parametrize("rules", RULES, ids=game_name)
def test_agrees_with_the_plain_one_in_many_games(rules: Rules) -> None:
    compare(rules, range(1000, 1200))


@pytest.mark.parametrize("seed", [14934, 1748])
def test_the_two_lost_deals_of_pysol(seed: int) -> None:
    assert blockade(numbered("pysol", seed, spider(4))) is not None


def lost_deals(seeds: range, suits: int) -> list[int]:
    """The deals of PySol's numbers that are blockaded, tested in one jitted loop."""
    deals = [packed(numbered("pysol", seed, spider(suits))) for seed in seeds]
    verdicts = _test_all(
        deals[0].rules,
        np.array([deal.cards for deal in deals]),
        np.array([deal.heights for deal in deals]),
        np.array([deal.face_down for deal in deals]),
        np.array([deal.stock for deal in deals]),
        make_places(),
        np.zeros(60, np.int64),
        np.zeros(len(deals), np.bool_),
    )
    return [seed for seed, lost in zip(seeds, verdicts, strict=True) if lost]


@numba.njit
def _test_all(
    rules: Int64s,
    cards: Int64s,
    heights: Int64s,
    face_down: Int64s,
    stock: Int64s,
    places: Places,
    covered: Int64s,
    verdicts: Any,
) -> Any:
    for deal in range(len(cards)):
        verdicts[deal] = is_blockaded(
            rules, cards[deal], heights[deal], face_down[deal], stock[deal], places, covered
        )
    return verdicts


def test_one_deal_of_the_first_2000_is_lost() -> None:
    assert lost_deals(range(1, 2001), suits=4) == [1748]


@pytest.mark.full
@pytest.mark.parametrize("suits", [1, 2, 4])
def test_two_deals_of_all_32000_are_lost(suits: int) -> None:
    assert lost_deals(range(1, 32001), suits) == [1748, 14934]
