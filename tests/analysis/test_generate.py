"""Certified deals: the class is exact, the order fixed, every line wins."""

from pathlib import Path

import pytest

from spider_solver import Limits, Solver, parse_line
from spider_solver.analysis.difficulty import Band
from spider_solver.analysis.generate import Candidate, Wishes, candidates, examine
from spider_solver.batch.executors import make_executor
from spider_solver.game.position import Position
from spider_solver.game.rules import spider
from spider_solver.proofs.check import verify_line
from spider_solver.store.difficulties import read_difficulties

SHIPPED = read_difficulties(Path(__file__).parents[2] / "data" / "kpat-1-1000").to_pylist()


@pytest.mark.parametrize(("suits", "seeds"), [(1, range(1, 13)), (2, range(1, 9))])
def test_each_candidate_fits_its_own_band(suits: int, seeds: range) -> None:
    solver = Solver()
    bands = {row["seed"]: row["band"] for row in SHIPPED if row["suits"] == suits}
    for band in Band:
        wishes = Wishes("kpat", spider(suits), band)
        for seed in seeds:
            candidate = examine(wishes, seed, solver)
            assert candidate.fits == (bands[seed] == band)
            assert (candidate.row is None) == (not candidate.fits)


def test_a_certified_deal_has_its_line_and_difficulty() -> None:
    seed = next(row["seed"] for row in SHIPPED if row["suits"] == 2 and row["band"] == "hard")
    candidate = examine(Wishes("kpat", spider(2), Band.HARD), seed, Solver())
    assert candidate.row is not None
    assert candidate.difficulty is not None
    position = Position.from_code(candidate.row.deal, spider(2))
    line = parse_line(candidate.row.line or "")
    assert verify_line(position, line).actions == candidate.row.actions
    assert candidate.difficulty.band == "hard"


def test_a_deal_that_the_budget_does_not_win_fits_but_is_not_certified() -> None:
    wishes = Wishes("kpat", spider(1), None, Limits(max_nodes=100))
    assert examine(wishes, 1, Solver()) == Candidate(1, fits=True)


def test_the_same_deals_with_any_number_of_workers() -> None:
    def found(workers: int) -> list[tuple[int, bool, str | None]]:
        wishes = Wishes("pysol", spider(1), Band.MEDIUM)
        with make_executor(workers) as executor:
            done = list(candidates(wishes, range(31_995, 32_006), executor, workers))
        return [(one.seed, one.fits, one.row.line if one.row else None) for one in done]

    alone = found(1)
    assert [seed for seed, _, _ in alone] == list(range(31_995, 32_006))
    assert found(2) == alone


def test_it_begins_nothing_once_it_is_stopped() -> None:
    wishes = Wishes("kpat", spider(1))
    with make_executor(1) as executor:
        assert list(candidates(wishes, range(1, 100), executor, 1, stop=lambda: True)) == []
