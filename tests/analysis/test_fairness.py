from itertools import permutations

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from benchmarks.fairness_power import RIGS, Rig, fewer_moves, rejected
from spider_solver.analysis.difficulty import measure as measure_difficulty
from spider_solver.analysis.fairness import (
    REPEATS,
    difficulties,
    judge,
    least_simulations,
    p_values,
    report,
)
from spider_solver.analysis.shuffles import (
    MOVES,
    Layout,
    StartError,
    Statistic,
    measure,
    read_starts,
    repeats,
    simulate,
    statistics_of,
)
from spider_solver.analysis.statistics import Floats
from spider_solver.analysis.tables import render
from spider_solver.game.cards import parse_card
from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import VARIANTS, Rules, simple_simon, spider, spiderette

SPIDER = Layout.of(spider(4), spider(4).heights)


def starts(count: int, rules: Rules | None = None) -> list[Position]:
    return [numbered("pysol", seed, rules or spider(4)) for seed in range(1, count + 1)]


def value(layout: Layout, values: Floats, name: str) -> float:
    names = [statistic.name for statistic in statistics_of(layout)]
    return float(values[0, names.index(name)])


def test_places_are_those_of_the_position() -> None:
    (position,) = starts(1)
    layout, cards = read_starts([position])
    columns = [cards[0, place] for place in layout.ends]
    assert columns == [column[-1] for column in position.columns]
    # The cards of the stock fall onto the columns, one row after the other.
    assert [(cards[0, a], cards[0, b]) for a, b in layout.landing[:2]] == [
        (position.columns[0][-1], position.stock[0]),
        (position.columns[1][-1], position.stock[1]),
    ]
    assert [(cards[0, a], cards[0, b]) for a, b in layout.landing[10:11]] == [
        (position.stock[0], position.stock[10])
    ]
    assert np.bincount(layout.zones).tolist() == [44, 10, 10, 10, 10, 10, 10]
    assert sorted(cards[0].tolist()) == sorted(layout.deck().tolist())


def test_a_short_last_row_and_no_stock() -> None:
    layout, _ = read_starts(starts(1, spiderette()))
    assert np.bincount(layout.zones).tolist() == [21, 7, 7, 7, 7, 3]
    assert len(layout.landing) == 24
    layout, cards = read_starts(starts(3, simple_simon()))
    assert layout.landing.size == 0
    names = [statistic.name for statistic in statistics_of(layout)]
    assert not any("stock" in name or "chi-squared" in name for name in names)
    assert measure(layout, cards[None]).shape == (1, len(names))


def test_moves_are_those_of_the_position() -> None:
    positions = starts(25)
    layout, cards = read_starts(positions)
    moves = [sum(not move.is_deal for move in position.legal_moves()) for position in positions]
    found = measure(layout, cards[None])
    assert value(layout, found, MOVES.name) == pytest.approx(np.mean(moves))
    spread = value(layout, found, "the same, variance from deal to deal")
    assert spread == pytest.approx(np.var(moves, ddof=1))


def test_neighbours_by_hand() -> None:
    columns = ("5S", "4S", "4H", "7S"), ("KC", "2S", "3S"), ("AS", "2D")
    rules = Rules(name="small", pack="CDHS", heights=(4, 3, 2), face_up=1)
    layout = Layout.of(rules, rules.heights)
    table = [parse_card(text) for column in columns for text in column]
    deal = np.array([table + [parse_card("AC")] * rules.stock_size], np.int8)
    found = measure(layout, deal[None])
    assert value(layout, found, "cards lying on the next higher rank") == 1  # 4S on 5S
    assert value(layout, found, "the same, in suit") == 1
    assert value(layout, found, "cards lying on the next lower rank") == 2  # 3S on 2S, 2D on AS
    assert value(layout, found, "cards lying on their own rank") == 1  # 4H on 4S
    assert value(layout, found, "cards lying on their own suit") == 2
    assert value(layout, found, "different ranks at the ends") == 3
    assert value(layout, found, MOVES.name) == 1  # 2 onto 3
    # Of the first row an ace falls onto the 2 of the third column.
    assert value(layout, found, "stock cards dealt onto the next higher rank") == 1


def test_means_of_fair_shuffles() -> None:
    found = np.concatenate([*simulate(SPIDER, 50, 200, np.random.default_rng(3))])
    # 44 pairs in the columns, 90 ordered pairs of ends, 50 of the stock; a pair of cards is in
    # sequence with 12 * 8 * 8 of 104 * 103 chances.
    chance = 12 * 64 / (104 * 103)
    for name, pairs in {
        "cards lying on the next higher rank": 44,
        MOVES.name: 90,
        "stock cards dealt onto the next higher rank": 50,
    }.items():
        assert value(SPIDER, found.mean(axis=0)[None], name) == pytest.approx(
            pairs * chance, rel=0.02
        )


def test_p_values_of_a_small_simulation() -> None:
    both, upper = Statistic("x"), Statistic("y", two_sided=False)
    fair = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    assert p_values([both, upper], np.array([3.0, 3.0]), fair).tolist() == [1, 0.5]
    assert p_values([both, upper], np.array([4.0, 4.0]), fair).tolist() == [0.5, 0.25]
    assert p_values([both, upper], np.array([0.0, 0.0]), fair).tolist() == [0.5, 1]


def test_p_values_are_exact() -> None:
    # In whatever order four values come, the chance of a p-value of at most 1/2 is 1/2.
    found = [
        p_values([Statistic("x", False)], np.array([v[0]]), np.array(v[1:])[:, None])[0]
        for v in permutations([1.0, 2.0, 3.0, 4.0])
    ]
    assert np.mean(np.array(found) <= 0.5) == 0.5


def test_fair_deals_keep_the_level() -> None:
    generator = np.random.default_rng(5)
    null = np.concatenate([*simulate(SPIDER, 30, 1000, generator)])
    singles, wholes = rejected(SPIDER, RIGS[0], 30, 400, null, generator)
    assert 0.035 < singles < 0.065
    assert wholes < 0.08


@pytest.mark.parametrize(
    "rig",
    [rig for rig in RIGS if "riffled 6" in rig.name or "any other" in rig.name]
    + [RIGS[1], next(rig for rig in RIGS if "king" in rig.name)],
    ids=lambda rig: rig.name,
)
def test_planted_biases_are_found(rig: Rig) -> None:
    generator = np.random.default_rng(6)
    null = np.concatenate([*simulate(SPIDER, 150, 700, generator)])
    _, wholes = rejected(SPIDER, rig, 150, 20, null, generator)
    assert wholes > 0.8


def test_the_same_file_gives_the_same_answer() -> None:
    layout, cards = read_starts(starts(20))
    found = judge(layout, cards, 300)
    assert found == judge(layout, cards, 300)
    assert found.tests != judge(layout, cards, 300, seed=2).tests
    assert found.as_dict()["fair"] is True
    assert not found.unfair


def test_the_report_names_what_is_unfair() -> None:
    cards = fewer_moves(1.0)(SPIDER, 200, np.random.default_rng(1))
    found = judge(SPIDER, cards, 600)
    assert MOVES in [Statistic(test.name) for test in found.unfair]
    moves = found.tests[0]
    assert moves.here < moves.low
    assert moves.fair - moves.here > (moves.findable or 0) / 2
    text = render(report(found), markdown=False)
    assert "verdict: these are not fair shuffles" in text
    assert "200 deals of spider, 4 suits, beside 600 files" in text


def test_a_deal_that_comes_again() -> None:
    positions = starts(10)
    layout, cards = read_starts([*positions, positions[3]])
    assert repeats(cards[:10]) == (0, 1)
    count, p_value = repeats(cards)
    assert count == 1
    assert p_value < 1e-90
    found = judge(layout, cards, 500)
    assert [test.name for test in found.unfair] == [REPEATS]
    # Of a deck of one card of two suits each: two of three deals are alike more often than not.
    assert repeats(np.array([[1, 17], [1, 17], [17, 1]], np.int8)) == (1, 1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_layout_gives_the_positions_back(variant: str) -> None:
    positions = starts(3, VARIANTS[variant](4))
    layout, cards = read_starts(positions)
    assert [layout.position(row) for row in cards] == positions


def test_difficulty_beside_that_of_fair_shuffles() -> None:
    layout, cards = read_starts(starts(20))
    generator = np.random.default_rng(2)
    fair, harder = generator.normal(4, 1.5, 200), generator.normal(7, 1.5, 20)
    found = judge(layout, cards, 600, scores=(harder, fair))
    *_, last = found.tests
    assert found.unfair == [last]
    assert last.name == "difficulty (beside 200 fair shuffles)"
    assert last.p_value == pytest.approx(mannwhitneyu(harder, fair).pvalue)
    assert last.high < last.here
    # z(1 - .05 / 26) + z(.8) standard errors
    error = fair.std(ddof=1) * (1 / 20 + 1 / 200) ** 0.5
    assert last.findable == pytest.approx((2.891 + 0.842) * error, rel=1e-3)


def test_difficulties_are_those_of_the_deals() -> None:
    positions = starts(2, spider(1))
    found = difficulties(*read_starts(positions))
    assert found.tolist() == [measure_difficulty(position).score for position in positions]


def test_what_is_no_start() -> None:
    one, two = starts(2)
    played = one.play(one.legal_moves()[0])
    with pytest.raises(StartError, match="board 2 is not a fresh deal of spider"):
        read_starts([one, played])
    with pytest.raises(StartError, match="board 2 has 2 suits where board 1 has 4"):
        read_starts([one, *starts(1, spider(2))])
    with pytest.raises(StartError, match="board 2 is laid out otherwise than board 1"):
        read_starts([two, numbered("kpat", 1, spider(4))])


def test_one_suit_and_one_deal() -> None:
    layout, cards = read_starts(starts(1, spider(1)))
    names = [test.name for test in judge(layout, cards, 500).tests]
    assert not any("suit" in name for name in names)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_game_has_statistics(variant: str) -> None:
    layout, cards = read_starts(starts(2, VARIANTS[variant](4)))
    assert np.isfinite(measure(layout, cards[None])).all()
    assert least_simulations(layout, 0.05) >= 40 * 8
