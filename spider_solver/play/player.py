"""The player: what to do on a table of which the face-down cards are not known."""

from __future__ import annotations

from dataclasses import dataclass

from spider_solver.game.notation import Move
from spider_solver.game.outcomes import Status
from spider_solver.game.view import View
from spider_solver.play.planner import Planner, PlanSettings
from spider_solver.search.result import Limits
from spider_solver.search.solver import Solver


@dataclass(frozen=True)
class PlayerSettings:
    """How a player thinks.

    Attributes:
        plan: the plans that it makes.
        patient: a longer plan for when the first finds nothing and the stock is empty.
        end_nodes: nodes of the search once all cards are known.
    """

    plan: PlanSettings = PlanSettings()
    patient: PlanSettings = PlanSettings(
        width=300, layers=100, patience=40, learned=0, flips=1500, closer=80
    )
    end_nodes: int = 200_000


FAST = PlayerSettings(
    PlanSettings(
        width=400,
        layers=40,
        patience=20,
        learned=0,
        flips=300,
        closer=40,
        closer_width=16,
        closer_layers=4,
    )
)

STRONG = PlayerSettings(PlanSettings(width=2000, flips=6000, closer=200, gap=30.0))

STRENGTHS = {"fast": FAST, "normal": PlayerSettings(), "strong": STRONG}
"""Players by name; ``docs/playing.md`` says what each wins and takes."""


class Player:
    """Plays from views; one for each worker. Nothing is left to chance."""

    def __init__(self, settings: PlayerSettings = PlayerSettings()) -> None:
        self.settings = settings
        self._planner = Planner()
        self._solver = Solver()

    def decide(self, view: View) -> tuple[Move, ...]:
        """The moves to play next, up to the next card that turns up; none to give up.

        Raises:
            NotPlayed: the game is not standard Spider.
            PositionError: the known cards are not those of one deck.
        """
        if view.unknown == 0:
            result = self._solver.solve(view.filled(()), Limits(self.settings.end_nodes))
            return result.line or () if result.status == Status.WON else ()
        plan = self._planner.plan(view, self.settings.plan)
        if not plan.moves and not view.stock:
            plan = self._planner.plan(view, self.settings.patient)
        return plan.moves
