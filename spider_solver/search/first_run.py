"""The search of classes from Python: whether a fresh deal can ever come to its first run.

A loss that it finds rests on classes compared exactly, which can be written out as a set that
:mod:`spider_solver.proofs.class_set` checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import numpy as np

from spider_solver.game.outcomes import Ended
from spider_solver.game.position import Position
from spider_solver.kernels import classes, layout
from spider_solver.kernels.classes import ClassSearch
from spider_solver.kernels.first_run import EVENT, begin_classes, run_classes
from spider_solver.kernels.rank_counts import RANKS_A_WORD
from spider_solver.kernels.stuck_classes import COUNT_WORDS
from spider_solver.proofs.check import ProofError
from spider_solver.proofs.class_set import fault_of, format_class
from spider_solver.proofs.closed_set import check_time
from spider_solver.proofs.first_run import FirstPhase, PositionClass
from spider_solver.search.clock import PAUSE_NODES, is_past
from spider_solver.search.result import Search

CHECKED_CLASSES = 5_000
"""Classes that are checked before a verdict: all of a search, or as many of them, drawn."""

_ROOM = 2_800_000_000
"""Bytes for classes and the list of those waiting; the table takes 0.4 to 1.1 GB more at most."""

_CHECKS_A_LOOK = 100  # classes checked between two looks at the clock


@dataclass(frozen=True)
class Classes:
    """What a search of classes found.

    Attributes:
        start: the deal.
        ended: lost; ``no-proof`` if an event may come about; or what ran out.
        nodes: classes that followed on others, each time counted.
        expanded: classes whose successors were looked at.
        search: the kernel's memory, from which the classes are read.
    """

    start: Position
    ended: Ended
    nodes: int
    expanded: int
    search: ClassSearch = field(repr=False)

    @property
    def size(self) -> int:
        """Classes met that are not stuck."""
        return int(self.search.registers[classes.CLASS_KEPT])

    @property
    def rows_dealt(self) -> int:
        """The most rows dealt in one of them."""
        return int(self.search.registers[classes.CLASS_MOST_ROWS])

    @property
    def record(self) -> Search:
        """What a result says of it."""
        return Search(
            settings=None,
            ended=self.ended,
            nodes=self.nodes,
            runs_completed=0,
            rows_dealt=self.rows_dealt,
            of_classes=True,
        )

    def codes(self) -> Iterator[str]:
        """The classes met as text, the start first."""
        return (format_class(self[number]) for number in range(self.size))

    def __getitem__(self, number: int) -> PositionClass:
        """A class by its number."""
        classes.write_out(self.search, number)
        in_place, heads, *covered = self._opened.tolist()
        columns = self.start.rules.columns
        dealt = int(self.search.registers[classes.CLASS_DEALT])
        ends = zip(covered[0][:dealt], covered[1][:dealt], strict=True)
        return PositionClass(
            in_place=tuple(in_place[:columns]),
            heads=tuple(heads[:columns]),
            covered=tuple(low << _FIRST | high << _SECOND for low, high in ends),
        )

    def holds(self, wanted: PositionClass) -> bool:
        """Whether a class is among those met."""
        search = self.search
        columns, dealt = self.start.rules.columns, len(wanted.covered)
        in_place, heads, low, high = self._opened
        in_place[:columns] = wanted.in_place
        heads[:columns] = wanted.heads
        low[:dealt] = [ends >> _FIRST & _WORD for ends in wanted.covered]
        high[:dealt] = [ends >> _SECOND for ends in wanted.covered]
        search.registers[classes.CLASS_DEALT] = dealt
        number = int(search.table[classes.find(search)]) - 1
        return number >= 0 and self[number] == wanted

    @property
    def _opened(self) -> layout.Int64s:
        """The class that is written out: cards in place, heads, and two words of ends covered."""
        return self.search.open.reshape(-1, classes.STRIDE)


# where the ranks of each of a kernel's two words of counts begin in one of ``proofs.rank_counts``
_FIRST = 8
_SECOND = 8 * (1 + RANKS_A_WORD)
_WORD = (1 << 8 * RANKS_A_WORD) - 1


def explore_classes(position: Position, max_nodes: int, deadline: float | None = None) -> Classes:
    """Look at every class that can follow on a fresh deal, until an event may come about.

    Args:
        position: a deal that ``first_run.has_first_phase``.
        max_nodes: classes that follow on others, at most.
        deadline: when to stop (:mod:`spider_solver.search.clock`).
    """
    search = _make_search(position, max_nodes)
    registers = search.registers
    registers[classes.CLASS_MAX_NODES] = max_nodes
    begin_classes(search)
    ended = layout.PAUSED
    while ended == layout.PAUSED:  # between two calls Ctrl-C is heard
        registers[classes.CLASS_PAUSE_AT] = registers[classes.CLASS_NODES] + PAUSE_NODES
        ended = run_classes(search)
        if is_past(deadline):
            break
    return Classes(
        start=position,
        ended=_ENDS[ended],
        nodes=int(registers[classes.CLASS_NODES]),
        expanded=int(registers[classes.CLASS_EXPANDED]),
        search=search,
    )


_ENDS = {
    EVENT: Ended.NO_PROOF,
    layout.FAILED: Ended.LOST,
    layout.OUT_OF_NODES: Ended.NODES,
    layout.OUT_OF_MEMORY: Ended.MEMORY,
    layout.PAUSED: Ended.TIME,
}


def _make_search(position: Position, max_nodes: int) -> ClassSearch:
    """Memory for the classes of a deal; pages that are not written cost nothing."""
    rules, rows = position.rules, position.rows_left
    tallest = max(map(len, position.columns))
    height_bits = tallest.bit_length()
    bits = classes.DEALT_BITS + rules.columns * (height_bits + rows)
    bits += rows * (rules.columns + rules.ranks)
    words = -(-bits // 64)
    most = min(max_nodes + 1, _ROOM // (8 * words + 4))
    game = np.zeros(classes.GAME_FIELDS, np.int64)
    game[classes.GAME_COLUMNS] = rules.columns
    game[classes.GAME_RANKS] = rules.ranks
    game[classes.GAME_ROWS] = rows
    game[classes.GAME_HEIGHT_BITS] = height_bits
    game[classes.GAME_WORDS] = words
    cards = np.zeros((rules.columns, tallest), np.int64)
    for column, those in enumerate(position.columns):
        cards[column, : len(those)] = those
    return ClassSearch(
        classes=np.zeros(most * words, np.uint64),
        table=np.zeros(1 << (most + most // 2 + 1).bit_length(), np.int32),
        waiting=np.zeros(most, np.int32),
        game=game,
        heights=np.array([len(those) for those in position.columns], np.int64),
        cards=cards.ravel(),
        stock=np.array(position.stock, np.int64),
        start_parts=np.zeros(rules.columns * (tallest + 1) * classes.PART_WORDS, np.int64),
        head_parts=np.zeros(len(position.stock) * classes.PART_WORDS, np.int64),
        chain_parts=np.zeros(len(position.stock) * classes.PART_WORDS, np.int64),
        open=np.zeros(classes.OPEN_WORDS, np.int64),
        told=np.zeros(classes.TOLD_WORDS, np.int64),
        child_told=np.zeros(classes.TOLD_WORDS, np.int64),
        counts=np.zeros(COUNT_WORDS, np.int64),
        key=np.zeros(words, np.uint64),
        registers=np.zeros(classes.CLASS_FIELDS, np.int64),
    )


def check_classes(found: Classes, deadline: float | None = None) -> int:
    """Check by the plain rules that the classes of a search prove its deal lost.

    Up to ``CHECKED_CLASSES`` all of them are checked. Of more, the start and others up to that
    number, drawn with the deal's position code as seed, are: whatever follows on one must be
    stuck or among all the classes met. Of the search nothing is used but these classes, each read
    from its memory.

    Args:
        found: a search that ended as lost.
        deadline: when to stop, as ``time.perf_counter`` tells the time.

    Returns:
        How many classes were checked.

    Raises:
        ProofError: they do not; the message says what is wrong.
        OutOfTime: the deadline came first; nothing is proved.
    """
    phase = FirstPhase(found.start)
    if not found.size or found[0] != phase.start():
        raise ProofError("the first class that was met is not that of the deal")
    numbers = range(1, found.size)
    if found.size > CHECKED_CLASSES:
        drawn = Random(found.start.code).sample(numbers, CHECKED_CLASSES - 1)
    else:
        drawn = list(numbers)
    for count, number in enumerate([0, *sorted(drawn)]):
        if count % _CHECKS_A_LOOK == 0:
            check_time(deadline)
        each = found[number]
        fault = fault_of(phase, each, found.holds)
        if fault is not None:
            raise ProofError(f"class {format_class(each)}: {fault}")
    return len(drawn) + 1
