"""The scan of KPatience's numbers against plain shuffles and the plain blockade."""

from collections import Counter
from random import Random

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.scan_kernels import (
    Scan,
    _deal,
    _is_blockaded,
    _may_be_blockaded,
    new_scan,
    scan_range,
)
from spider_solver.game.cards import rank
from spider_solver.game.numberings import MAX_KPAT_SEED, numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import spider
from spider_solver.kernels.layout import Int64s
from spider_solver.proofs.blockade import find_blockade


@numba.njit
def passes_sift(scan: Scan, seed: int) -> bool:
    return _may_be_blockaded(scan, seed)


@numba.njit
def is_blockaded(scan: Scan) -> bool:
    return _is_blockaded(scan)


LOST = [1009003, 1467465, 3115156, 3411486, 3477527, 3563180, 3880191]
"""The first lost numbers, found by testing every deal without sifting."""

SCAN = new_scan()


def dealt(seed: int) -> Position:
    return numbered("kpat", seed, spider(4))


def scanned(first: int, last: int, room: int = 100) -> tuple[int, list[int]]:
    """How many numbers the scan finds, and those that it writes."""
    found = np.full(room, -1, np.int64)
    count = scan_range(SCAN, first, last, found)
    return count, found[found >= 0].tolist()


def may_be_stuck(position: Position) -> bool:
    """Whether each column holds a king, or more cards of some rank than places may come to light.

    Those are the cards of the next rank that are not dealt face down.
    """
    stacks = [
        [rank(card) for card in (*cards, *position.stock[column::10])]
        for column, cards in enumerate(position.columns)
    ]
    shown = Counter(rank(card) for column in position.columns for card in column[-1:])
    shown += Counter(map(rank, position.stock))
    return all(any(stack.count(value) > shown[value + 1] for value in stack) for stack in stacks)


@given(st.integers(1, MAX_KPAT_SEED))
def test_deals_as_the_numbering_does(seed: int) -> None:
    _deal(SCAN, seed)
    position = dealt(seed)
    assert SCAN.cards.tolist() == [card for column in position.columns for card in column]
    assert SCAN.heights.tolist() == [len(column) for column in position.columns]
    assert SCAN.face_down.tolist() == list(position.face_down)
    assert SCAN.stock.tolist() == list(position.stock)


def test_remainders_are_exact_for_all_draws() -> None:
    draws = np.arange(2**15)
    for place, reciprocal in enumerate(SCAN.reciprocals):
        assert np.array_equal(draws * reciprocal >> 22, draws // (place + 1))


@pytest.mark.parametrize("first", [1, 123_456_789, 2**30, MAX_KPAT_SEED - 999])
def test_sifts_out_deals_in_which_a_column_can_be_dug(first: int) -> None:
    seeds = range(first, first + 1000)
    passed = [seed for seed in seeds if passes_sift(SCAN, seed)]
    assert passed == [seed for seed in seeds if may_be_stuck(dealt(seed))]


@pytest.mark.parametrize("seed", LOST)
def test_sifting_keeps_what_is_lost(seed: int) -> None:
    assert passes_sift(SCAN, seed)
    assert may_be_stuck(dealt(seed))


def test_columns_that_pass_the_sift_may_be_stuck() -> None:
    passed = [seed for seed in range(1, 20_001) if passes_sift(SCAN, seed)]
    assert len(passed) == 31
    assert all(may_be_stuck(dealt(seed)) for seed in passed)


def test_finds_the_first_lost_numbers() -> None:
    assert scanned(1, 4_000_000) == (7, LOST)


@pytest.mark.parametrize("seed", LOST)
def test_finds_a_lost_number_wherever_it_lies_in_a_range(seed: int) -> None:
    assert scanned(seed, seed) == (1, [seed])
    assert scanned(seed - 1000, seed) == (1, [seed])
    assert scanned(seed, seed + 1000) == (1, [seed])
    assert scanned(seed + 1, seed + 1000) == (0, [])
    assert scanned(seed - 1000, seed - 1) == (0, [])


def test_counts_what_it_has_no_room_to_write() -> None:
    assert scanned(1, 1_500_000, room=1) == (2, LOST[:1])


@pytest.mark.parametrize("lost", LOST)
def test_agrees_with_the_plain_blockade_around_a_lost_number(lost: int) -> None:
    first = lost - 300
    plain = [seed for seed in range(first, first + 600) if find_blockade(dealt(seed))]
    assert scanned(first, first + 599) == (len(plain), plain)
    assert lost in plain


def test_agrees_with_the_plain_blockade_on_random_numbers() -> None:
    random = Random(5)
    for _ in range(1500):
        seed = random.randint(1, MAX_KPAT_SEED)
        assert scanned(seed, seed)[0] == (find_blockade(dealt(seed)) is not None), seed


def test_the_last_numbers_do_not_overflow() -> None:
    first = MAX_KPAT_SEED - 400
    plain = [seed for seed in range(first, MAX_KPAT_SEED + 1) if find_blockade(dealt(seed))]
    assert scanned(first, MAX_KPAT_SEED) == (len(plain), plain)


@numba.njit
def _scan_without_sifting(scan: Scan, first: int, last: int, found: Int64s) -> int:
    count = 0
    for seed in range(first, last + 1):
        _deal(scan, seed)
        if is_blockaded(scan):
            found[count] = seed
            count += 1
    return count


@pytest.mark.full
@pytest.mark.parametrize("first", [1, 2**30, MAX_KPAT_SEED - 9_999_999])
def test_sifting_loses_no_blockade_in_ten_million(first: int) -> None:
    found = np.zeros(200, np.int64)
    count = _scan_without_sifting(SCAN, first, first + 9_999_999, found)
    assert count > 10
    assert scanned(first, first + 9_999_999) == (count, found[:count].tolist())
