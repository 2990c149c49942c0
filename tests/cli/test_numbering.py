"""A numbering is an entry of one registry, and no command needs to be told of a new one."""

import json
from importlib.util import find_spec, module_from_spec

import click
import pytest

from spider_solver.game.numberings import NUMBERINGS, Numbering, numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules, spider
from spider_solver.store.row import Row
from spider_solver.store.verify import RowError, check_deal
from tests.cli.commands import Ended, run

Capsys = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _mirror(monkeypatch: pytest.MonkeyPatch) -> None:
    """A numbering for a test: a thousand deals of Spider, those of PySolFC from the last on."""

    def deal(seed: int, rules: Rules) -> Position:
        return numbered("pysol", 1001 - seed, rules)

    mirror = Numbering("Mirror", "Spider", 1000, lambda rules: rules.name == "spider", deal)
    monkeypatch.setitem(NUMBERINGS, "mirror", mirror)


def told(capsys: Capsys, name: str, *arguments: object) -> Ended:
    """How a command ends whose options are declared now, as those of a new program are."""
    spec = find_spec(f"spider_solver.cli.{name}")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    command: click.Command = getattr(module, name)
    return run(capsys, command, *arguments, "--numbering", "mirror")


def test_solve_and_verify(capsys: Capsys) -> None:
    row = json.loads(told(capsys, "solve", "--suits", 1, "--seeds", 3, "--json").out)
    assert (row["numbering"], row["seed"], row["status"]) == ("mirror", 3, "won")
    start = numbered("pysol", 998, spider(1))
    assert row["deal"] == start.code
    assert check_deal(Row(**row)) == start
    with pytest.raises(RowError, match="deal: not the one that mirror numbers so"):
        check_deal(Row(**row | {"seed": 4}))


def test_hint(capsys: Capsys) -> None:
    hint = json.loads(told(capsys, "hint", "--suits", 1, "--seed", 3, "--json").out)
    assert hint["position"] == numbered("pysol", 998, spider(1)).code


def test_show(capsys: Capsys) -> None:
    ended = told(capsys, "show", "--suits", 1, "--seed", 3, "--line", "deal", "--out", "-")
    assert "mirror 3, spider, 1 suit" in ended.out


def test_deals(capsys: Capsys) -> None:
    ended = told(capsys, "deals", "--suits", 1, "--count", 1, "--start", 1000, "--workers", 1)
    assert ended.out == "1000\n"
    assert "1 deal, mirror 1000 to 1000: 100.0% of 1 candidate" in ended.err


@pytest.mark.parametrize("name", ["solve", "hint", "show", "deals"])
def test_help(capsys: Capsys, name: str) -> None:
    words = " ".join(told(capsys, name, "--help").out.split())
    assert f"--numbering [{'|'.join(NUMBERINGS)}]" in words
    whose = " or ".join(f"{numbering.program}'s" for numbering in NUMBERINGS.values())
    assert f"Whose deal numbers: {whose}." in words
    assert whose.endswith(" or Mirror's")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("solve", "--seeds", 1001), "from 1 to 1000 (kpat goes on to 2147483647)"),
        (("solve", "--seeds", 2**40), "from 1 to 1000 (pysol goes on to 100000000000000000000)"),
        (("solve", "--seeds", 1, "--variant", "spiderette"), "those of spiderette are numbered by"),
        (("hint", "--seed", 1, "--variant", "simple-simon"), "mirror numbers deals of Spider only"),
        (("deals", "--start", 1001), "--start 1001: mirror numbers its deals from 1 to 1000"),
    ],
)
def test_what_it_does_not_deal(capsys: Capsys, arguments: tuple[object, ...], message: str) -> None:
    name, *rest = arguments
    ended = told(capsys, str(name), *rest)
    assert ended.code == 2
    assert message in " ".join(ended.err.split())


def test_deals_of_a_numbering_without_spider(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    stairs = Numbering("Stairs", "Spiderette", 9, lambda rules: False, NUMBERINGS["pysol"].deal)
    monkeypatch.setitem(NUMBERINGS, "mirror", stairs)
    ended = told(capsys, "deals", "--count", 1)
    assert ended.code == 2
    assert "mirror numbers deals of Spiderette only" in ended.err
