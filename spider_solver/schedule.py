"""The sequence of attempts on a deal: one endless list of beams, the same for every deal.

A budget only cuts the list, so a deal that is won within a budget is won by the same line within
every greater one.  Narrow beams come first because most deals fall to one of them; each attempt
has fresh noise, and they differ in what makes hard deals fall: how many positions of one diversity
class may stand in a layer, how strong the noise is and how long a stage goes on without progress.
"""

from __future__ import annotations

from dataclasses import dataclass

from spider_solver.kernels.evaluation import Weights
from spider_solver.kernels.workspace import MOST_WIDTH

FIRST_WIDTH = 14
LATE_WIDTH = 400
"""Width from which a doubling takes twice as many attempts."""

TUNED = Weights()
NOISE = 1.33


@dataclass(frozen=True)
class Attempt:
    """The settings of one beam.

    ``width`` positions a layer, at most ``width / classes`` of them with the same face-down
    counts; ``noise`` in units of the evaluation; ``patience`` in layers.
    """

    width: int
    classes: int
    noise: float
    patience: int
    seed: int
    last_patience: int = 60
    length_price: float = 0.1
    proposing: float = 1.0
    weights: Weights = TUNED


_OPENING = ((4, 1.0, 20), (4, 1.5, 20))
_CYCLE = ((4, 1.0, 20), (10, 1.8, 35), (25, 1.4, 25), (10, 2.5, 20))
_SEED_STEP = 0x9E3779B97F4A7C15


def attempt(number: int) -> Attempt:
    """The attempt with a number, counted from 0."""
    narrow = 0
    while FIRST_WIDTH << (narrow // 2) < LATE_WIDTH:
        narrow += 1
    doublings = number // 2 if number < narrow else narrow // 2 + (number - narrow) // 4
    classes, noise, patience = (
        _OPENING[number] if number < len(_OPENING) else _CYCLE[number % len(_CYCLE)]
    )
    return Attempt(
        width=min(FIRST_WIDTH << doublings, MOST_WIDTH),
        classes=classes,
        noise=NOISE * noise,
        patience=patience,
        seed=((number + 1) * _SEED_STEP) % (1 << 64) | 1,
    )
