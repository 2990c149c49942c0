"""No deal is called lost before the first run in which a column can be emptied or a run completed.

``pytest -m full tests/proofs/test_first_run_soundness.py --log-cli-level=info`` logs in how many
deals brute force finds no such event, and how many of them the classes prove.
"""

import logging
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from spider_solver.game.rules import Rules
from spider_solver.proofs.class_set import check_class_set, format_class
from tests.first_phase import FIRST_PHASE_GAMES, random_deal, reaches_event, search_classes
from tests.small_games import game_name

LOG = logging.getLogger(__name__)


def check_deals(rules: Rules, deals: int, seed: int, most: int) -> Counter[str]:
    """Compare the classes with brute force on random deals."""
    generator = Random(seed)
    counts: Counter[str] = Counter(deals=deals)
    for _ in range(deals):
        start = random_deal(rules, generator)
        event = reaches_event(start, most)
        if event is None:
            counts["too large"] += 1
            continue
        found = search_classes(start, most)
        assert found is None or not event, f"{rules.name}: {start.code}"
        counts["without event"] += not event
        if found is not None:
            counts["called lost"] += 1
            counts["classes"] += len(found)
            assert check_class_set(start, map(format_class, found)) == len(found)
    return counts


def log(name: str, counts: Counter[str]) -> None:
    LOG.info("%s: %s", name, ", ".join(f"{kind} {counts[kind]}" for kind in sorted(counts)))


def variants(rules: Rules) -> list[Rules]:
    """A game under the rules that the proof holds for."""
    return [
        rules,
        replace(rules, name=f"{rules.name}, relaxed", deal_over_empty=True),
        replace(rules, name=f"{rules.name}, optional removal", optional_removal=True),
    ]


def test_no_deal_with_an_event_is_called_lost() -> None:
    counts: Counter[str] = Counter()
    for rules in FIRST_PHASE_GAMES:
        for seed, variant in enumerate(variants(rules)):
            counts += check_deals(variant, deals=25, seed=seed, most=500)
    log("all", counts)
    assert counts["without event"] > 350
    assert counts["called lost"] > 300


@pytest.mark.full
@pytest.mark.parametrize("rules", FIRST_PHASE_GAMES, ids=game_name)
def test_no_deal_with_an_event_is_called_lost_in_many(rules: Rules) -> None:
    counts: Counter[str] = Counter()
    for seed, variant in enumerate(variants(rules), start=100):
        counts += check_deals(variant, deals=350, seed=seed, most=5000)
    log(rules.name, counts)
    assert counts["without event"] > 50
    assert counts["called lost"] > 0.5 * counts["without event"]
