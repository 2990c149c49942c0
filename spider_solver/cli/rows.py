"""Finds one row of a data set by what the options say about it."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from spider_solver.cli.common import failing_on
from spider_solver.cli.game import GameOptions
from spider_solver.deal import Deal
from spider_solver.position import Position, PositionError
from spider_solver.rules import VARIANTS

if TYPE_CHECKING:
    from spider_solver.store.row import Row


def find_row(folder: Path, game: GameOptions) -> tuple[Deal, "Row"]:
    """The row of a data set with the seed, and with the numbering and suits if they are given.

    Raises:
        ClickException: there is none, more than one, or it cannot be read.
    """
    import pyarrow.compute as pc

    from spider_solver.store.reading import StoreError, read_table
    from spider_solver.store.row import Row

    with failing_on(StoreError):
        table = read_table(folder)
    wanted = (pc.field("seed") == game.seed) & (pc.field("variant") == game.variant)
    for name in ("numbering", "suits"):
        if (value := getattr(game, name)) is not None:
            wanted &= pc.field(name) == value
    rows = [Row(**values) for values in table.filter(wanted).to_pylist()]
    if not rows:
        raise click.ClickException(f"{folder} has no such row ({table.num_rows} rows)")
    if len(rows) > 1:
        names = "; ".join(str(row.key) for row in rows)
        raise click.ClickException(f"{folder} has {len(rows)} such rows: {names}")
    (row,) = rows
    try:
        position = Position.from_code(row.deal, VARIANTS[row.variant](row.suits))
    except (ValueError, PositionError) as error:
        raise click.ClickException(f"{folder}: {row.key}: {error}") from None
    return Deal(position, row.numbering, row.seed), row
