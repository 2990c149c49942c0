"""What a search may spend, and what it finds: limits, and the result with its proof."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from spider_solver.game.notation import Move
from spider_solver.game.outcomes import Ended, Proof, Reason
from spider_solver.game.outcomes import Status as Status
from spider_solver.game.position import Position

if TYPE_CHECKING:  # what comes with the kernels takes its time to import
    from spider_solver.search.complete import Exploration
    from spider_solver.search.first_run import Classes
    from spider_solver.search.portfolio import Attempt, Order

EFFORTS = {"quick": 1_000_000, "normal": 30_000_000, "deep": 1_000_000_000}
"""Node budgets by the name that ``--effort`` takes."""

DEFAULT_MAX_NODES = EFFORTS["normal"]


@dataclass(frozen=True)
class Limits:
    """How much may be spent on one position.

    Attributes:
        max_nodes: generated successors.
        time: seconds for all of it, shortening too; None for no limit. A result that time ended
            cannot be reproduced.
        shorten: generated successors to be spent on a shorter line, once one is found.
        bound: whether to prove a lower bound on the actions of any winning line.
    """

    max_nodes: int = DEFAULT_MAX_NODES
    time: float | None = None
    shorten: int = 0
    bound: bool = False


@dataclass(frozen=True)
class Search:
    """One of the searches that a result took, and how far it came.

    Attributes:
        settings: of a beam; None for a complete search or one of classes.
        ended: how it ended.
        nodes: generated successors.
        runs_completed: the most runs that were complete in a position of it.
        rows_dealt: the most rows that it dealt.
        order: of a complete search that did not go in order of actions.
        of_classes: whether it searched classes of positions before the first run.
    """

    settings: Attempt | None
    ended: Ended
    nodes: int
    runs_completed: int
    rows_dealt: int
    order: Order | None = None
    of_classes: bool = False


@dataclass(frozen=True)
class Result:
    """The verdict on a position, with its proof.

    Attributes:
        position: the position that was decided.
        status: won, lost or open.
        reason: why it is open.
        proof: how it was decided.
        line: the winning line.
        certificate: the proof of a loss as text.
        checked: for ``exhausted``, positions of the closed set that were checked before it was
            called lost; for ``no-first-run``, classes.
        actions: length of the line.
        score: score of the line.
        actions_bound: a proved lower bound on the actions of any winning line, if asked for.
        nodes: generated successors.
        expanded: positions whose successors were generated.
        shorten_nodes: generated successors spent on a shorter line.
        attempts: searches tried.
        runs_completed: for open positions, the most runs that any attempt completed.
        rows_dealt: for open positions, the most rows that any attempt dealt.
        seconds: wall time.
        exploration: for ``exhausted``, the complete search, with all positions that it met.
        classes: for ``no-first-run``, the search of classes, with all that it met.
        searches: what was tried, in order.
    """

    position: Position
    status: Status
    reason: Reason | None = None
    proof: Proof | None = None
    line: tuple[Move, ...] | None = None
    certificate: str | None = None
    checked: int | None = None
    actions: int | None = None
    score: int | None = None
    actions_bound: int | None = None
    nodes: int = 0
    expanded: int = 0
    shorten_nodes: int = 0
    attempts: int = 0
    runs_completed: int | None = None
    rows_dealt: int | None = None
    seconds: float = 0.0
    exploration: Exploration | None = field(default=None, repr=False, compare=False)
    classes: Classes | None = field(default=None, repr=False, compare=False)
    searches: tuple[Search, ...] = field(default=(), repr=False)

    @property
    def has_closed_set(self) -> bool:
        """Whether a closed set proves it lost, of positions or of classes."""
        return self.exploration is not None or self.classes is not None
