"""What a move is for: those that are for nothing yet can wait, and a beam does without them.

A run that is moved onto its own suit, turns a card up, lays a complete run bare or empties its
column has served its purpose.
Any other move of a whole run is for the card that it bares: a run of that card's suit can come onto
it, or the bared run can itself move on.  Where neither is so, nothing is lost by waiting; only a
run that lies on the next rank of another suit may still go to an empty column.  A run that can join
its own suit goes nowhere else, and a run is split only to make one that is longer than it was.

These are rules of thumb of a search for a win: a few deals are won only by moves that they leave
out, so no proof of a loss may rest on them, and some attempts of every portfolio do without.
"""

from __future__ import annotations

from spider_solver.kernels import layout
from spider_solver.kernels.columns import is_complete
from spider_solver.kernels.jit import inlined, internal
from spider_solver.kernels.layout import Int32s, Workspace


@internal
def any_run_joins(workspace: Workspace, columns: int) -> bool:
    """Whether a whole run of the position that was read can move onto its own suit."""
    scratch = workspace.scratch
    for column in range(columns):
        if scratch[layout.COLUMN_NODE + column] == layout.EMPTY:
            continue
        if workspace.card_columns[scratch[layout.COLUMN_HEAD + column] + 1] != 0:
            return True
    return False


@inlined
def _of_use(workspace: Workspace, nodes: Int32s, bared: int) -> bool:
    """Whether the last run of the column node ``bared`` can move on or be lengthened at once."""
    moves_on = workspace.rank_columns[(nodes[bared].head & layout.CARD_RANK) + 1]
    return moves_on | workspace.run_columns[nodes[bared].end - 1] != 0


@inlined
def targets_of_run(
    workspace: Workspace,
    moves: int,
    joins_only: bool,
    node: int,
    parent: int,
    head: int,
    empty: int,
    leaving: int,
) -> int:
    """The set of columns to which the whole top run of the column ``node`` is moved.

    ``parent`` is what is left of the column, ``empty`` the set of empty columns to be used.
    """
    nodes = workspace.nodes
    joins = workspace.card_columns[head + 1]  # of a king: none, as of ranks
    if moves != layout.EVERY_MOVE and (joins_only or joins != 0):
        return joins
    targets = workspace.rank_columns[(head & layout.CARD_RANK) + 1]
    if parent == layout.EMPTY:
        return targets
    if moves == layout.EVERY_MOVE or nodes[node].hidden & layout.BARE:
        return targets | empty
    if _of_use(workspace, nodes, parent) or is_complete(nodes, parent, leaving):
        return targets | empty
    follows = nodes[parent].end & layout.CARD_RANK == (head & layout.CARD_RANK) + 1
    return empty if follows else 0
