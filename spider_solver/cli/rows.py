"""Finds one row of a data set by what the options say about it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spider_solver.cli.game import GameOptions
from spider_solver.game.deal import Deal
from spider_solver.game.words import count_words

if TYPE_CHECKING:
    from spider_solver.store.row import Row

_GAME = ("numbering", "variant", "suits")


def find_row(folder: Path, game: GameOptions) -> tuple[Deal, "Row"]:
    """The row of a data set with the seed, and with numbering, variant and suits where given.

    Raises:
        ClickException: there is none, more than one, or it is bad.
        StoreError: the data set cannot be read.
    """
    import pyarrow.compute as pc

    from spider_solver.store.reading import read_table
    from spider_solver.store.row import Row
    from spider_solver.store.verify import RowError, check_deal, check_state

    table = read_table(folder)
    if (game.seed or 0) >= 2**63:  # more than a row can hold
        raise click.ClickException(f"{folder} has no row of seed {game.seed}: {_holdings(table)}")
    given = {name: value for name in _GAME if (value := getattr(game, name)) is not None}
    wanted = pc.field("seed") == game.seed
    for name, value in given.items():
        wanted &= pc.field(name) == value
    rows = [Row(**values) for values in table.filter(wanted).to_pylist()]
    if not rows:
        asked = ", ".join(f"{name} {value}" for name, value in {"seed": game.seed, **given}.items())
        raise click.ClickException(f"{folder} has no row of {asked}: {_holdings(table)}")
    if len(rows) > 1:
        raise click.ClickException(f"{folder} has {len(rows)} such rows: {_choice(rows)}")
    (row,) = rows
    try:
        check_state(row)
        position = check_deal(row)
    except RowError as error:
        raise click.ClickException(f"{folder}: {row.key}: {error}: see spider-verify") from None
    return Deal(position, row.numbering, row.seed), row


def _holdings(table: Any) -> str:
    """What a data set has: its rows, counted, and the games that they are of."""
    from spider_solver.store.keys import GameKey

    games = sorted(GameKey(**row) for row in table.group_by(_GAME).aggregate([]).to_pylist())
    held = count_words(table.num_rows, "row")
    return f"it has {held} of {'; '.join(map(str, games))}" if games else "it has no rows yet"


def _choice(rows: list["Row"]) -> str:
    """The rows of one number, and the options that choose between them."""
    names = "; ".join(str(row.key) for row in rows)
    options = [f"--{name}" for name in _GAME if len({getattr(row, name) for row in rows}) > 1]
    return f"{names}: give {' and '.join(options)}" if options else f"{names}: see spider-verify"
