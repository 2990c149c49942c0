import numpy as np
import pytest

from benchmarks.deals import choose
from benchmarks.report import table
from benchmarks.statistics import (
    bootstrap,
    mean_difference,
    ratio_of_means,
    share_difference,
    typical_ratio,
    wilson,
)
from spider_solver.numbering import NumberingError


def test_wilson_interval_of_the_textbook() -> None:
    assert wilson(8, 10) == pytest.approx((0.8, 0.4902, 0.9433), abs=1e-4)


def test_a_constant_ratio_has_no_width() -> None:
    before = np.array([1.0, 5.0, 30.0])
    for statistic in (ratio_of_means, typical_ratio):
        assert bootstrap(statistic, before, 3 * before) == pytest.approx((3, 3, 3))
    assert bootstrap(mean_difference, before, before + 2) == pytest.approx((2, 2, 2))


def test_difference_of_shares() -> None:
    before = np.array([True] * 10 + [False] * 10)
    same = share_difference(before, before)
    assert same.value == 0
    assert same.low == -same.high < 0
    more = share_difference(before, np.array([True] * 18 + [False] * 2))
    assert more.value == pytest.approx(0.4)
    assert 0 < more.low < 0.4 < more.high
    assert share_difference(~before, before).value == 0


def test_training_and_reporting_deals_never_mix() -> None:
    training = choose("training", 4, 5)
    assert (training.numbering, training.seeds) == ("kpat", (10000, 10001, 10002, 10003, 10004))
    reporting = choose("reporting", 4, 3, skip=998)
    assert reporting.seeds == (999, 1000, 1000000)
    assert len(choose("reporting", 4, None).seeds) == 1000
    assert choose("seen", 4, 1, numbering="kpat").numbering == "pysol"
    assert choose("3,5-6", 2, None, numbering="pysol") == ("pysol", 2, (3, 5, 6))
    with pytest.raises(NumberingError):
        choose("1-5", 4, 1, skip=5)


def test_table() -> None:
    assert table(["a", "b"], [["long", "1"], ["x", "22"]]) == "a      b\nlong   1\nx     22"
