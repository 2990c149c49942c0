"""How far play can come: the positions that can be reached before each deal, counted exactly.

The complete search looks at positions in order of actions, so that a large game is cut off in the
middle of every stage at once.  Here it goes stage by stage instead: all positions with no row
dealt, then all with one, and so on, until the budget is spent.  The counts of the stages that it
finished are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spider_solver.game.notation import Move
from spider_solver.game.outcomes import Reason, Status
from spider_solver.game.position import Position
from spider_solver.kernels import catalogues, complete, layout
from spider_solver.kernels.catalogues import Catalogue
from spider_solver.search.clock import PAUSE_NODES, is_past
from spider_solver.search.complete import (
    MOST_POSITIONS,
    Exploration,
    make_catalogue,
    read_line,
)
from spider_solver.search.packing import REASONS, pack

REACH_NODES = 1_000_000
"""Nodes that counting may take by default: less than a second."""


class StageCount(NamedTuple):
    """The positions with a number of rows dealt.

    Attributes:
        positions: how many there are, if exact, or how many were met.
        exact: whether they are all that can come about.
        covered: how many of the face-down cards of the start lie face down, column by column, in
            each of these positions and in each one met with fewer rows dealt.
    """

    positions: int
    exact: bool
    covered: tuple[int, ...]


@dataclass(frozen=True)
class Reach:
    """The positions that can be reached from a start, by rows dealt.

    Positions that differ in the order of columns with equal cards to come count as one
    (:mod:`spider_solver.game.symmetry`).

    Attributes:
        start: the position that it began with.
        stages: for no row dealt, for one, and so on; the last one that was begun is the last. A
            stage without a position means that the row before it can never be dealt.
        nodes: generated successors.
        reason: what ended it before all was seen; None if all was.
        line: a winning line, if a won position was met.
    """

    start: Position
    stages: tuple[StageCount, ...]
    nodes: int
    reason: Reason | None
    line: tuple[Move, ...] | None

    @property
    def positions(self) -> int:
        """All positions met."""
        return sum(stage.positions for stage in self.stages)


def reach(
    position: Position,
    max_nodes: int = REACH_NODES,
    most_positions: int = MOST_POSITIONS,
    deadline: float | None = None,
) -> Reach:
    """Count the positions that can be reached, stage by stage.

    Args:
        position: where to begin.
        max_nodes: generated successors at most; those of earlier stages count again.
        most_positions: positions that memory is made for.
        deadline: when to stop counting (:mod:`spider_solver.search.clock`).

    Raises:
        UnsupportedRules: the game is too large for the kernels.
    """
    packed = pack(position)
    catalogue = make_catalogue(max(1, min(most_positions, max_nodes + 2)))
    registers = catalogue.registers
    registers[catalogues.SEARCH_MAX_NODES] = max_nodes
    complete.begin_complete(catalogue, *packed)
    rules = packed.rules.copy()
    for dealt in range(position.rows_left + 1):
        rules[layout.RULE_ROWS] = dealt  # no further row is dealt
        registers[catalogues.SEARCH_NEXT] = 0
        ended = _finish(catalogue, rules, deadline)
        if ended != layout.FAILED or not np.any(_rows_dealt(catalogue) == dealt):
            break  # no budget, or a row that cannot be dealt: nor can those after it
    return Reach(
        start=position,
        stages=_stages(catalogue, position, dealt, exact=ended == layout.FAILED),
        nodes=int(registers[catalogues.SEARCH_NODES]),
        reason=REASONS.get(ended),
        line=read_line(catalogue, rules) if registers[catalogues.SEARCH_WIN] > 0 else None,
    )


def reach_of(found: Exploration) -> Reach:
    """The same from a complete search that has seen all positions there are.

    Raises:
        ValueError: it has not.
    """
    if found.status is not Status.LOST or any(found.dead_ends.values()):
        raise ValueError(f"a search that ended as {found.status} has not seen all positions")
    dealt = min(len(found.by_rows_dealt), found.start.rows_left)
    stages = _stages(found.catalogue, found.start, dealt, exact=True)
    return Reach(found.start, stages, found.nodes, None, None)


def _finish(catalogue: Catalogue, rules: layout.Int64s, deadline: float | None) -> int:
    """Search on, past wins too, until nothing is left, a bound is reached or time is up."""
    registers = catalogue.registers
    ended = layout.PAUSED
    while ended in (layout.PAUSED, layout.WON):  # between two calls Ctrl-C is heard
        registers[catalogues.SEARCH_PAUSE_AT] = registers[catalogues.SEARCH_NODES] + PAUSE_NODES
        ended = int(complete.run_complete(catalogue, rules))
        if ended == layout.PAUSED and is_past(deadline):
            break
    return ended


def _positions(catalogue: Catalogue) -> layout.Int32s:
    """The positions, a row each."""
    size = int(catalogue.registers[catalogues.SEARCH_POSITIONS])
    return catalogue.rows[: size * catalogues.ROW_WORDS].reshape(size, catalogues.ROW_WORDS)


def _rows_dealt(catalogue: Catalogue) -> layout.Int32s:
    """For each position, the rows dealt since the start."""
    return _positions(catalogue)[:, catalogues.ROW_STAGE] & catalogues.ROWS_DEALT


def _stages(
    catalogue: Catalogue, start: Position, last: int, exact: bool
) -> tuple[StageCount, ...]:
    """The stages up to the last one that was begun, which alone may not be exact."""
    rows_dealt = _rows_dealt(catalogue)
    counts = np.bincount(rows_dealt, minlength=last + 1)
    columns = _positions(catalogue)[:, : start.rules.columns]
    below = _face_down_below(catalogue)
    stages = []
    covered = start.face_down
    for dealt in range(last + 1):
        covered = _covered(catalogue, below, columns[rows_dealt == dealt], covered)
        stages.append(StageCount(int(counts[dealt]), exact or dealt < last, covered))
    return tuple(stages)


def _face_down_below(catalogue: Catalogue) -> NDArray[np.int64]:
    """For each column node, the node of the start that its face-down cards make; 0 for none.

    A node of the start stands for its column up to one of the face-down cards.  It is the parent
    of the node that lies bare on that card, and of nothing else that says so.
    """
    size = int(catalogue.registers[catalogues.SEARCH_COLUMNS])
    nodes = catalogue.nodes[:size]
    parents = nodes["parent"].astype(np.int64)
    bare = nodes["hidden"] & layout.BARE != 0
    base = np.where(bare, np.arange(size), parents)
    base[0] = 0
    while not np.array_equal(further := base[base], base):  # as many steps as runs in a column
        base = further
    return np.where(bare[base], parents[base], 0)


def _covered(
    catalogue: Catalogue,
    below: NDArray[np.int64],
    columns: NDArray[np.int32],
    most: tuple[int, ...],
) -> tuple[int, ...]:
    """How many face-down cards of each column of the start lie face down in all positions.

    A card surely lies face down in a position if as many of its columns as of the start's hold,
    face down, the cards up to that one: face-down cards are never added to a column and turn up
    from its end only.  Where two columns begin alike, that may fail to see that one of them was
    never touched; it never takes a card that turned up for one that did not.

    Args:
        catalogue: the memory of the search, with the start as its first position.
        below: what :func:`_face_down_below` gives.
        columns: the column nodes of the positions, a row each.
        most: no more than these, column by column.
    """
    chains = _chains(catalogue, below, len(most))
    covered = list(most)
    for column, chain in enumerate(chains):
        while covered[column] > 0:
            card = chain[covered[column] - 1]
            over = [end for other in chains if card in other for end in other[other.index(card) :]]
            holds = np.isin(below, over)
            if np.all(holds[columns].sum(axis=1) == sum(card in other for other in chains)):
                break
            covered[column] -= 1
    return tuple(covered)


def _chains(catalogue: Catalogue, below: NDArray[np.int64], columns: int) -> list[list[int]]:
    """For each column of the start, the nodes for one face-down card, for two, and so on."""
    chains: list[list[int]] = [[] for _ in range(columns)]
    for place in range(columns):
        node = int(below[catalogue.rows[place]])
        chain = chains[catalogue.order[catalogues.ORDER_START + place]]
        while node != layout.EMPTY:
            chain.insert(0, node)
            node = int(catalogue.nodes["parent"][node])
    return chains
