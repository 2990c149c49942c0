import pickle
from dataclasses import fields

import pyarrow as pa
import pytest

from spider_solver.game.deal import Deal
from spider_solver.game.notation import parse_line
from spider_solver.game.outcomes import Proof, Reason
from spider_solver.search.result import Result, Status
from spider_solver.store.reading import arrow_schema
from spider_solver.store.row import COLUMNS, Key, Row, row_of, unsolved_row
from tests.rows import real_rows, won_row

TYPES = {
    "numbering": "string",
    "seed": "int64",
    "variant": "string",
    "suits": "int8",
    "deal": "string",
    "status": "string",
    "reason": "string or null",
    "proof": "string or null",
    "line": "string or null",
    "certificate": "string or null",
    "checked": "int64 or null",
    "actions": "int32 or null",
    "score": "int32 or null",
    "actions_bound": "int32 or null",
    "nodes": "int64",
    "expanded": "int64",
    "shorten_nodes": "int64",
    "attempts": "int32",
    "runs_completed": "int8 or null",
    "rows_dealt": "int8 or null",
    "seconds": "double",
    "solver": "string",
}


def test_schema() -> None:
    # Written out: a change here breaks the sets and the readers that there are.
    found = {
        column.name: f"{column.type}{' or null' if column.nullable else ''}"
        for column in arrow_schema()
    }
    assert found == TYPES
    assert tuple(found) == COLUMNS == tuple(field.name for field in fields(Row))


def test_row_of_a_won_deal() -> None:
    expected = won_row()
    deal = Deal.numbered(expected.seed, suits=1)
    result = Result(
        position=deal.position,
        status=Status.WON,
        proof=Proof.LINE,
        line=tuple(parse_line(expected.line or "")),
        actions=expected.actions,
        score=expected.score,
        nodes=expected.nodes,
        expanded=expected.expanded,
        attempts=expected.attempts,
        seconds=expected.seconds,
    )
    assert row_of(deal, result, expected.solver) == expected


@pytest.mark.parametrize("reason", [Reason.CRASH, Reason.MEMORY])
def test_row_of_a_search_that_broke_off(reason: Reason) -> None:
    row = unsolved_row(Deal.numbered(7, suits=2), reason, "0.1.0+test")
    assert row.key == Key("kpat", "spider", 2, 7)
    assert (row.status, row.reason, row.proof, row.nodes) == ("open", reason, None, 0)
    assert row.deal == Deal.numbered(7, suits=2).position.code
    pa.Table.from_pylist([row.as_dict()], schema=arrow_schema()).validate(full=True)


def test_rows_travel_between_processes() -> None:
    for row in real_rows():
        assert pickle.loads(pickle.dumps(row)) == row


def test_key_says_which_deal() -> None:
    assert str(won_row().key) == "kpat 1 (spider, suits 1)"
