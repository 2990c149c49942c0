"""The complete search agrees with brute force in every verdict, shortest win and closed set.

``pytest -m full tests/search/test_complete.py --log-cli-level=info`` logs how many games that was
checked on.
"""

import logging
import time
from collections import Counter
from random import Random

import pytest

from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules
from spider_solver.game.symmetry import in_order
from spider_solver.proofs.check import verify_line
from spider_solver.proofs.closed_set import check_closed_set
from spider_solver.search.complete import explore
from spider_solver.search.packing import UnsupportedRules
from tests import brute
from tests.case_files import case
from tests.small_games import (
    LARGER_GAMES,
    SMALL_GAMES,
    SMALL_GAMES_WITH_OPTIONS,
    game_name,
    random_game,
)
from tests.strategies import TOO_WIDE

LOG = logging.getLogger(__name__)

PLENTY = 10**8


def check_against_brute_force(start: Position, most: int) -> str:
    """Check one position; says what became of it."""
    known = brute.explore(start, most)
    if known is None:
        return "too large"
    found = explore(start, PLENTY)
    if known[start] is None:
        assert (found.status, found.reason, found.line) == ("lost", None, None)
        positions = list(found.positions())
        assert set(map(brute.up_to_order, positions)) == set(map(brute.up_to_order, known))
        assert len(positions) == found.size == found.expanded == len(known)
        assert positions == [in_order(position) for position in positions]
        assert positions[0] == in_order(start)
    else:
        assert (found.status, found.reason) == ("won", None)
        assert found.line is not None
        assert verify_line(start, found.line).actions == known[start]
        assert found.size <= len(known)
    return found.status


def check_games(rules: Rules, seeds: range, most: int) -> Counter[str]:
    """Check deals, and of each a position inside a game."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        start = numbered("pysol", seed, rules)
        counts[check_against_brute_force(start, most)] += 1
        game = list(random_game(start, Random(seed)))
        later = game[len(game) // 3]
        counts[f"inside a game, {check_against_brute_force(later, most)}"] += 1
    return counts


def test_small_games_agree_with_brute_force() -> None:
    counts: Counter[str] = Counter()
    for rules in SMALL_GAMES_WITH_OPTIONS:
        counts += check_games(rules, range(1, 16 if rules in SMALL_GAMES else 3), most=400)
    LOG.info("all: %s", counts)
    assert counts["lost"] > 60
    assert counts["won"] > 8
    assert counts["inside a game, lost"] > 130
    assert counts["inside a game, won"] > 15


@pytest.mark.full
@pytest.mark.parametrize("rules", SMALL_GAMES_WITH_OPTIONS, ids=game_name)
def test_many_small_games_agree_with_brute_force(rules: Rules) -> None:
    counts = check_games(rules, range(1000, 1200), most=3000)
    LOG.info("%s: %s", rules.name, counts)
    assert counts["lost"] > 5
    assert counts["won"] > 5


def test_one_suit_end_game_is_won_in_nine_actions_and_no_fewer() -> None:
    found = explore(case("161"), PLENTY)
    assert found.status == "won"
    assert found.line is not None
    assert verify_line(case("161"), found.line).actions == 9


STUCK = {"209": 910, "213": 910, "225": 910, "214": 1}


@pytest.mark.parametrize("number", STUCK)
def test_stuck_end_games_are_lost(number: str) -> None:
    found = explore(case(number), PLENTY)
    assert (found.status, found.size) == ("lost", STUCK[number])


@pytest.mark.full
def test_half_a_million_positions() -> None:
    found = explore(case("210"), PLENTY)
    assert (found.status, found.size) == ("lost", 505_800)


def test_a_won_position_needs_nothing() -> None:
    rules = SMALL_GAMES[0]
    won = Position.with_rest_completed(rules, ((),) * rules.columns, (0,) * rules.columns, ())
    found = explore(won, 0)
    assert (found.status, found.line, found.nodes) == ("won", (), 0)


@pytest.mark.parametrize("seed", range(1, 11))
def test_nodes_are_the_least_budget(seed: int) -> None:
    start = numbered("pysol", seed, SMALL_GAMES[1])
    found = explore(start, PLENTY)
    again = explore(start, found.nodes)
    for name in ("status", "reason", "line", "nodes", "expanded", "size"):
        assert getattr(again, name) == getattr(found, name)
    assert list(again.positions()) == list(found.positions())
    for budget in (0, found.nodes // 2, found.nodes - 1):
        short = explore(start, budget)
        assert (short.status, short.reason, short.nodes) == ("open", "nodes", budget)
        assert short.line is None


@pytest.mark.parametrize("number", ["209", "161"])
def test_short_of_memory_it_is_open(number: str) -> None:
    size = explore(case(number), PLENTY).size
    assert explore(case(number), PLENTY, most_positions=size).status != "open"
    for most in (0, 1, size // 2):
        found = explore(case(number), PLENTY, most_positions=most)
        assert (found.status, found.reason, found.line) == ("open", "memory", None)
        assert found.size <= most + 2


def test_out_of_time_it_is_open() -> None:
    found = explore(case("210"), PLENTY, deadline=time.perf_counter())
    assert (found.status, found.reason) == ("open", "time")
    assert found.nodes < 1_000_000


def test_a_stuck_start_needs_no_time() -> None:
    assert explore(case("214"), 0, deadline=0.0).status == "lost"


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(UnsupportedRules):
        explore(numbered("pysol", 1, TOO_WIDE), PLENTY)


def check_narrow_hash(bits: int, seeds: range, most: int, games: tuple[Rules, ...]) -> Counter[str]:
    """Check games with a hash of so few bits.

    Counts as collisions the positions beyond one for each hash: each of them met another one
    with the same hash when it was looked up.
    """
    counts: Counter[str] = Counter()
    for rules in games:
        for seed in seeds:
            start = numbered("pysol", seed, rules)
            verdict = check_against_brute_force(start, most)
            counts[verdict] += 1
            if verdict != "too large":
                counts["collisions"] += max(0, explore(start, PLENTY).size - (1 << bits))
    return counts


def test_collisions_do_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spider_solver.search.complete.HASH_MASK", (1 << 4) - 1)
    counts = check_narrow_hash(4, range(1, 13), 500, SMALL_GAMES)
    LOG.info("a hash of 4 bits: %s", counts)
    assert counts["collisions"] > 5_000


@pytest.mark.full
@pytest.mark.parametrize("bits", [0, 2])
def test_fifty_thousand_collisions_do_no_harm(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spider_solver.search.complete.HASH_MASK", (1 << bits) - 1)
    counts = check_narrow_hash(bits, range(1, 31), 3000, SMALL_GAMES)
    LOG.info("a hash of %d bits: %s", bits, counts)
    assert counts["collisions"] > 50_000


# Deals of larger games that are decided, most of them lost, after some ten thousand positions.
LARGE_DEALS = (
    *((LARGER_GAMES[0], seed) for seed in (2, 6, 20, 23)),
    *((LARGER_GAMES[2], seed) for seed in (8, 22, 30)),
    *((LARGER_GAMES[3], seed) for seed in (8, 12, 18)),
    *((SMALL_GAMES[9], seed) for seed in (1, 8, 14)),
)


@pytest.mark.full
def test_collisions_in_larger_games_do_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: Counter[str] = Counter()
    for rules, seed in LARGE_DEALS:
        start = numbered("pysol", seed, rules)
        wide = explore(start, PLENTY)
        with monkeypatch.context() as patch:
            patch.setattr("spider_solver.search.complete.HASH_MASK", (1 << 12) - 1)
            found = explore(start, PLENTY)
        for name in ("status", "line", "nodes", "expanded", "size"):
            assert getattr(found, name) == getattr(wide, name)
        if found.line is not None:
            verify_line(start, found.line)
        else:
            codes = [position.code for position in found.positions()]
            assert check_closed_set(start, codes) == found.size
        counts[found.status] += 1
        counts["collisions"] += found.size - (1 << 12)
    LOG.info("a hash of 12 bits: %s", counts)
    assert counts["collisions"] > 50_000
