"""The memory of one worker, made once and used for deal after deal.

The arrays are as large as the widest search may need; the system gives a page only when it is
first written, so everyday deals stay small.  When an array is full, a search ends as `open`.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.layout import Workspace

MOST_WIDTH = 1 << 15
"""Greatest beam width that a workspace can serve."""

MOST_POOL = 3 * MOST_WIDTH
_MOST_NODES = 1 << 22
_MOST_HISTORY = 1 << 23
_MOST_CANDIDATES = 1 << 21
_TABLE_WORDS = 1 << 24
_MOST_ROWS = 1 << 18
_CLASS_COUNTERS = 1 << 13
_BUCKETS = 4098


def make_workspace() -> Workspace:
    """A fresh workspace: about 700 MB of addresses, of which a usual deal touches a few MB."""
    return Workspace(
        nodes=np.zeros(_MOST_NODES, layout.NODE),
        spare_nodes=np.zeros(_MOST_NODES, layout.NODE),
        layer=np.zeros(_MOST_ROWS * layout.STATE_WORDS, np.int32),
        next_layer=np.zeros(MOST_WIDTH * layout.STATE_WORDS, np.int32),
        candidates=np.zeros(_MOST_CANDIDATES, layout.CANDIDATE),
        pool=np.zeros(4 * MOST_POOL * layout.STATE_WORDS, np.int32),
        proposals=np.zeros(4 * MOST_POOL, layout.CANDIDATE),
        order=np.zeros(_MOST_CANDIDATES, np.int32),
        buckets=np.zeros(_BUCKETS, np.int32),
        classes=np.zeros(_CLASS_COUNTERS, np.int32),
        table=np.zeros(_TABLE_WORDS, np.uint64),
        history=np.zeros(_MOST_HISTORY, layout.ACTION),
        scratch=np.zeros(layout.SCRATCH_WORDS, np.int64),
        scratch_keys=np.zeros(layout.SCRATCH_KEYS, np.uint64),
        card_columns=np.zeros(64, np.int64),
        rank_columns=np.zeros(16, np.int64),
        run_columns=np.zeros(64, np.int64),
        stock=np.zeros(layout.MAX_STOCK, np.int64),
        coming=np.zeros((layout.MAX_STOCK + layout.MAX_COLUMNS) * layout.CARD_CODES, np.int32),
        cells=np.zeros(layout.CELL_WORDS, np.int64),
        youngest_child=np.zeros(_MOST_ROWS, np.int32),
        elder_sibling=np.zeros(_MOST_ROWS, np.int32),
        left_out=np.zeros(layout.MAX_COLUMNS + 3, np.int64),
        live=np.zeros(layout.MOST_LIVE * layout.LIVE_WORDS, np.int64),
        registers=np.zeros(layout.REG_WORDS, np.int64),
    )
