"""What counting proves beyond the staged blockade of version 0.1, and that it loses nothing."""

import logging
from pathlib import Path

import pytest

from spider_solver.game.numberings import numbered
from spider_solver.game.rules import Rules, spider
from spider_solver.proofs.blockade import explain_blockade, find_blockade, stages
from spider_solver.proofs.check import check_blockade
from tests.brute import explore
from tests.proofs.staged import staged_blockade
from tests.small_games import LARGER_GAMES, SMALL_GAMES_WITH_OPTIONS, game_name

LOG = logging.getLogger(__name__)
GOLDEN = Path(__file__).parents[1] / "golden"

BEYOND_STAGED = {
    1467465: (1, 2, 3, 4),
    3115156: (1, 2, 3, 4),
    4481837: (2, 3, 4),
    1569808007: (1, 2, 3, 4),
}
"""Numbers of KPatience that only counting proves lost, with so many suits."""


@pytest.mark.parametrize("seed", BEYOND_STAGED)
def test_deals_that_only_counting_proves(seed: int) -> None:
    deals = {suits: numbered("kpat", seed, spider(suits)) for suits in (1, 2, 3, 4)}
    found = {suits: find_blockade(deal) for suits, deal in deals.items()}
    assert tuple(suits for suits in found if found[suits]) == BEYOND_STAGED[seed]
    assert len(set(found.values()) - {None}) == 1
    for suits in BEYOND_STAGED[seed]:
        assert staged_blockade(deals[suits]) is None
        check_blockade(deals[suits], found[4] or "")


def test_the_words_count_places() -> None:
    golden = (GOLDEN / "kpat-4481837-blockade.txt").read_text(encoding="utf-8")
    assert explain_blockade(numbered("kpat", 4481837, spider(4))) + "\n" == golden


def check_nothing_is_lost(rules: Rules, seeds: range, most: int) -> int:
    """Compare with the staged blockade; gives how many positions are blockaded in that sense."""
    staged = 0
    for seed in seeds:
        start = numbered("pysol", seed, rules)
        for position in explore(start, most) or [start]:
            before = staged_blockade(position)
            if before is None:
                continue
            staged += 1
            after = [stage.covered for stage in stages(position)]
            assert len(after) == len(before), position.code
            for counts, fewer in zip(after, before, strict=True):
                assert all(map(int.__ge__, counts, fewer)), position.code
    return staged


def test_it_proves_whatever_the_staged_blockade_does() -> None:
    staged = sum(
        check_nothing_is_lost(rules, range(1, 4), most=100)
        for rules in (*SMALL_GAMES_WITH_OPTIONS, *LARGER_GAMES)
    )
    assert staged > 100


@pytest.mark.full
@pytest.mark.parametrize("rules", [*SMALL_GAMES_WITH_OPTIONS, *LARGER_GAMES], ids=game_name)
def test_it_proves_whatever_the_staged_blockade_does_in_many_games(rules: Rules) -> None:
    staged = check_nothing_is_lost(rules, range(1000, 1400), most=300)
    LOG.info("%s: %d positions are blockaded in both senses", rules.name, staged)
