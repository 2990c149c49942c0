"""Counts of all ranks in two words, a byte for each rank, added and compared all at once.

The first word has ranks 1 to 7, the second those from 8 on; the eighth byte of a word stays free,
and so does its sign. Counts may be negative: a word is the sum of ``count << 8 * place``. Where
signs are looked at, counts must lie between -128 and 127, where two are compared, between -64 and
63; ``first_run.has_first_phase`` sees to that.
"""

from __future__ import annotations

from spider_solver.kernels.jit import inlined

RANKS_A_WORD = 7
_ONES = 0x01010101010101
_SIGNS = 0x80 * _ONES
_HALVES = 0x40 * _ONES
_LAST = 8 * (RANKS_A_WORD - 1)


@inlined
def low(rank: int) -> int:
    """A count of 1 for a rank, in the first word."""
    return 1 << 8 * (rank - 1) if rank <= RANKS_A_WORD else 0


@inlined
def high(rank: int) -> int:
    """A count of 1 for a rank, in the second word."""
    return 1 << 8 * (rank - 1 - RANKS_A_WORD) if rank > RANKS_A_WORD else 0


@inlined
def count_of(first: int, second: int, rank: int) -> int:
    """The count of a rank."""
    if rank > RANKS_A_WORD:
        first, rank = second, rank - RANKS_A_WORD
    return ((first + _SIGNS) >> 8 * (rank - 1) & 0xFF) - 0x80


@inlined
def any_negative(counts: int) -> bool:
    """Whether some count of a word is negative."""
    return (counts + _SIGNS) & _SIGNS != _SIGNS


@inlined
def larger(one: int, other: int) -> int:
    """Of two counts of each rank the larger one."""
    one += _HALVES
    other += _HALVES
    at_least = ((one | _SIGNS) - other) & _SIGNS
    chosen = at_least | (at_least - (at_least >> 7))
    return ((one & chosen) | (other & ~chosen)) - _HALVES


@inlined
def smaller(one: int, other: int) -> int:
    """Of two counts of each rank the smaller one."""
    return one + other - larger(one, other)


@inlined
def positive(counts: int) -> int:
    """A count of 1 for each rank that is counted; none may be negative."""
    return ((counts + 0x7F * _ONES) >> 7) & _ONES


@inlined
def up_to(rank: int, word: int) -> int:
    """All bits of the ranks up to one, in the first word (0) or the second (1)."""
    ranks = min(max(rank - word * RANKS_A_WORD, 0), RANKS_A_WORD)
    return (1 << 8 * ranks) - 1


@inlined
def fit(first: int, second: int) -> bool:
    """Whether ends fit heads, each end on a head of at least its rank; there are as many of both.

    Args:
        first: the ends less the heads, by rank.
        second: the same in the second word.
    """
    sums = first * _ONES + _SIGNS  # for each rank, the ends up to it less the heads
    if sums & _SIGNS != _SIGNS:
        return False
    before = (sums >> _LAST & 0xFF) - 0x80
    return ((second + before) * _ONES + _SIGNS) & _SIGNS == _SIGNS
