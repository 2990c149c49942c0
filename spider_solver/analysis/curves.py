"""How many deals are won by node budget, and how nodes, time and line length are spread."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spider_solver.analysis.samples import Sample
from spider_solver.analysis.statistics import LEVEL, Interval, Method, share_between

BUDGETS = (10_000, 100_000, 167_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000)
"""The budgets that are told, as far as a sample reaches."""

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)


@dataclass(frozen=True)
class BudgetShare:
    """What a node budget decides.

    Attributes:
        budget: nodes a deal.
        won: deals won within it.
        lost: deals proved lost within it.
        unknown: deals stopped before it by a clock or for want of memory; they count as not won
            at the lower end of the interval and as won at the upper one.
        share: the share won, of all deals, with its interval.
    """

    budget: int
    won: int
    lost: int
    unknown: int
    share: Interval


@dataclass(frozen=True)
class Spread:
    """How a quantity is spread over deals.

    Attributes:
        name: what it is.
        deals: of how many deals.
        quantiles: a value for each of ``QUANTILES``, the least that this share of the deals does
            not exceed; None where it lies beyond the budget.
        mean: None if open deals leave it unknown.
    """

    name: str
    deals: int
    quantiles: tuple[float | None, ...]
    mean: float | None


def budgets_of(sample: Sample) -> list[int]:
    """The budgets to tell for a sample: those that its deals were all given, and the largest."""
    return sorted({*(budget for budget in BUDGETS if budget < sample.budget), sample.budget})


def shares_by_budget(
    sample: Sample,
    level: float = LEVEL,
    method: Method = "wilson",
    budgets: Iterable[int] | None = None,
) -> list[BudgetShare]:
    """The share of deals won within each budget, read off the nodes of one run.

    A budget cuts a fixed sequence of attempts, so the nodes of a decided deal are the least
    budget that decides it.

    Args:
        sample: the deals.
        level: confidence of the intervals.
        method: kind of the intervals.
        budgets: nodes, none above ``sample.budget``; by default ``budgets_of`` it.
    """
    shares = []
    for budget in budgets_of(sample) if budgets is None else budgets:
        won = int(sample.won_within(budget).sum())
        unknown = int(sample.unknown_within(budget).sum())
        lost = int((sample.lost & (sample.nodes <= budget)).sum())
        interval = share_between(won, won + unknown, sample.deals, level, method)
        shares.append(BudgetShare(budget, won, lost, unknown, interval))
    return shares


def spreads(sample: Sample) -> list[Spread]:
    """How nodes and seconds of all deals and the actions of the lines are spread.

    The nodes that an open deal would take are not known, only that they are more than its
    budget: it stands above all decided ones.
    """
    return [
        _spread("nodes", sample.nodes, sample.undecided),
        _spread("seconds", sample.seconds),
        _spread("actions", sample.actions[sample.won]),
    ]


def _spread(
    name: str, values: NDArray[np.generic], beyond: NDArray[np.bool_] | None = None
) -> Spread:
    """The spread of some values; those marked are only known to lie beyond all others."""
    known = np.sort(values if beyond is None else values[~beyond])
    places = [max(int(np.ceil(quantile * values.size)) - 1, 0) for quantile in QUANTILES]
    quantiles = tuple(float(known[place]) if place < known.size else None for place in places)
    mean = float(known.mean()) if 0 < known.size == values.size else None
    return Spread(name, values.size, quantiles, mean)
