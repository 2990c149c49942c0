"""The difficulty score, its bands and the references that ship."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from spider_solver import Deal, Solver
from spider_solver.analysis.difficulty import (
    MEASURES,
    TOPS,
    WIDEST,
    Band,
    Difficulty,
    Reference,
    beams_at,
    measure,
    reference,
)
from spider_solver.game.position import Position
from spider_solver.search.portfolio import Attempt
from spider_solver.store.difficulties import read_difficulties

DATA = Path(__file__).parents[2] / "data"
SHIPPED = read_difficulties(DATA / "kpat-1-1000").to_pylist()
POSITION = Deal.numbered(1, suits=4).position


class Beams:
    """A solver whose beams win as often as it is told, by width; a beam takes ``width`` nodes."""

    def __init__(self, wins: dict[int, int], otherwise: int = 0) -> None:
        self.wins = wins
        self.otherwise = otherwise
        self.tried: list[Attempt] = []

    def count_wins(self, position: Position, trials: Iterable[Attempt]) -> tuple[int, int]:
        beams = list(trials)
        self.tried += beams
        width = beams[0].width
        return self.wins.get(width, self.otherwise), sum(beam.width for beam in beams)

    def measure(self, **options: Any) -> Difficulty:
        return measure(POSITION, cast(Solver, self), **options)


def test_the_score_is_the_sum_of_the_shares_that_lose() -> None:
    beams = Beams({1: 0, 2: 2, 4: 4, 8: 12, 16: 14})
    measured = beams.measure()
    assert measured.lost == (8, 6, 12, 4, 2)
    assert measured.score == 8 / 8 + 6 / 8 + 12 / 16 + 4 / 16 + 2 / 16
    assert measured.complete
    assert measured.nodes == 8 * 1 + 8 * 2 + 16 * 4 + 16 * 8 + 16 * 16


@pytest.mark.parametrize(("width", "wins"), [(1, 7), (2, 7), (4, 13), (8, 13), (64, 7)])
def test_three_losses_in_sixteen_end_it(width: int, wins: int) -> None:
    assert len(Beams({width: wins}).measure().lost) == width.bit_length()
    assert len(Beams({width: wins - 1}).measure().lost) == 11


def test_what_no_beam_wins_has_the_greatest_score() -> None:
    measured = Beams({}).measure()
    assert measured.score == WIDEST.bit_length() == 11
    assert measured.complete


@pytest.mark.parametrize(("most", "lost"), [(0.9, (8,)), (1.0, (8, 8)), (2.5, (8, 8, 16))])
def test_it_stops_when_the_score_is_sure_to_be_greater(most: float, lost: tuple[int, ...]) -> None:
    measured = Beams({}).measure(most=most)
    assert measured.lost == lost
    assert measured.score > most
    assert not measured.complete


def test_beams_differ_in_their_noise_alone() -> None:
    def tried(series: int) -> list[Attempt]:
        beams = Beams({})
        beams.measure(series=series)
        return beams.tried

    first, second = tried(0), tried(1)
    seeds = {beam.seed for beam in first + second}
    assert len(seeds) == 2 * len(first)
    assert all(seed % 2 and seed < 1 << 64 for seed in seeds)
    assert len({replace(beam, seed=1, width=1) for beam in first + second}) == 1
    assert Counter(beam.width for beam in first) == {1 << k: beams_at(1 << k, 4) for k in range(11)}


def test_a_measurement_hangs_on_the_deal_alone() -> None:
    solver = Solver()
    deals = [Deal.numbered(seed, suits).position for suits in (1, 2) for seed in (5, 6)]
    forth = [measure(position, solver) for position in deals]
    back = [measure(position, solver) for position in reversed(deals)]
    assert forth == back[::-1]
    for position, measured in zip(deals, forth, strict=True):
        suits = position.rules.suits
        counts = [beams_at(1 << k, suits) for k in range(len(measured.lost))]
        assert measured.score == sum(map(float.__truediv__, map(float, measured.lost), counts))


@pytest.mark.parametrize(("suits", "seeds"), [(1, range(1, 7)), (2, range(1, 5)), (4, range(1, 3))])
def test_shipped_scores_are_what_is_measured(suits: int, seeds: range) -> None:
    solver = Solver()
    shipped = {(row["suits"], row["seed"]): row for row in SHIPPED}
    for seed in seeds:
        measured = measure(Deal.numbered(seed, suits).position, solver)
        row = shipped[suits, seed]
        assert (measured.score, list(measured.lost)) == (row["score"], row["beams_lost"])
        assert measured.nodes == row["difficulty_nodes"]


def test_each_shipped_deal_has_a_difficulty() -> None:
    keys = [(row["numbering"], row["variant"], row["suits"], row["seed"]) for row in SHIPPED]
    assert keys == [("kpat", "spider", suits, n) for suits in (1, 2, 4) for n in range(1, 1001)]


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_references_are_those_of_the_shipped_scores(suits: int) -> None:
    rows = [row for row in SHIPPED if row["suits"] == suits]
    scores = sorted(row["score"] for row in rows)
    levels = reference(suits)
    assert levels.deals == "kpat 1-1000"
    # the score that k of a hundred deals do not exceed is the 10 k-th lowest
    assert levels.percentiles == tuple(scores[max(10 * k - 1, 0)] for k in range(101))
    for row in rows:
        below = bisect_left(scores, row["score"])
        assert row["easier"] == levels.easier(row["score"])
        assert abs(row["easier"] - below / 10) <= 1
        assert row["band"] == levels.band(row["score"])
    for band, top in TOPS.items():
        low, high = levels.limits(band)
        share = sum(score <= high for score in scores) / 10
        assert top <= share <= top + 3  # more than the top where scores are equal
        assert all((low < row["score"] <= high) == (row["band"] == band) for row in rows)


def test_bands_of_a_reference() -> None:
    levels = Reference(4, "", tuple(float(k) for k in range(101)))
    bands = [levels.band(score) for score in (0, 40, 40.5, 75, 75.5, 90, 90.5, 200)]
    easy, medium, hard, expert = Band
    assert bands == [easy, easy, medium, medium, hard, hard, expert, expert]
    assert [levels.easier(score) for score in (-1, 0, 0.5, 40, 99.5, 100, 200)] == [
        0, 0, 1, 40, 100, 100, 100,
    ]  # fmt: skip


def test_more_suits_are_harder() -> None:
    medians = [reference(suits).percentiles[50] for suits in (1, 2, 3, 4)]
    assert medians == sorted(set(medians))


@pytest.mark.parametrize("name", MEASURES)
def test_each_measure_ships_its_references(name: str) -> None:
    for suits in (1, 2, 3, 4):
        percentiles = reference(suits, name).percentiles
        assert percentiles == tuple(sorted(percentiles))
        assert len(percentiles) == 101


def test_suits_without_a_reference_are_refused() -> None:
    with pytest.raises(ValueError, match="no difficulty is known for 5 suits"):
        reference(5)


def test_the_bands_and_the_example_of_the_page() -> None:
    page = (DATA.parent / "docs" / "difficulty.md").read_text("utf-8")
    for band in (Band.EASY, Band.MEDIUM, Band.HARD):
        tops = [f"to {reference(suits).limits(band)[1] + 1e-9:.2f}" for suits in (1, 2, 3, 4)]
        row = next(line for line in page.splitlines() if line.startswith(f"| {band} |"))
        assert row.strip(" |").split(" | ")[2:] == tops
    row = next(row for row in SHIPPED if (row["suits"], row["seed"]) == (4, 1))
    shares = [f"{lost}/{beams_at(1 << k, 4)}" for k, lost in enumerate(row["beams_lost"])]
    assert " ".join(shares) in " ".join(page.split())
    assert f"sum: {row['score']:.2f}, {row['band']}" in page
