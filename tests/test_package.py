import ast
import builtins
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

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


def test_a_worker_does_without_arrow() -> None:
    code = "import sys, spider_solver.batch.runner; print('pyarrow' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout == "False\n"


def test_the_solver_comes_when_it_is_asked_for() -> None:
    from spider_solver import Limits, Result, Solver, Status, solve
    from spider_solver.search import solver

    for given in (Limits, Result, Solver, Status, solve):
        assert given is getattr(solver, given.__name__)


def test_everything_offered_is_there() -> None:
    for name in spider_solver.__all__:
        assert getattr(spider_solver, name) is not None


def test_all_errors_have_one_base() -> None:
    of_python = {
        name
        for name, kind in vars(builtins).items()
        if isinstance(kind, type) and issubclass(kind, Exception)
    }
    for path in sorted(Path(spider_solver.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and node.name != "SpiderError":
                bases = {ast.unparse(base) for base in node.bases}
                assert "SpiderError" in bases or bases.isdisjoint(of_python), node.name


@pytest.mark.parametrize(
    "ask",
    [
        lambda: spider_solver.parse_line("a1"),
        lambda: spider_solver.spider(5),
        lambda: spider_solver.Deal.numbered(0),
        lambda: spider_solver.Position.from_code("nothing"),
        lambda: spider_solver.Deal.numbered(1).position.play(spider_solver.Move(0, 0, 1)),
    ],
)
def test_what_is_refused_is_a_spider_error_and_a_value_error(ask: Callable[[], object]) -> None:
    with pytest.raises(spider_solver.SpiderError) as caught:
        ask()
    assert isinstance(caught.value, ValueError)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'spider_solver' has no attribute 'nothing'"):
        _ = spider_solver.nothing


def test_the_installed_version_is_that_of_the_source() -> None:
    try:
        installed = version("spider-solver")
    except PackageNotFoundError:
        pytest.skip("the package is not installed")
    assert installed == spider_solver.__version__
