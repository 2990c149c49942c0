import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spider_solver.kernels.layout import CANDIDATE
from spider_solver.kernels.selection import MOST_BUCKETS, order_by_score


@given(st.lists(st.integers(-20000, 20000), min_size=1, max_size=500))
def test_order(scores: list[int]) -> None:
    records = np.zeros(len(scores), CANDIDATE)
    records["score"] = scores
    order = np.full(len(scores), -1, np.int32)
    buckets = np.zeros(MOST_BUCKETS + 2, np.int32)
    low, high = min(scores), max(scores)
    order_by_score(records, len(scores), low, high, order, buckets)
    assert sorted(order) == list(range(len(scores)))
    bucket = 1
    while (high - low) // bucket >= max(256, 2 * len(scores)):
        bucket *= 2
    placed = [(scores[record] - low) // bucket for record in order]
    assert placed == sorted(placed)
