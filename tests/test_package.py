import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

import pytest

import spider_solver


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        "import sys, spider_solver\n"
        "heavy = {'numba', 'numpy', 'pandas', 'pyarrow', 'click', 'tqdm'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout == "[]\n"


def test_the_solver_comes_when_it_is_asked_for() -> None:
    from spider_solver import Limits, Result, Solver, Status, solve
    from spider_solver.search import solver

    for given in (Limits, Result, Solver, Status, solve):
        assert given is getattr(solver, given.__name__)


def test_everything_offered_is_there() -> None:
    for name in spider_solver.__all__:
        assert getattr(spider_solver, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'spider_solver' has no attribute 'nothing'"):
        _ = spider_solver.nothing


def test_the_installed_version_is_that_of_the_source() -> None:
    try:
        installed = version("spider-solver")
    except PackageNotFoundError:
        pytest.skip("the package is not installed")
    assert installed == spider_solver.__version__
