"""Moves left to elder siblings: the same positions out of fewer successors."""

from collections.abc import Iterator

import numpy as np
import pytest

from spider_solver.game.deal import Deal
from spider_solver.game.rules import VARIANTS, spider
from spider_solver.kernels import layout
from spider_solver.kernels.beam import begin_beam, run_beam
from spider_solver.kernels.evaluation import evaluation_of
from spider_solver.kernels.workspace import make_workspace
from spider_solver.search.packing import pack_removing
from spider_solver.search.portfolio import Portfolio
from tests.kernels.engine import expand_layer

WORK = make_workspace()


def layers_of(variant: str, suits: int, seed: int, number: int) -> Iterator[tuple[list[int], ...]]:
    """Both lists of candidate keys of every layer of a beam: with and without leaving out."""
    position = Deal.numbered(seed, rules=VARIANTS[variant](suits)).position
    packed = pack_removing(position)
    trial = Portfolio().attempt(number, spider(suits))
    evaluation = evaluation_of(trial.weights, position.rules.ranks)
    settings = trial.words()
    settings[layout.SET_MOVES] = layout.EVERY_MOVE
    registers = WORK.registers
    registers[:] = 0
    registers[layout.REG_MAX_NODES] = layout.INFINITE
    begin_beam(WORK, evaluation, *packed)
    seed_word = np.uint64(trial.seed)
    while True:
        registers[layout.REG_PAUSE_AT] = 0
        if run_beam(WORK, evaluation, packed.rules, settings, seed_word) != layout.PAUSED:
            return
        kept = registers.copy()
        found = []
        for siblings in (1, 0):
            trying = settings.copy()
            trying[layout.SET_SIBLINGS] = siblings
            trying[layout.SET_PROPOSING] = 0  # deals are not left to anyone
            if expand_layer(WORK, evaluation, packed.rules, trying, seed_word) != layout.GOES_ON:
                return  # a win: the layer is not expanded to its end
            count = int(registers[layout.REG_CANDIDATES])
            found.append(WORK.candidates["key"][:count].tolist())
            registers[:] = kept
        yield tuple(found)


@pytest.mark.parametrize("variant", ["spider", "relaxed", "group-moves", "optional-removal"])
@pytest.mark.parametrize("number", [0, 5, 12])
def test_a_layer_leads_to_the_same_positions(variant: str, number: int) -> None:
    left_out = 0
    layers = 0
    for suits, seed in ((4, 17), (2, 18), (1, 19)):
        for fewer, all_moves in layers_of(variant, suits, seed, number):
            assert set(fewer) == set(all_moves)
            assert len(fewer) <= len(all_moves)
            left_out += len(all_moves) - len(fewer)
            layers += 1
    assert layers > 100
    assert left_out > layers // 2


@pytest.mark.parametrize("variant", ["spiderette", "simple-simon"])
def test_other_games_lead_to_the_same_positions(variant: str) -> None:
    left_out = 0
    for seed in range(1, 6):
        for fewer, all_moves in layers_of(variant, 4, seed, 5):
            assert set(fewer) == set(all_moves)
            left_out += len(all_moves) - len(fewer)
    assert left_out > 0
