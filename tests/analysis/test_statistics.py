import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np
import pytest

from spider_solver.analysis.statistics import (
    Method,
    bootstrap,
    holm,
    mcnemar,
    mean_difference,
    ratio_of_means,
    share_between,
    share_difference,
    share_of,
    typical_ratio,
)
from tests.analysis.inversion import interval


def test_wilson_interval_of_the_textbook() -> None:
    assert share_of(8, 10) == pytest.approx((0.8, 0.4902, 0.9433), abs=1e-4)


def test_exact_interval_of_the_textbook() -> None:
    assert share_of(0, 10, method="exact") == pytest.approx((0, 0, 1 - 0.025**0.1))


@pytest.mark.parametrize("method", ["wilson", "exact"])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (1, 1), (3, 7), (48, 60), (999, 1000)])
def test_intervals_by_inverting_the_test(
    method: Method, level: float, successes: int, trials: int
) -> None:
    expected = interval(successes, trials, level, method)
    assert share_of(successes, trials, level, method)[1:] == pytest.approx(expected, abs=1e-9)


def test_nothing_is_known_without_trials() -> None:
    value, low, high = share_of(0, 0)
    assert (math.isnan(value), low, high) == (True, 0, 1)


def test_open_deals_widen_both_ends() -> None:
    both = share_between(48, 55, 60)
    assert both.value == 0.8
    assert both.low == share_of(48, 60).low
    assert both.high == share_of(55, 60).high


def test_mcnemar_by_adding_up() -> None:
    # Of 8 pairs that differ 1 goes one way: (1 + 8) * 2 / 2^8.
    assert mcnemar(1, 7) == mcnemar(7, 1) == pytest.approx(18 / 256)
    assert mcnemar(0, 6) == pytest.approx(2 / 64)
    assert mcnemar(5, 5) == mcnemar(0, 0) == 1


def test_holm_of_the_textbook() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1, 1]
    assert holm([]) == []


@pytest.mark.parametrize(
    ("statistic", "after", "value"),
    [(ratio_of_means, 3, 3), (typical_ratio, 3, 3), (mean_difference, None, 2)],
)
def test_what_is_the_same_everywhere_has_no_width(
    statistic: Callable[..., np.ndarray], after: int | None, value: float
) -> None:
    before = np.array([1.0, 5.0, 30.0])
    other = before + 2 if after is None else after * before
    assert bootstrap(statistic, before, other) == pytest.approx((value, value, value))


def test_bootstrap_of_a_mean_is_near_students_interval() -> None:
    values = np.random.default_rng(1).normal(5, 2, 400)
    found = bootstrap(mean_difference, np.zeros(400), values)
    spread = 1.96 * values.std(ddof=1) / 20
    assert found == pytest.approx(
        (values.mean(), values.mean() - spread, values.mean() + spread), abs=0.02
    )
    assert found == bootstrap(mean_difference, np.zeros(400), values)
    narrow = bootstrap(mean_difference, np.zeros(400), values, level=0.5)
    ratio = NormalDist().inv_cdf(0.75) / 1.96
    assert narrow.high - narrow.low == pytest.approx(ratio * (found.high - found.low), rel=0.1)


def test_difference_of_shares() -> None:
    before = np.array([True] * 10 + [False] * 10)
    same = share_difference(before, before)
    assert same.value == 0
    assert same.low == -same.high < 0
    more = share_difference(before, np.array([True] * 18 + [False] * 2))
    assert more.value == pytest.approx(0.4)
    assert 0 < more.low < 0.4 < more.high
    assert share_difference(~before, before).value == 0
