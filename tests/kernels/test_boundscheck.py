"""The kernels with every index checked: releases do not check, so a wrong one would go unseen."""

import os
import subprocess
import sys
from pathlib import Path

_SCRIPT = """
from numba.core import config
from spider_solver import Deal, Limits, Solver
from spider_solver.complete import explore
from spider_solver.kernels.jit import cache_folder

assert config.BOUNDSCHECK and cache_folder().name.endswith("-boundscheck")
solver = Solver()
for suits in (1, 2, 4):
    position = Deal.numbered(3, suits=suits).position
    result = solver.solve(position, Limits(shorten=100_000))
    print(result.status, result.actions)
print(explore(position, 50_000).status)
"""


def test_no_index_is_out_of_bounds(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "SPIDER_SOLVER_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", _SCRIPT]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    *won, explored = done.stdout.splitlines()
    assert [line.split()[0] for line in won] == ["won"] * 3
    assert explored == "open"
