"""Intervals for shares, tests and intervals for what differs on the same deals."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.95
"""The confidence of an interval unless another is asked for."""

Method = Literal["wilson", "exact"]
"""Wilson's score interval (1927), or Clopper and Pearson's exact one (1934)."""

_RESAMPLES = 4000
_MOST_DRAWS = 400_000_000  # of a bootstrap; beyond 100,000 pairs there are fewer resamples
_LEAST_RESAMPLES = 400

Floats = NDArray[np.float64]


class Interval(NamedTuple):
    """An estimate and its interval."""

    value: float
    low: float
    high: float


def share_of(
    successes: int, trials: int, level: float = LEVEL, method: Method = "wilson"
) -> Interval:
    """A share of independent trials, with its interval; no trial tells nothing (0 to 1)."""
    from scipy.stats import binomtest  # slow to import, and large

    if trials == 0:
        return Interval(float("nan"), 0.0, 1.0)
    interval = binomtest(successes, trials).proportion_ci(level, method)
    # Wilson's ends are 0 and 1 there but for rounding.
    low = 0.0 if successes == 0 else float(interval.low)
    high = 1.0 if successes == trials else float(interval.high)
    return Interval(successes / trials, low, high)


def share_between(
    least: int, most: int, trials: int, level: float = LEVEL, method: Method = "wilson"
) -> Interval:
    """A share of which only bounds were counted: between ``least`` and ``most`` of the trials.

    The lower end is that of the interval of ``least``, the upper end that of ``most``: whatever
    the undecided trials would turn out to be, the interval of the true count lies inside.

    Returns:
        The bare floor, ``least / trials``, and the two ends.
    """
    floor = share_of(least, trials, level, method)
    return Interval(floor.value, floor.low, share_of(most, trials, level, method).high)


def share_difference(
    before: NDArray[np.bool_], after: NDArray[np.bool_], level: float = LEVEL
) -> Interval:
    """Share after minus share before, on the same deals.

    The interval is Agresti and Min's (2005) for matched pairs: Wald's with half a deal added to
    each of the four outcomes, so that it has width where no deal, or all deals, differ.
    """
    from scipy.stats import norm

    n = before.size + 2
    gained = float(np.sum(after & ~before)) + 0.5
    lost = float(np.sum(before & ~after)) + 0.5
    middle = (gained - lost) / n
    spread = norm.ppf((1 + level) / 2) * np.sqrt(
        max(gained + lost - (gained - lost) ** 2 / n, 0) / n**2
    )
    value = float(np.mean(after) - np.mean(before))
    return Interval(value, max(middle - spread, -1.0), min(middle + spread, 1.0))


def mcnemar(only_before: int, only_after: int) -> float:
    """The exact two-sided p-value of McNemar's test (1947) from the pairs that differ."""
    from scipy.stats import binomtest

    discordant = only_before + only_after
    return float(binomtest(only_after, discordant).pvalue) if discordant else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values corrected for their number, by Holm (1979), in the same order.

    To call those below a level significant keeps the chance of any false alarm at that level,
    however the tests depend on each other.
    """
    corrected = [1.0] * len(p_values)
    least = 0.0
    for place, test in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        least = max(least, min(p_values[test] * (len(p_values) - place), 1.0))
        corrected[test] = least
    return corrected


def bootstrap(
    statistic: Callable[..., Floats], *samples: NDArray[np.generic], level: float = LEVEL
) -> Interval:
    """A statistic of paired samples, with the percentile interval over resampled pairs.

    The same samples give the same interval.

    Args:
        statistic: takes samples of shape (..., n) and gives shape (...).
        samples: as many arrays of length n, entry by entry of the same deal.
        level: the confidence.
    """
    generator = np.random.default_rng(20261129)
    arrays = [np.asarray(sample, np.float64) for sample in samples]
    n = arrays[0].size
    resamples = min(_RESAMPLES, max(_LEAST_RESAMPLES, _MOST_DRAWS // n))
    values: list[Floats] = []
    rounds = max(1, min(resamples, 2_000_000 // n))  # at a time, for the memory's sake
    for first in range(0, resamples, rounds):
        picked = generator.integers(0, n, (min(rounds, resamples - first), n))
        values.append(statistic(*(array[picked] for array in arrays)))
    low, high = np.quantile(np.concatenate(values), [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(statistic(*arrays)), float(low), float(high))


def ratio_of_means(before: Floats, after: Floats) -> Floats:
    """Mean after over mean before."""
    ratio: Floats = np.mean(after, axis=-1) / np.mean(before, axis=-1)
    return ratio


def typical_ratio(before: Floats, after: Floats) -> Floats:
    """The typical ratio on one deal: exp of the mean difference of logarithms."""
    ratio: Floats = np.exp(np.mean(np.log(after) - np.log(before), axis=-1))
    return ratio


def mean_difference(before: Floats, after: Floats) -> Floats:
    """Mean after minus mean before."""
    difference: Floats = np.mean(after - before, axis=-1)
    return difference
