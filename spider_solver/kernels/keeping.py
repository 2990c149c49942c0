"""Keeps the object code of a kernel that Numba has compiled, for :mod:`.kernels.native` to load.

The object code refers to Python in one place only, Numba's own way in, which native calls do not
take. What that refers to is defined beside the entry, as traps; nothing else may be missing but
three functions of the C library. Numba's internals are looked at here: if they are not as expected,
nothing is kept, and all is done by Numba.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from contextlib import suppress
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numpy as np

from spider_solver.kernels.jit import has_usual_settings
from spider_solver.kernels.native import ENTRY, machine, place_of, types_of

_ARRAY = "ppiipii"  # the words of an array: p an address, i an integer
_ARRAY_FIELDS = ("meminfo", "parent", "nitems", "itemsize", "data", "shape", "strides")
_RETURNED = frozenset({"none", "int64", "bool"})
_FROM_C = frozenset({"memcpy", "memmove", "memset"})
_OF_NUMBAS_WAY_IN = frozenset(
    {
        "numba_adapt_ndarray",
        "numba_do_raise",
        "numba_runtime_build_excinfo_struct",
        "numba_unpickle",
    }
)
_SYMBOL = struct.Struct("<IBBHQQ")  # of an ELF file: where its name is, kind, …, section, …


def keep(name: str, kernel: Any, arguments: tuple[Any, ...]) -> None:
    """Keep a kernel that Numba has just called, for the processes to come.

    It is not kept if Numba has settings of its own or internals that are not known here.
    """
    if not has_usual_settings():
        return
    with suppress(Exception):  # whatever another Numba may be missing: this only saves time
        compiled = _compiled(kernel, arguments)
        entry = _entry_code(compiled)
        rest = entry + compiled.code
        facts = {
            "digest": hashlib.sha256(rest).hexdigest(),
            "entry": len(entry),
            "types": [types_of(argument) for argument in arguments],
            "returns": compiled.returns,
        }
        place = place_of(name)
        unfinished = place.with_name(f".{place.name}.{os.getpid()}.tmp")
        unfinished.write_bytes(json.dumps(facts).encode() + b"\n" + rest)
        unfinished.replace(place)


class _Compiled(NamedTuple):
    """What Numba knows of a compiled kernel.

    Attributes:
        symbol: its name in the object code.
        pattern: a letter for each word of its arguments.
        returns: the type of its result.
        code: its object code.
        traps: what Numba's way in refers to.
    """

    symbol: str
    pattern: str
    returns: str
    code: bytes
    traps: list[str]


def _compiled(kernel: Any, arguments: tuple[Any, ...]) -> _Compiled:
    """A compiled kernel, from Numba's cache.

    Raises:
        Exception: something is not as it is known here, often a LookupError.
    """
    [(signature, overload)] = kernel.overloads.items()
    target, stored = kernel.targetctx, kernel._cache
    data = stored._cache_file.load(stored._index_key(signature, target.codegen()))
    _, kind, (code, _) = data[0]
    facts = overload.fndesc
    pattern = "".join(map(_pattern, arguments))
    words = [str(word) for word in target.get_arg_packer(facts.argtypes)._be_args]
    parts = [part for given in facts.argtypes for part in getattr(given, "types", [given])]
    fields = {getattr(target.data_model_manager[part], "_fields", None) for part in parts}
    missing = _missing(code)
    traps = {name for name in missing if name.startswith(("Py", "_Py"))} | _OF_NUMBAS_WAY_IN
    known = (
        kind == "object",
        str(facts.restype) in _RETURNED,
        not any("?" in types_of(argument) for argument in arguments),
        all(word == "i64" or word == "ptr" or word.endswith("*") for word in words),
        "".join("i" if word == "i64" else "p" for word in words) == pattern,
        fields <= {_ARRAY_FIELDS, None},
        missing <= traps | _FROM_C,
    )
    if not all(known):
        raise LookupError(known)
    return _Compiled(facts.llvm_func_name, pattern, str(facts.restype), code, sorted(traps))


def _pattern(argument: Any) -> str:
    """A letter for each word of an argument."""
    if isinstance(argument, tuple):
        return "".join(map(_pattern, argument))
    return _ARRAY if isinstance(argument, np.ndarray) else "i"


def _missing(code: bytes) -> set[str]:
    """The names that object code refers to and does not define."""
    sections = {
        section.name(): section.data()
        for section in llvm.ObjectFileRef.from_data(code).sections()
        if section.name() in (b".symtab", b".strtab")
    }
    names = sections[b".strtab"]
    return {
        names[at : names.index(b"\0", at)].decode()
        for at, _, _, section, _, _ in _SYMBOL.iter_unpack(sections[b".symtab"])
        if section == 0 and at
    }


def _entry_code(compiled: _Compiled) -> bytes:
    """The object code of the way into a kernel, and of traps for all that it refers to."""
    from llvmlite import ir

    word, address = ir.IntType(64), ir.IntType(8).as_pointer()
    kinds = {"i": word, "p": address}
    module = ir.Module(name=ENTRY)
    module.triple = llvm.get_process_triple()
    taken = [kinds[letter] for letter in compiled.pattern]
    status = ir.IntType(32)
    kernel = ir.Function(
        module, ir.FunctionType(status, [address, address, *taken]), compiled.symbol
    )
    enter = ir.Function(module, ir.FunctionType(status, [address, word.as_pointer()]), ENTRY)
    builder = ir.IRBuilder(enter.append_basic_block())
    given = []
    for place, kind in enumerate(taken):
        loaded = builder.load(builder.gep(enter.args[1], [word(place)]))
        given.append(builder.inttoptr(loaded, kind) if kind is address else loaded)
    error = builder.bitcast(builder.alloca(address), address)
    builder.ret(builder.call(kernel, [enter.args[0], error, *given]))
    trap = ir.Function(module, ir.FunctionType(ir.VoidType(), []), "llvm.trap")
    for name in compiled.traps:
        stand_in = ir.Function(module, ir.FunctionType(ir.VoidType(), []), name)
        builder = ir.IRBuilder(stand_in.append_basic_block())
        builder.call(trap, [])
        builder.unreachable()
    return bytes(machine().emit_object(llvm.parse_assembly(str(module))))
