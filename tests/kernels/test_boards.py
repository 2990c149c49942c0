"""The kernels against the plain rules on boards that no play need lead to.

``pytest -m full tests/kernels/test_boards.py --log-cli-level=info`` logs on how many boards, and
what is remarkable about them.
"""

import logging
from collections import Counter
from collections.abc import Iterable
from functools import partial
from itertools import chain, islice
from random import Random

import pytest

from spider_solver.game.position import Position
from spider_solver.proofs.check import verify_line
from spider_solver.search.complete import explore
from spider_solver.search.packing import check_rules
from tests import brute
from tests.boards import (
    board_from,
    check_each,
    counts_text,
    small_board,
    tall_board,
    wide_board,
)
from tests.kernels.test_candidates import check_successor, successors
from tests.kernels.test_moves import assert_same_play

LOG = logging.getLogger(__name__)

# Of every hundred boards of any size at least so many are as said.
LEAST = {
    "covered run": 25,
    "run on a run": 10,
    "several runs in a column": 10,
    "run partly face down": 5,
    "kept run": 5,
    "whole deck face up": 5,
    "all in one column": 15,
    "stock": 25,
    "short row": 10,
    "empty column": 50,
    "deal over empty": 20,
    "group moves": 20,
    "optional removal": 20,
    "over 63 face down": 3,
    "over 103 cards": 3,
}


def boards(seeds: range) -> Iterable[Position]:
    """Boards of any size, and for ten of them a very tall one and a very wide one."""
    few = range(seeds.start, seeds.start + len(seeds) // 10)
    return chain(map(board_from, seeds), map(tall_board, few), map(wide_board, few))


def check_counts(name: str, counts: Counter[str], seeds: range) -> None:
    LOG.info("%s: %s", name, counts_text(counts))
    for kind, least in LEAST.items():
        assert counts[f"board: {kind}"] >= least * len(seeds) // 100, kind
    assert counts["refused"] <= len(seeds) // 50


def check_play(position: Position, actions: int) -> str:
    """Play the same random moves in both engines."""
    generator = Random(position.code)
    assert_same_play(position, [generator.randrange(2**16) for _ in range(actions)])
    return "board"


def test_engines_agree_on_boards() -> None:
    seeds = range(300)
    counts = check_each(boards(seeds), partial(check_play, actions=40))
    check_counts("played", counts, seeds)


@pytest.mark.full
def test_engines_agree_on_thousands_of_boards() -> None:
    seeds = range(10_000, 20_000)
    counts = check_each(boards(seeds), partial(check_play, actions=100))
    check_counts("played", counts, seeds)


def check_beam(position: Position, most: int) -> str:
    """What a beam announces of successors is what is built of them."""
    for number in (0, 5):
        for successor in islice(successors(position, number), most):
            check_successor(successor)
    return "board"


def test_successors_are_what_was_announced() -> None:
    seeds = range(200)
    counts = check_each(boards(seeds), partial(check_beam, most=300))
    check_counts("announced", counts, seeds)


@pytest.mark.full
def test_successors_are_what_was_announced_on_thousands_of_boards() -> None:
    seeds = range(10_000, 13_000)
    counts = check_each(boards(seeds), partial(check_beam, most=2000))
    check_counts("announced", counts, seeds)


def check_explored(position: Position, most: int) -> str:
    """The complete search meets what brute force meets, in the same order of actions."""
    known = brute.explore(position, most)
    if known is None:
        check_rules(position.rules)
        return "too large"
    there = set(map(brute.up_to_order, known))
    found = explore(position, 10**6)
    met = [brute.up_to_order(place) for place in found.positions()]
    fewest = known[position]
    assert len(set(met)) == len(met)
    assert there.issuperset(met)
    assert found.fewest_actions == fewest
    if fewest is None:
        assert len(met) == len(there)
    else:
        assert found.line is not None
        assert verify_line(position, found.line).actions == fewest
    for nodes in {0, 1, found.nodes // 3, max(0, found.nodes - 1)}:
        cut = explore(position, nodes)
        assert [brute.up_to_order(place) for place in cut.positions()] == met[: cut.size]
        bound = cut.fewest_actions
        assert fewest is None or (bound is not None and bound <= fewest)
    return "lost" if fewest is None else "won"


def test_complete_search_meets_what_brute_force_meets() -> None:
    counts = check_each(map(small_board, range(600)), partial(check_explored, most=200))
    LOG.info("explored: %s", counts_text(counts))
    assert counts["won"] > 100
    assert counts["lost"] > 60
    assert counts["won: covered run"] > 20
    assert counts["lost: covered run"] > 5


@pytest.mark.full
def test_complete_search_meets_what_brute_force_meets_on_thousands_of_boards() -> None:
    seeds = range(10_000, 15_000)
    counts = check_each(map(small_board, seeds), partial(check_explored, most=1500))
    LOG.info("explored: %s", counts_text(counts))
    assert counts["won"] + counts["lost"] > 3000
