"""The kernels that a usual deal needs, to be called without importing Numba where that is possible.

Importing Numba and loading its registries takes longer than most deals do. So the compiled code of
these kernels is kept once more in a form that needs neither (:mod:`spider_solver.kernels.native`).
A call of it takes longer than one by Numba, some hundredths of a millisecond. So whoever makes many
gets Numba after all, and so does whoever finds nothing kept, or nothing that fits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spider_solver.kernels.native import MISFIT, Native, load

MOST_NATIVE_CALLS = 100
"""Calls of a kernel that are made without Numba: those of some tens of deals."""


class Entry:
    """A kernel that Python calls by name; several threads may.

    Args:
        name: the name of the kernel's function.
        find: imports the kernel, and Numba with it.
    """

    def __init__(self, name: str, find: Callable[[], Any]) -> None:
        self._name = name
        self._find = find
        self._numba: Any = None
        self._native: Native | None = None
        self._calls = 0

    def __call__(self, *arguments: Any) -> Any:
        """What the kernel returns."""
        if self._numba is not None:
            return self._numba(*arguments)
        if not self._calls:
            self._native = load(self._name)
        self._calls += 1
        if self._native is not None and self._calls <= MOST_NATIVE_CALLS:
            result = self._native(*arguments)
            if result is not MISFIT:
                return result
        return self._call_by_numba(arguments)

    def _call_by_numba(self, arguments: tuple[Any, ...]) -> Any:
        kernel = self._find()
        result = kernel(*arguments)
        if self._native is None and load(self._name) is None:
            from spider_solver.kernels.keeping import keep

            keep(self._name, kernel, arguments)
        self._numba = kernel
        return result

    def turn_to_numba(self) -> None:
        """Make all further calls by Numba."""
        self._calls = MOST_NATIVE_CALLS


def _is_blockaded() -> Any:
    from spider_solver.kernels.blockade import is_blockaded

    return is_blockaded


def _begin_beam() -> Any:
    from spider_solver.kernels.beam import begin_beam

    return begin_beam


def _run_beam() -> Any:
    from spider_solver.kernels.beam import run_beam

    return run_beam


def _begin_cells() -> Any:
    from spider_solver.kernels.cells import begin_cells

    return begin_cells


def _run_cells() -> Any:
    from spider_solver.kernels.cells import run_cells

    return run_cells


def _read_line() -> Any:
    from spider_solver.kernels.dealing import read_line

    return read_line


is_blockaded = Entry("is_blockaded", _is_blockaded)
begin_beam = Entry("begin_beam", _begin_beam)
run_beam = Entry("run_beam", _run_beam)
begin_cells = Entry("begin_cells", _begin_cells)
run_cells = Entry("run_cells", _run_cells)
read_line = Entry("read_line", _read_line)

_ALL = (is_blockaded, begin_beam, run_beam, begin_cells, run_cells, read_line)


def turn_to_numba() -> None:
    """Make all further calls by Numba: the first of each entry loads what it needs."""
    for entry in _ALL:
        entry.turn_to_numba()
