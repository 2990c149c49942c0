"""Which deals a table holds, as arrays: eight bytes for each, however many there are."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from spider_solver.game.words import count_words
from spider_solver.store.row import Key
from spider_solver.text.quoting import one_line

Int64s = NDArray[np.int64]


class GameKey(NamedTuple):
    """Whose deals of which game: all of a key but the seed."""

    numbering: str
    variant: str
    suits: int

    def __str__(self) -> str:
        numbering, variant = one_line(self.numbering, 40), one_line(self.variant, 40)
        return f"{numbering}, {variant}, {count_words(self.suits, 'suit')}"

    def key(self, seed: int) -> Key:
        """The key of one of its deals."""
        return Key(*self, seed)


def games_in(table: Any) -> Iterator[tuple[GameKey, Int64s]]:
    """The games in an Arrow table with the key columns, each with the places of its rows."""
    names = list(GameKey._fields)
    places = pa.array(np.arange(table.num_rows))
    grouped = table.select(names).append_column("place", places)
    grouped = grouped.group_by(names, use_threads=False).aggregate([("place", "list")])
    for row in range(grouped.num_rows):
        game = GameKey(*(grouped[name][row].as_py() for name in names))
        yield game, np.asarray(grouped["place_list"][row].values)


def seeds_by_game(tables: Iterable[Any]) -> dict[GameKey, Int64s]:
    """The seeds in Arrow tables with the key columns, sorted, by game."""
    found: dict[GameKey, list[Int64s]] = {}
    for table in tables:
        for game, places in games_in(table):
            found.setdefault(game, []).append(table["seed"].to_numpy()[places])
    return {game: np.sort(np.concatenate(seeds)) for game, seeds in found.items()}
