"""The memory of one worker, made once and used for deal after deal.

The arrays are as large as the widest search may need; the system gives a page only when it is
first written, so everyday deals stay small.  When an array is full, a search ends as `open`.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels.layout import (
    CANDIDATE_WORDS,
    CARD_CODES,
    CELL_WORDS,
    HISTORY_WORDS,
    MAX_COLUMNS,
    MAX_STOCK,
    NODE_WORDS,
    REG_WORDS,
    SCRATCH_WORDS,
    STATE_WORDS,
    Workspace,
)

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
    nodes = np.zeros(_MOST_NODES * NODE_WORDS, np.int32)
    candidates = np.zeros(_MOST_CANDIDATES * CANDIDATE_WORDS, np.int64)
    proposals = np.zeros(4 * MOST_POOL * CANDIDATE_WORDS, np.int64)
    return Workspace(
        nodes=nodes,
        node_keys=nodes.view(np.uint64),
        spare_nodes=np.zeros(_MOST_NODES * NODE_WORDS, np.int32),
        layer=np.zeros(_MOST_ROWS * STATE_WORDS, np.int32),
        next_layer=np.zeros(MOST_WIDTH * STATE_WORDS, np.int32),
        candidates=candidates,
        candidate_keys=candidates.view(np.uint64),
        pool=np.zeros(4 * MOST_POOL * STATE_WORDS, np.int32),
        proposals=proposals,
        proposal_keys=proposals.view(np.uint64),
        order=np.zeros(_MOST_CANDIDATES, np.int32),
        buckets=np.zeros(_BUCKETS, np.int32),
        classes=np.zeros(_CLASS_COUNTERS, np.int32),
        table=np.zeros(_TABLE_WORDS, np.uint64),
        history=np.zeros(_MOST_HISTORY * HISTORY_WORDS, np.int32),
        scratch=np.zeros(SCRATCH_WORDS, np.int64),
        scratch_keys=np.zeros(MAX_COLUMNS + 3, np.uint64),
        card_columns=np.zeros(64, np.int64),
        rank_columns=np.zeros(16, np.int64),
        run_columns=np.zeros(64, np.int64),
        stock=np.zeros(MAX_STOCK, np.int64),
        coming=np.zeros((MAX_STOCK + MAX_COLUMNS) * CARD_CODES, np.int32),
        cells=np.zeros(CELL_WORDS, np.int64),
        youngest_child=np.zeros(_MOST_ROWS, np.int32),
        elder_sibling=np.zeros(_MOST_ROWS, np.int32),
        left_out=np.zeros(MAX_COLUMNS + 3, np.int64),
        registers=np.zeros(REG_WORDS, np.int64),
    )
