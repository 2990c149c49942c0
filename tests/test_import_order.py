"""A deal flows downward: a room of the package imports only from rooms above it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import spider_solver

ROOMS = (
    "errors",
    "text",
    "game",
    "formats",
    "proofs",
    "kernels",
    "search",
    "answers",
    "play",
    "store",
    "batch",
    "analysis",
    "show",
    "cli",
)

# How an object shows itself may be imported when it is asked to.
DISPLAY = {"__str__", "_repr_svg_", "_repr_html_"}

# What proofs are checked with.
PLAIN = ("game", "proofs")

PACKAGE = Path(spider_solver.__file__).parent
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(tree: ast.AST) -> Iterator[str]:
    """The rooms that a file imports from, anywhere in it but in the display methods."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef(name=name) if name in DISPLAY:
                continue
            case ast.Import(names=names):
                modules = [alias.name for alias in names]
            case ast.ImportFrom(module=module, names=names, level=0):
                modules = [f"{module}.{alias.name}" for alias in names]
            case ast.ImportFrom():
                modules = ["spider_solver.<relative>"]
            case _:
                yield from imported_rooms(node)
                continue
        for module in modules:
            package, _, rest = module.partition(".")
            if package == "spider_solver" and rest != "__version__":
                yield rest.split(".")[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_imports_only_from_rooms_above(path: Path) -> None:
    room = room_of(path)
    assert room in ROOMS, "a new room needs its place in ROOMS"
    for imported in imported_rooms(ast.parse(path.read_text(encoding="utf-8"))):
        assert imported in ROOMS, f"import {imported} from its room"
        assert ROOMS.index(imported) <= ROOMS.index(room)


@pytest.mark.parametrize("room", ["kernels", *PLAIN])
def test_the_two_engines_share_no_code(room: str) -> None:
    other = {"kernels"} if room != "kernels" else set(PLAIN)
    for path in FILES:
        if room_of(path) == room:
            assert other.isdisjoint(imported_rooms(ast.parse(path.read_text(encoding="utf-8"))))


def test_the_order_is_seen() -> None:
    text = """
from spider_solver.game.cards import rank
from spider_solver import kernels, __version__
class Position:
    def __str__(self): from spider_solver.formats.board import write_board
    def play(self): import spider_solver.cli.solve
"""
    assert list(imported_rooms(ast.parse(text))) == ["game", "kernels", "cli"]
