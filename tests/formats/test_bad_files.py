"""Planted mistakes, at least twenty for each format: one clear line for each.

Those of board text are in ``test_board.py``.
"""

import pytest

from spider_solver import Deal
from spider_solver.formats.code import write_code
from spider_solver.formats.detect import read_position
from spider_solver.formats.grid import write_grid
from spider_solver.formats.solvitaire import write_solvitaire
from spider_solver.formats.unchecked import BoardError
from tests.case_files import case

DEAL = Deal.numbered(1).position
LATE = case("208")  # with completed runs, empty columns and one stock row

JSON, LATE_JSON = map(write_solvitaire, (DEAL, LATE))
GRID, LATE_GRID = map(write_grid, (DEAL, LATE))
CODE, LATE_CODE = map(write_code, (DEAL, LATE))

BAD_JSON = [
    (JSON.replace("],", "]", 1), "line 3, character 3: Expecting ',' delimiter"),
    (JSON[:-3], "line 12, character 315: Expecting ',' delimiter"),
    (JSON.replace('"Jd"', '"Jd'), "line 2, character 10: Expecting ',' delimiter"),
    (JSON.replace('"Jd"', "Jd"), "line 2, character 4: Expecting value"),
    (JSON + JSON, "line 13, character 1: Extra data"),
    ("[" * 100_000, "no board: lists within lists without end"),
    ('{"stock": ' + "9" * 5000 + "}", "no board: a number of thousands of digits"),
    ("[1, 2]", 'no board: an object with "tableau piles" is expected'),
    ('{"stock": []}', '"tableau piles" are missing'),
    (JSON.replace('"stock"', '"waste"'), "'waste' has no place in Spider"),
    ('{"tableau piles": 7}', "tableau piles: a list is expected, not 7"),
    ('{"tableau piles": [7]}', "column a: a list is expected, not 7"),
    ('{"tableau piles": [[7]]}', "column a: a card is expected, not 7"),
    (JSON.replace('"stock": [', '"stock": {"a": ['), "line 13, character 1: Expecting ','"),
    (JSON.replace('"Jd"', '"Xd"'), "column a: unknown card 'Xd'"),
    (JSON.replace('"Jd"', '"14d"'), "column a: unknown card '14d'"),
    (JSON.replace('"Jd"', '"J"'), "column a: unknown card 'J'"),
    (JSON.replace('"Jd"', '""'), "column a: unknown card ''"),
    (JSON.replace('"Jd"', '"\\ud800"'), "column a: unknown card '\\ud800'"),
    (JSON.replace('"KC"]', '"KX"]'), "stock: unknown card 'KX'"),
    (JSON.replace('"4d"', '"4D"', 1), "column a: <KS> face down on a face-up card"),
    (JSON.replace('"7C"', '"7c"', 1), "column a: the last card of column a is face down"),
    (JSON.replace('"Jd"', '"Kc"'), "stock, column a, column c: 3 copies of KC where the deck"),
    (JSON.replace('"Jd", ', ""), "JD is missing: 1 of 2 are there"),
    (JSON.replace('["Jd"', '[], ["Jd"'), "11 columns where the game has 10"),
    (LATE_JSON.replace('"AC", ', "", 1), "foundation 1: not a complete run of one suit"),
    (LATE_JSON.replace('"AC"', '"AD"', 1), "foundation 1: not a complete run of one suit"),
    (LATE_JSON.replace('"AC"', "7", 1), "foundation 1: a card is expected, not 7"),
]

BAD_GRIDS = [
    (GRID.replace("<JD>", "<JX>"), "line 2 column a: unknown card 'JX'"),
    (GRID.replace("<JD>", "JD JD"), "line 2 column a: unknown card 'JD JD'"),
    (GRID.replace("<JD>", "<JD"), "line 2 column a: unknown card '<JD'"),
    (GRID.replace("<JD>", "JD"), "line 3 column a: <4D> face down on a face-up card"),
    (GRID.replace("<JD>", ""), "line 3 column a: a card below an empty cell"),
    (GRID.replace("<JD>", ".").replace("<8H>", "-"), "line 3 column a: a card below an empty"),
    (GRID.replace("7C", "<7C>", 1), "line 7 column a: the last card of column a is face"),
    (GRID.replace("<JD>", "<KC>"), "line 2 column a, line 4 column c: 3 copies of KC"),
    (GRID.replace("j\n", "j\tk\n"), "11 columns where the game has 10"),
    (GRID.replace("\tj\n", "\n").replace("<KD>", ""), "line 3 column j: a card below an empty"),
    (GRID.replace("<KD>", "<KD>\tKD"), "11 columns where the game has 10"),
    (GRID.replace("<KD>", "<KD>" + "\t" * 30 + "X"), "line 2: unknown card 'X'"),
    (GRID.replace("a\tb", "a\ta"), "line 1 column a: unknown card 'a'"),
    (GRID.replace("KC\tQC", "KC"), "QC is missing: 1 of 2 are there"),
    (GRID.replace("stock", "stock\nstock"), "line 9: a second 'stock' line"),
    (GRID.replace("stock", "pile"), "line 8 column a: unknown card 'pile'"),
    (GRID.replace("stock\n", ""), "line 8 column e: a card below an empty cell"),
    (GRID + "completed\tX\n", "line 14: unknown suit 'X'"),
    (GRID + "completed\tS\n", "line 14, line 12, line 4 column a: 3 copies of KS where"),
    (GRID + "completed\nfoundations\n", "line 15: a second 'foundations' line"),
    (GRID.replace("stock\nKC", "stock\nKX"), "line 9: unknown card 'KX'"),
    (LATE_GRID.replace("S\n", "S\tS\n"), "3 copies of KS where the deck has 2"),
]

BAD_CODES = [
    (CODE.replace("jd4d", "jx4d"), "column a: unknown card 'jx'"),
    (CODE.replace("jd4d", "j4d"), "column a: unknown card 'j4'"),
    (CODE.replace("jd4d", "JD4d"), "column a: the face-up JD lies under a face-down card"),
    (CODE.replace("jd4d", "jD4d"), "column a: the face-up jD lies under a face-down card"),
    (CODE.replace("jd4d", "10d4d"), "column a: unknown card '10'"),
    (CODE.replace("jd4d", "4d"), "JD is missing: 1 of 2 are there"),
    (CODE.replace("7C/", "7CaS/"), "column a: 'aS' is in mixed case"),
    (CODE.replace("jd4d", "kc4d"), "stock, column a, column c: 3 copies of KC where the deck"),
    (CODE.replace("7C/", "7c/"), "column a: the last card of column a is face down"),
    (CODE.replace("7C/", "7C//"), "11 columns where the game has 10"),
    (CODE.replace("7C/", "7C"), "column a: the face-up 7C lies under a face-down card"),
    ("/" * 999_000 + " - -", "a position code has at most 26 columns, not 999001"),
    ("/" * 2_000_000 + " - -", "longer than 1,000,000 characters, as no board is"),
    (CODE.replace(" KC", " KCKD"), "column j: 3 copies of KD where the deck has 2"),
    (CODE.replace(" KC", " K"), "stock: unknown card 'KQ'"),
    (CODE.replace(" KC", " "), "KC is missing: 1 of 2 are there"),
    (CODE.replace(" KC", " KC/"), "stock: unknown card '/Q'"),
    (CODE.replace(" -", " X"), "unknown suit 'X'"),
    (CODE.replace(" -", " S"), "3 copies of KS where the deck has 2"),
    (CODE.replace(" -", ""), "a position code has three parts with spaces between, not 2"),
    (CODE + " -", "a position code has three parts with spaces between, not 4"),
    ("/////////", "a position code has three parts with spaces between, not 1"),
    (LATE_CODE.replace(" CCDD", " CCD"), "AD is missing: 1 of 2 are there"),
    (LATE_CODE.replace(" CCDD", " CC-DD"), "unknown suit '-'"),
]

EMPTY = [(text, "no board in it") for text in ("", "# nothing\n\n", "\ufeff\n")]


@pytest.mark.parametrize(("text", "message"), [*EMPTY, *BAD_JSON, *BAD_GRIDS, *BAD_CODES])
def test_a_bad_file_gives_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        read_position(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("planted", [BAD_JSON, BAD_GRIDS, BAD_CODES])
def test_twenty_are_planted_in_each_format(planted: list[tuple[str, str]]) -> None:
    assert len(planted) >= 20
