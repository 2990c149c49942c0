"""Plans for a table with unknown cards: the bridge between a View and the planning kernels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import repeat
from typing import NamedTuple

import numpy as np

from spider_solver.errors import SpiderError
from spider_solver.game.cards import UNKNOWN, rank
from spider_solver.game.notation import Move
from spider_solver.game.rules import Rules, spider
from spider_solver.game.view import View
from spider_solver.kernels import layout
from spider_solver.kernels import plan_layout as plan
from spider_solver.kernels.dealing import read_line
from spider_solver.kernels.plan_choice import enter_deal, make_plan
from spider_solver.kernels.plan_layout import PRICE_UNIT, Plans, make_plans
from spider_solver.kernels.plans import begin_plan
from spider_solver.kernels.workspace import make_workspace
from spider_solver.play.weights import (
    Weights,
    benefits_table,
    evaluation_of,
    meets_table,
    shipped_weights,
)
from spider_solver.search.packing import pack, unpack_move

_LONGEST_PLAN = 1024


class NotPlayed(SpiderError, ValueError):
    """Rules that the player does not know."""


def check_playable(rules: Rules) -> None:
    """Refuse any game but standard Spider, of any number of suits.

    How many cards each column starts with does not matter.

    Raises:
        NotPlayed: one line that says what is played.
    """
    standard = spider(rules.suits)
    if replace(standard, name=rules.name, pack=rules.pack, heights=rules.heights) != rules or (
        (rules.columns, rules.runs, rules.stock_rows) != (10, 8, 5)
    ):
        raise NotPlayed(
            f"the player knows standard Spider with 1 to 4 suits only, not {rules.name}"
        )


class Ends(IntEnum):
    """What a plan ends with."""

    NOTHING = plan.NOTHING
    FLIP = plan.FLIP
    DEAL = plan.DEAL
    WIN = plan.WIN


@dataclass(frozen=True)
class PlanSettings:
    """How far a plan looks.

    Attributes:
        width: positions in a layer of the beam.
        layers: most moves of a plan.
        patience: layers without a better position or flip before it ends.
        learned: choose each layer by learned score among so many times its width; 0: by cost.
        flips: cheapest flips that get a learned score.
        closer: best flips that are looked at more closely.
        gap: how far above the best score a flip may be to be looked at.
        closer_width: width of the plan by which a flip is looked at.
        closer_layers: and its layers.
    """

    width: int = 500
    layers: int = 50
    patience: int = 25
    learned: int = 3
    flips: int = 2000
    closer: int = 100
    gap: float = 25.0
    closer_width: int = 24
    closer_layers: int = 5


class Plan(NamedTuple):
    """A plan's chosen line.

    Attributes:
        ends: what it ends with.
        moves: the moves, the flip or the deal last.
        score: its score, in price units; lower is better.
    """

    ends: Ends
    moves: tuple[Move, ...]
    score: int


class Planner:
    """Makes plans, one after the other, in memory that is made once."""

    def __init__(self, weights: Weights | None = None) -> None:
        weights = weights or shipped_weights()
        self._workspace = make_workspace()
        self._plans = make_plans()
        self._plans.weights[:] = benefits_table(weights)
        self._plans.meets[:] = meets_table(weights.cost)
        self._evaluation = evaluation_of(weights.cost)
        self._rules = np.zeros(layout.RULE_WORDS, np.int64)  # of the last plan

    def plan(self, view: View, settings: PlanSettings = PlanSettings()) -> Plan:
        """The best way to the next card that turns up, to the next deal if none can, or to a win.

        Raises:
            NotPlayed: the game is not standard Spider.
            PositionError: the known cards are not those of one deck.
        """
        rules = load_plan(self._workspace, self._plans, self._evaluation, view)
        self._plans.settings[:] = _words(settings)
        ends = Ends(make_plan(self._workspace, self._plans, self._evaluation, rules))
        self._rules = rules
        if ends == Ends.NOTHING:
            return Plan(ends, (), 0)
        if ends == Ends.DEAL:
            return self.best_deals(1)[0]
        registers = self._plans.registers
        return Plan(
            ends, self._line_to(int(registers[plan.REG_ENTRY])), int(registers[plan.REG_SCORE])
        )

    def flips(self) -> Iterator[tuple[tuple[Move, ...], int]]:
        """All flips that the last plan has found: the moves, and the cost afterwards."""
        for flip in range(self._plans.registers[plan.REG_FLIPS]):
            yield self._flip_line(flip), int(self._plans.flips["score"][flip])

    def best_flips(self, count: int) -> list[Plan]:
        """The best flips of the last plan that ended with one, the chosen one first."""
        ranked = self._plans.ranked[: self._plans.registers[plan.REG_RANKED]]
        best = sorted(range(len(ranked)), key=lambda place: int(ranked["score"][place]))[:count]
        return [
            Plan(
                Ends.FLIP,
                self._flip_line(int(ranked["move"][place])),
                int(ranked["score"][place]),
            )
            for place in best
        ]

    def best_deals(self, count: int) -> list[Plan]:
        """The cheapest ways to the next deal of the last plan that ended with one."""
        scores = self._plans.deals["score"][: self._plans.registers[plan.REG_DEALS]]
        return [
            Plan(Ends.DEAL, self._deal_line(int(deal)), int(scores[deal]))
            for deal in np.argsort(scores, kind="stable")[:count]
        ]

    def _deal_line(self, deal: int) -> tuple[Move, ...]:
        packed = (self._workspace, self._plans, self._evaluation, self._rules)
        return self._line_to(enter_deal(*packed, deal))

    def _flip_line(self, flip: int) -> tuple[Move, ...]:
        row, code = divmod(int(self._plans.flips["move"][flip]), layout.MOVE_PARENT)
        before = self._workspace.layer[row * layout.STATE_WORDS + layout.HISTORY]
        return (*self._line_to(int(before)), unpack_move(code))

    def _line_to(self, entry: int) -> tuple[Move, ...]:
        """The moves that lead to a history entry."""
        codes = np.zeros(_LONGEST_PLAN, np.int32)
        length = read_line(self._workspace, entry, codes)
        return tuple(unpack_move(int(code)) for code in codes[:length])


def load_plan(
    workspace: layout.Workspace, plans: Plans, evaluation: layout.Evaluation, view: View
) -> layout.Int64s:
    """Load a view into the memory of the kernels; returns the rules as they take them.

    Raises:
        NotPlayed: the game is not standard Spider.
        PositionError: the known cards are not those of one deck.
    """
    check_playable(view.rules)
    packed = pack(view.filled(repeat(UNKNOWN)))
    begin_plan(workspace, plans, evaluation, *packed)
    plans.unseen[:] = 0
    plans.unseen_ranks[:] = 0
    for card, count in view.unseen.items():
        plans.unseen[card] = count
        plans.unseen_ranks[rank(card)] += count
    plans.registers[plan.REG_TOTAL] = view.unknown
    plans.registers[plan.REG_STAGE] = plan.MOST_STAGES - 1 - packed.rules[layout.RULE_ROWS]
    return packed.rules


def _words(settings: PlanSettings) -> layout.Int64s:
    """Settings as the kernels take them."""
    words = np.zeros(plan.SET_WORDS, np.int64)
    words[plan.SET_WIDTH] = settings.width
    words[plan.SET_LAYERS] = settings.layers
    words[plan.SET_PATIENCE] = settings.patience
    words[plan.SET_LEARNED] = settings.learned
    words[plan.SET_FLIPS] = settings.flips
    words[plan.SET_CLOSER] = settings.closer
    words[plan.SET_GAP] = round(settings.gap * PRICE_UNIT)
    words[plan.SET_CLOSER_WIDTH] = settings.closer_width
    words[plan.SET_CLOSER_LAYERS] = settings.closer_layers
    return words
