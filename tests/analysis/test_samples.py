from dataclasses import replace
from pathlib import Path

import pytest

from spider_solver.analysis.samples import LOST, OPEN, STOPPED, WON, read_samples
from spider_solver.store import reading
from spider_solver.store.keys import GameKey
from spider_solver.store.reading import StoreError
from tests.analysis.sets import blockaded, small_set, still_open, won, write
from tests.rows import SETTINGS


def test_one_sample_a_game_sorted_by_seed(tmp_path: Path) -> None:
    folder = small_set(tmp_path / "set")
    write(folder, [won(3, 70, numbering="pysol"), won(0, 55, 44)])
    two, four, pysol = read_samples([folder])
    assert [two.game, four.game, pysol.game] == [
        ("kpat", "spider", 2),
        ("kpat", "spider", 4),
        ("pysol", "spider", 4),
    ]
    assert str(four.game) == "kpat, spider, 4 suits"
    assert four.seeds.tolist() == [*range(11)]
    assert four.outcome.tolist() == [WON] * 8 + [LOST, OPEN, OPEN]
    assert four.nodes[:2].tolist() == [55, 2000]
    assert four.actions.tolist() == [44, *range(151, 158), -1, -1, -1]
    assert four.budget == SETTINGS.max_nodes
    assert four.sets == (folder,)
    assert four.won_within(2000).tolist() == [True] * 2 + [False] * 9


def test_pieces_give_the_same_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = small_set(tmp_path / "set")
    whole = read_samples([folder])
    monkeypatch.setattr(reading, "_BATCH_ROWS", 2)
    for before, after in zip(whole, read_samples([folder]), strict=True):
        assert before.game == after.game
        for name in ("seeds", "outcome", "nodes", "actions", "seconds"):
            assert getattr(before, name).tolist() == getattr(after, name).tolist()


def test_sets_are_put_together_at_the_smallest_budget(tmp_path: Path) -> None:
    small = write(tmp_path / "a", [won(1, 10)], replace(SETTINGS, max_nodes=5000))
    large = write(tmp_path / "b", [won(2, 9000), still_open(3)])
    (both,) = read_samples([large, small, large])
    assert (both.deals, both.budget, set(both.sets)) == (3, 5000, {small, large})


def test_a_deal_in_two_sets_is_refused(tmp_path: Path) -> None:
    one = small_set(tmp_path / "one")
    other = write(tmp_path / "other", [won(2, 9), won(77, 9)])
    with pytest.raises(StoreError, match=r"^kpat, spider, 4 suits: 1 deal \(2\) stand") as caught:
        read_samples([one, other])
    assert f"{one} and {other}" in str(caught.value)


def test_stopped_by_a_clock(tmp_path: Path) -> None:
    rows = [still_open(1, reason="time", nodes=500), still_open(2), blockaded()]
    four, pysol = read_samples([write(tmp_path / "set", rows)])
    assert four.outcome.tolist() == [STOPPED, OPEN]
    assert four.undecided.all()
    assert four.unknown_within(501).tolist() == [True, False]
    assert not four.unknown_within(500).any()
    assert pysol.lost.all()


def test_no_deals(tmp_path: Path) -> None:
    assert read_samples([write(tmp_path / "set", [])]) == []
    with pytest.raises(StoreError, match="No such file"):
        read_samples([tmp_path / "nothing"])


def test_a_game_in_words() -> None:
    assert str(GameKey("pysol", "spider", 1)) == "pysol, spider, 1 suit"
