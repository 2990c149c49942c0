"""Verdicts on boards that are merely accepted, against brute force.

No play need lead to such a board: complete runs lie under other cards, whole decks in one column.
``pytest -m full tests/test_oracle.py --log-cli-level=info`` logs how many boards that was checked
on, by verdict, by what is remarkable about them and by rules.
"""

import logging
from collections import Counter
from collections.abc import Iterable

import pytest

from spider_solver.answers.hints import Hinter
from spider_solver.answers.shortest import find_shortest
from spider_solver.game.position import Position
from spider_solver.game.rules import VARIANTS
from spider_solver.proofs.blockade import find_blockade
from spider_solver.proofs.bounds import actions_bound
from spider_solver.proofs.check import check_blockade, is_short_of_cards, replay, verify_line
from spider_solver.proofs.digging import is_buried
from spider_solver.search.result import Limits, Result, Status
from spider_solver.search.solver import Solver
from tests import brute
from tests.boards import (
    board_from,
    check_each,
    counts_text,
    covered_board,
    small_board,
    tall_board,
)

LOG = logging.getLogger(__name__)

SOLVER = Solver()


def check_proof(result: Result) -> None:
    """Check what a verdict rests on, by the plain rules."""
    if result.status is Status.WON:
        assert result.line is not None
        assert verify_line(result.position, result.line).actions == result.actions
    elif result.proof == "blockade":
        check_blockade(result.position, result.certificate or "")
    elif result.proof == "too-few-cards":
        assert is_short_of_cards(result.position)
    elif result.proof == "exhausted":
        assert result.exploration is not None
        if result.exploration.size <= 3000:
            check_exhausted(result.position, list(result.exploration.positions()))
    else:
        assert (result.status, result.reason) == (Status.OPEN, "nodes")


def check_exhausted(start: Position, positions: list[Position]) -> None:
    """Nothing leads out of these positions, of which none is won.

    Some are short of cards, and some buried (tests/proofs/test_digging.py has the oracle for that).
    """
    known = set(map(brute.up_to_order, positions))
    assert len(known) == len(positions)
    assert brute.up_to_order(start) in known
    for position in positions:
        assert not position.is_won
        if not is_short_of_cards(position):
            after = map(position.play, position.legal_moves())
            assert known.issuperset(map(brute.up_to_order, after)) or is_buried(position)


def check_board(position: Position, most: int, limits: Limits) -> str:
    """Check all that is claimed about a board; says what is known about it."""
    known = brute.decide(position, most)
    result = SOLVER.solve(position, limits)
    check_proof(result)
    replay(position, SOLVER.best_found(position))
    if known == "too large":
        return f"too large, {result.status}"
    if result.status is Status.OPEN:
        return f"{'lost' if known == 'lost' else 'won'}, open"
    fewest = None if known == "lost" else known
    found = find_shortest(position)
    assert found.bound == fewest
    if fewest is None:
        assert (result.status, found.line) == (Status.LOST, None)
        return "lost"
    assert result.status is Status.WON
    assert found.line is not None
    assert verify_line(position, found.line).actions == fewest
    assert actions_bound(position) <= fewest
    assert find_blockade(position) is None
    return "won"


def check_boards(boards: Iterable[Position], most: int, limits: Limits) -> Counter[str]:
    """Check boards; counts what is known about them."""
    return check_each(boards, lambda position: check_board(position, most, limits))


def log(name: str, counts: Counter[str]) -> None:
    LOG.info("%s: %s", name, counts_text(counts))


# Of every thousand small boards at least so many are as said.
LEAST = {
    "won": 500,
    "lost": 120,
    "won: covered run": 100,
    "lost: covered run": 20,
    "won: run on a run": 40,
    "won: several runs in a column": 40,
    "won: run partly face down": 40,
    "lost: run partly face down": 5,
    "won: kept run": 80,
    "won: stock": 80,
    "lost: stock": 80,
    "won: short row": 40,
    "lost: too few cards": 20,
    "won: deal over empty": 200,
    "lost: deal over empty": 20,
    "won: group moves": 200,
    "lost: group moves": 20,
    "won: optional removal": 200,
    "lost: optional removal": 20,
    "won: whole deck face up": 80,
    "won: all in one column": 150,
}


def check_counts(counts: Counter[str], boards: int) -> None:
    """That the test had something to look at, and that the solver decided nearly all of it."""
    for kind, least in LEAST.items():
        assert counts[kind] >= least * boards // 1000, kind
    assert counts["won, open"] + counts["lost, open"] <= boards // 100
    assert counts["refused"] <= boards // 100


def test_small_boards() -> None:
    counts = check_boards(map(small_board, range(2000)), 300, Limits(100_000, shorten=500))
    log("small boards", counts)
    check_counts(counts, 2000)


@pytest.mark.full
@pytest.mark.parametrize("block", range(1, 13))
def test_many_small_boards(block: int) -> None:
    """Of 24,000 boards more than 20,000 are settled by brute force."""
    seeds = range(block * 10_000, block * 10_000 + 2000)
    counts = check_boards(map(small_board, seeds), 1000, Limits(300_000, shorten=500))
    log(f"small boards {block}", counts)
    check_counts(counts, 2000)
    assert counts["won"] + counts["lost"] > 1700


def test_boards_of_any_size() -> None:
    boards = [*map(board_from, range(250)), *map(tall_board, range(20))]
    counts = check_boards(boards, 100, Limits(5000, shorten=500))
    log("boards of any size", counts)
    assert counts["lost"] >= 40
    assert counts["won"] + counts["too large, won"] >= 100
    assert counts["too large, won: over 103 cards"] >= 5


@pytest.mark.full
def test_many_boards_of_any_size() -> None:
    boards = [*map(board_from, range(1000, 4000)), *map(tall_board, range(1000, 1200))]
    log("boards of any size", check_boards(boards, 300, Limits(100_000, shorten=2000)))


@pytest.mark.parametrize("variant", VARIANTS)
def test_hints(variant: str) -> None:
    """From any board on, moves that are legal, and the promised win where one is known."""
    hinter = Hinter(Limits(20_000), SOLVER)

    def check(position: Position) -> str:
        hint = hinter.hint(position)
        end = replay(position, hint.line).final
        assert end.is_won == (hint.status is Status.WON)
        assert hint.status is not Status.OPEN or hint.line or not position.legal_moves()
        if hint.status is Status.LOST:
            assert brute.decide(position, 300) in ("lost", "too large")
        return str(hint.status)

    counts = check_each((covered_board(variant, seed) for seed in range(100, 120)), check)
    log(variant, counts)
    assert counts["won"] >= 10


@pytest.mark.parametrize("variant", VARIANTS)
def test_covered_runs(variant: str) -> None:
    boards = (covered_board(variant, seed) for seed in range(60))
    counts = check_boards(boards, 300, Limits(20_000))
    log(variant, counts)
    assert counts["won"] + counts["too large, won"] >= 30
    assert counts["won"] + counts["lost"] >= 1


@pytest.mark.full
@pytest.mark.parametrize("variant", VARIANTS)
def test_many_covered_runs(variant: str) -> None:
    boards = (covered_board(variant, seed) for seed in range(1000, 1600))
    counts = check_boards(boards, 500, Limits(100_000))
    log(variant, counts)
    assert counts["won"] + counts["too large, won"] >= 300
    assert counts["won"] + counts["lost"] >= 20
