"""The seen-table: an open-addressing set of position keys that starts small and doubles.

A table of 2^b keys lies at [2^b, 2^(b+1)) of one array, so that all sizes have room side by side
and doubling copies from one part into the next.  A key that is lost or mistaken for another can
only hide a position from a search for a win; no proof rests on this table.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.jit import inlined, internal, kernel
from spider_solver.kernels.layout import Workspace

FIRST_BITS = 11
_EMPTY_SLOT = np.uint64(0)
_SHIFT_1 = np.uint64(1)


@kernel
def clear_table(workspace: Workspace) -> None:
    """Forget every key."""
    registers = workspace.registers
    registers[layout.REG_TABLE_BITS] = FIRST_BITS
    registers[layout.REG_TABLE_COUNT] = 0
    workspace.table[1 << FIRST_BITS : 2 << FIRST_BITS] = _EMPTY_SLOT


@inlined
def _slot(workspace: Workspace, key: np.uint64, bits: int) -> int:
    """The slot of ``key``, or the free one where it would go, as an index into the array."""
    size = 1 << bits
    at = np.int64(key >> _SHIFT_1) & (size - 1)
    while workspace.table[size + at] != _EMPTY_SLOT and workspace.table[size + at] != key:
        at = (at + 1) & (size - 1)
    return size + at


@inlined
def seen(workspace: Workspace, key: np.uint64) -> bool:
    """Whether ``key`` is in the table."""
    return workspace.table[_slot(workspace, key, workspace.registers[layout.REG_TABLE_BITS])] == key


@internal
def _double(workspace: Workspace) -> None:
    bits = workspace.registers[layout.REG_TABLE_BITS]
    old = 1 << bits
    workspace.table[2 * old : 4 * old] = _EMPTY_SLOT
    for at in range(old, 2 * old):
        key = workspace.table[at]
        if key != _EMPTY_SLOT:
            workspace.table[_slot(workspace, key, bits + 1)] = key
    workspace.registers[layout.REG_TABLE_BITS] = bits + 1


@inlined
def insert(workspace: Workspace, key: np.uint64) -> bool:
    """Add ``key``; False if it was there.  Callers check :func:`table_is_full` now and then."""
    registers = workspace.registers
    at = _slot(workspace, key, registers[layout.REG_TABLE_BITS])
    if workspace.table[at] == key:
        return False
    workspace.table[at] = key
    registers[layout.REG_TABLE_COUNT] += 1
    size = 1 << registers[layout.REG_TABLE_BITS]
    if 2 * registers[layout.REG_TABLE_COUNT] > size and 4 * size <= workspace.table.size:
        _double(workspace)
    return True


@internal
def table_is_full(workspace: Workspace, room: int) -> bool:
    """Whether the table, at its greatest size, might not take ``room`` more keys."""
    registers = workspace.registers
    size = 1 << registers[layout.REG_TABLE_BITS]
    if 4 * size <= workspace.table.size:
        return False
    return registers[layout.REG_TABLE_COUNT] + room > size - (size >> 3)
