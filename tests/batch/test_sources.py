from dataclasses import replace
from pathlib import Path

import pytest

from spider_solver.batch.runner import DealNumber
from spider_solver.batch.sources import Boards, Numbers
from spider_solver.batch.summary import Summary
from spider_solver.game.deal import FROM_TEXT, Deal
from spider_solver.game.numberings import MAX_SET_SEED, NumberingError, parse_seeds
from spider_solver.game.outcomes import Reason
from spider_solver.game.rules import spider
from spider_solver.store.reading import StoreError
from spider_solver.store.row import Row, unsolved_row
from spider_solver.store.writing import SetWriter
from tests.rows import SETTINGS, row_of_seed

BOARDS = [replace(Deal.numbered(seed, suits=seed), numbering=FROM_TEXT) for seed in (1, 2, 4)]


def write(folder: Path, *rows: Row) -> None:
    with SetWriter(folder, SETTINGS) as writer:
        writer.add(rows)


def test_numbers_in_a_set_and_missing_from_it(tmp_path: Path) -> None:
    write(
        tmp_path,
        *(row_of_seed(seed) for seed in (12, 3, 4, 7, 99, 2)),
        row_of_seed(5, suits=2),
        row_of_seed(6, numbering="pysol"),
    )
    source = Numbers("kpat", spider(4), parse_seeds("3-6,10-12"))
    assert source.total == 7
    rows = source.rows(tmp_path, ["nodes"])
    assert rows["seed"].to_pylist() == [3, 4, 12]
    assert list(source.starts(rows)) == [
        DealNumber(seed, "kpat", spider(4)) for seed in (5, 6, 10, 11)
    ]


def test_numbers_are_not_listed_before_they_are_taken(tmp_path: Path) -> None:
    write(tmp_path, row_of_seed(1))
    source = Numbers("kpat", spider(4), [range(1, 2**31)])
    left = source.starts(source.rows(tmp_path, []))
    assert [next(left).seed for _ in range(3)] == [2, 3, 4]


def test_the_largest_numbers_that_a_set_holds(tmp_path: Path) -> None:
    last = MAX_SET_SEED
    assert last == 9223372036854775807
    write(tmp_path, row_of_seed(last - 1, numbering="pysol"))
    source = Numbers("pysol", spider(4), [range(last - 2, last + 1)])
    rows = source.rows(tmp_path, [])
    assert rows["seed"].to_pylist() == [last - 1]
    left = [start.seed for start in source.starts(rows)]
    assert left == [last - 2, last]
    assert set(map(type, left)) == {int}
    with pytest.raises(NumberingError) as caught:
        Numbers("pysol", spider(4), [range(1, 3), range(5, last + 2)])
    assert str(caught.value) == f"seed {last + 1}: a data set holds numbers up to {last}"


def test_boards_in_a_set_and_missing_from_it(tmp_path: Path) -> None:
    write(tmp_path, unsolved_row(BOARDS[1], Reason.NODES, SETTINGS.solver), row_of_seed(1))
    source = Boards(BOARDS)
    assert source.total == 3
    rows = source.rows(tmp_path, [])
    assert rows["seed"].to_pylist() == [2]
    assert list(source.starts(rows)) == [BOARDS[0], BOARDS[2]]


def test_boards_of_another_file_are_refused(tmp_path: Path) -> None:
    other = replace(Deal.numbered(7), numbering=FROM_TEXT, seed=2)
    write(tmp_path, unsolved_row(other, Reason.NODES, SETTINGS.solver))
    with pytest.raises(StoreError, match="holds another board 2: give another --out"):
        Boards(BOARDS).rows(tmp_path)
    assert Boards(BOARDS[:1]).rows(tmp_path).num_rows == 0


def test_summary(tmp_path: Path) -> None:
    rows = [
        row_of_seed(1, status="won", reason=None, nodes=10),
        row_of_seed(2, status="won", reason=None, nodes=30),
        row_of_seed(3, status="lost", reason=None, nodes=0),
        row_of_seed(4, reason="nodes", nodes=100),
        row_of_seed(5, reason="crash", nodes=0),
        row_of_seed(6, reason="nodes", nodes=100),
    ]
    source = Numbers("kpat", spider(4), [range(1, 10)])
    write(tmp_path)
    assert Summary.of(source.rows(tmp_path, Summary.COLUMNS)) == Summary(0, 0, 0, 0, {}, None)
    write(tmp_path, *rows)
    assert Summary.of(source.rows(tmp_path, Summary.COLUMNS)) == Summary(
        deals=6, won=2, lost=1, open=3, reasons={"nodes": 2, "crash": 1}, median_nodes=20.0
    )
