from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spider_solver.analysis.lost import losses
from spider_solver.game.position import Position
from spider_solver.proofs.blockade import find_blockade
from spider_solver.store.closed_sets import closed_set_path, write_closed_set
from spider_solver.store.reading import StoreError
from tests.analysis.sets import blockaded, won, write
from tests.case_files import case


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


def test_too_few_cards(tmp_path: Path) -> None:
    row = replace(
        blockaded(),
        numbering="board",
        seed=1,
        deal=case("213").code,
        proof="too-few-cards",
        certificate=None,
    )
    (loss,) = losses(write(tmp_path / "set", [row]))
    assert str(loss).splitlines() == [
        "board 1 (spider, suits 4): lost, too few cards to deal again",
        "  3 cards lie on the table, too few for 10 columns, and only a deal adds cards:",
        "  a row can be dealt only when every column holds a card, so none ever will be;",
        "  10 cards stay in the stock, and at most 7 of 8 runs can ever be complete, 7 are",
    ]
    with pytest.raises(StoreError, match=r"board 1 .*: proof: there are not too few cards"):
        list(losses(write(tmp_path / "other", [replace(row, deal=case("161").code, suits=1)])))


def test_a_complete_search(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    certificate = write_closed_set(write(folder, []), ["a position"])
    kept = replace(blockaded(14934), proof="exhausted", certificate=certificate, nodes=1234)
    claimed = replace(blockaded(1748), proof="exhausted", certificate=None, nodes=99)
    second, first = losses(write(folder, [claimed, kept]))
    assert "(1,234 nodes up to then)" in first.words[0]
    path = closed_set_path(folder, certificate)
    assert first.words[1] == f"{path} should list them: spider-verify checks it"
    assert second.words[1] == ("they were not kept, so this is claimed, not proved: see --proofs")
    path.unlink()
    _, first = losses(folder)
    assert first.words[1] == f"{path} should list them and is missing: claimed, not proved"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"proof": None}, "status lost, proof None, reason None do not go together"),
        ({"reason": "nodes"}, "status lost, proof blockade, reason nodes do not go together"),
        ({"suits": 9}, "deal: Spider has 1 to 4 suits, not 9"),
        ({"variant": "klondike"}, "unknown variant 'klondike'"),
        ({"variant": "relaxed"}, "variant 'relaxed' in a set of 'spider'"),
        ({"seed": 14935}, "deal: not the one that pysol numbers so"),
        ({"proof": "exhausted", "certificate": ""}, "certificate '' is not a SHA-256: 64 digits "),
    ],
)
def test_a_row_that_contradicts_itself(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    row = replace(blockaded(), **changes)
    folder = write(tmp_path / "set", [row])
    with pytest.raises(StoreError) as caught:
        list(losses(folder))
    assert str(caught.value).startswith(f"{folder}: {row.key}: {words}")
    assert str(caught.value).endswith(": see spider-verify")


def test_the_row_of_these_tests_has_its_certificate() -> None:
    assert blockaded().certificate == find_blockade(Position.from_code(blockaded().deal))
