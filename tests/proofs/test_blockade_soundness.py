"""The blockade never calls a position lost that brute force wins.

``pytest -m full tests/proofs/test_blockade_soundness.py --log-cli-level=info`` logs how many games
and positions that was checked on, how many of them are lost and how many are called lost.
"""

import logging
from collections import Counter

import pytest

from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position, ends_in_run
from spider_solver.game.rules import Rules
from spider_solver.proofs.blockade import find_blockade
from tests.brute import explore, up_to_order
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


def comes_to_event(start: Position, most: int) -> bool | None:
    """Whether a column can be emptied or a run completed; None if there is too much to see."""
    seen = {up_to_order(start)}
    found = [start]
    for position in found:  # grows while it is read
        for move in position.legal_moves():
            after = position.play(move)
            if after.empty_columns or after.completed or shows_complete_run(after):
                return True
            key = up_to_order(after)
            if key not in seen:
                if len(seen) == most:
                    return None
                seen.add(key)
                found.append(after)
    return False


def shows_complete_run(position: Position) -> bool:
    """Whether a run lies on the table that is complete, as it may under optional removal."""
    columns = zip(position.columns, position.face_down, strict=True)
    return any(ends_in_run(cards, down, position.rules.ranks) for cards, down in columns)


def check_events(rules: Rules, seeds: range, most: int) -> Counter[str]:
    """Check that a blockaded game comes to no event, and count the games that come to none."""
    counts: Counter[str] = Counter(games=len(seeds))
    for seed in seeds:
        start = numbered("pysol", seed, rules)
        blockaded = find_blockade(start) is not None
        event = comes_to_event(start, most)
        assert not (blockaded and event), f"{rules.name}: {start.code}"
        counts["games called lost"] += blockaded
        counts["games without an event"] += event is False
        counts["games without an event called lost"] += event is False and blockaded
        counts["games with too many positions"] += event is None
    return counts


def log(name: str, counts: Counter[str]) -> None:
    LOG.info("%s: %s", name, ", ".join(f"{kind} {counts[kind]}" for kind in sorted(counts)))


def test_nothing_winnable_is_called_lost() -> None:
    counts: Counter[str] = Counter()
    for rules in SMALL_GAMES_WITH_OPTIONS:
        counts += check_everywhere(rules, range(1, 25), most=200)
    log("all", counts)
    assert counts["games called lost"] > 250
    assert counts["positions called lost"] > 11_000


def test_a_blockaded_game_comes_to_no_event() -> None:
    counts: Counter[str] = Counter()
    for rules in (*SMALL_GAMES_WITH_OPTIONS, *LARGER_GAMES):
        counts += check_events(rules, range(1, 61), most=400)
    log("all", counts)
    assert counts["games without an event called lost"] > 500


@pytest.mark.full
@pytest.mark.parametrize("rules", SMALL_GAMES_WITH_OPTIONS, ids=game_name)
def test_nothing_winnable_is_called_lost_in_many_games(rules: Rules) -> None:
    counts = check_everywhere(rules, range(1000, 1750), most=400)
    log(rules.name, counts)
    assert counts["positions lost"] > 500


@pytest.mark.full
@pytest.mark.parametrize("rules", [*SMALL_GAMES_WITH_OPTIONS, *LARGER_GAMES], ids=game_name)
def test_many_blockaded_games_come_to_no_event(rules: Rules) -> None:
    counts = check_events(rules, range(1000, 2000), most=3000)
    log(rules.name, counts)
    assert counts["games without an event called lost"] > 0
