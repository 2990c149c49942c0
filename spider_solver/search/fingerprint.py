"""A name for all the code that a result depends on, which changes when results can.

What is hashed is a normal form of each module, without comments, docstrings and imports, and
without its file name: a corrected comment or a moved file leaves the name as it is. Which modules
these are is found by following imports.
"""

import ast
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

DISPLAY = frozenset({"__str__", "_repr_svg_", "_repr_html_"})
"""Methods that show an object: what they import has no part in results."""

_DIGITS = 12

# Fields of syntax trees that say nothing, or that only some versions of Python have.
_SILENT = frozenset({"ctx", "kind", "type_comment", "type_ignores", "type_params"})


def fingerprint(root: str, package: Path) -> str:
    """Twelve hex digits for a module and all modules of its package that it imports.

    Args:
        root: the module's full name, such as ``spider_solver.search.solver``.
        package: the folder of the package, named after it.
    """
    found: dict[str, str] = {}
    waiting = [root]
    while waiting:
        name = waiting.pop()
        path = _source_of(name, package)
        if name in found or path is None:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found[name] = normal_form(tree)
        waiting.extend(_imported(tree, package.name))
    digest = hashlib.sha256()
    # in an order that file names have no part in, and without the empty files of packages
    for form in sorted(set(found.values()) - {normal_form(ast.parse(""))}):
        digest.update(hashlib.sha256(form.encode()).digest())
    return digest.hexdigest()[:_DIGITS]


def remembered(make: Callable[[], str], package: Path, folder: Path) -> str:
    """What ``make`` gives, kept in a file under a name that the package's sources have.

    To read all sources takes some milliseconds, to parse them a good part of a second.

    Args:
        make: makes a fingerprint.
        package: the folder of the package.
        folder: where such files are kept; without it, or a place in it, nothing is kept.
    """
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    place = folder / f"solver-{digest.hexdigest()}"
    with suppress(OSError, UnicodeDecodeError):
        kept = place.read_text()
        if len(kept) == _DIGITS and set(kept) <= set("0123456789abcdef"):
            return kept
    made = make()
    unfinished = place.with_name(f".{place.name}.{os.getpid()}.tmp")
    with suppress(OSError):
        unfinished.write_text(made)
        unfinished.replace(place)
    return made


def normal_form(tree: ast.AST) -> str:
    """A syntax tree as text, without docstrings, imports and places, in any version of Python."""
    return "".join(_words(tree))


def _words(node: ast.AST) -> Iterator[str]:
    yield f"({type(node).__name__}"
    for name, value in sorted(ast.iter_fields(node)):
        if name in _SILENT or value is None:
            continue
        if isinstance(value, ast.AST):
            yield f" {name}"
            yield from _words(value)
        elif isinstance(value, list):
            said = [item for item in value if not _says_nothing(item)]
            for item in said:
                yield f" {name}"
                if isinstance(item, ast.AST):
                    yield from _words(item)
                else:
                    yield f" {item!r}"
        else:
            yield f" {name} {value!r}"
    yield ")"


def _says_nothing(statement: object) -> bool:
    """Whether a statement is an import, or a text that documents something."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return True
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _imported(tree: ast.AST, package: str) -> Iterator[str]:
    """Names that may be modules which a tree imports from the package, display methods aside."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and node.name in DISPLAY:
            continue
        if isinstance(node, ast.If) and _is_for_types(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            if node.module.split(".")[0] == package:
                yield node.module
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
        else:
            yield from _imported(node, package)


def _is_for_types(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _source_of(name: str, package: Path) -> Path | None:
    """The file of a module; None of one that is none of the package, or is the package itself."""
    first, *parts = name.split(".")
    if first != package.name or not parts:
        return None
    path = package.joinpath(*parts)
    for source in (path.with_suffix(".py"), path / "__init__.py"):
        if source.exists():
            return source
    return None
