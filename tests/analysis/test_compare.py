from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spider_solver.analysis.compare import CompareError, compare, pair, report
from spider_solver.analysis.samples import Sample, read_samples
from spider_solver.analysis.statistics import share_difference
from spider_solver.analysis.tables import render
from spider_solver.store.row import Row
from tests.analysis.sets import BUDGET, lost, still_open, won, write
from tests.rows import SETTINGS

# Seven deals are won in B only, one in A only, two in both, two in neither.
A = [still_open(seed) for seed in range(1, 8)]
A += [won(8, 1000), won(9, 1000, 200), won(10, 1000, 100), lost(11), still_open(12), won(50, 1)]
B = [won(seed, 1000) for seed in range(1, 8)]
B += [still_open(8), won(9, 4000, 190), won(10, 16_000, 80), lost(11), still_open(12), won(60, 1)]


def samples(folder: Path, a: list[Row], b: list[Row]) -> tuple[Sample, Sample]:
    (before,), (after,) = (
        read_samples([write(folder / name, rows)]) for name, rows in (("a", a), ("b", b))
    )
    return before, after


def test_pairs_are_counted(tmp_path: Path) -> None:
    found = compare(*samples(tmp_path, A, B))
    assert (found.pairs, found.unknown) == (12, 0)
    assert (found.both, found.only_a, found.only_b, found.neither) == (2, 1, 7, 2)
    assert (found.open_a, found.open_b) == (8, 2)
    assert found.p_value == pytest.approx(18 / 256)
    assert found.share.value == 0.5
    before = np.array([False] * 7 + [True] * 3 + [False] * 2)
    after = np.array([True] * 7 + [False] + [True] * 2 + [False] * 2)
    assert found.share == share_difference(before, after)


def test_nodes_of_what_is_not_won_are_the_budget(tmp_path: Path) -> None:
    found = compare(*samples(tmp_path, A, B))
    assert found.node_pairs == 11  # all but the lost deal
    # Seven times 1/1000, once 1000, then 4, 16 and 1.
    assert found.nodes is not None
    assert found.nodes.value == pytest.approx((1000.0**-6 * 64) ** (1 / 11))
    assert found.nodes.low < found.nodes.value < found.nodes.high


def test_actions_of_what_both_win(tmp_path: Path) -> None:
    found = compare(*samples(tmp_path, A, B))
    assert found.action_pairs == 2
    assert found.actions == pytest.approx((-15, -20, -10))
    assert found.actions_ratio is not None
    assert found.actions_ratio.value == pytest.approx((0.95 * 0.8) ** 0.5)


def test_a_smaller_budget(tmp_path: Path) -> None:
    found = compare(*samples(tmp_path, A, B), 4000)
    assert (found.both, found.only_a, found.only_b, found.neither) == (1, 2, 7, 2)
    with pytest.raises(CompareError, match="both sides were given only 1,000,000"):
        compare(*samples(tmp_path / "again", A, B), BUDGET + 1)


def test_what_a_clock_stopped_is_left_out(tmp_path: Path) -> None:
    stopped = [still_open(1, reason="time", nodes=500), *A[1:]]
    found = compare(*samples(tmp_path, stopped, B))
    assert (found.pairs, found.unknown, found.only_b) == (12, 1, 6)
    assert compare(*samples(tmp_path / "again", stopped, B), 500).unknown == 0


def test_nothing_won_or_shared(tmp_path: Path) -> None:
    a, b = samples(tmp_path, [still_open(1)], [still_open(1)])
    found = compare(a, b)
    assert (found.neither, found.p_value, found.actions) == (1, 1, None)
    assert "-" in render(report([found], "a", "b"), markdown=False)
    other, _ = samples(tmp_path / "other", [won(2, 5)], [won(2, 5)])
    with pytest.raises(CompareError, match="no deal is in both"):
        compare(a, other)


def test_boards_must_be_the_same(tmp_path: Path) -> None:
    def board(deal: str) -> Row:
        return won(1, 5, numbering="board", deal=deal)

    same = samples(tmp_path / "same", [board("x")], [board("x")])
    assert compare(*same).both == 1
    other = samples(tmp_path / "other", [board("x")], [board("y")])
    with pytest.raises(CompareError, match="board 1 is another one in B"):
        compare(*other)


def test_games_are_paired(tmp_path: Path) -> None:
    games = write(tmp_path / "a", [won(1, 5), won(1, 5, suits=2), won(1, 5, numbering="pysol")])
    all_of_them = read_samples([games])
    two, four, pysol = all_of_them
    assert pair(all_of_them, all_of_them) == [(s, s) for s in all_of_them]
    assert pair([four], [two]) == [(four, two)]
    assert pair([four, pysol], [two, pysol]) == [(four, two), (pysol, pysol)]
    with pytest.raises(CompareError, match="A has pysol, spider, 4 suits and B has kpat"):
        pair([pysol], [two])
    one = replace(two, game=two.game._replace(suits=1))
    with pytest.raises(CompareError, match="choose one of each with --suits"):
        pair([one], [two, four])


def test_settings_with_other_budgets_meet_at_the_smaller(tmp_path: Path) -> None:
    a = write(tmp_path / "a", [won(1, 5), won(2, 900_000)])
    b = write(tmp_path / "b", [won(1, 5), still_open(2)], replace(SETTINGS, max_nodes=5000))
    (before,), (after,) = read_samples([a]), read_samples([b])
    found = compare(before, after)
    assert (found.budget, found.both, found.neither, found.open_a) == (5000, 1, 1, 0)
