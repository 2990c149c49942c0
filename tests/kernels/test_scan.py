"""The scan of KPatience's numbers against plain shuffles and the plain blockade."""

from random import Random

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.scan_kernels import (
    _LOWEST,
    BLOCK,
    DECK,
    Scan,
    _bury,
    _deal,
    _hides_rank,
    _is_blockaded,
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
def passes_sift(scan: Scan, lane: int) -> bool:
    return _hides_rank(scan, lane)


@numba.njit
def is_blockaded(scan: Scan) -> bool:
    return _is_blockaded(scan)


LOST = [1009003, 3411486, 3477527, 3563180, 3880191]
"""The first lost numbers, found by testing every deal without sifting."""

SCAN = new_scan()


def dealt(seed: int) -> Position:
    return numbered("kpat", seed, spider(4))


def scanned(first: int, last: int, room: int = 100) -> tuple[int, list[int]]:
    """How many numbers the scan finds, and those that it writes."""
    found = np.full(room, -1, np.int64)
    count = scan_range(SCAN, first, last, found)
    return count, found[found >= 0].tolist()


def hides_rank(position: Position) -> bool:
    """Whether all cards of a rank from 2 to king lie face down."""
    shown = {rank(card) for column in position.columns for card in column[-1:]}
    shown |= {rank(card) for card in position.stock}
    return not shown.issuperset(range(2, 14))


@given(st.integers(1, MAX_KPAT_SEED))
def test_deals_as_the_numbering_does(seed: int) -> None:
    _deal(SCAN, seed)
    position = dealt(seed)
    assert SCAN.cards.tolist() == [card for column in position.columns for card in column]
    assert SCAN.heights.tolist() == [len(column) for column in position.columns]
    assert SCAN.face_down.tolist() == list(position.face_down)
    assert SCAN.stock.tolist() == list(position.stock)


def test_remainders_are_exact_for_all_draws() -> None:
    draws = np.arange(2**15, dtype=np.uint64)
    for place in range(_LOWEST, DECK):
        product = draws * SCAN.reciprocals[place]
        assert product.max() < 2**32
        assert np.array_equal(product >> np.uint64(22), draws // np.uint64(place + 1))


@pytest.mark.parametrize("first", [1, 123_456_789, 2**30, MAX_KPAT_SEED - BLOCK + 1])
def test_sifts_out_deals_that_show_a_card_of_each_rank(first: int) -> None:
    _bury(SCAN, first)
    passed = [lane for lane in range(BLOCK) if passes_sift(SCAN, lane)]
    assert passed == [lane for lane in range(BLOCK) if hides_rank(dealt(first + lane))]
    assert 0 < len(passed) < 20


def test_finds_the_first_lost_numbers() -> None:
    assert scanned(1, 4_000_000) == (5, LOST)


@pytest.mark.parametrize("seed", LOST)
def test_finds_a_lost_number_wherever_it_lies_in_a_range(seed: int) -> None:
    assert scanned(seed, seed) == (1, [seed])
    assert scanned(seed - BLOCK, seed) == (1, [seed])
    assert scanned(seed, seed + 2 * BLOCK) == (1, [seed])
    assert scanned(seed + 1, seed + BLOCK) == (0, [])
    assert scanned(seed - BLOCK, seed - 1) == (0, [])


def test_counts_what_it_has_no_room_to_write() -> None:
    assert scanned(1, 4_000_000, room=2) == (5, LOST[:2])


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
