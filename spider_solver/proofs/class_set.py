"""Checks sets of classes of positions that prove that no run is ever completed.

Only plain Python is used here, never a kernel. A class as text is its columns, with ``/`` between,
and, after a space, the ends that each row dealt covers, again with ``/`` between, or ``-`` before
the first deal: ``6/6/5ab/5 A23/KK``. A column is the number of cards of the start in place, and a
letter for each row whose card is a head there, ``a`` for the first row.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache

from spider_solver.game.cards import RANKS
from spider_solver.game.position import Position
from spider_solver.proofs.check import ProofError
from spider_solver.proofs.closed_set import PROGRESS_POSITIONS, check_time
from spider_solver.proofs.first_run import FirstPhase, PositionClass, has_first_phase
from spider_solver.proofs.first_run_stuck import is_stuck
from spider_solver.proofs.rank_counts import counted, each, one
from spider_solver.text.quoting import quoted

_ROWS = "abcdefghijklmnopqrstuvwxyz"
_LONGEST_CODE = 1000
_TEXTS_KEPT = 1 << 16


def check_class_set(
    position: Position,
    codes: Iterable[str],
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Check that a set of classes proves that a fresh deal is lost.

    It does if the class of the deal is in it, no class in it leads to an event, and every class
    that follows on one of them is in it or stuck (``first_run_stuck.is_stuck``):
    :mod:`spider_solver.proofs.first_run` says what these words mean, and ``docs/proofs.md`` why
    that proves a loss. That the set holds more than can come about does no harm, nor does a class
    that is twice in it.

    Args:
        position: the deal that is claimed to be lost.
        codes: the classes as text, read once.
        progress: told every now and then how many classes of how many have been checked.

    Returns:
        How many classes the set holds, each counted once.

    Raises:
        ProofError: the first thing that is wrong, in one line; classes are numbered from 1.
    """
    classes = ClassSet(position)
    for number, code in enumerate(codes, start=1):
        classes.add(code, number)
    classes.check(progress)
    return len(classes)


class ClassSet:
    """Classes of positions of a fresh deal, each kept once, that may prove it lost.

    Args:
        position: the deal.

    Raises:
        ProofError: the proof does not apply to it.
    """

    def __init__(self, position: Position) -> None:
        if not has_first_phase(position):
            raise ProofError(
                "no proof of this kind: it takes a fresh deal, one card of each column face up, "
                "stock rows that are whole, and rules without group moves"
            )
        self.phase = FirstPhase(position)
        self._known: dict[str, None] = {}

    def __len__(self) -> int:
        return len(self._known)

    def add(self, code: str, number: int) -> None:
        """Take in a class.

        Args:
            code: its text.
            number: its place in the set, for the message.

        Raises:
            ProofError: the text is no class of the deal.
        """
        try:
            parse_class(self.phase, code)
        except ValueError:
            raise ProofError(f"class {number} of the set: {quoted(code)} is none") from None
        self._known[code] = None

    def check(
        self,
        progress: Callable[[int, int], None] | None = None,
        deadline: float | None = None,
    ) -> None:
        """Check that the deal is in the set, and that nothing leads out of it or to an event.

        Args:
            progress: told every now and then how many classes of how many have been checked.
            deadline: when to stop, as ``time.perf_counter`` tells the time.

        Raises:
            ProofError: the first thing that is wrong.
            OutOfTime: the deadline came first.
        """
        start = format_class(self.phase.start())
        if start not in self._known:
            raise ProofError(f"the start is not in the set of classes: {start}")
        for number, code in enumerate(self._known, start=1):
            found = parse_class(self.phase, code)
            fault = fault_of(self.phase, found, lambda after: format_class(after) in self._known)
            if fault is not None:
                raise ProofError(f"class {number} of the set: {fault}")
            if number % PROGRESS_POSITIONS == 0:
                check_time(deadline)
                if progress is not None:
                    progress(number, len(self._known))


def fault_of(
    phase: FirstPhase, found: PositionClass, holds: Callable[[PositionClass], bool]
) -> str | None:
    """What leads from a class to an event, or out of a set of classes; None if nothing does.

    Args:
        phase: the deal.
        found: the class.
        holds: whether a class is in the set.
    """
    for after in phase.successors(found):
        if after is None:
            return "a column may be emptied or a run completed"
        if not holds(after) and not is_stuck(phase, after):
            return f"{format_class(after)} may follow, which is not in the set"
    return None


def format_class(found: PositionClass) -> str:
    """A class as text."""
    columns = "/".join(map(_column_text, found.in_place, found.heads))
    return f"{columns} {'/'.join(map(_ends_text, found.covered)) if found.covered else '-'}"


@lru_cache(_TEXTS_KEPT)
def _column_text(in_place: int, heads: int) -> str:
    return f"{in_place}{''.join(name for row, name in enumerate(_ROWS) if heads >> row & 1)}"


@lru_cache(_TEXTS_KEPT)
def _ends_text(ends: int) -> str:
    return "".join(RANKS[rank - 1] for rank in each(ends))


def parse_class(phase: FirstPhase, code: str) -> PositionClass:
    """The class of a text.

    Raises:
        ValueError: the text is no class of the deal, or not as classes are written.
    """
    columns, ends = code[:_LONGEST_CODE].split(" ")
    parts = [_column_of(text) for text in columns.split("/")]
    found = PositionClass(
        in_place=tuple(in_place for in_place, _ in parts),
        heads=tuple(heads for _, heads in parts),
        covered=() if ends == "-" else tuple(map(_ends_of, ends.split("/"))),
    )
    if format_class(found) != code or not _is_whole(phase, found):
        raise ValueError(code)
    return found


@lru_cache(_TEXTS_KEPT)
def _column_of(text: str) -> tuple[int, int]:
    number = text.rstrip(_ROWS)
    return int(number), sum(1 << _ROWS.index(row) for row in text[len(number) :])


@lru_cache(_TEXTS_KEPT)
def _ends_of(text: str) -> int:
    return counted(RANKS.index(rank) + 1 for rank in text)


def _is_whole(phase: FirstPhase, found: PositionClass) -> bool:
    """Whether a class has as many cards as the deal, and an end for each segment covered."""
    dealt = len(found.covered)
    return (
        dealt <= len(phase.rows)
        and len(found.in_place) == len(phase.columns)
        and all(
            0 < left <= len(cards)
            for left, cards in zip(found.in_place, phase.columns, strict=True)
        )
        and all(heads < 1 << dealt for heads in found.heads)
        and all(
            len(each(ends)) == sum(heads >> row & 1 for heads in found.heads)
            and ends < one(phase.ranks + 1)
            for row, ends in enumerate(found.covered)
        )
    )
