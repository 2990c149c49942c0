"""Putting candidates in order of their scores: a counting sort that is exact to a bucket."""

from __future__ import annotations

from spider_solver.kernels.jit import kernel
from spider_solver.kernels.layout import Int32s, Records

MOST_BUCKETS = 4096
FEWEST_BUCKETS = 256


@kernel
def order_by_score(
    records: Records, count: int, lowest: int, highest: int, order: Int32s, buckets: Int32s
) -> None:
    """Write the numbers of ``count`` records into ``order``, lowest score first.

    Scores lie in ``lowest`` .. ``highest``.  Scores that share a bucket (about one of 4096 equal
    parts of the range) keep the order in which they came.
    """
    shift = 0
    wanted = min(MOST_BUCKETS, max(FEWEST_BUCKETS, 2 * count))
    while ((highest - lowest) >> shift) >= wanted:
        shift += 1
    used = ((highest - lowest) >> shift) + 1
    buckets[: used + 1] = 0
    for record in range(count):
        bucket = (records[record].score - lowest) >> shift
        buckets[bucket + 1] += 1
    for bucket in range(used):
        buckets[bucket + 1] += buckets[bucket]
    for record in range(count):
        bucket = (records[record].score - lowest) >> shift
        order[buckets[bucket]] = record
        buckets[bucket] += 1
