"""Compiled kernels kept as object code, which LLVM loads and ctypes calls without Numba.

Numba keeps the object code of each kernel, but needs all of itself to call it. Here the same code
is kept with a short entry beside it: a function of two addresses, of the result and of the
arguments as 64-bit words, which hands them to the kernel in the order of Numba's calling convention
(an array is seven words: no owner, no parent, items, bytes of an item, address, length, stride).

A file is used only by the sources, the versions and the processor that it was made for, with the
digest of its content, and with arguments of just the types that it was made with.
:mod:`spider_solver.kernels.keeping` makes the files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from ctypes import CFUNCTYPE, addressof, c_char, c_int32, c_int64, c_void_p
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from spider_solver.kernels.jit import cache_folder, has_usual_settings

MISFIT = object()
"""What a call gives if its arguments are not of the types that the code was compiled for."""

ENTRY = "enter"
"""The name of the entry in its object code."""

_SCALARS = {int: "int64", np.int64: "int64", np.uint64: "uint64"}


class Native:
    """A kernel as machine code; several threads may call it.

    Args:
        entry, code: object code.
        types: of the arguments, as :func:`types_of` has them.
        returns: the type of the result.
    """

    def __init__(self, entry: bytes, code: bytes, types: list[str], returns: str) -> None:
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine())
        for piece in (entry, code):
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(piece))
        self._engine.finalize_object()
        address = self._engine.get_function_address(ENTRY)
        self._enter = CFUNCTYPE(c_int32, c_void_p, c_void_p)(address)
        self._types = types
        self._returns = returns

    def __call__(self, *arguments: Any) -> Any:
        """What the kernel returns, or MISFIT. The GIL is released meanwhile."""
        if list(map(types_of, arguments)) != self._types:
            return MISFIT
        given = [word for argument in arguments for word in _words(argument)]
        words = (c_int64 * len(given))(*given)
        result = c_int64()
        if self._enter(addressof(result), addressof(words)):
            raise RuntimeError("a kernel failed")
        if self._returns == "none":
            return None
        return result.value if self._returns == "int64" else bool(result.value & 1)


def _words(argument: Any) -> Iterator[int]:
    if isinstance(argument, tuple):
        for part in argument:
            yield from _words(part)
    elif isinstance(argument, np.ndarray):
        size, step = argument.size, argument.itemsize
        address = addressof(c_char.from_buffer(argument)) if size else 0
        yield from (0, 0, size, step, address, size, step)
    else:
        yield int(argument)


def types_of(argument: Any) -> str:
    """The types of an argument as text; with a "?" if no kernel is kept for them."""
    if isinstance(argument, tuple):
        return ", ".join(map(types_of, argument))
    if isinstance(argument, np.ndarray):
        usual = argument.flags.carray and argument.ndim == 1
        return _type_text(argument.dtype) if usual else "?"
    name = _SCALARS.get(type(argument), "?")
    return name if name != "int64" or -(1 << 63) <= argument < 1 << 63 else "?"


@cache
def _type_text(dtype: np.dtype[Any]) -> str:
    return repr(dtype)


def machine() -> llvm.TargetMachine:
    """What LLVM makes and loads code for; an engine takes it over."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(jit=True)


def place_of(name: str) -> Path:
    """The file of a kernel, for these sources, versions and this processor."""
    made_for = (
        llvmlite.__version__,
        llvm.llvm_version_info,
        llvm.get_process_triple(),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
    )
    digest = hashlib.sha256(repr(made_for).encode()).hexdigest()[:12]
    return cache_folder() / f"{name}-{digest}.native"


def load(name: str) -> Native | None:
    """The kernel of a name, if it is kept; None if Numba has settings of its own."""
    if not has_usual_settings():
        return None
    with suppress(OSError, ValueError, KeyError):
        head, _, rest = place_of(name).read_bytes().partition(b"\n")
        facts = json.loads(head)
        if hashlib.sha256(rest).hexdigest() == facts["digest"]:
            entry, code = rest[: facts["entry"]], rest[facts["entry"] :]
            return Native(entry, code, facts["types"], facts["returns"])
    return None
