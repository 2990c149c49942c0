"""The shortest line, and the proof that it is: a complete search in order of actions.

It is for late positions and small games.  Where the search is cut off it still proves something:
the positions met first are those that the fewest actions lead to, so all shorter lines are ruled
out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from spider_solver.game.notation import Move, format_line
from spider_solver.game.outcomes import Proof, Reason
from spider_solver.game.position import Position
from spider_solver.game.words import count_words
from spider_solver.proofs.bounds import actions_bound
from spider_solver.proofs.check import ProofError, verify_line
from spider_solver.proofs.closed_set import OutOfTime
from spider_solver.search.complete import DeadEnds, explore
from spider_solver.search.exhausted import check_exhausted
from spider_solver.search.result import Result, Status

SHORTEST_NODES = 30_000_000
"""Nodes that the proof may take by default: about ten seconds."""

SHORTEST_POSITIONS = 1 << 22
"""Positions that are kept at most, about 600 MB; memory that is not used is not taken."""


@dataclass(frozen=True)
class Shortest:
    """The shortest line that is known, and what is proved about it.

    Attributes:
        position: where it begins.
        line: the shortest line known; None if none is.
        bound: no winning line has fewer actions; None if it is proved that none wins.
        reason: why the line is not proved to be shortest; None if it is, or if no line wins.
        nodes: generated successors; 0 if the lower bound was enough.
        positions: positions met.
        checked: if no line wins, positions of the closed set that were checked before that was
            said; None if nothing had to be.
    """

    position: Position
    line: tuple[Move, ...] | None
    bound: int | None
    reason: Reason | None
    nodes: int
    positions: int
    checked: int | None = None

    @property
    def proved(self) -> bool:
        """Whether no line has fewer actions than this one."""
        return self.line is not None and self.reason is None

    @property
    def words(self) -> str:
        """What is proved, in words."""
        spent = f"{count_words(self.nodes, 'node')}, {count_words(self.positions, 'position')}"
        how = f"by complete search, {spent}" if self.nodes else "by the lower bound"
        if self.bound is None:
            return f"no line wins ({how})" if self.nodes else "no line wins"
        fewer = f"no line has fewer than {count_words(self.bound, 'action')}"
        if self.proved:
            return f"proved shortest: {fewer} ({how})"
        limit = count_words(self.nodes, "node")
        within = {
            Reason.NODES: f"within {limit}",
            Reason.MEMORY: f"in memory after {limit}",
            Reason.TIME: f"in time, after {limit}",
        }[self.reason or Reason.NODES]
        missing = "no line found" if self.line is None else "not proved shortest"
        return f"{missing} {within}: {fewer}"

    def as_dict(self) -> dict[str, Any]:
        """The same for programs, ready for JSON."""
        return {
            "proved": self.proved,
            "line": None if self.line is None else format_line(self.line),
            "actions": None if self.line is None else len(self.line),
            "bound": self.bound,
            "reason": self.reason,
            "nodes": self.nodes,
            "positions": self.positions,
            "words": self.words,
        }


def find_shortest(
    position: Position,
    line: Sequence[Move] | None = None,
    max_nodes: int = SHORTEST_NODES,
    most_positions: int = SHORTEST_POSITIONS,
    deadline: float | None = None,
) -> Shortest:
    """Look for a shortest line, and prove that it is.

    Args:
        position: where to begin.
        line: a line that wins, if one is known; it is kept unless a shorter one is found.
        max_nodes: generated successors at most.
        most_positions: positions that memory is made for.
        deadline: when to stop (:mod:`spider_solver.search.clock`).

    Raises:
        ProofError: ``line`` does not win, or a search that ended without a win has left positions
            out (an internal error).
        UnsupportedRules: the game is too large for the kernels.
    """
    known = None if line is None else tuple(line)
    if known is not None:
        verify_line(position, known)
    bound = actions_bound(position)
    if known is not None and len(known) == bound:
        return Shortest(position, known, bound, None, 0, 0)
    found = explore(position, max_nodes, most_positions, deadline, DeadEnds.SHORT_OF_CARDS)
    if found.line is not None:
        verify_line(position, found.line)
        length = len(found.line)
        return Shortest(position, found.line, length, None, found.nodes, found.size)
    if found.fewest_actions is None:
        if known is not None:
            raise ProofError("a complete search finds no win where there is one")
        try:
            checked = check_exhausted(found, deadline)
        except OutOfTime:
            return Shortest(position, None, bound, Reason.TIME, found.nodes, found.size)
        return Shortest(position, None, None, None, found.nodes, found.size, checked)
    bound = max(bound, found.fewest_actions)
    reason = None if known is not None and len(known) == bound else found.reason
    return Shortest(position, known, bound, reason, found.nodes, found.size)


def shortest_result(
    result: Result, max_nodes: int = SHORTEST_NODES, deadline: float | None = None
) -> tuple[Result, Shortest]:
    """A verdict with the shortest line that can be found, and what is proved about it.

    The nodes that it takes count as shortening.  A verdict that was open may be decided by it, as
    won or, if the search ends without a win, as lost; one that was lost is left as it is, with a
    search of no nodes.

    Raises:
        ProofError: an internal error, as in :func:`find_shortest`.
        UnsupportedRules: the game is too large for the kernels.
    """
    if result.status is Status.LOST:
        return result, Shortest(result.position, None, None, None, 0, 0)
    found = find_shortest(result.position, result.line, max_nodes, deadline=deadline)
    spent = replace(result, shorten_nodes=result.shorten_nodes + found.nodes)
    if found.line is None:
        return spent if found.bound is not None else _lost(spent, found.checked), found
    checked = verify_line(result.position, found.line)
    won = replace(
        spent,
        status=Status.WON,
        reason=None,
        proof=Proof.LINE,
        line=found.line,
        actions=checked.actions,
        score=checked.score,
        actions_bound=found.bound,
        runs_completed=None,
        rows_dealt=None,
    )
    return won, found


def _lost(result: Result, checked: int | None) -> Result:
    """An open verdict once a complete search has ended without a win."""
    return replace(
        result,
        status=Status.LOST,
        reason=None,
        proof=Proof.EXHAUSTED,
        checked=checked,
        runs_completed=None,
        rows_dealt=None,
    )
