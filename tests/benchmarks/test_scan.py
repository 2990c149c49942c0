"""The command that scans KPatience's numbers: resumed, kept and written as a table."""

from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import scan
from spider_solver.game.numberings import MAX_KPAT_SEED, numbered
from spider_solver.game.rules import spider
from spider_solver.proofs.blockade import find_blockade

LOST = 1009003


@pytest.fixture(autouse=True)
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "RANGE", 1 << 19)


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(scan.main, arguments)
    assert result.exit_code == code, result.output
    return result.output


def test_a_scan_and_its_table(tmp_path: Path) -> None:
    table = tmp_path / "lost.csv"
    output = run(str(tmp_path / "parts"), "--last", "1.1M", "--workers", "2", "--save", str(table))
    assert "processor time: " in output
    assert "1 of 1,100,000 deals are blockaded: 0.909 in a million (0.023-5.065)" in output
    certificate = find_blockade(numbered("kpat", LOST, spider(4)))
    assert table.read_text("ascii") == f'seed,suits,certificate\n{LOST},1,"{certificate}"\n'
    assert sorted(path.name for path in (tmp_path / "parts").iterdir()) == [
        "0000000001-0000524287.txt",
        "0000524288-0001048575.txt",
        "0001048576-0001100000.txt",
    ]


def test_only_what_is_missing_is_scanned(tmp_path: Path) -> None:
    (tmp_path / "0000000001-0000524287.txt").write_text("7\n8\n")  # as if they had been found
    (tmp_path / "0000524288-0001048575.1.part").write_text("torn")
    output = run(str(tmp_path), "--last", "1048575", "--workers", "1")
    assert "3 of 1,048,575 deals are blockaded" in output
    output = run(str(tmp_path), "--last", "1048575")
    assert "processor time" not in output
    assert "3 of 1,048,575 deals are blockaded" in output


def test_the_fewest_suits_with_which_a_number_is_lost(tmp_path: Path) -> None:
    scan.write_table([1467465, 4481837], tmp_path / "lost.csv")
    lines = (tmp_path / "lost.csv").read_text("ascii").splitlines()
    assert [line.split(",")[:2] for line in lines[1:]] == [["1467465", "1"], ["4481837", "2"]]


def test_a_number_that_is_not_lost_does_not_get_into_a_table(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="kpat 7 is not blockaded"):
        scan.write_table([7], tmp_path / "lost.csv")


def test_all_numbers_are_in_one_part(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(scan, "RANGE", 1 << 24)
    parts = list(scan.split(tmp_path, MAX_KPAT_SEED))
    assert len(parts) == 128
    assert parts[0].first == 1
    assert parts[-1].last == MAX_KPAT_SEED
    assert all(a.last + 1 == b.first for a, b in pairwise(parts))


def test_numbers_end_where_those_of_kpatience_do(tmp_path: Path) -> None:
    assert "2147483647" in run(str(tmp_path), "--last", "2147483648", code=2)
