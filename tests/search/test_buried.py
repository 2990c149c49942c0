"""Complete searches that do not go on from buried positions, and the check of what they met."""

from collections.abc import Callable
from random import Random

import pytest

from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import simple_simon, spiderette
from spider_solver.kernels import digging as kernel
from spider_solver.proofs import digging
from spider_solver.proofs.check import ProofError
from spider_solver.proofs.closed_set import check_closed_set
from spider_solver.search import exhausted
from spider_solver.search.complete import PROVED_LOST, DeadEnds, Exploration, explore
from spider_solver.search.exhausted import check_exhausted
from tests import brute
from tests.digging_games import Kernel, all_positions, random_starts
from tests.search.test_exhausted import without

SPIDERETTE = numbered("pysol", 423, spiderette())
FOUND = explore(SPIDERETTE, 10**6, skip=PROVED_LOST)
Check = Callable[[Exploration], object]


def in_all(found: Exploration) -> int:
    return check_exhausted(found)


def as_codes(found: Exploration) -> int:
    return check_closed_set(found.start, [position.code for position in found.positions()])


def test_the_search_is_short() -> None:
    assert (FOUND.status, FOUND.size, FOUND.nodes) == ("lost", 856, 1393)
    assert FOUND.dead_ends == {DeadEnds.SHORT_OF_CARDS: 0, DeadEnds.BURIED: 414}
    positions = list(FOUND.positions())
    assert sum(map(digging.is_buried, positions)) == 414
    assert {position.rows_left for position in positions if digging.is_buried(position)} <= {0, 1}


def test_a_game_that_is_buried_at_the_start() -> None:
    start = numbered("pysol", 101, simple_simon())
    found = explore(start, 10**6, skip=PROVED_LOST)
    assert (found.status, found.size, found.nodes) == ("lost", 1, 0)
    assert check_exhausted(found) == as_codes(found) == 1
    assert explore(start, 10**6).size == 1814


# Deals of pysol, all positions, those met where buried ones are left alone, buried ones.
LOST_SPIDERETTES = [
    (45, 14_038, 38, 18),
    (56, 165_113, 3_581, 1_483),
    (110, 562_738, 43_488, 19_830),
    (181, 132_871, 715, 344),
    (195, 180_188, 5_967, 2_728),
    (581, 413_190, 344, 182),
]


@pytest.mark.parametrize(("seed", "met", "buried"), [(a, c, d) for a, _, c, d in LOST_SPIDERETTES])
def test_lost_spiderettes(seed: int, met: int, buried: int) -> None:
    found = explore(numbered("pysol", seed, spiderette()), 10**6, skip=PROVED_LOST)
    assert (found.status, found.size) == ("lost", met)
    assert found.dead_ends[DeadEnds.BURIED] == buried


@pytest.mark.full
@pytest.mark.parametrize(("seed", "positions"), [(a, b) for a, b, _, _ in LOST_SPIDERETTES])
def test_all_positions_of_lost_spiderettes(seed: int, positions: int) -> None:
    found = explore(numbered("pysol", seed, spiderette()), 10**6)
    assert (found.status, found.size) == ("lost", positions)


@pytest.mark.parametrize("check", [in_all, as_codes])
def test_what_it_met_is_a_closed_set(check: Check) -> None:
    assert check(FOUND) == FOUND.size


@pytest.mark.parametrize("check", [in_all, as_codes])
def test_no_position_can_be_left_out(check: Check) -> None:
    for row in [*Random(3).sample(range(1, FOUND.size), 12), FOUND.size - 1]:
        with pytest.raises(ProofError, match="leads out of the set, to "):
            check(without(FOUND, row))


@pytest.mark.parametrize("check", [in_all, as_codes])
def test_less_digging_proves_less(monkeypatch: pytest.MonkeyPatch, check: Check) -> None:
    """A position that lacks successors and is not found to be buried is a gap."""
    for name, value in (("MOST_STATES", 3), ("MOST_ROWS", 0)):
        with monkeypatch.context() as patch:
            patch.setattr(digging, name, value)
            digging._never_dug_up.cache_clear()
            with pytest.raises(ProofError, match="leads out of the set, to "):
                check(FOUND)
        digging._never_dug_up.cache_clear()


def test_a_sample_is_checked_likewise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exhausted, "CHECKED_POSITIONS", FOUND.size - 1)
    assert check_exhausted(FOUND) == FOUND.size - 1
    with monkeypatch.context() as patch:
        patch.setattr(exhausted, "is_buried", lambda position: False)
        with pytest.raises(ProofError, match="leads out of the set, to "):
            check_exhausted(FOUND)
    monkeypatch.setattr(exhausted, "CHECKED_POSITIONS", FOUND.size - 2)
    with pytest.raises(ProofError, match="leads out of the set, to "):
        check_exhausted(without(FOUND, FOUND.size - 1))


def test_verdicts_and_shortest_lines_stay_the_same() -> None:
    decided = {"won": 0, "lost": 0}
    starts = random_starts(11, most_cards=20)
    while sum(decided.values()) < 120:
        start = next(starts)
        known = all_positions(start, 400)
        if known is None:
            continue
        whole, found = explore(start, 10**6), explore(start, 10**6, skip=PROVED_LOST)
        assert found.status == whole.status == ("won" if known[1][0] else "lost")
        assert found.size <= whole.size
        if whole.line is not None and found.line is not None:
            assert len(found.line) == len(whole.line) == brute.decide(start, 10**6)
        else:
            assert check_exhausted(found) == found.size
        decided[str(found.status)] += 1
    assert min(decided.values()) > 20


def test_digging_costs_no_more_than_the_search_allows() -> None:
    """Where it has looked at many states it misses buried positions, and knows those found."""
    found = explore(numbered("pysol", 581, spiderette()), 10**6, skip=PROVED_LOST)
    positions = [position for position in found.positions() if digging.is_buried(position)]
    tested = Kernel()
    assert all(map(tested.is_buried, positions[:60]))
    tested._digging.registers[kernel.STATES] = 1 << 60
    assert all(map(tested.is_buried, positions[:60]))
    assert 0 < sum(map(tested.is_buried, positions[60:])) < len(positions) - 60


def test_positions_may_be_asked_about_in_any_order() -> None:
    asked: list[tuple[Position, bool]] = []
    for position in FOUND.positions():
        asked.append((position, digging.is_buried(position)))
    Random(1).shuffle(asked)
    tested = Kernel()
    assert all(tested.is_buried(position) == buried for position, buried in asked)
