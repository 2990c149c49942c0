"""The difficulties of a data set's deals: a file for each measure, in a folder beside the parts.

A reader of the folder passes over it, or is given the pattern ``*.parquet``, as with ``_proofs``.
"""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from spider_solver.store.atomic import new_file, own_folder, require_plain
from spider_solver.store.reading import UNREADABLE, StoreError, first_line
from spider_solver.store.row import KEY_COLUMNS

SCHEMA = pa.schema(
    [
        pa.field("numbering", pa.string(), nullable=False),
        pa.field("variant", pa.string(), nullable=False),
        pa.field("suits", pa.int8(), nullable=False),
        pa.field("seed", pa.int64(), nullable=False),
        pa.field("score", pa.float64(), nullable=False),
        pa.field("easier", pa.int8(), nullable=False),
        pa.field("band", pa.string(), nullable=False),
        pa.field("beams_lost", pa.list_(pa.int32()), nullable=False),
        pa.field("difficulty_nodes", pa.int64(), nullable=False),
    ]
)


@dataclass(frozen=True, slots=True)
class DifficultyRow:
    """How hard a deal is; the first four columns are the key of its row.

    Attributes:
        numbering: where the deal came from.
        variant: the name of the Rules preset.
        suits: number of suits.
        seed: the deal's number.
        score: its difficulty; see ``analysis.difficulty``.
        easier: how many of a hundred fresh deals have a lower score.
        band: ``easy``, ``medium``, ``hard`` or ``expert``.
        beams_lost: beams that lost, for each width tried: 1, 2, 4, …
        difficulty_nodes: successors generated to measure it.
    """

    numbering: str
    variant: str
    suits: int
    seed: int
    score: float
    easier: int
    band: str
    beams_lost: list[int]
    difficulty_nodes: int


def _path(folder: Path, measure: str) -> Path:
    return folder / "_difficulty" / f"{measure}.parquet"


def read_difficulties(folder: Path, measure: str = "difficulty") -> Any:
    """The difficulties of a data set as an Arrow table sorted by key; empty if none are known.

    Args:
        folder: the data set.
        measure: the name of the measure, of ``analysis.difficulty.MEASURES``.

    Raises:
        StoreError: the file cannot be read.
    """
    path = _path(folder, measure)
    if not path.exists():
        return SCHEMA.empty_table()
    try:
        require_plain(path)
        table = pq.read_table(path, schema=SCHEMA, partitioning=None)
        table.validate(full=True)  # whether text is text
        return table
    except UNREADABLE as error:
        raise StoreError(f"{path} cannot be read ({first_line(error)})") from None


def add_difficulties(
    folder: Path, rows: Iterable[DifficultyRow], measure: str = "difficulty"
) -> None:
    """Put difficulties beside a data set, in place of those of the same deals.

    Args:
        folder: the data set.
        rows: the difficulties.
        measure: the name of the measure that they come from.

    Raises:
        StoreError: the file that is there cannot be read, or it cannot be written.
    """
    known = [DifficultyRow(**values) for values in read_difficulties(folder, measure).to_pylist()]
    by_key = {astuple(row)[: len(KEY_COLUMNS)]: row for row in (*known, *rows)}
    ordered = [astuple(by_key[key]) for key in sorted(by_key)]
    columns = [list(column) for column in zip(*ordered, strict=True)] or [[] for _ in SCHEMA]
    path = _path(folder, measure)
    try:
        own_folder(path.parent)
        with new_file(path) as file:
            pq.write_table(pa.table(columns, schema=SCHEMA), file, compression="zstd")
    except (pa.ArrowException, OSError) as error:
        raise StoreError(f"{path}: {first_line(error)}") from None
