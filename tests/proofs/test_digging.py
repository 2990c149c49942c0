"""Buried positions: never one that can be won, in plain Python and in the kernel alike.

``pytest -m full tests/proofs/test_digging.py --log-cli-level=info`` logs how many positions that
was checked on, how many of them are lost and how many buried.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from random import Random

import pytest

from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import VARIANTS, Rules, tiny
from spider_solver.kernels import digging as kernel
from spider_solver.kernels import digging_states
from spider_solver.proofs import digging
from spider_solver.proofs.digging import is_buried
from spider_solver.search.result import Limits
from spider_solver.search.solver import Solver
from tests import brute
from tests.digging_games import OPTIONS, Kernel, all_positions, random_starts
from tests.small_games import random_game

LOG = logging.getLogger(__name__)


def check(starts: Iterator[Position], most: int, wanted: int) -> Counter[str]:
    """Check all positions of some games, until there are as many as wanted."""
    counts: Counter[str] = Counter()
    while counts["positions"] < wanted:
        found = all_positions(next(starts), most)
        if found is None:
            continue
        counts["games"] += 1
        tested = Kernel()
        for position, winnable in zip(*found, strict=True):
            buried = is_buried(position)
            assert tested.is_buried(position) == buried, position.code
            counts["false"] += buried and winnable
            stock = " with a stock" if position.stock else ""
            for kind, is_so in (("positions", True), ("lost", not winnable), ("buried", buried)):
                counts[kind] += is_so
                if stock:
                    counts[kind + stock] += is_so
    return counts


def with_stock(starts: Iterator[Position]) -> Iterator[Position]:
    return (start for start in starts if start.stock)


@pytest.mark.parametrize("variant", OPTIONS)
def test_nothing_winnable_is_buried(variant: str) -> None:
    options = OPTIONS[variant]
    counts = check(random_starts(1, most_cards=24, **options), most=2000, wanted=6_000)
    counts += check(with_stock(random_starts(5, most_cards=17, **options)), 1500, wanted=6_500)
    LOG.info("%s: %s", variant, dict(counts))
    assert counts["positions"] >= 12_500
    assert counts["buried"] > 1000
    assert counts["buried with a stock"] > 50
    assert counts["false"] == 0


@pytest.mark.full
@pytest.mark.parametrize("variant", OPTIONS)
def test_nothing_winnable_is_buried_in_many_games(variant: str) -> None:
    options = OPTIONS[variant]
    counts = check(random_starts(1001, most_cards=32, **options), most=10_000, wanted=150_000)
    counts += check(with_stock(random_starts(1005, 17, **options)), most=1500, wanted=120_000)
    LOG.info("%s: %s", variant, dict(counts))
    assert counts["positions"] >= 270_000
    assert counts["false"] == 0


# Positions that can be won, and would be buried if a rule of the test were another.
REFUTED = [
    # A run that leaves takes its cards from those that may lie on a head.
    (tiny(3, 5, 1, 2, 0, 1), "AS5S/4S3S2S2S/5S4S3SAS - -"),
    # A card that is dealt onto an emptied column needs a place at once.
    (
        Rules(name="short-row", pack="HS", packs=2, ranks=4, heights=(4, 3, 3), face_up=1),
        "2hahah3S2S4S/3S2S/3h2h4S3H4H AS4HAS -",
    ),
    # Under group moves the run on a head may be of several suits.
    (replace(tiny(4, 4, 2, 1, 0, 0), group_moves=True), "3H2H2SAH/4H/AS/4S3S - -"),
]


@pytest.mark.parametrize(("rules", "code"), REFUTED)
def test_what_would_be_wrong(rules: Rules, code: str) -> None:
    position = Position.from_code(code, rules)
    assert isinstance(brute.decide(position, 10_000), int)
    assert not is_buried(position)
    assert not Kernel().is_buried(position)


def test_a_buried_position() -> None:
    """Cards move, but the 3S that lies on the 2H has no place to go to."""
    rules = tiny(columns=3, ranks=3, suits=2, copies=1, hidden=1, rows=0)
    position = Position.from_code("asAH/3h2S/2h3S - -", rules)
    assert is_buried(position)
    assert brute.decide(position, 1000) == "lost"
    assert len(brute.explore(position, 1000) or ()) == 6
    assert not is_buried(replace(position, rules=replace(rules, group_moves=True)))


def test_the_limits_are_the_same() -> None:
    assert (digging.MOST_ROWS, digging.MOST_STATES) == (
        kernel.MOST_ROWS,
        digging_states.MOST_STATES,
    )


def positions_of_deals(variant: str, seeds: range) -> list[Position]:
    """Late positions of random games of real size."""
    rules = VARIANTS[variant](4)
    games = (random_game(numbered("pysol", seed, rules), Random(seed)) for seed in seeds)
    return [position for position in chain(*games) if position.rows_left < 2]


@pytest.mark.parametrize("most", [1, 30])
def test_the_kernel_says_the_same_of_real_games(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(digging, "MOST_STATES", most)
    monkeypatch.setattr(digging_states, "MOST_STATES", most)
    digging._never_dug_up.cache_clear()
    verdicts: Counter[bool] = Counter()
    for variant in ("spiderette", "will-o-the-wisp", "mrs-mop"):
        tested = Kernel()
        for position in positions_of_deals(variant, range(1, 6)):
            buried = is_buried(position)
            assert tested.is_buried(position) == buried, position.code
            verdicts[buried] += 1
    digging._never_dug_up.cache_clear()
    LOG.info("at most %d states: %s", most, dict(verdicts))
    assert verdicts[True] > 5
    assert verdicts[False] > 100


@pytest.mark.full
@pytest.mark.parametrize("variant", ["spiderette", "will-o-the-wisp", "mrs-mop", "simple-simon"])
def test_no_position_of_a_winning_line_is_buried(variant: str) -> None:
    solver = Solver()
    counts: Counter[str] = Counter()
    for seed in range(2001, 2101):
        start = numbered("pysol", seed, VARIANTS[variant](4))
        result = solver.solve(start, Limits(300_000))
        if result.line is None:
            continue
        tested = Kernel()
        for move in result.line:
            buried = tested.is_buried(start)
            assert not buried, start.code
            counts["positions"] += start.rows_left < 2
            start = start.play(move)
        counts["games"] += 1
    LOG.info("%s: %s", variant, dict(counts))
    assert counts["games"] > 20
