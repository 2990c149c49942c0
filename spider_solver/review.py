"""Where did I go wrong?  The last position of a game that is still proved won, and what came next.

Whether a position is won can only change once in a game, from won to lost: whatever wins after a
few actions wins before them too, and whatever is lost stays lost.  So the proofs leave three parts
of a game: won up to some action, lost from some action on, and between them the positions about
which nothing was proved.  A search by halves would have to take such an open position for won or
for lost; this one tries them all, from the last one back to the first that is proved won.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from spider_solver.hints import HINT_LIMITS
from spider_solver.notation import Move, format_line, format_move
from spider_solver.position import Position
from spider_solver.proof import replay
from spider_solver.solver import SOLVER, Limits, Result, Solver, Status
from spider_solver.words import count_words, move_text

Progress = Callable[[int, int], None]
"""Told how many actions into the game the search has come back, and from how many it began."""

_LOOK = Limits(max_nodes=0)  # what is proved without a search


@dataclass(frozen=True)
class Review:
    """What is known about every position of a game.

    Positions are counted by the actions before them, so 0 is the start.

    Attributes:
        start: the position that the game began with.
        moves: the actions that were played, each with its count.
        won_until: the last position that is proved won, and with it all before; or None.
        lost_from: the first position that is proved lost, and with it all after; or None.
        line: wins from the position ``won_until``.
        nodes: generated successors of all searches.
        seconds: wall time.
    """

    start: Position
    moves: tuple[Move, ...]
    won_until: int | None
    lost_from: int | None
    line: tuple[Move, ...] = ()
    nodes: int = 0
    seconds: float = 0.0

    @property
    def given_away(self) -> Move | None:
        """The action after which the game is no longer proved won, if there is one."""
        if self.won_until is None or self.won_until == len(self.moves):
            return None
        return self.moves[self.won_until]

    @property
    def after(self) -> Status | None:
        """What is known right after ``given_away``: lost or open; None if nothing was."""
        if self.given_away is None or self.won_until is None:
            return None
        return Status.LOST if self.lost_from == self.won_until + 1 else Status.OPEN

    def position(self, actions: int) -> Position:
        """The position after so many actions."""
        position = self.start
        for move in self.moves[:actions]:
            position = position.play(move)
        return position

    @property
    def words(self) -> str:
        """The answer in words, a fact a line."""
        return "\n".join(self._facts())

    def _facts(self) -> list[str]:
        played = len(self.moves)
        if self.won_until is None:
            if self.lost_from == 0:
                return ["lost from the start: proved, no line of play wins this deal"]
            known = "no position of this game is proved won, so no action can be named"
            return [known, *self._rest()]
        if self.won_until == played:
            if not self.line:
                return [f"won in {count_words(played, 'action')}: nothing was given away"]
            left = count_words(len(self.line), "action")
            return [f"still won after {count_words(played, 'action')}: {left} to go"]
        position = self.position(self.won_until)
        wrong = self.moves[self.won_until]
        when = (
            f"after {count_words(self.won_until, 'action')}" if self.won_until else "at the start"
        )
        verdict = (
            "lost: proved, no line of play wins any more"
            if self.after is Status.LOST
            else "open: neither won nor lost is proved"
        )
        return [
            f"won {when}: a proved line, {count_words(len(self.line), 'action')} to go",
            f"given away by action {self.won_until + 1}: {move_text(position, wrong)}",
            f"then {verdict}",
            f"better: {move_text(position, self.line[0])}",
            *(self._rest() if self.after is Status.OPEN else []),
        ]

    def _rest(self) -> list[str]:
        """What is known about the end of the game."""
        first = 0 if self.won_until is None else self.won_until + 1
        last = len(self.moves) if self.lost_from is None else self.lost_from - 1
        which = f"positions {first} to {last} are" if last > first else f"position {first} is"
        if self.lost_from is None:
            return [f"{which} open, to the end of the game"]
        return [f"{which} open", f"lost from position {self.lost_from} on: proved"]

    def as_dict(self) -> dict[str, Any]:
        """The review for programs, ready for JSON."""
        wrong = self.given_away
        return {
            "actions": len(self.moves),
            "won_until": self.won_until,
            "lost_from": self.lost_from,
            "given_away": None if wrong is None else format_move(wrong),
            "after": None if self.after is None else str(self.after),
            "line": format_line(self.line),
            "words": self.words,
            "position": self.position(self.won_until or 0).code,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "solver": SOLVER,
        }


def review(
    start: Position,
    moves: Sequence[Move],
    limits: Limits = HINT_LIMITS,
    solver: Solver | None = None,
    progress: Progress | None = None,
) -> Review:
    """Find out where a game was given away.

    Args:
        start: the position that the game began with.
        moves: the actions that were played.
        limits: what may be spent on each position.
        solver: a solver to use, by default a new one.
        progress: called before each position that is searched.

    Raises:
        ProofError: an action is illegal.
        UnsupportedRules: the solver does not know the position's rules.
    """
    began = time.perf_counter()
    replay(start, moves)  # for its message, if a move is illegal
    solver = solver or Solver()
    positions, resolved = [start], []
    for move in moves:
        resolved.append(positions[-1].resolve(move))
        positions.append(positions[-1].play(move))

    looks = (solver.solve(position, _LOOK).status for position in positions)
    lost_from = next((at for at, status in enumerate(looks) if status is Status.LOST), None)
    last = len(moves) if lost_from is None else lost_from - 1
    won: Result | None = None
    nodes, at = 0, last
    while at >= 0:
        if progress is not None:
            progress(at, last)
        result = solver.solve(positions[at], limits)
        nodes += result.nodes + result.shorten_nodes
        if result.status is Status.WON:
            won = result
            break
        if result.status is Status.LOST:
            lost_from = at
        at -= 1
    return Review(
        start,
        tuple(resolved),
        won_until=at if won else None,
        lost_from=lost_from,
        line=(won.line or ()) if won else (),
        nodes=nodes,
        seconds=time.perf_counter() - began,
    )
