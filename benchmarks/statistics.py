"""Intervals for shares, and for differences between settings on the same deals."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
_RESAMPLES = 4000

Floats = NDArray[np.float64]


class Interval(NamedTuple):
    """An estimate and its 95% interval."""

    value: float
    low: float
    high: float


def wilson(successes: int, trials: int) -> Interval:
    """A share, with Wilson's interval."""
    from scipy.stats import binomtest  # slow to import, and large (see measure.peak_bytes)

    interval = binomtest(successes, trials).proportion_ci(CONFIDENCE, "wilson")
    return Interval(successes / trials, float(interval.low), float(interval.high))


def share_difference(before: NDArray[np.bool_], after: NDArray[np.bool_]) -> Interval:
    """Share after minus share before, on the same deals.

    The interval is Agresti and Min's (2005) for matched pairs: Wald's with half a deal added to
    each of the four outcomes, so that it has width where no deal, or all deals, differ.
    """
    from scipy.stats import norm

    n = before.size + 2
    gained = float(np.sum(after & ~before)) + 0.5
    lost = float(np.sum(before & ~after)) + 0.5
    middle = (gained - lost) / n
    spread = norm.ppf((1 + CONFIDENCE) / 2) * np.sqrt(
        max(gained + lost - (gained - lost) ** 2 / n, 0) / n**2
    )
    value = float(np.mean(after) - np.mean(before))
    return Interval(value, max(middle - spread, -1.0), min(middle + spread, 1.0))


def bootstrap(statistic: Callable[..., Floats], *samples: NDArray[np.generic]) -> Interval:
    """A statistic of paired samples, with the percentile interval over resampled pairs.

    Args:
        statistic: takes samples of shape (..., n) and gives shape (...).
        samples: as many arrays of length n, entry by entry of the same deal.
    """
    generator = np.random.default_rng(20261129)
    arrays = [np.asarray(sample, np.float64) for sample in samples]
    n = arrays[0].size
    values: list[Floats] = []
    rounds = max(1, min(_RESAMPLES, 2_000_000 // n))  # at a time, for the memory's sake
    for first in range(0, _RESAMPLES, rounds):
        picked = generator.integers(0, n, (min(rounds, _RESAMPLES - first), n))
        values.append(statistic(*(array[picked] for array in arrays)))
    low, high = np.quantile(np.concatenate(values), [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
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
