"""Words stay unsigned: numba would turn ``uint64 + 1`` into a signed or floating number."""

import numba
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spider_solver.kernels import bits


@numba.njit
def mix(word: np.uint64) -> np.uint64:
    return bits.mix(word)


@numba.njit
def noise_of(key: np.uint64, seed: np.uint64, width: int) -> int:
    return bits.noise_of(key, seed, width)


@numba.njit
def position_key(columns: np.uint64, stage: int) -> np.uint64:
    return bits.position_key(columns, stage)


@numba.njit
def lowest_bit(mask: int) -> int:
    return bits.lowest_bit(mask)


words = st.integers(0, 2**64 - 1).map(np.uint64)


@numba.njit
def _all_of(key: np.uint64, seed: np.uint64):  # type: ignore[no-untyped-def]
    return (
        bits.mix(key),
        bits.run_key(key, 13, 9, 0),
        bits.position_key(key, 3),
        bits.noise_of(key, seed, 85),
    )


def test_types_inside_other_kernels() -> None:
    _all_of(np.uint64(1), np.uint64(1))
    (signature,) = _all_of.signatures
    returned = _all_of.overloads[signature].signature.return_type
    assert [str(part) for part in returned] == ["uint64", "uint64", "uint64", "int64"]


def _mix(word: int) -> int:
    mask = 2**64 - 1
    word = ((word ^ (word >> 31)) * 0xBF58476D1CE4E5B9) & mask
    word = ((word ^ (word >> 29)) * 0x94D049BB133111EB) & mask
    return word ^ (word >> 32)


@given(words)
def test_mix_is_splitmix(word: np.uint64) -> None:
    assert int(mix(word)) == _mix(int(word))


@given(words, words, st.integers(0, 1000))
def test_noise_is_within_its_width(key: np.uint64, seed: np.uint64, width: int) -> None:
    assert 0 <= noise_of(key, seed, width) < max(width, 1)


@given(words, st.integers(0, 5))
def test_position_keys_are_never_zero(key: np.uint64, stage: int) -> None:
    assert position_key(key, stage) != 0


@given(st.integers(1, 2**62))
def test_lowest_bit(mask: int) -> None:
    assert lowest_bit(mask) == (mask & -mask).bit_length() - 1
