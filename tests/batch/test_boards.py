import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from spider_solver.formats.board import read_board, write_board
from spider_solver.formats.code import is_code
from spider_solver.formats.deals import read_boards, read_one_board
from spider_solver.formats.detect import FORMATS
from spider_solver.formats.format import Format
from spider_solver.formats.grid import write_grid
from spider_solver.formats.solvitaire import write_solvitaire
from spider_solver.formats.unchecked import BoardError
from spider_solver.game.deal import Deal
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules, group_moves, optional_removal, relaxed, spider
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


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
@pytest.mark.parametrize("between", ["", "\n", "\r\n \r\n"])
def test_every_format_has_files_of_many_boards(form: Format, between: str) -> None:
    boards = [form.write(position) for position in POSITIONS]
    for text in (between.join(boards), "\ufeff" + between.join(boards) + "\n"):
        assert positions(text) == POSITIONS
    for place in range(3):
        bad = boards.copy()
        bad[place] = re.sub("(?i)k([cdhs])", r"J\1", bad[place], count=1)
        line = between.join([*bad[:place], ""]).count("\n") + 1
        with pytest.raises(BoardError) as caught:
            read_boards(between.join(bad))
        assert str(caught.value).startswith(f"board {place + 1} (from line {line}): ")
        assert "\n" not in str(caught.value)


def test_the_lines_of_a_grid_are_those_of_the_file() -> None:
    text = "# three\n" + "\n".join(map(write_grid, POSITIONS))
    lines = text.splitlines()
    start = lines.index("a\tb\tc\td\te\tf\tg\th\ti\tj", 20)
    lines[start + 1] = "XX" + lines[start + 1]
    with pytest.raises(BoardError, match=rf"line {start + 1}\): line {start + 2} column a: unk"):
        read_boards("\n".join(lines))


def test_boards_in_an_array() -> None:
    boards = [json.loads(write_solvitaire(position)) for position in POSITIONS]
    for indent in (None, 1):
        assert positions(json.dumps(boards, indent=indent)) == POSITIONS
    assert positions("\n".join(map(json.dumps, boards))) == POSITIONS
    boards[1]["tableau piles"][0][0] = "Xs"
    text = "[" + ",\n".join(map(json.dumps, boards)) + "]"
    with pytest.raises(BoardError, match=r"board 2 \(from line 2\): column a: unknown card 'Xs'"):
        read_boards(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "the array of boards has no end"),
        ("[]]", "the array of boards has no end, or something after it"),
        ("[{}", r"board 1 \(from line 1\): \"tableau piles\" are missing"),
        ("{}}", r"board 1 \(from line 1\): \"tableau piles\" are missing"),
        ("[\n{\n", r"board 1 \(from line 2\): line 3, character 1: Expecting property name"),
        ("[[]]", r"board 1 \(from line 1\): no board: an object"),
        ("[" * 100_000, r"board 1 \(from line 1\): no board: lists within lists without end"),
        ("[]", "no board in it"),
    ],
)
def test_json_that_holds_no_boards(text: str, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        read_boards(text)


def test_grids_without_heads_stand_apart_by_empty_lines() -> None:
    grids = [write_grid(position).partition("\n")[2].replace("\t", "  ") for position in POSITIONS]
    assert positions("\n".join(grids)) == POSITIONS
    # An empty line may also stand before the stock.
    assert positions("\n".join(grids).replace("stock", "\n\nstock")) == POSITIONS
    with pytest.raises(BoardError, match="a second 'stock' line"):
        read_boards("".join(grids))


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


@pytest.mark.parametrize("preset", [relaxed, group_moves, optional_removal])
def test_a_preset_is_played_with_the_suits_of_each_board(preset: Callable[[int], Rules]) -> None:
    text = "\n".join(write_board(position) for position in POSITIONS)
    deals = read_boards(text, preset)
    assert [deal.position.rules for deal in deals] == [preset(1), preset(2), preset(4)]
    assert [deal.position.code for deal in deals] == [position.code for position in POSITIONS]
    assert read_one_board(POSITIONS[1].code, preset) == Deal(deals[1].position, "board", 1)


def test_a_complete_run_stays_where_a_preset_lets_it() -> None:
    kept = read_one_board(case_text("225"), optional_removal).position
    assert len(kept.columns[0]) == 13
    assert read_one_board(case_text("225"), relaxed).position.columns[0] == ()


def test_rules_may_be_given() -> None:
    assert read_boards(write_board(POSITIONS[0]), spider(1))[0].position == POSITIONS[0]
    with pytest.raises(BoardError, match=r"board 1 \(from line 1\): line"):
        read_boards(write_board(POSITIONS[2]), spider(1))


def test_a_board_that_is_wrong_is_named_by_its_line_in_the_file() -> None:
    lines = [line for position in POSITIONS for line in write_board(position).splitlines()]
    lines[15] = lines[15].replace(lines[15].split()[0], "<1S>")
    with pytest.raises(BoardError, match=r"board 2 \(from line 12\): line 16: unknown card '1S'"):
        read_boards("\n".join(lines))


def test_a_code_that_is_wrong_is_named_by_its_line_in_the_file() -> None:
    codes = [position.code for position in POSITIONS]
    with pytest.raises(BoardError, match=r"board 2 \(from line 3\): stock, column c"):
        read_boards("\n".join(["# mine", codes[0], codes[1].replace("K", "Q", 1), codes[2]]))
    with pytest.raises(
        BoardError, match=r"board 2 \(from line 2\): a position code has three parts"
    ):
        read_boards("\n".join([codes[0], "nonsense"]))


def test_a_board_may_have_no_talon() -> None:
    ended = "\n".join(["Foundations: " + "S " * 7, "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S", "AS"])
    position = read_board(ended + "\n:" * 8)
    assert positions(ended + "\n:" * 8 + "\n\n" + write_board(POSITIONS[0])) == [
        position,
        POSITIONS[0],
    ]
    with pytest.raises(
        BoardError, match=r"board 1 \(from line 1\): 1 column where the game has 10"
    ):
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
