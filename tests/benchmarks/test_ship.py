"""Packing of the data sets in data/."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import ship
from benchmarks.ship import Shipped
from spider_solver.store.reading import read_table
from spider_solver.store.verify import check_slice, repeated, survey


def test_a_packed_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ship, "SETS", {"tiny": Shipped("kpat", (1, 2), 5, "quick")})
    monkeypatch.setattr(ship, "FILE_ROWS", 3)
    work, out = tmp_path / "work", tmp_path / "out"
    (out / "tiny").mkdir(parents=True)
    (out / "tiny" / "part-of-another-time.parquet").touch()
    arguments = ["--work", str(work), "--out", str(out)]
    for _ in range(2):  # the second time there is nothing to solve
        result = CliRunner().invoke(ship.main, arguments, catch_exceptions=False)
        assert result.exit_code == 0, result.output
    names = sorted(path.name for path in (out / "tiny").iterdir())
    assert names == [
        f"part-{suits}-suits-{seeds}.parquet" for suits in (1, 2) for seeds in ("1-3", "4-5")
    ]
    slices, faults = survey(out / "tiny")
    assert faults == repeated(slices) == []
    assert [check_slice(piece).faults for piece in slices] == [[]] * 4
    assert read_table(out / "tiny").equals(read_table(work / "tiny"))
