"""A move played on packed columns: what was announced as a candidate is built here."""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.columns import completes_run, lay_run, settle, take_cards
from spider_solver.kernels.groups import move_group
from spider_solver.kernels.jit import inlined
from spider_solver.kernels.layout import Evaluation, Int32s, Int64s, Workspace
from spider_solver.kernels.move_codes import count_of, source_of, target_of


@inlined
def build_row(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    rows: Int32s,
    at: int,
    move: int,
) -> int:
    """Play ``move`` (source, target, count in one number) on the columns at ``at`` of ``rows``.

    Gives TURNED_UP if the source's next card was turned up or a run there laid bare, else 0.
    """
    nodes = workspace.nodes
    source = source_of(move)
    target = target_of(move)
    count = count_of(move)
    node = np.int64(rows[at + source])
    onto = np.int64(rows[at + target])
    end = np.int64(nodes[node].end)
    head = end + count - 1
    hidden = nodes[node].hidden & layout.HIDDEN_MASK
    leaving = rules[layout.RULE_LEAVING]
    bared = 0
    completed = 0
    if source == target:
        left = np.int64(nodes[node].parent)
        completed = 1
    elif head > nodes[node].head:
        move_group(workspace, evaluation, rows, at + source, at + target, count)
        left, bared = settle(nodes, np.int64(rows[at + source]), leaving)
    else:
        left, bared = settle(nodes, take_cards(workspace, node, count), leaving)
        if completes_run(nodes, onto, head, end, leaving):
            onto, completed = settle(nodes, np.int64(nodes[onto].parent), leaving)
            completed += 1
        else:
            onto = lay_run(workspace, evaluation, onto, head, end)
        rows[at + target] = onto
    rows[at + source] = left
    rows[at + layout.TALLY] += layout.TALLY_ACTION + bared + completed
    turned_up = nodes[left].hidden & layout.HIDDEN_MASK != hidden
    return layout.TURNED_UP if turned_up or bared > 0 else 0
