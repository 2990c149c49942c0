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
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

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


def has_usual_settings() -> bool:
    """Whether Numba compiles as it does by default: it is told nothing by a variable or a file."""
    told = any(name.startswith("NUMBA_") for name in os.environ)
    return not told and not Path(".numba_config.yaml").exists()


@cache
def cache_folder() -> Path:
    """The folder of this version's compiled kernels (with bounds checks: one of its own).

    Numba is not imported for it, which takes its time, unless it has settings of its own.
    """
    checks = "" if has_usual_settings() or not _numba().config.BOUNDSCHECK else "-boundscheck"
    return _user_cache() / f"{SOURCE_HASH}-numba{version('numba')}{checks}"


@cache
def _numba() -> Any:
    """Numba, without the half of SciPy that it would import with its first kernel.

    Its array functions look whether SciPy's linear algebra is there by importing it. It is, as
    this package requires SciPy, so they are told so; what uses it imports it then.
    """
    import numba
    from numba.np import linalg

    looks = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        import numba.np.arraymath
    finally:
        linalg.ensure_blas = looks
    return numba


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


_KEEP = _writable(cache_folder())


def _compiled(function: Function, **options: Any) -> Function:
    numba = _numba()
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder()) if _KEEP else before
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
        numba.config.CACHE_DIR = before
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
