"""The data sets in data/: a sample is verified by default, every row under ``full``."""

from pathlib import Path
from random import Random

import pytest

from spider_solver.store.reading import part_paths, read_rows, read_table, set_settings
from spider_solver.store.verify import Verdict, check_row, check_slice, repeated, survey

DATA = Path(__file__).parents[2] / "data"

# folder, numbering, last number, suits, status by number of deals
SETS = [
    ("kpat-1-1000", "kpat", 1000, (1, 2, 4), {"won": 3000}),
    ("pysol-1-32000", "pysol", 32_000, (4,), {"won": 31_998, "lost": 2}),
]
NAMES = [case[0] for case in SETS]


@pytest.mark.parametrize(("name", "numbering", "last", "suits", "statuses"), SETS, ids=NAMES)
def test_a_set_holds_each_deal_once(
    name: str, numbering: str, last: int, suits: tuple[int, ...], statuses: dict[str, int]
) -> None:
    table = read_table(DATA / name, ["status"])
    assert set(table["numbering"].to_pylist()) == {numbering}
    assert set(table["variant"].to_pylist()) == {"spider"}
    keys = list(zip(table["suits"].to_pylist(), table["seed"].to_pylist(), strict=True))
    assert keys == [(count, seed) for count in suits for seed in range(1, last + 1)]
    found = table["status"].to_pylist()
    assert {status: found.count(status) for status in set(found)} == statuses


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_verified(name: str) -> None:
    settings = set_settings(DATA / name)
    assert settings is not None
    for path in part_paths(DATA / name):
        for row in Random(8).sample(read_rows(path), 30):
            assert check_row(row, settings, path.parent) != Verdict.OPEN


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_all_rows_are_verified(name: str) -> None:
    slices, faults = survey(DATA / name)
    assert faults == []
    assert repeated(slices) == []
    for piece in slices:
        report = check_slice(piece)
        assert report.faults == []
        assert {*report.counts} <= {Verdict.WON_VERIFIED, Verdict.LOST_VERIFIED}


def test_files_stay_small_enough_for_a_repository() -> None:
    for path in DATA.rglob("*"):
        assert not path.is_file() or path.stat().st_size < 10_000_000
