"""The complete search from Python: won with a shortest line, lost with all that can come about.

It runs where the positions that can come about are few: small games, late positions, deals that
are stuck.  A loss that it finds rests on positions compared exactly (see
:mod:`spider_solver.kernels.catalogues`) and can be written out as a closed set of positions that
``proofs/check.py`` checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Flag
from functools import lru_cache

import numpy as np

from spider_solver.game.cards import Card
from spider_solver.game.notation import Move
from spider_solver.game.outcomes import Reason, Status
from spider_solver.game.position import Position
from spider_solver.game.symmetry import in_order
from spider_solver.kernels import best_first, catalogues, complete, dead_ends, digging, layout
from spider_solver.kernels.catalogues import Catalogue
from spider_solver.search.clock import PAUSE_NODES, is_past
from spider_solver.search.packing import REASONS, pack, unpack_move
from spider_solver.search.portfolio import Order

_PAUSE_NODES = PAUSE_NODES // 10
"""The test for buried positions makes a node take up to ten times as long as in a beam."""

MOST_POSITIONS = 1 << 20
"""Positions that fit into the default memory, about 150 MB."""

_COLUMNS_A_POSITION = 2
"""Room for column nodes; most positions add less than one."""

HASH_MASK = -1
"""The bits of hashes that say where to look: all. A test that takes few sees them collide."""

_COLUMNS_KEPT = 1 << 16
_LONGEST_LINE = 1 << 16


class DeadEnds(Flag):
    """Positions that the search need not go on from, since they are proved to be lost.

    A position that is lost has no winning line, so what follows on it may be left out: no win is
    missed, and if no win is left the start is lost. Verdicts and the lengths of shortest lines stay
    the same. The positions met are still a closed set (``closed_set``) if only those short of cards
    and buried ones are left alone; past blockaded ones they are not.
    """

    NONE = 0
    SHORT_OF_CARDS = dead_ends.SHORT_OF_CARDS
    """Rows are left and fewer cards lie on the table than there are columns.

    :func:`spider_solver.proofs.check.is_short_of_cards` says why that is lost. It does nothing
    where the rules deal over empty columns.
    """

    BLOCKADED = dead_ends.BLOCKADED
    """The blockade proves it lost; :mod:`spider_solver.proofs.blockade` has the proof."""

    BURIED = dead_ends.BURIED
    """Its columns can never all be dug up; :mod:`spider_solver.proofs.digging` has the test.

    It does nothing under group moves, and before the last row but one is dealt.
    """


PROVED_LOST = DeadEnds.SHORT_OF_CARDS | DeadEnds.BURIED
"""The dead ends past which the positions met are a closed set."""


@dataclass(frozen=True)
class Exploration:
    """What a complete search found.

    Attributes:
        start: the position that it began with.
        status: won, lost or open.
        reason: why it is open.
        line: a winning line with as few actions as possible.
        nodes: generated successors.
        expanded: positions whose successors were generated.
        dead_ends: positions that it did not go on from, by kind.
        catalogue: the kernel's memory, from which the positions are read.
    """

    start: Position
    status: Status
    reason: Reason | None
    line: tuple[Move, ...] | None
    nodes: int
    expanded: int
    dead_ends: dict[DeadEnds, int]
    catalogue: Catalogue = field(repr=False)

    @property
    def size(self) -> int:
        """Positions met, up to the order of columns with equal lanes."""
        return int(self.catalogue.registers[catalogues.SEARCH_POSITIONS])

    @property
    def fewest_actions(self) -> int | None:
        """No winning line has fewer actions: positions are met in order; None if none wins."""
        if self.line is not None:
            return len(self.line)
        if self.status is Status.LOST:
            return None
        actions, row = 0, self.expanded
        while row >= 0:  # from the first position whose successors are not all known
            row = int(self.catalogue.rows[row * catalogues.ROW_WORDS + catalogues.ROW_BEFORE])
            actions += 1
        return actions

    @property
    def by_rows_dealt(self) -> tuple[int, ...]:
        """Positions met with no row dealt since the start, with one, and so on."""
        return tuple(np.bincount(self._stages & catalogues.ROWS_DEALT).tolist())

    @property
    def runs_completed(self) -> int:
        """The most runs that were complete in a position."""
        return int(self._stages.max(initial=0)) // catalogues.ONE_RUN

    @property
    def _stages(self) -> layout.Int32s:
        rows = self.catalogue.rows[: self.size * catalogues.ROW_WORDS]
        return rows[catalogues.ROW_STAGE :: catalogues.ROW_WORDS]

    def positions(self) -> Iterator[Position]:
        """The positions met, the start first, each with its columns in order."""
        column = lru_cache(_COLUMNS_KEPT)(self.column)  # most columns come again and again
        for row in range(self.size):
            at = row * catalogues.ROW_WORDS
            words = self.catalogue.rows[at : at + catalogues.ROW_WORDS]
            rules = self.start.rules
            columns, face_down = zip(*map(column, words[: rules.columns].tolist()), strict=True)
            dealt = (int(words[catalogues.ROW_STAGE]) & catalogues.ROWS_DEALT) * rules.columns
            stock = self.start.stock[dealt:]
            yield in_order(Position.with_rest_completed(rules, columns, face_down, stock))

    def column(self, node: int) -> tuple[tuple[Card, ...], int]:
        """The cards of a column, deepest first, and how many of them lie face down."""
        cards = np.zeros(layout.MAX_CARDS, np.int32)
        count = catalogues.read_column(self.catalogue, node, cards)
        hidden = self.catalogue.nodes["hidden"][node]
        return tuple(cards[:count][::-1].tolist()), int(hidden) & layout.HIDDEN_MASK


def explore(
    position: Position,
    max_nodes: int,
    most_positions: int = MOST_POSITIONS,
    deadline: float | None = None,
    skip: DeadEnds = DeadEnds.NONE,
    order: Order | None = None,
) -> Exploration:
    """Look at every position that can come about, in order of actions or another.

    Args:
        position: where to begin.
        max_nodes: generated successors at most.
        most_positions: positions that memory is made for.
        deadline: when to stop (:mod:`spider_solver.search.clock`).
        skip: dead ends not to go on from.
        order: which position to go on from next; None for the order of actions, in which alone a
            win is a shortest one.

    Raises:
        UnsupportedRules: the game is too large for the kernels.
    """
    packed = pack(position)
    catalogue = make_catalogue(min(most_positions, max_nodes + 2))
    registers = catalogue.registers
    registers[catalogues.SEARCH_MAX_NODES] = max_nodes
    ended = complete.begin_complete(catalogue, *packed)
    kinds = skip if position.stock else skip & ~DeadEnds.SHORT_OF_CARDS
    unpacked = dead_ends.make_unpacked()
    dug = digging.make_digging(catalogue)
    queue = None
    if order is not None:
        rows = catalogue.rows.size // catalogues.ROW_WORDS
        queue = best_first.make_queue(rows, order.off_suit, order.noise)
    while ended in (layout.GOES_ON, layout.PAUSED):  # between two calls Ctrl-C is heard
        registers[catalogues.SEARCH_PAUSE_AT] = registers[catalogues.SEARCH_NODES] + _PAUSE_NODES
        if queue is not None:
            ended = best_first.run_best_first(
                catalogue, packed.rules, unpacked, dug, queue, kinds.value
            )
        elif kinds:
            ended = dead_ends.run_past_dead_ends(
                catalogue, packed.rules, unpacked, dug, kinds.value
            )
        else:
            ended = complete.run_complete(catalogue, packed.rules)
        if ended == layout.PAUSED and is_past(deadline):
            break
    status = _DECIDED.get(ended, Status.OPEN)
    return Exploration(
        start=position,
        status=status,
        reason=REASONS[ended] if status is Status.OPEN else None,
        line=read_line(catalogue, packed.rules) if status is Status.WON else None,
        nodes=int(registers[catalogues.SEARCH_NODES]),
        expanded=int(registers[catalogues.SEARCH_NEXT]),
        dead_ends={kind: int(unpacked.found[kind.value]) for kind in kinds},
        catalogue=_trimmed(catalogue) if status is Status.LOST else catalogue,
    )


def _trimmed(catalogue: Catalogue) -> Catalogue:
    """What is needed to list the positions, in no more memory than it takes."""
    registers = catalogue.registers
    nodes = int(registers[catalogues.SEARCH_COLUMNS])
    rows = int(registers[catalogues.SEARCH_POSITIONS]) * catalogues.ROW_WORDS
    nothing = np.zeros(0, np.int32)
    return catalogue._replace(
        nodes=catalogue.nodes[:nodes].copy(),
        node_table=nothing,
        rows=catalogue.rows[:rows].copy(),
        row_table=nothing,
    )


_DECIDED = {layout.WON: Status.WON, layout.FAILED: Status.LOST}


def make_catalogue(positions: int) -> Catalogue:
    """Memory for so many positions; pages that are not written cost nothing."""
    slots = 1 << max(8, (2 * positions + 4).bit_length())
    nodes = max(1024, _COLUMNS_A_POSITION * positions)
    node_slots = 1 << (2 * nodes).bit_length()
    registers = np.zeros(catalogues.SEARCH_WORDS, np.int64)
    registers[catalogues.SEARCH_HASH_MASK] = HASH_MASK
    return Catalogue(
        nodes=np.zeros(nodes, catalogues.STACK),
        node_table=np.zeros(node_slots, np.int32),
        rows=np.zeros((positions + 2) * catalogues.ROW_WORDS, np.int32),
        row_table=np.zeros(slots, np.int32),
        lanes=np.zeros(layout.MAX_STAGES * catalogues.LANE_STRIDE, np.int64),
        stock=np.zeros(layout.MAX_STOCK, np.int64),
        order=np.zeros(catalogues.ORDER_WORDS, np.int64),
        registers=registers,
    )


def read_line(catalogue: Catalogue, rules: layout.Int64s) -> tuple[Move, ...]:
    """The line of the win that was met last."""
    moves = np.zeros(_LONGEST_LINE, np.int32)
    chain = np.zeros(_LONGEST_LINE, np.int64)
    win = catalogue.registers[catalogues.SEARCH_WIN]
    length = complete.trace_line(catalogue, rules, win, chain, moves)
    return tuple(unpack_move(int(code)) for code in moves[:length])
