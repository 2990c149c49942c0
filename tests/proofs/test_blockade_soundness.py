"""The blockade never calls a position lost that brute force wins.

``pytest -m full tests/proofs/test_blockade_soundness.py --log-cli-level=info`` logs how many games
and positions that was checked on, how many of them are lost and how many are called lost.
"""

import logging
from collections import Counter

import pytest

from spider_solver.game.numberings import numbered
from spider_solver.game.rules import Rules
from spider_solver.proofs.blockade import find_blockade
from tests.brute import explore
from tests.small_games import LARGER_GAMES, SMALL_GAMES_WITH_OPTIONS, game_name

LOG = logging.getLogger(__name__)


def check_everywhere(rules: Rules, seeds: range, most: int) -> Counter[str]:
    """Check the starts and all positions of the deals that have at most ``most`` positions."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        start = numbered("pysol", seed, rules)
        found = explore(start, most)
        if found is None:
            continue
        for position, actions in found.items():
            blockaded = find_blockade(position) is not None
            assert not blockaded or actions is None, f"{rules.name}: {position.code}"
            for kind in ("games", "positions") if position == start else ("positions",):
                counts[kind] += 1
                counts[f"{kind} lost"] += actions is None
                counts[f"{kind} called lost"] += blockaded
    return counts


def check_called_lost(rules: Rules, seeds: range) -> Counter[str]:
    """Search completely what is called lost, and leave the rest."""
    counts: Counter[str] = Counter(games=len(seeds))
    for seed in seeds:
        start = numbered("pysol", seed, rules)
        if find_blockade(start) is None:
            continue
        counts["games called lost"] += 1
        found = explore(start, 100_000)
        if found is None:
            counts["too many positions"] += 1
            continue
        assert found[start] is None, f"{rules.name}: {start.code}"
        counts["positions"] += len(found)
        counts["games called lost and lost"] += 1
    return counts


def log(name: str, counts: Counter[str]) -> None:
    LOG.info("%s: %s", name, ", ".join(f"{kind} {counts[kind]}" for kind in sorted(counts)))


def test_nothing_winnable_is_called_lost() -> None:
    counts: Counter[str] = Counter()
    for rules in SMALL_GAMES_WITH_OPTIONS:
        counts += check_everywhere(rules, range(1, 25), most=200)
    log("all", counts)
    assert counts["games lost"] > 500
    assert counts["positions called lost"] > 700


def test_larger_games_that_are_called_lost_are_lost() -> None:
    counts: Counter[str] = Counter()
    for rules in LARGER_GAMES:
        counts += check_called_lost(rules, range(1, 401))
    log("all", counts)
    assert counts["games called lost and lost"] > 200
    assert counts["too many positions"] <= 1


@pytest.mark.full
@pytest.mark.parametrize("rules", SMALL_GAMES_WITH_OPTIONS, ids=game_name)
def test_nothing_winnable_is_called_lost_in_many_games(rules: Rules) -> None:
    counts = check_everywhere(rules, range(1000, 1750), most=400)
    log(rules.name, counts)
    assert counts["positions lost"] > 500


@pytest.mark.full
@pytest.mark.parametrize("rules", LARGER_GAMES, ids=game_name)
def test_many_larger_games_that_are_called_lost_are_lost(rules: Rules) -> None:
    counts = check_called_lost(rules, range(1000, 6000))
    log(rules.name, counts)
    assert counts["games called lost and lost"] > 10
