"""Which heavy libraries each command loads, exactly: none that it does not use."""

import subprocess
import sys
from pathlib import Path

import pytest

from spider_solver.search.solver import warm_up

HEAVY = (
    "dask",
    "llvmlite",
    "matplotlib",
    "numba",
    "numpy",
    "pandas",
    "pyarrow",
    "scipy.linalg",
    "scipy.stats",
    "tqdm",
)

PROGRAM = f"""
import atexit, sys
from importlib import import_module
atexit.register(lambda: print("loaded", *filter(sys.modules.get, {HEAVY}), file=sys.stderr))
name = sys.argv.pop(1)
import_module("spider_solver.cli." + name).main()
"""

NOTHING: set[str] = set()
KERNELS = {"llvmlite", "numpy"}
"""What kept kernels need."""

COMPLETE = KERNELS | {"numba"}
"""What the complete search needs, and whoever calls kernels often."""

STORE = {"numpy", "pyarrow"}
BATCH = KERNELS | STORE | {"tqdm"}
STATISTICS = {"scipy.linalg", "scipy.stats"}


@pytest.fixture(autouse=True, scope="module")
def _kept() -> None:
    """All kernels are compiled, and kept."""
    warm_up()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a data set and with a line that ``--follow`` remembers."""
    folder = tmp_path_factory.mktemp("start")
    loaded(folder, "solve --suits 1 --seeds 1-3 --workers 1 --out rows")
    loaded(folder, "hint --suits 1 --seed 17 --follow game")
    return folder


def loaded(folder: Path, line: str) -> set[str]:
    """The heavy libraries that a command has loaded when it ends."""
    command = [sys.executable, "-c", PROGRAM, *line.split()]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return set(ended.stderr.splitlines()[-1].split()[1:])


@pytest.mark.parametrize("command", ["deals", "hint", "report", "show", "solve", "verify"])
def test_help_loads_nothing(tmp_path: Path, command: str) -> None:
    assert loaded(tmp_path, f"{command} --help") == NOTHING


EVERYDAY = {
    "hint --suits 1 --seed 17 --follow game": NOTHING,
    "hint --suits 1 --seed 17 --follow game --json": KERNELS,
    "hint --suits 1 --seed 17": KERNELS,
    "solve --suits 1 --seeds 17": KERNELS,
    "solve --suits 1 --seeds 1-3 --workers 1 --out rows": BATCH,
    "verify --workers 1 rows": STORE | {"tqdm"},
    "show --suits 1 --seed 17": KERNELS,
}

MORE = {
    "solve --suits 1 --seeds 17 --time-limit 60": COMPLETE,
    "solve --suits 1 --seeds 1-3 --workers 1 --json --out others": BATCH,
    "report share rows": STORE | STATISTICS,
    "report share rows --plot plots": STORE | STATISTICS | {"matplotlib"},
    "report lost rows": STORE,
    "show rows --suits 1 --seed 1": STORE,
    "deals --suits 1 --count 1": BATCH,
}


@pytest.mark.parametrize("line", EVERYDAY)
def test_a_command_loads_what_it_uses(folder: Path, line: str) -> None:
    assert loaded(folder, line) == EVERYDAY[line]


@pytest.mark.full
@pytest.mark.parametrize("line", MORE)
def test_a_rarer_command_loads_what_it_uses(folder: Path, line: str) -> None:
    assert loaded(folder, line) == MORE[line]
