"""The solver's name in a row changes when results can, and with nothing else."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import spider_solver
from spider_solver.search import fingerprint as module
from spider_solver.search import solver
from spider_solver.search.fingerprint import fingerprint, normal_form, remembered

PACKAGE = Path(spider_solver.__file__).parent
ROOT = solver.__name__


SYNTAX = '''
"""Documents the module."""
from math import inf  # where it comes from does not matter

async def first(a, /, b: int = 1, *c, d=2.5e3, **e) -> "str":
    """Documents a function."""
    x = [f"{a!r:>{b}}" f"{b}" "more" for a in range(0x10) if a not in (1, None, ...)]
    with open(a) as f, g() as h: yield (await h)
    match x:
        case [1, *rest] | {"k": rest}: return lambda q=b"\\x00": -q ** 2
        case _: pass
    try: del x[1:2]
    except* OSError as error: raise error from None
    return x if a else not b

class Card(int, metaclass=type):
    suit: int = 3
    "Documents an attribute."
'''


def form(source: str) -> str:
    return normal_form(ast.parse(source))


def test_comments_docstrings_and_imports_say_nothing() -> None:
    plain = "LIMIT = 3\ndef f(x):\n    return x + LIMIT\nclass C:\n    a = 1\n"
    told = (
        '"""A module."""\nimport os\nfrom math import (\n    inf,\n)\n'
        'LIMIT = (3)  # the most\n"""What it is."""\n'
        'def f(x):\n    """Adds."""\n    import sys\n\n    return (x +\n        LIMIT)\n'
        'class C:\n    "A class."\n    a = 1\n'
    )
    assert form(told) == form(plain)


@pytest.mark.parametrize(
    "changed",
    [
        "LIMIT = 4\ndef f(x):\n    return x + LIMIT\n",
        "LIMIT = 3.0\ndef f(x):\n    return x + LIMIT\n",
        "LIMIT = 3\ndef f(x):\n    return x - LIMIT\n",
        "LIMIT = 3\ndef f(x=0):\n    return x + LIMIT\n",
        "LIMIT = 3\ndef f(x):\n    x += LIMIT\n    return x\n",
        "LIMIT = True\ndef f(x):\n    return x + LIMIT\n",
    ],
)
def test_what_code_does_is_said(changed: str) -> None:
    assert form(changed) != form("LIMIT = 3\ndef f(x):\n    return x + LIMIT\n")


def copied(folder: Path) -> Path:
    return Path(shutil.copytree(PACKAGE, folder / PACKAGE.name))


def test_the_name_of_this_solver() -> None:
    assert f"{spider_solver.__version__}+{fingerprint(ROOT, PACKAGE)}" == solver.SOLVER


def test_a_comment_a_docstring_and_a_file_name_leave_it(tmp_path: Path) -> None:
    package = copied(tmp_path)
    kernel = package / "kernels" / "evaluation.py"
    text = kernel.read_text()
    kernel.write_text(f"# A comment.\n{text}".replace('"""The evaluation:', '"""An evaluation:', 1))
    moved = package / "kernels" / "buckets.py"
    (package / "kernels" / "selection.py").rename(moved)
    for path in package.rglob("*.py"):
        text = path.read_text()
        path.write_text(text.replace("kernels.selection import", "kernels.buckets import"))
    assert fingerprint(ROOT, package) == fingerprint(ROOT, PACKAGE)


def files_found() -> list[Path]:
    """The files that the name depends on."""
    seen: set[str] = set()
    waiting, paths = [ROOT], []
    while waiting:
        name = waiting.pop()
        path = module._source_of(name, PACKAGE)
        if name not in seen and path is not None:
            seen.add(name)
            paths.append(path)
            waiting.extend(module._imported(ast.parse(path.read_text()), PACKAGE.name))
    return sorted(paths)


def test_a_constant_in_any_module_changes_it(tmp_path: Path) -> None:
    package = copied(tmp_path)
    with_constants = 0
    for path in files_found():
        text = path.read_text()
        number = re.search(r"(?m)^(\w[\w ,]*(?:: \w+)? = (?:1 << )?)(\d+)", text)
        if number is None:
            continue
        with_constants += 1
        changed = f"{text[: number.start(2)]}{int(number[2]) + 1}{text[number.end(2) :]}"
        assert form(changed) != form(text), path
        if with_constants % 6 == 1:
            place = package / path.relative_to(PACKAGE)
            place.write_text(changed)
            assert fingerprint(ROOT, package) != fingerprint(ROOT, PACKAGE), path
            place.write_text(text)
    assert with_constants >= 15
    assert fingerprint(ROOT, package) == fingerprint(ROOT, PACKAGE)


def test_what_has_no_part_in_results_is_not_found() -> None:
    names = {path.relative_to(PACKAGE).as_posix() for path in files_found()}
    assert {"kernels/expand.py", "kernels/layout.py"} <= names
    assert not any(name.startswith(("cli/", "show/", "store/", "formats/")) for name in names)


def other_pythons() -> list[str]:
    found = [shutil.which(f"python3.{minor}") for minor in range(11, 16)]
    return [path for path in found if path and Path(path).resolve() != Path(sys.executable)]


def test_all_versions_of_python_agree(tmp_path: Path) -> None:
    sample = tmp_path / "sample.py"
    sample.write_text(SYNTAX)
    script = (
        "import ast, importlib.util, pathlib, sys\n"
        "spec = importlib.util.spec_from_file_location('fingerprint', sys.argv[1])\n"
        "module = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(module)\n"
        "print(module.fingerprint(sys.argv[2], pathlib.Path(sys.argv[3])))\n"
        "print(module.normal_form(ast.parse(open(sys.argv[4]).read())))\n"
    )
    arguments = ["-c", script, module.__file__, ROOT, str(PACKAGE), str(sample)]
    expected = f"{fingerprint(ROOT, PACKAGE)}\n{form(SYNTAX)}\n"
    agreed = []
    for python in other_pythons():
        done = subprocess.run([python, *arguments], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            agreed.append(python)
            assert done.stdout == expected
    if not agreed:
        pytest.skip("no other Python here")


def test_a_fingerprint_is_remembered_until_a_source_changes(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "one.py").write_text("A = 1\n")
    made = iter(("0123456789ab", "ba9876543210", "00000000000f"))
    names = [remembered(lambda: next(made), package, tmp_path) for _ in range(2)]
    (package / "one.py").write_text("A = 2\n")
    names.append(remembered(lambda: next(made), package, tmp_path))
    assert names == ["0123456789ab", "0123456789ab", "ba9876543210"]
    for kept in tmp_path.glob("solver-*"):
        kept.write_text("no fingerprint")
    assert remembered(lambda: next(made), package, tmp_path) == "00000000000f"
    assert remembered(lambda: "x" * 12, package, tmp_path / "no folder") == "x" * 12
