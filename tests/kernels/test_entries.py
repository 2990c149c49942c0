"""Kernels that are called without Numba give what they give with it, or are left to it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spider_solver.game.deal import Deal
from spider_solver.kernels import native
from spider_solver.kernels.entries import _ALL, Entry
from spider_solver.kernels.native import MISFIT, load, place_of
from spider_solver.kernels.places import make_places
from spider_solver.search.packing import pack
from spider_solver.search.solver import warm_up

NAMES = ["is_blockaded", "begin_beam", "run_beam", "begin_cells", "run_cells", "read_line"]


@pytest.fixture(autouse=True, scope="module")
def _kept() -> None:
    """All kernels are compiled, and kept."""
    warm_up()


def blockade_arguments(seed: int) -> list[Any]:
    packed = pack(Deal.numbered(seed, suits=2).position)
    return [*packed[:-1], make_places(), np.zeros(60, np.int64)]


SOLVE = """
import sys
from spider_solver import Deal, Limits, Solver
from spider_solver.kernels import entries
if sys.argv[1] == "numba":
    entries.turn_to_numba()
solver = Solver()
for suits in (1, 4):
    for seed in range(1, 8):
        result = solver.solve(Deal.numbered(seed, suits).position, Limits(100_000, shorten=5000))
        print(suits, seed, result.status, result.nodes, result.shorten_nodes, result.line)
print("numba" in sys.modules, file=sys.stderr)
"""


def test_results_are_the_same_without_numba() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", SOLVE, how], capture_output=True, text=True, check=True
        )
        for how in ("native", "numba")
    ]
    assert [run.stderr for run in runs] == ["False\n", "True\n"]
    assert runs[0].stdout == runs[1].stdout
    assert runs[0].stdout.count("won") == 14


def test_all_entries_are_kept() -> None:
    assert [entry._name for entry in _ALL] == NAMES
    for name in NAMES:
        assert load(name) is not None, name


def test_other_arguments_do_not_fit() -> None:
    kernel = load("is_blockaded")
    assert kernel is not None
    good = blockade_arguments(1)
    assert kernel(*good) is False
    read_only = good[1].copy()
    read_only.setflags(write=False)
    doubled = np.repeat(good[1], 2)[::2]
    for wrong in (good[1].astype(np.int32), read_only, doubled, good[1].reshape(2, -1), 5, None):
        assert kernel(good[0], wrong, *good[2:]) is MISFIT
    assert kernel(*good[:-1]) is MISFIT
    assert kernel(*good) is False


def test_numbers_too_large_for_the_type_do_not_fit() -> None:
    assert native.types_of(2**63 - 1) == native.types_of(-(2**63)) == "int64"
    assert native.types_of(2**63) == native.types_of(-(2**63) - 1) == "?"
    assert native.types_of(np.uint64(2**64 - 1)) == "uint64"
    assert native.types_of(True) == native.types_of(1.0) == "?"


def test_many_calls_are_made_by_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spider_solver.kernels.entries.MOST_NATIVE_CALLS", 2)
    found: list[str] = []

    def find() -> Any:
        found.append("numba")
        return lambda *arguments: "by numba"

    entry = Entry("is_blockaded", find)
    answers = [entry(*blockade_arguments(1)) for _ in range(5)]
    assert answers == [False, False, "by numba", "by numba", "by numba"]
    assert found == ["numba"]


def test_what_does_not_fit_goes_to_numba() -> None:
    entry = Entry("is_blockaded", lambda: lambda *arguments: len(arguments))
    assert entry(1, 2) == 2
    assert entry(*blockade_arguments(1)) == 7


def damaged(kept: bytes) -> list[bytes]:
    head, _, rest = kept.partition(b"\n")
    facts = json.loads(head)
    other = json.dumps(facts | {"digest": "0" * 64}).encode()
    flipped = rest[:-1] + bytes([rest[-1] ^ 1])
    return [
        b"",
        kept[:100],
        kept[:-1],
        head + b"\n" + flipped,
        other + b"\n" + rest,
        b"{}\n" + rest,
    ]


def test_a_damaged_file_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = place_of("is_blockaded").read_bytes()
    monkeypatch.setattr(native, "cache_folder", lambda: tmp_path)
    assert load("is_blockaded") is None
    for content in damaged(kept):
        place_of("is_blockaded").write_bytes(content)
        assert load("is_blockaded") is None
    place_of("is_blockaded").write_bytes(kept)
    assert load("is_blockaded") is not None


def test_settings_of_numba_are_heard(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert load("is_blockaded") is not None
    monkeypatch.setenv("NUMBA_OPT", "1")
    assert load("is_blockaded") is None
    monkeypatch.delenv("NUMBA_OPT")
    monkeypatch.chdir(tmp_path)
    assert load("is_blockaded") is not None
    Path(".numba_config.yaml").write_text("opt: 1\n")
    assert load("is_blockaded") is None


@pytest.mark.parametrize("what", ["llvmlite.__version__", "llvmlite.binding.llvm_version_info"])
def test_another_version_has_another_file(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    before = place_of("is_blockaded")
    monkeypatch.setattr(what, "0.0")
    assert place_of("is_blockaded") != before
    assert load("is_blockaded") is None
