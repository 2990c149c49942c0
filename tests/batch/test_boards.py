from pathlib import Path

import pytest

from spider_solver.batch.boards import read_boards, read_one_board
from spider_solver.deal import Deal
from spider_solver.formats.board import read_board, write_board
from spider_solver.formats.code import is_code
from spider_solver.formats.table import BoardError
from spider_solver.position import Position
from spider_solver.rules import spider
from tests.case_files import REFUSED, case, case_names, case_text

DEALS = [Deal.numbered(seed, suits=suits) for seed, suits in ((1, 1), (2, 2), (3, 4))]
POSITIONS = [deal.position for deal in DEALS]


def positions(text: str) -> list[Position]:
    deals = read_boards(text)
    assert [deal.seed for deal in deals] == list(range(1, len(deals) + 1))
    assert {deal.numbering for deal in deals} == {"board"}
    return [deal.position for deal in deals]


@pytest.mark.parametrize("between", ["", "\n", "\n\n# the next\n\n"])
def test_boards_one_after_the_other(between: str) -> None:
    boards = [write_board(position) for position in POSITIONS]
    assert positions(between.join(boards)) == POSITIONS
    assert positions("# mine\n\n" + between.join(boards) + "\n\n") == POSITIONS


def test_all_cases_in_one_file() -> None:
    # With all that a board text can have: comments, foundations, empty columns.
    numbers = [name[:3] for name in case_names() if name[:3] not in REFUSED]
    text = "\n".join(case_text(number) for number in numbers)
    assert positions(text) == [case(number) for number in numbers]


def test_a_position_code_a_line() -> None:
    codes = [position.code for position in POSITIONS]
    assert positions("\n".join(codes)) == POSITIONS
    text = f"# mine\n\n{codes[0]}  # one suit\n{codes[1]}  # two suits\n\n{codes[2]}"
    assert positions(text) == POSITIONS


def test_rules_may_be_given() -> None:
    assert read_boards(write_board(POSITIONS[0]), spider(1))[0].position == POSITIONS[0]
    with pytest.raises(BoardError, match="board 1: line"):
        read_boards(write_board(POSITIONS[2]), spider(1))


def test_a_board_that_is_wrong_is_named_by_its_line_in_the_file() -> None:
    lines = [line for position in POSITIONS for line in write_board(position).splitlines()]
    lines[15] = lines[15].replace(lines[15].split()[0], "<1S>")
    with pytest.raises(BoardError, match="board 2: line 16: unknown card '1S'"):
        read_boards("\n".join(lines))


def test_a_code_that_is_wrong_is_named_by_its_line_in_the_file() -> None:
    codes = [position.code for position in POSITIONS]
    with pytest.raises(BoardError, match="board 2: line 3: "):
        read_boards("\n".join(["# mine", codes[0], codes[1].replace("K", "Q", 1), codes[2]]))
    with pytest.raises(BoardError, match="board 2: line 2: a position code has three parts"):
        read_boards("\n".join([codes[0], "nonsense"]))


def test_a_board_may_have_no_talon() -> None:
    ended = "\n".join(["Foundations: " + "S " * 7, "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S", "AS"])
    position = read_board(ended + "\n:" * 8)
    assert positions(ended + "\n:" * 8 + "\n\n" + write_board(POSITIONS[0])) == [
        position,
        POSITIONS[0],
    ]
    with pytest.raises(BoardError, match="board 1: 1 columns where the game has 10"):
        read_boards("AS\n" + ended)


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_no_board(text: str) -> None:
    with pytest.raises(BoardError, match="no board in it"):
        read_boards(text)


def test_one_board_as_text_or_code() -> None:
    for position in POSITIONS:
        for text in (write_board(position), position.code, f"# mine\n{position.code} # so\n"):
            assert read_one_board(text) == Deal(position, "board", 1)


def test_codes_are_told_from_file_names_and_boards() -> None:
    assert all(is_code(position.code) for position in POSITIONS)
    assert not any(is_code(write_board(position)) for position in POSITIONS)
    assert not is_code(str(Path("some/where/board.txt")))
