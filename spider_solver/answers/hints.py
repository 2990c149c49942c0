"""Hints: the first move of a line that is proved to win, or the truth that there is none.

A :class:`Hinter` remembers the lines that it has found, so the next hint of the same game comes
at once, and whoever plays hint after hint wins in no more actions than the first one promised.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from spider_solver.game.deal import Deal
from spider_solver.game.notation import Move, format_line, format_move
from spider_solver.game.outcomes import Proof, Reason
from spider_solver.game.position import Position
from spider_solver.game.words import count_words, move_text, move_words, proof_words
from spider_solver.proofs.check import verify_line
from spider_solver.search.result import Limits, Status

if TYPE_CHECKING:  # what comes with the kernels takes its time to import
    from spider_solver.search.solver import Solver

HINT_LIMITS = Limits(max_nodes=2_000_000, shorten=500_000)
"""Settles nearly every four-suit position that can be won, within about a second."""

MOST_REMEMBERED = 20_000
"""Positions that a Hinter remembers, those of the last hundred games or so."""


@dataclass(frozen=True)
class Hint:
    """What to play, and how sure that is.

    Attributes:
        position: the position that was asked about.
        status: ``won``: the line wins; ``lost``: proved, no move helps; ``open``: neither is
            proved, and the line is a guess.
        line: for ``won`` all actions to the end of the game; for ``open`` those to the best
            position that was found; empty if the game is lost, or over.
        reason: why the position is open.
        proof: how it was decided.
        certificate: the proof of a loss as text.
        nodes: generated successors; 0 if the line was remembered.
        seconds: wall time of the search.
    """

    position: Position
    status: Status
    line: tuple[Move, ...] = ()
    reason: Reason | None = None
    proof: Proof | None = None
    certificate: str | None = None
    nodes: int = 0
    seconds: float = 0.0

    @property
    def move(self) -> Move | None:
        """The action to play; None if the game is lost, or over."""
        return self.line[0] if self.line else None

    @property
    def actions(self) -> int | None:
        """Actions left until the game is won, if it is known to be."""
        return len(self.line) if self.status is Status.WON else None

    @property
    def words(self) -> str:
        """The action in words and in move text, or why there is none."""
        if self.move is not None:
            return move_text(self.position, self.move)
        if self.position.is_won:
            return "nothing to do: the game is won"
        return "no move: the game is lost" if self.status is Status.LOST else "no move is left"

    @property
    def certainty(self) -> str:
        """How sure the hint is, in words."""
        if self.status is Status.WON:
            return f"won: a proved line, {count_words(len(self.line), 'action')} to go"
        if self.status is Status.LOST:
            return f"lost: proved ({proof_words(self.proof)}), no line of play wins"
        return (
            f"open: neither won nor lost is proved within {count_words(self.nodes, 'node')}; "
            "this is the best that was found"
        )

    def upcoming(self, count: int) -> Iterator[tuple[Move, str]]:
        """The next ``count`` actions of the line, or as many as it has, each with its words."""
        position = self.position
        for move in self.line[:count]:
            yield move, move_words(position, move)
            position = position.play(move)

    def as_dict(self) -> dict[str, Any]:
        """The hint for programs, ready for JSON."""
        from spider_solver.search.solver import SOLVER

        return {
            "status": str(self.status),
            "move": None if self.move is None else format_move(self.move),
            "words": self.words,
            "certainty": self.certainty,
            "actions": self.actions,
            "line": format_line(self.line),
            "reason": self.reason,
            "proof": self.proof,
            "certificate": self.certificate,
            "position": self.position.code,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "solver": SOLVER,
        }

    def _repr_html_(self) -> str:
        from spider_solver.show.notebook import hint_html

        return hint_html(self)


class _NextMove(NamedTuple):
    """The way on from a position that is known to be won."""

    move: Move
    left: int  # actions to the end, this one included
    after: Position


class Hinter:
    """Gives hints, one after another, and remembers the lines that it found.

    Its memory is bounded: the lines that were asked for longest ago are forgotten first. Not for
    several threads at a time.

    Args:
        limits: what may be spent on a position that is on no remembered line.
        solver: a solver to use, by default one of its own.
    """

    def __init__(self, limits: Limits = HINT_LIMITS, solver: Solver | None = None) -> None:
        self.limits = limits
        self._given = solver
        # Each step leads to a position that is the end or has a step with fewer actions left, and
        # that was put in order after it: so what is forgotten first never leaves a line cut off.
        self._steps: OrderedDict[Position, _NextMove] = OrderedDict()

    @cached_property
    def _solver(self) -> Solver:
        """Made when it is first needed: a remembered line needs none."""
        from spider_solver.search.solver import Solver

        return self._given or Solver()

    def hint(self, position: Position, limits: Limits | None = None) -> Hint:
        """A hint for a position.

        Args:
            position: the position.
            limits: what may be spent on it, by default the limits of this Hinter.

        Raises:
            UnsupportedRules: the game is too large for the solver.
        """
        if self.knows(position):
            return Hint(position, Status.WON, self._remembered(position), proof=Proof.LINE)
        result = self._solver.solve(position, limits or self.limits)
        line: tuple[Move, ...] = ()
        if result.line is not None:
            self.learn(position, result.line)
            line = self._remembered(position)
        elif result.status is Status.OPEN:
            line = best_line(self._solver, position)
        return Hint(
            position,
            result.status,
            line,
            reason=result.reason,
            proof=result.proof,
            certificate=result.certificate,
            nodes=result.nodes + result.shorten_nodes,
            seconds=result.seconds,
        )

    def knows(self, position: Position) -> bool:
        """Whether a position is on a remembered line, so that its hint comes at once."""
        return position in self._steps

    @property
    def remembered(self) -> int:
        """Positions whose hint comes at once, at most ``MOST_REMEMBERED``."""
        return len(self._steps)

    def learn(self, position: Position, line: Sequence[Move]) -> None:
        """Remember a line that wins; where it meets one that is no longer from there, that one.

        Raises:
            ProofError: the line does not win.
        """
        verify_line(position, line)
        passed = []
        for place, move in enumerate(line):
            step = self._steps.get(position)
            if step is not None and step.left <= len(line) - place:
                break
            after = position.play(move)
            passed.append((position, move, after))
            position = after
        left = len(passed) + (self._steps[position].left if position in self._steps else 0)
        for place, (before, move, after) in enumerate(passed):
            self._steps[before] = _NextMove(move, left - place, after)
            self._steps.move_to_end(before)
        self._remembered(position)
        while len(self._steps) > MOST_REMEMBERED:
            self._steps.popitem(last=False)

    def _remembered(self, position: Position) -> tuple[Move, ...]:
        """The remembered line from a position to the end, which is now the last to be forgotten."""
        line = []
        while (step := self._steps.get(position)) is not None:
            self._steps.move_to_end(position)
            line.append(step.move)
            position = step.after
        return tuple(line)


def hint(position: Position | Deal, limits: Limits = HINT_LIMITS) -> Hint:
    """A hint for one position or deal; for many, or for a game, keep a :class:`Hinter`.

    Raises:
        UnsupportedRules: the game is too large for the solver.
    """
    start = position.position if isinstance(position, Deal) else position
    return Hinter(limits).hint(start)


def best_line(solver: Solver, position: Position) -> tuple[Move, ...]:
    """The line to the best position that a short search comes to; a guess.

    It ends with the last of its actions that dealt, completed a run or turned a card up, if
    there is one. Empty only if no move is legal.
    """
    line = solver.best_found(position)
    end, at = 0, position
    for place, move in enumerate(line, start=1):
        after = at.play(move)
        if move.is_deal or after.hidden < at.hidden or after.completed != at.completed:
            end = place
        at = after
    return line[:end] or line or tuple(position.legal_moves()[:1])
