"""The rules column by column are the rules of ``Position``: played, and on boards of any kind."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given

from spider_solver.game.cards import make_card
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules
from spider_solver.game.symmetry import in_order
from spider_solver.proofs.check import is_short_of_cards
from spider_solver.proofs.columns import Columns
from tests.small_games import SMALL_GAMES_WITH_OPTIONS
from tests.strategies import ALL_RULES, PRESETS, positions


def check_successors(position: Position, numbers: Columns) -> int:
    """Compare what follows on a position with what ``Position`` says; gives how many actions."""
    columns, stock = numbers.of(position), numbers.stock(position.stock)
    assert numbers.position(columns, stock) == in_order(position)
    assert numbers.is_won(columns, stock) == position.is_won
    assert numbers.is_short_of_cards(columns, stock) == is_short_of_cards(position)
    expected = [position.play(move) for move in position.legal_moves()]
    found = list(numbers.successors(columns, stock))
    for after, (columns, stock) in zip(expected, found, strict=True):
        assert columns == numbers.of(after)  # place by place, in the order of legal_moves
        assert stock is numbers.stock(after.stock)
        assert numbers.position(columns, stock) == in_order(after)
        assert stock.sorted(columns) == stock.sorted(numbers.of(in_order(after)))
    return len(expected)


@given(positions())
def test_positions_of_play(position: Position) -> None:
    check_successors(position, Columns(position.rules))


def random_board(rules: Rules, generator: Random) -> Position:
    """A position that is accepted, hardly one of play: runs covered, any card face down."""
    deck = [
        make_card(rank, suit)
        for suit in range(4)
        for _ in range(rules.copies(suit))
        for rank in range(1, rules.ranks + 1)
    ]
    completed = []
    for suit in range(4):
        for _ in range(rules.copies(suit)):
            if generator.random() < 0.3:
                completed.append(suit)
                for rank in range(1, rules.ranks + 1):
                    deck.remove(make_card(rank, suit))
    generator.shuffle(deck)
    sizes = [size for size in (0, *range(rules.stock_size, 0, -rules.columns)) if size <= len(deck)]
    size = generator.choice(sizes)
    stock, table = tuple(deck[:size]), deck[size:]
    if generator.random() < 0.7:  # long runs, complete ones among them
        table.sort(key=lambda card: (card >> 4, -card), reverse=generator.random() < 0.2)
        for _ in range(generator.randrange(6)):
            cut = generator.randrange(len(table) + 1)
            table = table[cut:] + table[:cut]
    cuts = sorted(generator.randrange(len(table) + 1) for _ in range(rules.columns - 1))
    columns = [
        tuple(table[first:last])
        for first, last in zip([0, *cuts], [*cuts, len(table)], strict=True)
    ]
    face_down = [
        generator.randrange(len(cards)) if cards and generator.random() < 0.3 else 0
        for cards in columns
    ]
    position = Position(rules, tuple(columns), tuple(face_down), stock, tuple(completed)).settled()
    position.check()
    return position


@pytest.mark.parametrize(
    "rules", [*ALL_RULES, *PRESETS, *SMALL_GAMES_WITH_OPTIONS], ids=lambda rules: rules.name
)
def test_boards_of_any_kind(rules: Rules) -> None:
    generator = Random(rules.name)
    numbers = Columns(rules)
    counts: Counter[str] = Counter()
    for _ in range(12):
        position = random_board(rules, generator)
        for _ in range(8):
            counts["actions"] += check_successors(position, numbers)
            counts["positions"] += 1
            if not (moves := position.legal_moves()):
                break
            position = position.play(generator.choice(moves))
    assert counts["positions"] >= 12
    assert counts["actions"] > counts["positions"] / 2
