"""Moves as numbers: the parts of a move code (``layout.MOVE_SOURCE`` and below)."""

from __future__ import annotations

from spider_solver.kernels import layout
from spider_solver.kernels.jit import inlined

_PLACES = 16
"""What a part of a code counts up to: columns, and cards of a piece."""


@inlined
def source_of(move: int) -> int:
    """The column that a move takes cards from."""
    return (move // layout.MOVE_SOURCE) % _PLACES


@inlined
def target_of(move: int) -> int:
    """The column that a move puts them on; the source if it removes a run."""
    return (move // layout.MOVE_TARGET) % _PLACES


@inlined
def count_of(move: int) -> int:
    """How many cards a move takes."""
    return move % _PLACES
