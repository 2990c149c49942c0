"""How large a game the kernels play, from both sides of each limit, and what they refuse."""

from dataclasses import replace
from random import Random

import pytest

from spider_solver.game.cards import SUITS, make_card
from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position, PositionError
from spider_solver.game.rules import Rules, spider
from spider_solver.kernels.layout import MAX_CARDS, MAX_COLUMNS, MAX_ROWS
from spider_solver.search.complete import explore
from spider_solver.search.packing import UnsupportedRules, check_rules, pack
from spider_solver.search.result import Limits, Status
from spider_solver.search.solver import Solver
from tests.kernels.engine import Table

SOLVER = Solver()

# The largest games: the most columns with the most rows, and all cards on the table.
LARGEST = (
    Rules(name="columns and rows", pack="CDHS", packs=4, heights=(1,) * MAX_COLUMNS),
    Rules(name="all dealt", pack="CDHS", packs=4, heights=(16,) * MAX_COLUMNS, face_up=16),
    Rules(name="two-card runs", pack="CDHS" * 26, packs=1, ranks=2, heights=(16,) * MAX_COLUMNS),
)
TOO_LARGE = {
    f"at most {MAX_COLUMNS} columns, not 14": Rules(
        name="one column more", pack="CDHS", heights=(7,) * (MAX_COLUMNS + 1)
    ),
    f"at most {MAX_ROWS} rows in the stock, not 16": Rules(
        name="one row more", pack="CDHS", heights=(2,) * 5 + (0,)
    ),
    f"at most {MAX_CARDS} cards, not 209": Rules(
        name="one card more", pack="S", packs=19, ranks=11, heights=(16,) * MAX_COLUMNS
    ),
}


@pytest.mark.parametrize("rules", LARGEST, ids=lambda rules: rules.name)
def test_the_largest_games_are_played(rules: Rules) -> None:
    assert rules.deck_size == MAX_CARDS
    for options in (rules, replace(rules, deal_over_empty=True, group_moves=True)):
        start = numbered("pysol", 5, options)
        result = SOLVER.solve(start, Limits(100_000, shorten=50_000))
        assert result.nodes <= 100_000
        assert explore(start, 20_000).nodes <= 20_000
        assert_same_play(start)


def test_a_stock_may_have_fifteen_rows() -> None:
    rules = Rules(name="fifteen rows", pack="CDHS", heights=(3,) * 4 + (2, 0))
    assert rules.stock_rows == MAX_ROWS
    start = numbered("pysol", 5, replace(rules, deal_over_empty=True))
    assert SOLVER.solve(start, Limits(100_000, shorten=50_000)).nodes <= 100_000
    assert_same_play(start)


@pytest.mark.parametrize(("message", "rules"), TOO_LARGE.items(), ids=TOO_LARGE)
def test_larger_games_are_refused(message: str, rules: Rules) -> None:
    with pytest.raises(UnsupportedRules, match=f"^the solver plays with {message}$"):
        check_rules(rules)
    with pytest.raises(UnsupportedRules):
        SOLVER.solve(numbered("pysol", 1, rules))


@pytest.mark.parametrize(
    "rules",
    [
        Rules(name="33 rows", pack="CDHS", heights=(2, 2, 2)),
        Rules(name="34 rows", pack="CDHS", heights=(1, 1, 1)),
        Rules(name="fourteen columns", pack="CDHS", heights=(3,) * 14),
    ],
    ids=lambda rules: rules.name,
)
def test_games_that_once_overran_the_arrays_are_refused(rules: Rules) -> None:
    with pytest.raises(UnsupportedRules):
        SOLVER.solve(numbered("pysol", 1, rules))


def test_four_packs_in_thirteen_columns_of_five() -> None:
    rules = Rules(name="four packs", pack="CDHS", packs=4, heights=(5,) * 13)
    start = numbered("pysol", 1, rules)
    results = [SOLVER.solve(start, Limits(200_000)) for _ in range(2)]
    assert results[0].nodes == results[1].nodes
    assert_same_play(start)


@pytest.mark.parametrize("columns", [1, 2, 13])
def test_all_cards_in_one_column(columns: int) -> None:
    """207 cards face down: the tables by face-down cards have room, and nodes stay the same."""
    rules = Rules(name="tower", pack="CDHS", packs=4, heights=(16,) * columns, face_up=16)
    rules = rules if columns == 13 else replace(rules, heights=(208 // columns,) * columns)
    cards = [make_card(rank, suit) for rank in range(1, 14) for suit in range(4)] * 4
    Random(columns).shuffle(cards)
    tower = (tuple(cards), *[()] * (columns - 1))
    start = Position(rules, tower, (207, *[0] * (columns - 1)))
    start.check()
    results = [SOLVER.solve(start, Limits(100_000)) for _ in range(3)]
    assert len({(result.status, result.nodes) for result in results}) == 1
    assert_same_play(start)


def test_a_tall_column_has_the_same_nodes_in_every_run() -> None:
    code = (
        "5dqhqd9cksqc4c6sjc6d3hac4d6sks8sas9d3c5d3d8hqhtd3h5h6hjcts4ctc4s7c7c7h7std5sts3d9das6h2cjs"
        "2s5c8h8cqs3c9c6d3sacjh5sqdah9hkcjs8dqc2c8c9s2h5h4sad2d4h3s8s7h9h4dtc9sad6ckh4h7d2skcqsjd5c"
        "kh2dth7D/THJD/KD/KD/JH/AH/8D/6C/2H/7S - -"
    )
    position = Position.from_code(code)
    assert max(position.face_down) == 93
    results = [SOLVER.solve(position) for _ in range(4)]
    assert {(result.status, result.proof, result.nodes) for result in results} == {
        (Status.LOST, "exhausted", 12_419)
    }


def test_a_position_that_is_not_settled_is_refused() -> None:
    rules = spider(1)
    run = tuple(make_card(rank, SUITS.index("S")) for rank in range(13, 0, -1))
    bare = Position(rules, (run, *[()] * 9), (0,) * 10, completed=(3,) * 7)
    with pytest.raises(PositionError, match=r"^column a ends in a complete run: play on from"):
        pack(bare)
    assert SOLVER.solve(bare.settled()).actions == 0
    covered = Position(rules, (run[:5], run[5:], *[()] * 8), (5, 0, *[0] * 8), completed=(3,) * 7)
    with pytest.raises(PositionError, match=r"^the last card of column a is face down$"):
        SOLVER.solve(covered)


def assert_same_play(position: Position) -> None:
    """Play a random game in both engines, comparing everything after each action."""
    table, generator = Table(position), Random(7)
    for _ in range(100):
        legal = position.legal_moves()
        assert table.legal_moves() == legal
        if not legal:
            return
        move = generator.choice(legal)
        position = position.play(move)
        table.play(move)
        assert table.columns() == position.columns
        assert table.face_down() == position.face_down
        assert table.runs == len(position.completed)
