"""Counts by rank in one integer: a byte for each rank, so that one addition adds all of them.

The counts of ranks 1, 2, ... are the integer ``sum(count * one(rank))``. Counts may be negative:
the sum of two such integers holds the sums of the counts. Where signs are looked at, counts must
lie between ``-MOST`` and ``MOST``, where two are compared, between -64 and 63.
"""

from collections.abc import Iterable

from spider_solver.game.cards import RANKS

MOST = 127
"""The largest count whose sign can be told."""

_BITS = 8
_WIDTH = _BITS * (len(RANKS) + 2)  # the rank above the king's is none, but counts as one
_ALL = (1 << _WIDTH) - 1
_ONES = sum(1 << place for place in range(0, _WIDTH, _BITS))
_SIGNS = 0x80 * _ONES
_HALVES = 0x40 * _ONES


def one(rank: int) -> int:
    """A count of 1 for one rank, 0 for the others."""
    return 1 << _BITS * rank


def counted(ranks: Iterable[int]) -> int:
    """How often each rank comes."""
    return sum(map(one, ranks))


def count_of(counts: int, rank: int) -> int:
    """The count of one rank."""
    return ((counts + _SIGNS) >> _BITS * rank & 0xFF) - 0x80


def each(counts: int) -> list[int]:
    """The ranks that are counted, in order, each as often; no count may be negative."""
    each_count = enumerate(counts.to_bytes(_WIDTH // _BITS, "little"))
    return [rank for rank, count in each_count for _ in range(count)]


def positive(counts: int) -> int:
    """A count of 1 for each rank that is counted; no count may be negative."""
    return ((counts + 0x7F * _ONES) >> _BITS - 1) & _ONES


def up_to(rank: int) -> int:
    """All bits of the ranks up to one."""
    return (one(rank) << _BITS) - 1


def any_negative(counts: int) -> bool:
    """Whether some count is negative."""
    return (counts + _SIGNS) & _SIGNS != _SIGNS


def larger(first: int, second: int) -> int:
    """Of two counts of each rank the larger one."""
    first += _HALVES
    second += _HALVES
    at_least = ((first | _SIGNS) - second) & _SIGNS  # a bit for each rank where first >= second
    chosen = at_least | (at_least - (at_least >> 7))  # all bits of these ranks
    return (first & chosen | second & ~chosen) - _HALVES


def smaller(first: int, second: int) -> int:
    """Of two counts of each rank the smaller one."""
    return first + second - larger(first, second)


def fit(ends: int, heads: int) -> bool:
    """Whether so many heads and ends can be paired, each end with a head of at least its rank.

    That is so if and only if for each rank there are at least as many ends up to it as heads. Both
    are counted, and there are equally many.
    """
    sums = (ends - heads) * _ONES & _ALL  # for each rank, the ends up to it less the heads
    return (sums + _SIGNS) & _SIGNS == _SIGNS
