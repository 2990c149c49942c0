"""Every format: round trips, recognition by content, unknown cards, bad files in one line."""

import json
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spider_solver import Deal, Position
from spider_solver.formats.board import BOARD
from spider_solver.formats.code import read_code
from spider_solver.formats.detect import FORMATS, format_of, read_position
from spider_solver.formats.format import Format
from spider_solver.formats.grid import GRID, read_grid, write_grid
from spider_solver.formats.solvitaire import read_solvitaire, write_solvitaire
from spider_solver.formats.unchecked import BoardError
from spider_solver.game.rules import spider
from tests.case_files import REFUSED, case, case_names, case_text
from tests.strategies import GAMES, positions

DEAL = Deal.numbered(1).position
LATE = case("208")  # with completed runs, empty columns and one stock row


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
@given(position=positions(GAMES))
def test_every_format_reads_what_it_writes(form: Format, position: Position) -> None:
    assert form.read(form.write(position), position.rules) == position


@given(position=positions(st.sampled_from([spider(1), spider(2), spider(3), spider(4)])))
def test_the_content_tells_the_format(position: Position) -> None:
    for form in FORMATS:
        text = form.write(position)
        assert format_of(text) is form
        assert read_position(text) == position


def test_cases_are_board_text() -> None:
    for name in case_names():
        assert format_of(case_text(name[:3])) is BOARD
        if name[:3] not in REFUSED:
            assert read_position(case_text(name[:3])) == case(name[:3])


def test_a_golden_grid() -> None:
    assert write_grid(LATE).expandtabs(6) == (
        "a     b     c     d     e     f     g     h     i     j\n"
        "KS    KH\nQS    QH\nJS    JH\nTS    TH\n9S    9H\n8S    8H\n7S    7H\n6S    6H\n"
        "stock\n"
        "5S    4S    3S    2S    AS    5H    4H    3H    2H    AH\n"
        "completed   C     C     D     D     H     S\n"
    )


def spaced(text: str) -> str:
    """A grid with spaces between and points in its empty cells."""
    return "\n".join(" ".join(cell or "." for cell in row.split("\t")) for row in text.split("\n"))


GRID_TEXT = write_grid(DEAL)
ROWS = GRID_TEXT.split("\n")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(GRID_TEXT.replace("\t", ","), id="commas"),
        pytest.param(GRID_TEXT.replace("\t", ";").replace("stock", "Stock:;;;"), id="semicolons"),
        pytest.param(re.sub(r"(?m)^(.+)$", r"| \1 |", GRID_TEXT.replace("\t", " | ")), id="bars"),
        pytest.param(spaced(GRID_TEXT), id="spaces and points"),
        pytest.param(GRID_TEXT.replace("\t", "  "), id="spaces"),
        pytest.param(GRID_TEXT.replace("\t", "  ").partition("\n")[2], id="no head, by shape"),
        pytest.param(
            GRID_TEXT.partition("\n")[2].replace("stock", "\n# next:\nstock"), id="no head"
        ),
        pytest.param(
            "1\t2\t3\t4\t5\t6\t7\t8\t9\t10\n" + GRID_TEXT.partition("\n")[2], id="numbers"
        ),
        pytest.param(GRID_TEXT.replace("\n", "\r\n\r\n"), id="empty lines and Windows line ends"),
        pytest.param(GRID_TEXT.replace("T", "10").replace("H", "♥"), id="10 and symbols"),
        pytest.param(GRID_TEXT.lower(), id="lower case"),
        pytest.param(
            "\n".join([*ROWS[:7], "talon " + " ".join(ROWS[8:])]).replace("\t", "  "),
            id="all of the stock on one line",
        ),
        pytest.param("\ufeff" + GRID_TEXT, id="byte order mark"),
    ],
)
def test_grids_that_people_write(text: str) -> None:
    assert format_of(text.removeprefix("\ufeff")) is GRID
    assert read_position(text) == DEAL


def test_a_markdown_table() -> None:
    head, *rows = write_grid(LATE).replace("\t", "|").split("\n")
    table = "\n".join([f"|{head}|", "|:--" * 10 + "|", *(f"|{row}|" for row in rows if row)])
    assert read_position(table) == LATE


def test_solvitaire_as_its_authors_write_it() -> None:
    text = write_solvitaire(DEAL)
    board = json.loads(text)
    assert board["tableau piles"][0] == ["Jd", "4d", "Ks", "Qd", "4s", "7C"]
    assert board["stock"][-3:] == ["7D", "QC", "KC"]  # the last card is dealt first
    assert board["tableau piles"][3][0] == "10h"
    numbers = text.replace('"J', '"11').replace('"K', '"13').replace('"A', '"1')
    assert read_position(numbers) == DEAL
    assert read_position(json.dumps(board, indent=2)) == DEAL
    # A deal without a mark of what lies face down lies as it was dealt.
    assert read_position(re.sub(r'(?<=\d|[JQKA])[cdhs]"', lambda m: m[0].upper(), text)) == DEAL
    del board["stock"][0]
    with pytest.raises(BoardError, match="JD is missing: 1 of 2 are there"):
        read_position(json.dumps(board))


CODE = DEAL.code


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
class TestUnknownCards:
    def test_the_last_one_is_no_secret(self, form: Format) -> None:
        text = form.write(DEAL)
        for name in ("<JD>", "jd", "Jd"):
            text = text.replace(name, "??", 1)
        assert "??" in text
        assert read_position(text) == DEAL

    def test_others_are_counted(self, form: Format) -> None:
        text = form.write(DEAL)
        for name in ("<JD>", "<8H>", "jd", "8h", "Jd"):
            text = text.replace(name, "??", 1)
        with pytest.raises(BoardError) as caught:
            read_position(text)
        assert str(caught.value) == (
            "2 cards cannot be known, so nothing can be proved: column a 1, column b 1 (counted "
            "from the deepest card, the stock in dealing order); missing from a deck of 4 suits: "
            "JD (1), 8H (1)"
        )


@pytest.mark.parametrize(
    ("code", "known"),
    [
        (CODE, CODE.replace("7C/", "??/", 1)),
        (CODE, CODE.replace("4s7C/", "??7C/", 1)),
        (
            "KCQCJC///////// TC9C8C7C6C5C4C3C2CAC CDDHHSS",
            "KCQC??///////// TC9C8C7C6C5C4C3C2CAC CDDHHSS",
        ),
        (
            "qcKC/JC//////// TC9C8C7C6C5C4C3C2CAC CDDHHSS",
            "qcKC/??//////// TC9C8C7C6C5C4C3C2CAC CDDHHSS",
        ),
    ],
)
def test_an_unknown_card_of_a_code_is_face_up_where_it_is_the_last(code: str, known: str) -> None:
    assert known.count("??") == 1
    assert read_code(known) == Position.from_code(code)


def test_a_fresh_deal_without_marks_is_said_to_be_read_as_one() -> None:
    """Once, on standard error, however many there are; a deal with marks is not."""
    marked = write_solvitaire(DEAL)
    unmarked = re.sub(r'(?<=\d|[JQKA])[cdhs]"', lambda match: match[0].upper(), marked)
    program = "import sys; from spider_solver.formats.deals import read_boards\n"
    program += "print([deal.position.code for deal in read_boards(sys.stdin.read())])"
    told = "read as a fresh deal: the lower cards of each column are face down\n"
    for text, words in ((marked, ""), (unmarked, told)):
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, input=text * 2, capture_output=True, text=True)
        assert (done.stdout, done.stderr) == (f"{[DEAL.code] * 2}\n", words)


def test_a_picture_of_a_fresh_deal_knows_ten_cards() -> None:
    text = re.sub("<..>", "??", BOARD.write(DEAL))
    text = re.sub("Talon:.*", f"Talon:{' ??' * 50}", text)
    with pytest.raises(BoardError) as caught:
        read_position(text)
    message = str(caught.value)
    assert message.startswith("94 cards cannot be known, so nothing can be proved: column a 1-5,")
    assert "column j 1-4, stock 1-50 (" in message
    assert message.endswith(
        "missing from a deck of 4 suits: AC (2), 2C (2), 3C (2), 4C (2), 5C (2), 6C (2), 7C (1), "
        "8C (2), 9C (1), TC (2), JC (2), QC (2) and 40 more"
    )
    assert len(message) < 500


def test_unknown_cards_between_known_ones() -> None:
    text = BOARD.write(LATE).replace("Talon: 5S 4S 3S 2S", "Talon: ?? 4S ?? ??")
    with pytest.raises(BoardError, match=r"stock 1\+3-4 \(.*2S \(1\), 3S \(1\), 5S \(1\)$"):
        read_position(text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<JD>", "?? ??", "2 unknown cards, but the board lacks 1 of a deck of 4 suits: JD (1)"),
        (
            "<JD> <4D>",
            "??",
            "1 unknown card, but the board lacks 2 of a deck of 4 suits: 4D (1), JD (1)",
        ),
        ("<JD> <4D>", "<KC> ??", "lines 1, 2, 4: 3 copies of KC, the deck has 2"),
        ("<JD> <4D> <KS>", "?? KD ??", "line 2: <??> face down on a face-up card"),
        ("<JD> <4D> <KS>", "<??> KD <??>", "line 2: <??> face down on a face-up card"),
    ],
)
def test_unknown_cards_that_make_no_board(old: str, new: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        read_position(BOARD.write(DEAL).replace(old, new, 1))
    assert str(caught.value) == message


def test_other_games_may_be_given() -> None:
    for read, write in ((read_grid, write_grid), (read_solvitaire, write_solvitaire)):
        with pytest.raises(BoardError, match="is not in the deck"):
            read(write(DEAL), spider(2))
    with pytest.raises(BoardError, match="is not in the deck"):
        read_code(CODE, spider(1))
