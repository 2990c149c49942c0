"""One beam of the solver, stopped after every layer: real layers for kernels to be measured on."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from spider_solver.game.deal import Deal
from spider_solver.kernels import layout
from spider_solver.kernels.beam import begin_beam, run_beam
from spider_solver.kernels.evaluation import evaluation_of
from spider_solver.kernels.workspace import make_workspace
from spider_solver.search.packing import pack
from spider_solver.search.portfolio import Portfolio
from tests.kernels import plain


class BeamRun:
    """The memory of a search, with one beam going on in it.

    Attributes:
        work: the workspace; between layers it holds the layer that comes next.
        evaluation, rules, settings, seed: what the kernels take besides.
    """

    def __init__(self) -> None:
        self.work = make_workspace()
        self.seed = np.uint64(1)
        self.ended = layout.PAUSED

    def begin(self, deal: Deal, number: int, width: int | None = None) -> None:
        """Begin the attempt with a number on a deal, of another width if given."""
        trial = Portfolio().attempt(number)
        if width is not None:
            trial = replace(trial, width=width)
        packed = pack(deal.position)
        self.start = deal.position
        self.rules = packed.rules
        self.evaluation = evaluation_of(trial.weights, deal.position.rules.ranks)
        self.settings = trial.words()
        self.seed = np.uint64(trial.seed)
        registers = self.work.registers
        registers[:] = 0
        registers[layout.REG_MAX_NODES] = layout.INFINITE
        begin_beam(self.work, self.evaluation, *packed)

    def layers(self) -> Iterator[int]:
        """Go on layer by layer to the end of the beam; gives the number of positions of each."""
        self.ended = layout.PAUSED
        registers = self.work.registers
        while self.ended == layout.PAUSED:
            registers[layout.REG_PAUSE_AT] = 0  # nodes after which a call ends: at once
            self.ended = int(
                run_beam(self.work, self.evaluation, self.rules, self.settings, self.seed)
            )
            if self.ended == layout.PAUSED:
                yield int(registers[layout.REG_LAYER])

    def to_the_end(self) -> None:
        """Go on to the end of the beam without a stop."""
        self.work.registers[layout.REG_PAUSE_AT] = layout.INFINITE
        self.ended = int(run_beam(self.work, self.evaluation, self.rules, self.settings, self.seed))

    def columns(self, row: int) -> tuple[list[list[int]], list[int]]:
        """The columns of a position of the layer, deepest card first, and their face-down cards."""
        cards = np.zeros(128, np.int32)
        columns, face_down = [], []
        for column, dealt in enumerate(self.start.columns):
            node = int(self.work.layer[row * layout.STATE_WORDS + column])
            count = plain.read_cards(self.work, node, cards)
            down = int(plain.hidden_cards(self.work, node))
            columns.append([*dealt[:down], *map(int, cards[:count][::-1])])
            face_down.append(down)
        return columns, face_down
