"""The check of the difficulty score, and the weak players in it."""

import random
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import spearmanr

from benchmarks import difficulty, scores, ship_difficulty
from benchmarks.deals import Numbered
from benchmarks.difficulty import rank_correlation
from benchmarks.players import digger_wins, play_blind
from spider_solver import Deal, Solver
from spider_solver.analysis.difficulty import measure


def test_the_report(tmp_path: Path) -> None:
    saved = tmp_path / "report.txt"
    arguments = ["--suits", "1", "--deals", "10", "--save", str(saved), "--keep", str(tmp_path)]
    result = CliRunner().invoke(difficulty.main, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert "1 suit, kpat 1000000 to 1000009, 10 deals" in result.stdout
    for words in ("test and retest", "again expert", "blind: cards turned up", "digger: share won"):
        assert words in result.stdout
    assert result.stdout in saved.read_text()


def test_kept_scores_are_those_measured(tmp_path: Path) -> None:
    deals = Numbered("kpat", 1, (20_000, 20_001))
    measured = scores.scores_of(deals, 3, keep=tmp_path)
    assert measured == [measure(Deal.numbered(seed, 1).position, series=3) for seed in deals.seeds]
    assert scores.scores_of(deals, 3, keep=tmp_path) == measured
    assert len(list(tmp_path.iterdir())) == 1


def test_rank_correlation_is_spearman_s() -> None:
    generator = np.random.default_rng(5)
    first = generator.integers(0, 9, 60).astype(float)
    second = first + generator.integers(0, 9, 60).astype(float)
    assert rank_correlation(first, second) == pytest.approx(spearmanr(first, second).statistic)


def test_written_references(tmp_path: Path) -> None:
    position = Deal.numbered(1, 1).position
    path = tmp_path / "references.json"
    ship_difficulty.write_references({1: [measure(position)] * 3}, path)
    assert '"deals": "kpat 1-3"' in path.read_text()


def test_the_blind_player_plays_legal_games_that_end() -> None:
    for suits in (1, 2, 4):
        start = Deal.numbered(7, suits).position
        played = play_blind(start, random.Random(1))
        assert played == play_blind(start, random.Random(1))
        assert played.cards_left == 104 - 13 * played.completed
        assert 0 <= played.face_down <= start.hidden


def test_the_digger_wins_easy_deals_more_often() -> None:
    solver = Solver()
    easy, hard = (Deal.numbered(seed, 1).position for seed in (10_001, 10_000))
    assert digger_wins(easy, solver, 1, 16) > digger_wins(hard, solver, 1, 16)
