"""Where did I go wrong?  How far a game is proved won, and from where on it is proved lost.

Whether a position is won can only change once in a game, from won to lost: whatever wins after a
few actions wins before them too, and whatever is lost stays lost.  So the proofs leave three parts
of a game: won up to some action, lost from some action on, and between them the positions about
which nothing was proved.  A search by halves would have to take such an open position for won or
for lost; this one tries them all, from the last one back to the first that is proved won.  The
action that lost the game is one of those between; it is named only if there is no other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from spider_solver.answers.hints import HINT_LIMITS
from spider_solver.game.notation import Move, format_line, format_move
from spider_solver.game.position import Position
from spider_solver.game.words import count_words, move_text
from spider_solver.proofs.check import replay
from spider_solver.search.result import Limits, Status
from spider_solver.search.solver import SOLVER, Solver

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
    def losing_actions(self) -> tuple[int, int] | None:
        """The first and the last of the actions, counted from 1, one of which lost the game.

        None if it is not proved that the game was won once and is lost now.
        """
        if self.won_until is None or self.lost_from is None:
            return None
        return self.won_until + 1, self.lost_from

    @property
    def given_away(self) -> Move | None:
        """The action that lost the game, if it is proved which one did."""
        if self.losing_actions is None or self.losing_actions[0] < self.losing_actions[1]:
            return None
        return self.moves[self.losing_actions[0] - 1]

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
            known = "not known whether the game was given away: no position of it is proved won"
            lost = [] if self.lost_from is None else [f"lost {_when(self.lost_from)}: proved"]
            return [known, self._open(), *lost]
        if self.won_until == played:
            if not self.line:
                return [f"won in {count_words(played, 'action')}: nothing was given away"]
            left = count_words(len(self.line), "action")
            return [f"still won after {count_words(played, 'action')}: {left} to go"]
        position = self.position(self.won_until)
        left = count_words(len(self.line), "action")
        facts = [f"won {_when(self.won_until)}: a proved line, {left} to go"]
        winning = move_text(position, self.line[0])
        if self.losing_actions is None:
            first, last = self.won_until + 1, played
            which = f"actions {first} to {last}" if last > first else f"action {first}"
            facts.append(f"not known whether the game was given away by {which}: {self._open()}")
            return [*facts, f"a winning line continues: {winning}"]
        first, last = self.losing_actions
        facts.append(f"lost {_when(last)}: proved, no line of play wins any more")
        if self.given_away is not None:
            wrong = move_text(position, self.given_away)
            return [*facts, f"given away by action {first}: {wrong}", f"better: {winning}"]
        facts.append(f"given away by one of actions {first} to {last}: {self._open()}")
        return [*facts, f"a winning line continues: {winning}"]

    def _open(self) -> str:
        """Which positions are neither proved won nor proved lost."""
        first = 0 if self.won_until is None else self.won_until + 1
        last = len(self.moves) if self.lost_from is None else self.lost_from - 1
        return (
            f"positions {first} to {last} are open" if last > first else f"position {first} is open"
        )

    def as_dict(self) -> dict[str, Any]:
        """The review for programs, ready for JSON."""
        wrong = self.given_away
        return {
            "actions": len(self.moves),
            "won_until": self.won_until,
            "lost_from": self.lost_from,
            "losing_actions": self.losing_actions,
            "given_away": None if wrong is None else format_move(wrong),
            "line": format_line(self.line),
            "words": self.words,
            "position": self.position(self.won_until or 0).code,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "solver": SOLVER,
        }


def _when(actions: int) -> str:
    return f"after {count_words(actions, 'action')}" if actions else "at the start"


def review(
    start: Position,
    moves: Sequence[Move],
    limits: Limits = HINT_LIMITS,
    solver: Solver | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Find out how far a game is won, and from where on it is lost.

    Args:
        start: the position that the game began with.
        moves: the actions that were played.
        limits: what may be spent on each position.
        solver: a solver to use, by default a new one.
        progress: told, before each position that is searched, how many actions into the game it
            lies, and at how many the search began.

    Raises:
        ProofError: an action is illegal.
        UnsupportedRules: the game is too large for the solver.
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
    won_until: int | None = None
    line: tuple[Move, ...] = ()
    nodes, at = 0, last
    while at >= 0:
        if progress is not None:
            progress(at, last)
        result = solver.solve(positions[at], limits)
        nodes += result.nodes + result.shorten_nodes
        if result.status is Status.LOST:
            lost_from = at = positions.index(positions[at])  # it may have come up before
        if result.line is not None:
            won_until, line = _further(positions, at, result.line)
            break
        at -= 1
    return Review(
        start,
        tuple(resolved),
        won_until=won_until,
        lost_from=lost_from,
        line=line,
        nodes=nodes,
        seconds=time.perf_counter() - began,
    )


def _further(
    positions: Sequence[Position], at: int, line: tuple[Move, ...]
) -> tuple[int, tuple[Move, ...]]:
    """The last position of a game that a line wins, and the rest of the line from there.

    Args:
        positions: the game.
        at: the position from which the line wins.
        line: the line.
    """
    places = {position: place for place, position in enumerate(positions)}
    found = (at, line)
    position = positions[at]
    for done in range(len(line) + 1):
        if places.get(position, -1) > found[0]:
            found = (places[position], line[done:])
        if done < len(line):
            position = position.play(line[done])
    return found
