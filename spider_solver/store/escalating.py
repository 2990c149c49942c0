"""Takes a data set to a larger node budget: the rows of its open deals are replaced.

The open deals are first solved into a data set of their own, ``_escalation`` in the folder; the
set itself stays as it is. Once all are there its parts are replaced, each in one step, by parts
with the new rows and the new settings: for as long as that takes (a second for some 100,000 rows)
a reader finds each deal once, some of them with the old budget still. A run that is killed goes on
from where it was, in both.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from spider_solver.game.outcomes import Status
from spider_solver.store.files import find_workshop, groups_of, write_error, write_part
from spider_solver.store.reading import (
    ESCALATION,
    StoreError,
    first_line,
    part_paths,
    part_settings,
    read_columns,
    set_settings,
)
from spider_solver.store.row import COLUMNS, KEY_COLUMNS, Key
from spider_solver.store.settings import Settings, differences, short_count


def settings_before(folder: Path, max_nodes: int, solver: str) -> Settings:
    """The settings of a set that is to be taken to a larger budget, held by this run.

    What an escalation that came to its end left behind is cleared.

    Args:
        folder: the data set.
        max_nodes: the larger budget; the set may have been taken there already, or partly.
        solver: version and hash of this program's solver.

    Raises:
        StoreError: it is no data set, was made by another solver or with a larger budget, or is
            on its way to another budget; the line says what to do.
    """
    every = [part_settings(path) for path in part_paths(folder)]
    if not every:
        raise StoreError(f"{folder} holds no data set")
    if any(differences({**one, "max_nodes": 0}, {**every[0], "max_nodes": 0}) for one in every):
        set_settings(folder)  # says so
    budgets = {one["max_nodes"]: one for one in every}
    least = budgets[min(budgets)]
    if least["solver"] != solver:
        raise StoreError(
            f"{folder} was made by solver {least['solver']}, this is {solver}: "
            "only the one that made a set can take it further"
        )
    side = folder / ESCALATION
    if side.is_symlink():
        raise StoreError(f"{side}: a symbolic link, which may lead anywhere: remove it")
    aim = set_settings(side) if side.is_dir() else None
    if aim is not None and [*budgets] == [aim["max_nodes"]]:
        _clear(side)
    elif aim is not None and aim["max_nodes"] != max_nodes:
        text = short_count(aim["max_nodes"])
        instead = "" if len(budgets) > 1 else f", or give it up by removing {side}"
        raise StoreError(f"{folder} is on its way to {text} nodes: --escalate {text}{instead}")
    if max(budgets) > max_nodes:
        raise StoreError(
            f"{folder} was made with {short_count(max(budgets))} nodes: --escalate needs more"
        )
    if strange := sorted(least.keys() - Settings.names()):
        raise StoreError(f"{folder} has settings that this program does not know: {strange}")
    return Settings.from_dict(least)


def replace_open_rows(folder: Path, settings: Settings) -> None:
    """Put the rows of ``_escalation``, which must have all open deals, into the set.

    Args:
        folder: the data set, held by this run.
        settings: those of ``_escalation``.

    Raises:
        StoreError: a deal is missing there; the disk is full or fails.
    """
    side = folder / ESCALATION
    index = _Index(side)
    workshop = find_workshop(folder)
    for path in part_paths(folder):
        if part_settings(path) == settings.as_dict():
            continue
        try:
            write_part(path, workshop, settings, _replaced(path, index))
        except (pa.ArrowException, OSError) as error:
            raise write_error(folder, error, "no row is lost; ") from None
    _clear(side)


def _clear(side: Path) -> None:
    """Remove a set of open deals; for a reader in one step."""
    trash = side.with_name(f"{side.name}.trash")
    shutil.rmtree(trash, ignore_errors=True)
    try:
        side.rename(trash)
    except OSError as error:
        raise StoreError(f"{trash}: {first_line(error)}: remove it and run again") from None
    shutil.rmtree(trash, ignore_errors=True)


def _replaced(path: Path, index: "_Index") -> Iterator[Any]:
    """The rows of a part with the new ones in the places of those that are open."""
    for group in groups_of(path):
        places = np.flatnonzero(pc.equal(group["status"], Status.OPEN).to_numpy())
        if places.size:
            new = index.rows(group.select(KEY_COLUMNS).take(places))
            order = np.arange(group.num_rows)
            order[places] = group.num_rows + np.arange(places.size)
            group = pa.concat_tables([group, new]).take(order)
        yield group


class _Index:
    """Finds rows of a data set by their keys; only keys stay in memory, and one part."""

    def __init__(self, folder: Path) -> None:
        self._parts = part_paths(folder)
        self._games: dict[tuple[str, str, int], int] = {}
        keys: list[NDArray[np.int64]] = [np.zeros((0, 4), np.int64)]
        for number, path in enumerate(self._parts):
            table = read_columns(path, KEY_COLUMNS)
            place = np.arange(table.num_rows)
            columns = (self._numbers(table), table["seed"].to_numpy(), np.full_like(place, number))
            keys.append(np.stack([*columns, place], axis=1))
        found = np.concatenate(keys)
        self._found = found[np.lexsort((found[:, 1], found[:, 0]))]
        self._read: tuple[int, Any] = (-1, None)

    def rows(self, keys: Any) -> Any:
        """The rows of the deals in an Arrow table of keys, in that order.

        Raises:
            StoreError: there is none for one of them.
        """
        wanted = np.stack([self._numbers(keys), keys["seed"].to_numpy()], axis=1)
        places = self._places(wanted)
        if (missing := np.flatnonzero(places < 0)).size:
            key = Key(**keys.slice(missing[0], 1).to_pylist()[0])
            raise StoreError(f"{self._parts[0].parent} lacks {key}: run the same command again")
        parts, rows = self._found[places, 2], self._found[places, 3]
        tables, order = [], []
        for part in np.unique(parts):
            chosen = np.flatnonzero(parts == part)
            tables.append(self._part(int(part)).take(rows[chosen]))
            order.append(chosen)
        return pa.concat_tables(tables).take(np.argsort(np.concatenate(order)))

    def _numbers(self, table: Any) -> NDArray[np.int64]:
        """A number for the numbering, variant and suits of each row."""
        columns = (table[name].to_pylist() for name in ("numbering", "variant", "suits"))
        numbers = [
            self._games.setdefault(game, len(self._games)) for game in zip(*columns, strict=True)
        ]
        return np.array(numbers, np.int64)

    def _places(self, wanted: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where in the index each (game, seed) stands, -1 where it does not."""
        places = np.full(len(wanted), -1)
        for game in np.unique(wanted[:, 0]):
            begin, end = np.searchsorted(self._found[:, 0], (game, game + 1))
            chosen = np.flatnonzero(wanted[:, 0] == game)
            seeds = self._found[begin:end, 1]
            at = np.minimum(np.searchsorted(seeds, wanted[chosen, 1]), max(seeds.size - 1, 0))
            if seeds.size:
                found = seeds[at] == wanted[chosen, 1]
                places[chosen[found]] = begin + at[found]
        return places

    def _part(self, number: int) -> Any:
        if self._read[0] != number:
            self._read = number, read_columns(self._parts[number], COLUMNS).select(COLUMNS)
        return self._read[1]
