"""Intervals of a share by inverting their tests, with nothing but sums of binomial terms."""

from collections.abc import Callable
from math import exp, lgamma, log, log1p, sqrt
from statistics import NormalDist

_STEPS = 60


def interval(successes: int, trials: int, level: float, method: str) -> tuple[float, float]:
    """All shares that the test of ``method`` does not reject."""
    rejected = _by_score if method == "wilson" else _by_tail
    estimate = successes / trials

    def test(share: float, below: bool) -> bool:
        return rejected(successes, trials, share, level, below)

    low = 0.0 if successes == 0 else _border(0.0, estimate, lambda share: test(share, True))
    high = 1.0 if successes == trials else _border(1.0, estimate, lambda share: test(share, False))
    return low, high


def _border(outside: float, inside: float, is_rejected: Callable[[float], bool]) -> float:
    """Where rejection ends, by halving."""
    for _ in range(_STEPS):
        middle = (outside + inside) / 2
        if is_rejected(middle):
            outside = middle
        else:
            inside = middle
    return inside


def _by_score(successes: int, trials: int, share: float, level: float, below: bool) -> bool:
    """Whether the estimate is too many standard errors, those under ``share``, away."""
    error = sqrt(share * (1 - share) / trials)
    return abs(successes / trials - share) > NormalDist().inv_cdf((1 + level) / 2) * error


def _by_tail(successes: int, trials: int, share: float, level: float, below: bool) -> bool:
    """Whether so many successes, or more (fewer, if the share is above), are too unlikely."""
    counts = range(successes, trials + 1) if below else range(successes + 1)
    if len(counts) > trials // 2:
        rest = range(successes) if below else range(successes + 1, trials + 1)
        tail = 1 - sum(_term(count, trials, share) for count in rest)
    else:
        tail = sum(_term(count, trials, share) for count in counts)
    return tail < (1 - level) / 2


def _term(count: int, trials: int, share: float) -> float:
    """The chance of so many successes."""
    if share in (0, 1):
        return float(count == trials * share)
    ways = lgamma(trials + 1) - lgamma(count + 1) - lgamma(trials - count + 1)
    return exp(ways + count * log(share) + (trials - count) * log1p(-share))
