"""Every game of the family through the solver, and each option of the rules against brute force.

``pytest -m full tests/test_family.py --log-cli-level=info`` logs how many games that was checked
on.
"""

import logging
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from spider_solver import Deal, Limits, Position, Solver, Status
from spider_solver.formats.board import read_board
from spider_solver.game.numberings import default_numbering, numbered
from spider_solver.game.rules import Rules, optional_removal
from spider_solver.proofs.check import verify_line
from tests import brute
from tests.case_files import case, case_text
from tests.small_games import SMALL_GAMES_WITH_OPTIONS, game_name, random_game
from tests.strategies import PRESETS

LOG = logging.getLogger(__name__)
SOLVER = Solver()


def check(start: Position, most: int) -> str:
    """Solve a small game, whose verdict must be that of brute force; says what it is."""
    known = brute.explore(start, most)
    if known is None:
        return "too large"
    result = SOLVER.solve(start, Limits(1_000_000, shorten=2000, bound=True))
    fewest = known[start]
    if fewest is None:
        assert result.status is Status.LOST
        return f"lost ({result.proof})"
    assert result.status is Status.WON
    assert result.line is not None
    actions = verify_line(start, result.line).actions
    assert result.actions_bound is not None
    assert result.actions_bound <= fewest <= actions
    return "won"


def check_games(rules: Rules, seeds: range, most: int) -> Counter[str]:
    """Check deals, and of each a position inside a game."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        start = numbered("pysol", seed, rules)
        game = list(random_game(start, Random(seed)))
        counts[check(start, most)] += 1
        counts[check(game[len(game) // 2], most)] += 1
    return counts


def test_small_games_are_decided_as_by_brute_force() -> None:
    counts: Counter[str] = Counter()
    for rules in SMALL_GAMES_WITH_OPTIONS:
        counts += check_games(rules, range(1, 3), most=250)
    LOG.info("all: %s", counts)
    assert counts["won"] > 15
    assert counts["lost (exhausted)"] > 70
    assert counts["lost (blockade)"] > 6


@pytest.mark.full
@pytest.mark.parametrize("rules", SMALL_GAMES_WITH_OPTIONS, ids=game_name)
def test_many_small_games_are_decided_as_by_brute_force(rules: Rules) -> None:
    counts = check_games(rules, range(1000, 1100), most=2000)
    LOG.info("%s: %s", rules.name, counts)
    assert counts["won"] + counts["lost (exhausted)"] + counts["lost (blockade)"] > 20


@pytest.mark.parametrize("number", ["209", "210", "213", "225"])
def test_too_few_cards_to_deal_again(number: str) -> None:
    lost = SOLVER.solve(case(number))
    assert (lost.status, lost.proof, lost.nodes) == (Status.LOST, "too-few-cards", 0)
    won = SOLVER.solve(case(number, relaxed=True))
    assert won.status is Status.WON
    assert won.line is not None
    assert verify_line(won.position, won.line).final.is_won


def test_a_run_that_must_stay_for_a_while() -> None:
    kept = read_board(case_text("225"), optional_removal())
    won = SOLVER.solve(kept)
    assert won.status is Status.WON
    assert won.line is not None
    assert sum(move.is_removal for move in won.line) == 2
    removed = replace(case("225"), rules=kept.rules)
    assert SOLVER.solve(removed).status is Status.LOST


def test_removals_alone_may_win() -> None:
    before = replace(case("217"), rules=optional_removal())
    (move,) = (move for move in case("217").legal_moves() if case("217").play(move).is_won)
    result = SOLVER.solve(before.play(move))
    assert (result.status, result.actions, result.nodes) == (Status.WON, 1, 0)


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: f"{rules.name}-{rules.suits}")
def test_a_deal_of_every_preset_is_won(rules: Rules) -> None:
    deal = Deal.numbered(2, rules=rules)
    assert deal.numbering == default_numbering(rules)
    result = SOLVER.solve(deal.position, Limits(3_000_000, shorten=50_000, bound=True))
    assert result.status is Status.WON
    assert result.line is not None
    replayed = verify_line(deal.position, result.line)
    assert (replayed.actions, replayed.score) == (result.actions, result.score)
    assert result.actions_bound is not None
    assert result.actions_bound <= replayed.actions
    removals = sum(move.is_removal for move in result.line)
    assert removals == (rules.runs if rules.optional_removal else 0)
