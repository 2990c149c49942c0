"""Board text: golden files, what readers accept, and one clear line for each bad board.

That random positions round-trip is tested with the positions.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from spider_solver.formats.board import read_board, write_board
from spider_solver.formats.unchecked import BoardError
from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules, spider, spiderette

GOLDEN = Path(__file__).parents[1] / "golden"

# A won game but for one card, and a small game, to change line by line.
LAST_MOVE = """\
Foundations: S H H D D C C
Talon:
KS QS JS TS 9S 8S 7S
6S 5S 4S 3S 2S AS
:
:
:
:
:
:
:
:
"""


def golden(name: str) -> str:
    return (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "numbering", "suits"),
    [
        ("kpat-1-four-suits", "kpat", 4),
        ("kpat-1-two-suits", "kpat", 2),
        ("pysol-1-four-suits", "pysol", 4),
    ],
)
def test_golden_deals(name: str, numbering: str, suits: int) -> None:
    deal = numbered(numbering, 1, spider(suits))
    assert write_board(deal) == golden(name)
    assert read_board(golden(name)) == deal


def test_golden_position_of_a_running_game() -> None:
    text = golden("kpat-1-two-suits-after-134")
    position = read_board(text)
    assert position.rules == spider(2)
    assert (position.completed, position.empty_columns, position.rows_left) == ((2, 3), [7], 1)
    assert position.face_down == (5, 0, 3, 3, 0, 0, 0, 0, 0, 0)
    assert write_board(position) == text


def test_other_rules_may_be_given() -> None:
    relaxed = replace(spider(4), name="relaxed", deal_over_empty=True)
    assert read_board(golden("kpat-1-four-suits"), relaxed).rules == relaxed
    deal = numbered("pysol", 1, spiderette())
    assert read_board(write_board(deal), spiderette()) == deal


LAST_MOVE_POSITION = read_board(LAST_MOVE)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(LAST_MOVE.lower(), id="lower case"),
        pytest.param(LAST_MOVE.replace("TS", "10S"), id="10 for T"),
        pytest.param(LAST_MOVE.replace(":\n:", "\n\n"), id="empty lines"),
        pytest.param(LAST_MOVE.replace("\n:", "\n"), id="only empty lines"),
        pytest.param(LAST_MOVE.replace("KS", ": KS").replace("6S", ":6S"), id="colon before"),
        pytest.param("\n" + LAST_MOVE + "\n\n", id="blank lines around"),
        pytest.param(LAST_MOVE.replace("Talon:\n", "\nTalon:\n\n"), id="blank lines between"),
        pytest.param(LAST_MOVE.replace("Talon:\n", ""), id="no stock line"),
        pytest.param("# a\n" + LAST_MOVE.replace("KS", "# b\nKS", 1) + "# c", id="comment lines"),
        pytest.param(LAST_MOVE.replace("7S\n", "7S # c # d\n"), id="comment after"),
        pytest.param(LAST_MOVE.replace("\n", "\r\n"), id="Windows line ends"),
        pytest.param(LAST_MOVE.replace(" ", "\t"), id="tabs"),
        pytest.param(LAST_MOVE.replace("S H H", "SHH"), id="suits without spaces"),
        pytest.param(LAST_MOVE.replace("Talon:", "talon :"), id="space before colon"),
        pytest.param(LAST_MOVE.replace("KS", "K♠").replace("6S", "6♠\ufe0f"), id="symbols"),
    ],
)
def test_readers_accept(text: str) -> None:
    assert read_board(text) == LAST_MOVE_POSITION


def test_a_complete_run_is_settled_on_loading() -> None:
    text = LAST_MOVE.replace("7S\n6S", "7S 6S").replace("AS\n", "AS\n:\n")
    assert read_board(text).is_won
    kept = read_board(text, replace(spider(4), optional_removal=True))
    assert len(kept.columns[0]) == 13
    assert read_board(write_board(kept), kept.rules) == kept


def test_without_a_completed_run_there_is_no_foundations_line() -> None:
    assert golden("kpat-1-four-suits").startswith("Talon: KC QC")


DEAL = golden("kpat-1-four-suits")
"""Line 1 is the stock, lines 2 to 11 are the columns."""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        # cards
        ("<JD>", "<JX>", "line 2: unknown card 'JX'"),
        ("<JD>", "<1D>", "line 2: unknown card '1D'"),
        ("<JD>", "<>", "line 2: unknown card ''"),
        ("<JD>", "<JD", "line 2: unknown card '<JD'"),
        ("<JD> <4D>", "<JD><4D>", "line 2: unknown card '<JD><4D>'"),
        ("Talon: KC", "Talon: KING", "line 1: unknown card 'KING'"),
        ("Talon:", "Stock:", "line 1: unknown card 'Stock:'"),
        ("<JD> <4D>", "JD <4D>", "line 2: <4D> face down on a face-up card"),
        (" 7C\n", " <7C>\n", "line 2: the last card of column a is face down"),
        # copies
        ("<JD>", "<KC>", "lines 1, 2, 4: 3 copies of KC where the deck has 2"),
        (" 9C\n", " 9C KH\n", "lines 1, 11: 3 copies of KH where the deck has 2"),
        ("Talon:", "Foundations: S\nTalon:", "lines 1, 2, 3: 3 copies of KS where the deck has 2"),
        ("<JD> ", "", "JD is missing: 1 of 2 are there"),
        ("<JD> <4D> <KS> <QD> <4S> 7C", ":", "7C is missing: 1 of 2 are there"),
        # the stock
        ("Talon: KC", "Talon:", "KC is missing: 1 of 2 are there"),
        (
            "JD\n<JD>",
            "\n<JD> <JD>",
            "line 1: 49 cards in the stock, which in rows of 10 holds 50, 40, 30, 20, 10, 0",
        ),
        (
            "Talon: KC QC 7D 5C 4D AH TD 4H 6D TD",
            "Talon: KC QC 7D 5C 4D AH TD 4H 6D TD 9C KD 8D 6C 4H QH 3S 9H 2S 8D",
            "lines 1, 3, 10: 3 copies of 2S where the deck has 2",
        ),
        # columns
        (" 9C\n", "\n9C\n", "line 12: column 11 (9C) is too many: the game has 10"),
        (" 9C\n", " 9C\n:\n", "line 12: column 11 (empty) is too many: the game has 10"),
        (
            "\n<KD>",
            " <KD>",
            "line 10: <KD> face down on a face-up card",
        ),
        # headers
        ("Talon:", "Talon:\nTalon:", "line 2: a second 'Talon' line"),
        ("<8H> <2S>", "Foundations: S\n<8H> <2S>", "line 3: 'Foundations' after the first column"),
        ("Talon:", "Foundations: X\nTalon:", "line 1: unknown suit 'X'"),
        ("Talon:", "Foundations: 0\nTalon:", "line 1: unknown suit '0'"),
    ],
)
def test_a_bad_board_gives_one_clear_line(old: str, new: str, message: str) -> None:
    assert old in DEAL
    assert_refused(DEAL.replace(old, new, 1), message)


@pytest.mark.parametrize(
    ("text", "rules", "message"),
    [
        ("", None, "suits none: Spider is played with S, with H S, with C H S or with C D H S"),
        ("KC QC\n", None, "suits C: Spider is played with"),
        ("KS QS\n", None, "1 column where the game has 10 (an empty one is a ':' alone)"),
        (LAST_MOVE.replace(":\n:\n", ":\n"), None, "6 columns where the game has 10"),
        (DEAL, spider(2), "lines 1, 2: JD is not in the deck"),
        (golden("kpat-1-two-suits"), spider(4), "copies of "),
        (DEAL, spiderette(), "line 9: column 8 (4C) is too many: the game has 7"),
        (LAST_MOVE.replace("Foundations: S", "Foundations: S S"), None, "copies of "),
    ],
)
def test_a_board_of_another_game_is_refused(text: str, rules: Rules | None, message: str) -> None:
    assert_refused(text, message, rules)


def assert_refused(text: str, message: str, rules: Rules | None = None) -> None:
    with pytest.raises(BoardError) as caught:
        read_board(text, rules)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_positions_print_as_boards() -> None:
    position = Position.from_code("///////// - CCDDHHSS")
    assert f"{position}\n" == write_board(position)
