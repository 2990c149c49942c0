from dataclasses import replace
from pathlib import Path

import pytest

from spider_solver.analysis.lost import losses
from spider_solver.blockade import find_blockade
from spider_solver.position import Position
from spider_solver.store.reading import StoreError
from tests.analysis.sets import blockaded, lost, won, write


def test_a_blockade_in_words(tmp_path: Path) -> None:
    (loss,) = losses(write(tmp_path / "set", [won(1, 5), blockaded()]))
    first, *columns, last = loss.words
    assert first == "no 3 can ever be uncovered:"
    assert len(columns) == 10
    assert last == "so no column can ever be emptied and no run completed"
    assert str(loss).startswith(
        "pysol 14934 (spider, suits 4): lost, blockade\n  no 3 can ever be uncovered:\n  column a"
    )
    assert loss.as_dict()["seed"] == 14934


def test_a_proof_that_does_not_hold(tmp_path: Path) -> None:
    row = replace(blockaded(), certificate="0,0,0,0,0,0,0,0,0,0")
    with pytest.raises(StoreError, match=r"pysol 14934 \(spider, suits 4\): .* see spider-verify"):
        list(losses(write(tmp_path / "set", [row])))


def test_a_complete_search(tmp_path: Path) -> None:
    kept = lost(1, proof="exhausted", certificate="ab12", nodes=1234)
    claimed = lost(2, proof="exhausted", certificate=None, nodes=99)
    folder = write(tmp_path / "set", [kept, claimed])
    first, second = losses(folder)
    assert "(1,234 nodes up to then)" in first.words[0]
    assert first.words[1] == f"{folder}/_proofs/ab12.parquet lists them for spider-verify"
    assert "claimed, not proved" in second.words[1]


def test_the_row_of_these_tests_has_its_certificate() -> None:
    assert blockaded().certificate == find_blockade(Position.from_code(blockaded().deal))
