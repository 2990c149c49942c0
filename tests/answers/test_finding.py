"""The number of a deal, found from its table."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spider_solver.answers.finding import Undetermined, find_deals, wanted_by
from spider_solver.game.deal import Deal
from spider_solver.game.numberings import MAX_KPAT_SEED
from spider_solver.game.view import View
from spider_solver.kernels.numbers import fitting_numbers
from tests.strategies import choices, play_randomly


def fitting(view: View, first: int, last: int) -> list[int]:
    found = np.zeros(10, np.int64)
    count = fitting_numbers(wanted_by(view), first, last, found)
    return list(found[:count])


@given(
    number=st.integers(1, MAX_KPAT_SEED), suits=st.sampled_from((1, 2, 3, 4)), played=choices(40)
)
@settings(max_examples=60)
def test_a_table_fits_its_number_and_no_other(number: int, suits: int, played: list[int]) -> None:
    position = play_randomly(Deal.numbered(number, suits=suits).position, played)
    first, last = max(number - 1000, 1), min(number + 1000, MAX_KPAT_SEED)
    assert fitting(View.of(position), first, last) == [number]


@pytest.mark.parametrize(
    ("numbering", "number", "tried_at_most"),
    [
        ("pysol", 44, 1000),
        # threads try some pieces of KPatience's numbers at a time
        pytest.param("kpat", 20_000_000, 60_000_000, marks=pytest.mark.full),
    ],
)
def test_ten_cards_of_a_fresh_deal_tell_its_number(
    numbering: str, number: int, tried_at_most: int
) -> None:
    deal = Deal.numbered(number, numbering=numbering)
    tried: list[int] = []
    assert find_deals(View.of(deal.position), lambda done, of: tried.append(done)) == [deal]
    assert tried[-1] <= tried_at_most


def test_a_table_with_nothing_as_dealt_tells_no_number() -> None:
    deal = Deal.numbered(1).position
    columns = (*deal.columns[:-1], deal.columns[-1] + deal.stock)
    with pytest.raises(Undetermined, match=r"some [0-9,]+ deals fit this table by chance"):
        find_deals(View(deal.rules, columns, (0,) * 10))
