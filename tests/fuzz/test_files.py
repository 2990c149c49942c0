"""Damaged data sets, closed sets and files of lines: each is read, or refused in one line."""

import json
from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import strategies as st

from spider_solver.answers.hints import Hinter
from spider_solver.cli.following import FollowError, load_lines
from spider_solver.game.notation import parse_line
from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import spider
from spider_solver.proofs.check import ProofError
from spider_solver.proofs.closed_set import check_closed_set
from spider_solver.search.complete import explore
from spider_solver.store.closed_sets import ClosedSet, closed_set_path, write_closed_set
from spider_solver.store.reading import StoreError, part_paths, read_rows, read_table, set_settings
from spider_solver.store.row import Row
from spider_solver.store.verify import RowError, check_row, check_slice, repeated, survey
from spider_solver.store.writing import SetWriter
from tests.fuzz.fuzzing import Target, corpus, fuzz, outcome
from tests.fuzz.mutation import damaged_bytes, damaged_texts
from tests.rows import SETTINGS, real_rows
from tests.small_games import SMALL_GAMES

LOST = numbered("pysol", 1, SMALL_GAMES[1])
ROWS = real_rows()


@cache
def part() -> bytes:
    """A part of a data set."""
    with TemporaryDirectory() as folder:
        with SetWriter(Path(folder) / "set", SETTINGS) as writer:
            writer.add(ROWS)
        sizes = {path.stat().st_size: path for path in part_paths(Path(folder) / "set")}
        return sizes[max(sizes)].read_bytes()


@cache
def closed_set() -> bytes:
    """The closed set of a lost deal."""
    with TemporaryDirectory() as folder:
        codes = [position.code for position in explore(LOST, 10**6).positions()]
        certificate = write_closed_set(Path(folder), codes)
        return closed_set_path(Path(folder), certificate).read_bytes()


def lines_file() -> bytes:
    """What ``spider-hint --follow`` writes."""
    won = [row for row in ROWS if row.line is not None]
    lines = [
        {"variant": row.variant, "suits": row.suits, "position": row.deal, "line": row.line}
        for row in won
    ]
    return json.dumps({"lines": lines}, indent=1).encode()


def read_set(data: bytes) -> None:
    """Read a data set of one part in all ways; checking it never fails."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "part-00.parquet"
        path.write_bytes(data)
        slices, faults = survey(path.parent)
        for piece in slices:
            faults += check_slice(piece).faults
        faults += repeated(slices)
        assert all(map(str.isprintable, faults))
        set_settings(path.parent)
        assert read_table(path.parent).num_rows == len(read_rows(path))


def read_closed_set(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "some.parquet"
        path.write_bytes(data)
        check_closed_set(LOST, ClosedSet(path))


def read_lines(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "lines"
        path.write_bytes(data)
        load_lines(path, spider(4), Hinter())


def read_row(row: Row) -> None:
    """Check a row; one that passes proves what it says."""
    check_row(row, SETTINGS.as_dict(), Path("nowhere"))
    if row.status == "won":
        position = Position.from_code(row.deal, spider(row.suits))
        for move in parse_line(row.line or ""):
            position = position.play(move)
        assert position.is_won


@st.composite
def damaged_rows(draw: st.DrawFn) -> Row:
    """Real rows, a few of their columns changed."""
    row = draw(st.sampled_from(ROWS))
    names = [field.name for field in fields(Row)]
    for name in draw(st.lists(st.sampled_from(names), max_size=3)):
        value = getattr(row, name)
        others = [getattr(other, name) for other in ROWS]
        changes: Any = st.sampled_from(others)
        if isinstance(value, str):
            changes |= damaged_texts([value])
        elif isinstance(value, float):
            changes |= st.floats()
        elif isinstance(value, int):
            changes |= st.integers(-128, 127) | st.integers(-(2**63), 2**63 - 1)
        row = replace(row, **{name: draw(changes)})
    return row


FILES: tuple[Target[bytes], ...] = (
    Target("set", read_set, (StoreError,), damaged_bytes([part()])),
    Target(
        "closed-set-file", read_closed_set, (StoreError, ProofError), damaged_bytes([closed_set()])
    ),
    Target(
        "lines-file", read_lines, (FollowError,), damaged_bytes([lines_file(), b'{"lines": []}'])
    ),
)
TARGETS: tuple[Target[Any], ...] = (
    *FILES,
    Target("row", read_row, (RowError,), damaged_rows()),
)
BY_NAME = {target.name: target for target in TARGETS}


@pytest.mark.parametrize("name", BY_NAME)
def test_damaged_inputs(name: str) -> None:
    assert fuzz(BY_NAME[name], 60)


@pytest.mark.parametrize("target", FILES, ids=lambda target: target.name)
def test_kept_inputs(target: Target[bytes]) -> None:
    for kept in corpus(target.name):
        outcome(target, kept)


@pytest.mark.full
@pytest.mark.parametrize("name", BY_NAME)
def test_many_damaged_inputs(name: str, tell: Callable[[str], None]) -> None:
    outcomes = fuzz(BY_NAME[name], 2000, seeded=False)
    tell(f"{name}: {outcomes.total():,} inputs, {dict(outcomes)}")
