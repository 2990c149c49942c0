"""Hashing and bit tricks on 64-bit words.

Numba turns ``uint64 + 1`` into a signed number, so every literal is wrapped.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from spider_solver.kernels.jit import inlined

_MULTIPLIER_A = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLIER_B = np.uint64(0x94D049BB133111EB)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SHIFT_31 = np.uint64(31)
_SHIFT_29 = np.uint64(29)
_SHIFT_32 = np.uint64(32)
_SHIFT_40 = np.uint64(40)
_ONE = np.uint64(1)


@intrinsic
def lowest_bit(typing_context: Any, mask: Any) -> Any:
    """The number of the lowest set bit of a positive integer."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


@inlined
def mix(word: np.uint64) -> np.uint64:
    """A bijection of 64-bit words in which every input bit moves every output bit (splitmix64)."""
    word = (word ^ (word >> _SHIFT_31)) * _MULTIPLIER_A
    word = (word ^ (word >> _SHIFT_29)) * _MULTIPLIER_B
    return word ^ (word >> _SHIFT_32)


@inlined
def run_key(below: np.uint64, head: int, end: int, bare: int) -> np.uint64:
    """Key of a column: the key of what lies below its top run, and the run itself."""
    code = np.uint64(head | (end << 8) | (bare << 8) | (1 << 20))
    return mix(below + code * _GOLDEN)


@inlined
def position_key(columns: np.uint64, stage: int) -> np.uint64:
    """Key of a position: the sum of its columns' keys, and the stage; never zero."""
    return (columns ^ (np.uint64(stage + 1) * _GOLDEN)) | _ONE


@inlined
def noise_of(key: np.uint64, seed: np.uint64, width: int) -> int:
    """A number from 0 up to ``width``, fixed by the position and the attempt (``seed`` is odd)."""
    return (np.int64(((key ^ (key >> _SHIFT_31)) * seed) >> _SHIFT_40) * width) >> 24
