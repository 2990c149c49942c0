"""Moves that touch different columns lead to the same position in either order: one is enough.

Two children of one position stand in the same layer, the elder by move *a*, the younger by move
*b*.  If the four columns are different, *a* after *b* gives what *b* gives after *a*; so the
younger child leaves *a* to the elder one, which is expanded before it.  Nothing is lost: *b* is
among the moves of the elder child, unless *b* went to an empty column, of which a beam uses only
the first.
(A source and a target fix the count, since no other run of the source fits the target's last card;
but under group moves pieces of several lengths may go to an empty column.)
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.jit import inlined, internal
from spider_solver.kernels.layout import Int64s, Workspace
from spider_solver.kernels.move_codes import count_of, source_of, target_of


@internal
def forget_children(workspace: Workspace, first: int, last: int) -> None:
    """Say of the rows from ``first`` up to ``last`` of the layer that they have no children yet."""
    workspace.youngest_child[first:last] = layout.NO_ROW


@inlined
def note_child(workspace: Workspace, parent: int, row: int) -> None:
    """Note that row ``row``, the next of its layer, is a child of row ``parent``."""
    workspace.elder_sibling[row] = workspace.youngest_child[parent]
    workspace.youngest_child[parent] = row


@inlined
def last_move(workspace: Workspace, row: int) -> int:
    """The code of the move that led to a row of the layer, with TURNED_UP."""
    entry = workspace.layer[row * layout.STATE_WORDS + layout.HISTORY]
    return np.int64(workspace.history[entry].move)


@inlined
def _touched(move: int) -> int:
    """The two columns of a move, a bit each."""
    return 1 << source_of(move) | 1 << target_of(move)


@inlined
def _went_to_empty(workspace: Workspace, row: int, move: int) -> bool:
    """Whether what the row's last move has moved is all that lies in its column."""
    nodes = workspace.nodes
    node = np.int64(workspace.layer[row * layout.STATE_WORDS + target_of(move)])
    moved = count_of(move)
    while node != layout.EMPTY and moved > 0:
        moved -= nodes[node].head - nodes[node].end + 1
        node = np.int64(nodes[node].parent)
    return node == layout.EMPTY and moved == 0


@internal
def leave_to_siblings(workspace: Workspace, rules: Int64s, row: int) -> None:
    """Find the moves of a row that it may leave out: for each source, the set of targets."""
    left_out = workspace.left_out
    left_out[:] = 0
    sibling = workspace.elder_sibling[row]
    if sibling == layout.NO_ROW:
        return
    last = last_move(workspace, row)
    if _went_to_empty(workspace, row, last):
        return
    touched = _touched(last)
    while sibling != layout.NO_ROW:
        move = last_move(workspace, sibling)
        many = rules[layout.RULE_GROUP_MOVES] and _went_to_empty(workspace, sibling, move)
        if _touched(move) & touched == 0 and not many:
            left_out[source_of(move)] |= 1 << target_of(move)
        sibling = workspace.elder_sibling[sibling]
