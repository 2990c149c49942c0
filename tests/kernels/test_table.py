import numba
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spider_solver.kernels import layout, table
from spider_solver.kernels.layout import Workspace
from tests.kernels.engine import workspace


@numba.njit
def insert(work: Workspace, key: np.uint64) -> bool:
    return table.insert(work, key)


@numba.njit
def seen(work: Workspace, key: np.uint64) -> bool:
    return table.seen(work, key)


@given(st.lists(st.integers(1, 2**64 - 1), max_size=3000), st.integers(0, 2**64 - 1))
def test_table_is_a_set(keys: list[int], stranger: int) -> None:
    work = workspace()
    table.clear_table(work)
    known: set[int] = set()
    for key in keys:
        assert insert(work, np.uint64(key)) == (key not in known)
        known.add(key)
    assert all(seen(work, np.uint64(key)) for key in known)
    if stranger:
        assert seen(work, np.uint64(stranger)) == (stranger in known)
    assert work.registers[layout.REG_TABLE_COUNT] == len(known)
    assert 2 * len(known) <= 1 << work.registers[layout.REG_TABLE_BITS]


def test_table_grows_and_forgets() -> None:
    work = workspace()
    table.clear_table(work)
    keys = [np.uint64(key * 0x9E3779B97F4A7C15 % 2**64 | 1) for key in range(1, 20001)]
    for key in keys:
        assert insert(work, key)
    assert work.registers[layout.REG_TABLE_BITS] == 16
    assert not any(insert(work, key) for key in keys)
    table.clear_table(work)
    assert not any(seen(work, key) for key in keys)
