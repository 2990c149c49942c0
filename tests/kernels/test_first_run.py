"""The compiled search of classes against the plain one."""

from collections import Counter
from random import Random

import pytest

from spider_solver.game.deal import Deal
from spider_solver.game.outcomes import Ended
from spider_solver.proofs.check import ProofError
from spider_solver.proofs.class_set import check_class_set, format_class
from spider_solver.search import first_run
from spider_solver.search.first_run import check_classes, explore_classes
from tests.first_phase import FIRST_PHASE_GAMES, random_deal, search_classes, small_game

MANY = 10**6

EXTREME_GAMES = (  # no stock, and 15 rows, which take five words a class
    small_game(columns=3, ranks=4, suits=2, copies=2, rows=0),
    small_game(columns=2, ranks=13, suits=4, copies=1, rows=15),
)


def test_it_meets_the_classes_that_the_plain_search_meets() -> None:
    counts: Counter[Ended] = Counter()
    for rules in (*FIRST_PHASE_GAMES, *EXTREME_GAMES):
        generator = Random(17)
        for _ in range(20):
            start = random_deal(rules, generator)
            plain = search_classes(start, 2000)
            found = explore_classes(start, 100_000)
            counts[found.ended] += 1
            assert found.ended == (Ended.NO_PROOF if plain is None else Ended.LOST)
            if plain is not None:
                codes = list(found.codes())
                assert sorted(codes) == sorted(map(format_class, plain))
                assert check_classes(found) == check_class_set(start, codes) == len(plain)
                assert len(plain) == found.expanded
    assert min(counts[Ended.NO_PROOF], counts[Ended.LOST]) > 80


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_a_full_deal(suits: int) -> None:
    found = explore_classes(Deal.numbered(36116661, suits=suits).position, MANY)
    assert (found.ended, found.size, found.nodes, found.expanded) == (Ended.LOST, 3, 11, 3)
    assert (found.rows_dealt, check_classes(found)) == (0, 3)
    assert next(found.codes()) == "6/6/6/6/5/5/5/5/5/5 -"
    assert explore_classes(Deal.numbered(1, suits=suits).position, MANY).ended == Ended.NO_PROOF


def test_a_budget_is_kept_to() -> None:
    start = Deal.numbered(1269226838).position
    for nodes in (0, 1, 10, 10_000):
        found = explore_classes(start, nodes)
        assert (found.ended, found.nodes) == (Ended.NODES, nodes)
        assert found.size <= nodes + 1
    assert found.rows_dealt == 3
    assert explore_classes(start, 10_000, deadline=0).ended == Ended.NODES
    late = explore_classes(start, 1_000_000, deadline=0)
    assert late.ended == Ended.TIME
    assert late.nodes < 100_000


def test_memory_is_kept_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_run, "_ROOM", 36 * 500)
    found = explore_classes(Deal.numbered(1269226838).position, MANY)
    assert (found.ended, found.size) == (Ended.MEMORY, 500)


def test_a_sample_of_many_classes_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = Random(3)
    while True:
        start = random_deal(small_game(columns=4, ranks=6, suits=2, copies=2, rows=3), generator)
        found = explore_classes(start, MANY)
        if found.ended is Ended.LOST and found.size > 50:
            break
    assert check_classes(found) == found.size
    monkeypatch.setattr(first_run, "CHECKED_CLASSES", 20)
    assert check_classes(found) == 20


def test_what_is_no_proof_is_refused() -> None:
    found = explore_classes(Deal.numbered(1269226838).position, 2000)
    with pytest.raises(ProofError, match=r"^class .* may follow, which is not in the set$"):
        check_classes(found)
    found = explore_classes(Deal.numbered(1).position, MANY)
    with pytest.raises(ProofError, match=r"^class .*: "):
        check_classes(found)
