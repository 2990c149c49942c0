"""The lower bound on actions: its value, and that no line is ever shorter.

``pytest -m full tests/proofs/test_bounds.py --log-cli-level=info`` logs how many games and
positions were solved exactly and how often the bound is the optimum.
"""

import logging
from collections import Counter

import pytest

from spider_solver.game.notation import parse_line
from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules, spider, tiny
from spider_solver.proofs.bounds import actions_bound
from tests.brute import explore
from tests.case_files import CheckedLine, case, checked_lines
from tests.small_games import SMALL_GAMES_WITH_OPTIONS, game_name

LOG = logging.getLogger(__name__)

# Most cards of the first ones are dealt by rows, which is where the bound has to think.
GAMES = (
    tiny(columns=2, ranks=4, suits=1, copies=3, hidden=0, rows=5),
    tiny(columns=3, ranks=3, suits=1, copies=6, hidden=0, rows=5),
    tiny(columns=3, ranks=3, suits=2, copies=3, hidden=0, rows=5),
    tiny(columns=3, ranks=4, suits=1, copies=3, hidden=0, rows=3),
    tiny(columns=3, ranks=4, suits=2, copies=2, hidden=0, rows=4),
    tiny(columns=3, ranks=5, suits=1, copies=3, hidden=0, rows=4),
    tiny(columns=3, ranks=6, suits=1, copies=2, hidden=0, rows=3),
    *SMALL_GAMES_WITH_OPTIONS,
)


def check_everywhere(rules: Rules, seeds: range, most: int) -> Counter[str]:
    """Check all positions of the won deals that have at most ``most`` positions."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        start = numbered("pysol", seed, rules)
        found = explore(start, most)
        if found is None or found[start] is None:
            continue
        for position, actions in found.items():
            if actions is None:
                continue
            bound = actions_bound(position)
            assert bound <= actions, f"{rules.name}: {position.code}"
            for kind in ("games", "positions") if position == start else ("positions",):
                counts[kind] += 1
                counts[f"{kind} with the bound as optimum"] += bound == actions
                counts[f"{kind}, actions"] += actions
                counts[f"{kind}, bound"] += bound
    return counts


def log(name: str, counts: Counter[str]) -> None:
    LOG.info("%s: %s", name, "; ".join(f"{kind} {counts[kind]}" for kind in sorted(counts)))


def test_never_above_the_optimum() -> None:
    counts: Counter[str] = Counter()
    for rules in GAMES:
        counts += check_everywhere(rules, range(1, 12), most=300)
    log("all", counts)
    assert counts["games"] >= 60
    assert counts["positions with the bound as optimum"] > 1000


@pytest.mark.full
@pytest.mark.parametrize("rules", GAMES, ids=game_name)
def test_never_above_the_optimum_in_many_games(rules: Rules) -> None:
    log(rules.name, check_everywhere(rules, range(1000, 1150), most=1500))


@pytest.mark.parametrize("checked", checked_lines(), ids=lambda checked: f"{checked.case}")
def test_no_checked_line_is_shorter(checked: CheckedLine) -> None:
    actions = len(parse_line(checked.line))
    assert actions_bound(case(checked.case, relaxed=checked.relaxed)) <= actions


@pytest.mark.parametrize("name", ["161", "200", "203", "204", "205", "217", "223"])
def test_some_checked_lines_are_proved_shortest(name: str) -> None:
    lines = [checked.line for checked in checked_lines() if checked.case == name]
    assert actions_bound(case(name)) == min(len(parse_line(line)) for line in lines)


@pytest.mark.parametrize(
    ("suits", "bounds"),
    [
        (4, [81, 85, 82, 81, 82, 82, 86, 85, 80, 86]),
        (2, [72, 71, 69, 70, 72, 72, 75, 65, 72, 74]),
        (1, [63, 63, 56, 63, 59, 61, 64, 52, 58, 58]),
    ],
)
def test_the_first_ten_deals(suits: int, bounds: list[int]) -> None:
    found = [actions_bound(numbered("kpat", seed, spider(suits))) for seed in range(1, 11)]
    assert found == bounds


@pytest.mark.full
@pytest.mark.parametrize(("suits", "total"), [(4, 16573), (2, 14064), (1, 11819)])
def test_mean_of_200_deals(suits: int, total: int) -> None:
    """Means of 82.9, 70.3 and 59.1 actions."""
    bounds = [actions_bound(numbered("kpat", seed, spider(suits))) for seed in range(1, 201)]
    assert sum(bounds) == total


def bound(code: str, *heights: int, pack: str = "S", ranks: int = 3, **options: bool) -> int:
    """The bound of a position of a game with these cards, once each."""
    rules = Rules(name="bound", pack=pack, packs=1, ranks=ranks, heights=heights, **options)
    return actions_bound(Position.from_code(code, rules))


def test_each_card_moves_once() -> None:
    assert bound("3S/2S/AS - -", 1, 1, 1) == 2


def test_a_card_on_its_successor_need_not_move() -> None:
    assert bound("3S2S/AS/ - -", 2, 1, 0) == 1


def test_a_card_on_a_face_down_successor_has_to_move() -> None:
    assert bound("3s2S/AS/ - -", 2, 1, 0) == 2


def test_a_run_that_is_off_the_table_needs_nothing() -> None:
    assert bound("2S/AS - H", 1, 1, pack="HS", ranks=2) == 1
    assert bound("/ - HS", 1, 1, pack="HS", ranks=2) == 0


def test_a_card_may_be_dealt_onto_its_successor() -> None:
    assert bound("2S/2H ASAH -", 1, 1, pack="HS", ranks=2) == 1
    assert bound("2S/2H AHAS -", 1, 1, pack="HS", ranks=2) == 3


def test_what_comes_later_is_not_there_to_be_dealt_onto() -> None:
    assert bound("3S/3H 2S2HASAH -", 1, 1, pack="HS") == 2
    assert bound("3S/3H ASAH2S2H -", 1, 1, pack="HS") == 4


def test_removals_are_actions_where_they_are_optional() -> None:
    assert bound("2S/2H ASAH -", 1, 1, pack="HS", ranks=2, optional_removal=True) == 3
    assert bound("2S/AS - H", 1, 1, pack="HS", ranks=2, optional_removal=True) == 2


@pytest.mark.parametrize(("group_moves", "actions"), [(True, 4), (False, 5)])
def test_under_group_moves_a_card_may_travel_with_another_suit(
    group_moves: bool, actions: int
) -> None:
    """3H takes 2S along, so that AS is dealt onto it at no cost."""
    rules = Rules(name="", pack="HS", packs=1, ranks=4, heights=(2, 2, 2), group_moves=group_moves)
    position = Position.from_code("2H3H2S/4H/4S3S AHAS -", rules)
    found = explore(position, 1000)
    assert found is not None
    assert found[position] == actions_bound(position) == actions


def test_a_card_of_an_earlier_row_may_be_what_is_dealt_onto() -> None:
    """The second row deals AH onto 2H, which the first row brought and a move put onto 3H."""
    rules = tiny(columns=2, ranks=3, suits=2, copies=2, hidden=0, rows=5)
    position = Position.from_code("AS/3S 2H3H2SAH HS", rules)
    found = explore(position, 1000)
    assert found is not None
    assert found[position] == actions_bound(position) == 5
