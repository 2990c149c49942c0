from io import BytesIO
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spider_solver.store.footer import MAGIC, metadata_of, moved, split_footer, with_frame
from spider_solver.store.writing import table_of
from tests.rows import real_rows


def parquet(table: Any, **options: Any) -> bytes:
    file = BytesIO()
    pq.write_table(table, file, **options)
    return file.getvalue()


KINDS = pa.table(
    {
        "flag": [True, False, None],
        "number": pa.array([1, None, -3], pa.int8()),
        "real": [0.5, None, 2.0],
        "list": [[1, 2], [], None],
        "struct": [{"a": 1, "b": "x"}, None, {"a": 2, "b": "y"}],
    }
).replace_schema_metadata({"key": "x" * 300})
OPTIONS: list[dict[str, Any]] = [
    {},
    {"compression": "zstd", "write_page_checksum": True},
    {"row_group_size": 1, "write_page_index": True, "store_decimal_as_integer": True},
    {"use_dictionary": False, "write_statistics": False},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("table", [KINDS, table_of(real_rows())], ids=["kinds", "rows"])
def test_footers_move_with_their_row_groups(table: Any, options: dict[str, Any]) -> None:
    data = parquet(table, **options)
    body, footer = split_footer(data)
    assert body + with_frame(footer) == data
    assert moved(footer, 0) == footer
    for by in (1, 117, 10**10):
        assert moved(moved(footer, by), -by) == footer
    before = b"something else" * 1000
    file = MAGIC + before + body + with_frame(moved(footer, len(MAGIC + before)))
    assert pq.read_table(BytesIO(file), page_checksum_verification=True).equals(table)
    assert metadata_of(footer).num_rows == table.num_rows


@given(st.binary(max_size=60), st.integers(0, 60))
def test_what_is_no_footer_is_refused_or_copied(data: bytes, cut: int) -> None:
    footer = split_footer(parquet(KINDS))[1]
    for text in (data, footer[:cut], footer[:cut] + data):
        try:
            moved(text, 5)
        except ValueError:
            continue
