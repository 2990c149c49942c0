"""What the pages name exists: files, modules, benchmarks, and where links lead."""

import importlib.util
import pkgutil
import re
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]

PAGES = sorted(
    path
    for pattern in ("*.md", "[!.]*/README.md", "docs/*.md", "tests/*/README.md")
    for path in TOP.glob(pattern)
    if path.name != "CHANGELOG.md"  # of files as they were
)

FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"(?!_)[\w.-]+(/[\w.-]+)*\.py|(?!_)[\w.-]+(/[\w.-]+)*/([\w.-]+\.\w+)?")
OBJECT = re.compile(r"spider_solver(\.\w+)+")
BENCHMARK = re.compile(r"python -m (benchmarks\.\w+)")
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(#[^)\s]*)?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def missing_files(text: str, page: Path) -> list[str]:
    """The files and folders that a page names and that are not there.

    A name is looked for from the top, beside the page, and in the package.
    """
    places = (TOP, page.parent, TOP / "spider_solver")
    named = [name for name in CODE.findall(text) if FILE.fullmatch(name)]
    return [name for name in named if not any((place / name).exists() for place in places)]


def missing_objects(text: str) -> list[str]:
    """The modules, functions and classes that a page names and that are not there."""
    missing = []
    for name in CODE.findall(text):
        if OBJECT.fullmatch(name):
            try:
                pkgutil.resolve_name(name)
            except (ImportError, AttributeError):
                missing.append(name)
    return missing


def broken_links(text: str, page: Path) -> list[str]:
    """The relative links of a page that lead to no file, or to no heading of a page."""
    broken = []
    for target, anchor in LINK.findall(text):
        path = page.parent / target if target else page
        if not path.exists() or (anchor and anchor[1:] not in anchors(path)):
            broken.append(target + anchor)
    return broken


def anchors(page: Path) -> set[str]:
    """What links to the headings of a page are called."""
    headings = HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(TOP)))
def test_what_a_page_names_exists(page: Path) -> None:
    whole = page.read_text(encoding="utf-8")
    modules = set(BENCHMARK.findall(whole))
    assert [name for name in modules if importlib.util.find_spec(name) is None] == []
    text = FENCED.sub("", whole)
    assert missing_files(text, page) == []
    assert missing_objects(text) == []
    assert broken_links(text, page) == []


def test_what_does_not_exist_is_found() -> None:
    page = TOP / "docs" / "proofs.md"
    names = "`position.py` `game/position.py` `spider_solver/gone.py` `docs/gone/` `search/` `a/b`"
    assert missing_files(names, page) == ["position.py", "spider_solver/gone.py", "docs/gone/"]
    objects = "`spider_solver.Deal.numbered` `spider_solver.game.gone` `spider_solver.Deal.gone`"
    assert missing_objects(objects) == ["spider_solver.game.gone", "spider_solver.Deal.gone"]
    links = "[a](rules.md#the-games) [b](gone.md) [c](rules.md#gone) [d](https://gone) [e](#gone)"
    assert broken_links(links, page) == ["gone.md", "rules.md#gone", "#gone"]
