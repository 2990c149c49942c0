from dataclasses import replace

import pytest

from spider_solver import DEAL, Deal, IllegalMove, Move
from spider_solver.formats.board import read_board
from spider_solver.game.notation import parse_move
from spider_solver.game.words import count_words, move_text, move_words
from tests.case_files import case, case_text


@pytest.mark.parametrize(
    ("number", "move", "words"),
    [
        ("223", "ab", "move 6♥ 5♥ 4♥ from column a to column b"),
        ("217", "ba", "move 6♠ to A♠ (6 cards) from column b to column a, "
         "which completes the run of spades"),
        ("203", "ba", "move A♠ from column b to column a, which completes the run of spades, "
         "a card turns up in column a"),
        ("206", "ab", "move 2♠ from column a to the empty column b"),
        ("200", "deal", "deal the last row, which completes the run of spades"),
        ("201", "deal", "deal the last row, which completes the run of hearts and the run of "
         "spades"),
        ("222", "deal", "deal a row (1 left), which completes the run of spades"),
        ("205", "ed", "move 9♥ 8♥ 7♥ from column e to column d"),
    ],
)  # fmt: skip
def test_moves_in_words(number: str, move: str, words: str) -> None:
    assert move_words(case(number), parse_move(move)) == words


def test_words_and_move_text() -> None:
    assert move_text(case("223"), Move(0, 1)) == ("move 6♥ 5♥ 4♥ from column a to column b: `ab3`")
    assert move_text(Deal.numbered(1).position, DEAL) == "deal a row (4 left): `deal`"


def test_cards_that_turn_up_are_not_named() -> None:
    assert move_words(Deal.numbered(1).position, parse_move("ai")) == (
        "move 7♣ from column a to column i, a card turns up in column a"
    )


def test_a_removal() -> None:
    optional = replace(case("225").rules, optional_removal=True)
    position = read_board(case_text("225"), optional)
    assert move_words(position, parse_move("a*")) == "remove the run of spades from column a"


def test_illegal_moves() -> None:
    with pytest.raises(IllegalMove):
        move_words(Deal.numbered(1).position, parse_move("ab"))


def test_counts() -> None:
    assert [count_words(n, "action") for n in (0, 1, 1200)] == [
        "0 actions", "1 action", "1,200 actions",
    ]  # fmt: skip
