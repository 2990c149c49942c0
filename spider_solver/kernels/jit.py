"""The one way in which this project compiles: options, and where compiled kernels are kept.

Numba's cache looks only at the file of the function that it loads, so an edited helper in another
file would leave a stale caller behind.  The folder of the cache is therefore named after a hash of
*all* kernel sources and the Numba version: an upgrade can never run an old kernel.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config as numba_config

Function = TypeVar("Function", bound=Callable[..., Any])

CACHE_VARIABLE = "SPIDER_SOLVER_CACHE"
"""Environment variable that moves the folder of compiled kernels."""


_FOLDER = Path(__file__).parent


def _hash_of_sources() -> str:
    digest = hashlib.sha256()
    for path in sorted(_FOLDER.glob("*.py")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


SOURCE_HASH = _hash_of_sources()
"""Twelve hex digits that name the kernel sources; part of every result row."""


def _user_cache() -> Path:
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "spider_solver"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "spider_solver"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "spider_solver"


def cache_folder() -> Path:
    """The folder of this version's compiled kernels (with bounds checks: one of its own)."""
    checks = "-boundscheck" if numba_config.BOUNDSCHECK else ""
    return _user_cache() / f"{SOURCE_HASH}-numba{numba.__version__}{checks}"


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


_KEEP = _writable(cache_folder())


def _compiled(function: Function, **options: Any) -> Function:
    before = numba_config.CACHE_DIR
    numba_config.CACHE_DIR = str(cache_folder()) if _KEEP else before
    try:
        jitted: Function = numba.njit(
            cache=_KEEP,
            nogil=True,
            error_model="numpy",
            _nrt=False,
            no_cfunc_wrapper=True,
            **options,
        )(function)
    finally:
        numba_config.CACHE_DIR = before
    return jitted


def kernel(function: Function) -> Function:
    """Compile ``function`` without the GIL and without Python semantics, cached where possible.

    Arithmetic on integers wraps and divisions by zero are not checked; no kernel divides by a
    value that can be zero.  Arrays are not reference-counted, which would take half of the time,
    so a kernel that allocates does not compile.  Where no folder can be written, kernels are
    compiled in each process.
    """
    return _compiled(function)


def internal(function: Function) -> Function:
    """A :func:`kernel` that only kernels call: an entry from Python takes long to compile.

    Python must not call it: it would crash.
    """
    return _compiled(function, no_cpython_wrapper=True)


def inlined(function: Function) -> Function:
    """An :func:`internal` helper of the hot loops: its code is copied to where it is used.

    A call that is not inlined hands over every array of a Workspace, which costs more than most
    helpers do.
    """
    return _compiled(function, no_cpython_wrapper=True, forceinline=True)


def _mark() -> Path:
    """The file that says that these very sources are compiled.

    Numba keeps kernels by path and age of their sources, so that the same version, installed once
    more or elsewhere, is compiled once more.
    """
    digest = hashlib.sha256()
    for path in sorted(_FOLDER.glob("*.py")):
        digest.update(f"{path} {path.stat().st_mtime_ns}\n".encode())
    return cache_folder() / f"compiled-{digest.hexdigest()[:12]}"


def is_warm() -> bool:
    """Whether these kernels have been compiled on this machine before."""
    return _KEEP and _mark().exists()


def mark_warm() -> None:
    """Note that all kernels have been compiled and kept."""
    if _KEEP:
        _mark().touch()
