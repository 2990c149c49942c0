"""The memory of the blockade: what places columns take and give, by rank."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.layout import Int64s

PLACE_RANKS = layout.CARD_RANK + 1  # numbers by rank; one above the king's is the last one used


class Places(NamedTuple):
    """Memory of the test: how far columns are dug, and what places they take and give.

    Attributes:
        heads: [column] place in ``cards`` of the head that has to move next.
        part: [column * PLACE_RANKS + rank] the column's part of the places.
        most: [column * PLACE_RANKS + rank] the most that it has been at the start or just after
            a dig.
        total: [rank] what all columns share, and the most of each.
    """

    heads: Int64s
    part: Int64s
    most: Int64s
    total: Int64s


def make_places() -> Places:
    """Memory for any position."""
    return Places(
        heads=np.zeros(layout.MAX_COLUMNS, np.int64),
        part=np.zeros(layout.MAX_COLUMNS * PLACE_RANKS, np.int64),
        most=np.zeros(layout.MAX_COLUMNS * PLACE_RANKS, np.int64),
        total=np.zeros(PLACE_RANKS, np.int64),
    )
