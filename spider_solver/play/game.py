"""A game played honestly: the referee knows all cards, the player sees what lies face up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from spider_solver.game.notation import Move
from spider_solver.game.position import Position
from spider_solver.game.view import View


class Decides(Protocol):
    """Whoever plays a game from what is to be seen."""

    def decide(self, view: View) -> tuple[Move, ...]:
        """The moves to play next, up to the next card that turns up; none to give up."""


@dataclass(frozen=True)
class Game:
    """A game that was played to its end.

    Attributes:
        start: the deal.
        won: whether all runs are complete; otherwise the player gave up.
        line: all actions, in order.
        hidden: face-down cards left.
        hidden_before_deals: face-down cards before each deal.
        decisions: how often the player was asked.
    """

    start: Position
    won: bool
    line: tuple[Move, ...]
    hidden: int
    hidden_before_deals: tuple[int, ...]
    decisions: int


def play_game(start: Position, player: Decides) -> Game:
    """Play a deal to its end: the player gets views, and the referee plays its moves.

    The moves of a decision are played up to the first that turns up a card or deals; the player is
    asked again then.

    Raises:
        IllegalMove: the player makes a move that the rules do not allow.
    """
    position = start
    line: list[Move] = []
    before_deals: list[int] = []
    decisions = 0
    while not position.is_won:
        moves = player.decide(View.of(position))
        decisions += 1
        if not moves:
            break
        for move in moves:
            hidden, rows = position.hidden, position.rows_left
            if move.is_deal:
                before_deals.append(hidden)
            position = position.play(move)
            line.append(move)
            if (position.hidden, position.rows_left) != (hidden, rows):
                break
    return Game(
        start, position.is_won, tuple(line), position.hidden, tuple(before_deals), decisions
    )
