"""The kernels with every index checked: releases do not check, so a wrong one would go unseen."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_SCRIPT = """
from functools import partial
from numba.core import config
from spider_solver import Deal, Limits, Solver
from spider_solver.search.complete import explore
from spider_solver.kernels.jit import cache_folder

assert config.BOUNDSCHECK and cache_folder().name.endswith("-boundscheck")
solver = Solver()
for suits in (1, 2, 4):
    position = Deal.numbered(3, suits=suits).position
    result = solver.solve(position, Limits(shorten=100_000))
    print(result.status, result.actions)
print(explore(position, 50_000).status)

from random import Random
from spider_solver.search.first_run import check_classes, explore_classes
from tests.first_phase import FIRST_PHASE_GAMES, random_deal
for rules in FIRST_PHASE_GAMES:
    explore_classes(random_deal(rules, Random(1)), 10_000)
print(check_classes(explore_classes(Deal.numbered(36116661).position, 1000)))

from tests.boards import board_from, check_each, covered_board, tall_board, wide_board
from tests.kernels.test_boards import check_play
from tests.test_oracle import check_board

seeds = range(500, 510)
boards = [*map(board_from, range(500, 540)), *map(tall_board, seeds), *map(wide_board, seeds)]
boards += [covered_board(variant, 500) for variant in ("group-moves", "optional-removal")]
limits = Limits(3000, shorten=1000)
played = check_each(boards, partial(check_play, actions=40))
solved = check_each(boards, partial(check_board, most=50, limits=limits))
tall = "board: over 63 face down", "board: over 103 cards"
print(played["board"], *(played[kind] for kind in tall), solved["refused"])
"""

_PLAY = """
from dataclasses import replace
from numba.core import config
from spider_solver import Deal
from spider_solver.play.game import play_game
from spider_solver.play.planner import PlanSettings
from spider_solver.play.player import Player, PlayerSettings

assert config.BOUNDSCHECK
narrow = PlanSettings(width=30, layers=20, patience=8, flips=60, closer=6)
for suits in (1, 2, 4):
    for learned in (0, 3):
        player = Player(PlayerSettings(replace(narrow, learned=learned), end_nodes=2000))
        for seed in range(1, 6):
            print(len(play_game(Deal.numbered(seed, suits).position, player).line) > 10)
"""


@pytest.mark.full
def test_no_index_of_a_plan_is_out_of_bounds(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "SPIDER_SOLVER_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", _PLAY]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.split() == ["True"] * 30


def test_no_index_is_out_of_bounds(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "SPIDER_SOLVER_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", _SCRIPT]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    *won, explored, classes, boards = done.stdout.splitlines()
    assert [line.split()[0] for line in won] == ["won"] * 3
    assert (explored, classes) == ("open", "3")
    played, hidden, tall, refused = map(int, boards.split())
    assert (played, refused) == (62, 0)
    assert hidden >= 4
    assert tall >= 6
