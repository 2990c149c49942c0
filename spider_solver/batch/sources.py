"""What a run is asked to solve, and what of it a data set already holds."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from spider_solver.batch.runner import DealNumber, Start
from spider_solver.game.deal import FROM_TEXT, Deal
from spider_solver.game.numberings import MAX_SET_SEED, NumberingError
from spider_solver.game.outcomes import Status
from spider_solver.game.position import Position
from spider_solver.game.rules import VARIANTS, Rules
from spider_solver.store.keys import GameKey, games_in, seeds_by_game
from spider_solver.store.reading import (
    StoreError,
    arrow_schema,
    part_paths,
    part_settings,
    read_columns,
    refuse_strange,
)
from spider_solver.store.row import COLUMNS, KEY_COLUMNS
from spider_solver.store.settings import Settings

_BLOCK = 100_000  # numbers that are looked for at a time


class Source(Protocol):
    """Deals that are asked for."""

    @property
    def total(self) -> int:
        """How many."""

    def rows(self, folder: Path, columns: Iterable[str] = COLUMNS) -> Any:
        """The rows that a data set holds of these deals, as an Arrow table sorted by seed.

        Args:
            folder: the data set.
            columns: the columns wanted; ``seed`` always comes along, first.

        Raises:
            StoreError: the set cannot be read, holds a deal twice, or holds other boards.
        """

    def starts(self, rows: Any) -> Iterator[Start]:
        """The deals that are not among these rows."""


class Numbers:
    """Deals by number.

    Args:
        numbering: whose numbers.
        rules: the game.
        seeds: the numbers, as ascending ranges that do not overlap (see ``parse_seeds``).

    Raises:
        NumberingError: a number is larger than a row of a data set can hold.
    """

    def __init__(self, numbering: str, rules: Rules, seeds: Sequence[range]) -> None:
        if seeds and (last := seeds[-1].stop - 1) > MAX_SET_SEED:
            raise NumberingError(f"seed {last}: a data set holds numbers up to {MAX_SET_SEED}")
        self.numbering = numbering
        self.rules = rules
        self.seeds = seeds

    @property
    def total(self) -> int:
        """How many deals these are."""
        return sum(map(len, self.seeds))

    def rows(self, folder: Path, columns: Iterable[str] = COLUMNS) -> Any:
        """The rows that a data set holds of these deals, sorted by seed."""
        wanted = (pc.field("numbering") == self.numbering) & (pc.field("suits") == self.rules.suits)
        wanted &= pc.field("variant") == self.rules.name
        first = np.array([seeds.start for seeds in self.seeds], dtype=np.int64)
        last = np.array([seeds.stop - 1 for seeds in self.seeds], dtype=np.int64)

        def asked_for(table: Any) -> Any:
            table = table.filter(wanted)
            seed = table["seed"].to_numpy()
            place = np.searchsorted(first, seed, side="right") - 1  # -1 before the first range
            return table.filter(pa.array((place >= 0) & (seed <= last[place])))

        game = GameKey(self.numbering, self.rules.name, self.rules.suits)
        rows = _rows(folder, columns, asked_for)
        _refuse_repeats(folder, game, rows["seed"].to_numpy())
        return rows

    def starts(self, rows: Any) -> Iterator[DealNumber]:
        """The deals that are not among these rows."""
        done = rows["seed"].to_numpy()
        return (DealNumber(seed, self.numbering, self.rules) for seed in _missing(self.seeds, done))


class Boards:
    """Deals that came as text.

    Args:
        deals: the deals of a file, of one variant.
    """

    def __init__(self, deals: Sequence[Deal]) -> None:
        self.deals = deals

    @property
    def total(self) -> int:
        """How many deals these are."""
        return len(self.deals)

    def rows(self, folder: Path, columns: Iterable[str] = COLUMNS) -> Any:
        """The rows that a data set holds of these boards, sorted by seed.

        Raises:
            StoreError: in the place of one of these boards the set has another one.
        """
        variant = self.deals[0].position.rules.name
        wanted = (pc.field("numbering") == FROM_TEXT) & (pc.field("variant") == variant)
        codes = {deal.seed: deal.position.code for deal in self.deals}
        columns = tuple(columns)

        def asked_for(table: Any) -> Any:
            table = table.filter(wanted)
            pairs = (table[name].to_pylist() for name in ("seed", "deal"))
            for seed, code in zip(*pairs, strict=True):
                if codes.get(seed, code) != code:
                    raise StoreError(f"{folder} holds another board {seed}: give another --out")
            return table.filter(pc.is_in(table["seed"], pa.array(list(codes), pa.int64())))

        rules = self.deals[0].position.rules
        rows = _rows(folder, columns, asked_for, ("deal",))
        game = GameKey(FROM_TEXT, rules.name, rules.suits)
        _refuse_repeats(folder, game, rows["seed"].to_numpy())
        return rows

    def starts(self, rows: Any) -> Iterator[Deal]:
        """The boards that are not among these rows."""
        done = set(rows["seed"].to_pylist())
        return (deal for deal in self.deals if deal.seed not in done)


def all_rows(folder: Path, columns: Iterable[str]) -> Any:
    """All rows of a data set, as an Arrow table sorted by seed.

    Raises:
        StoreError: the set cannot be read.
    """
    return _rows(folder, columns, lambda table: table)


class OpenDeals:
    """The deals of a data set that are open, as far as it has been made under some settings.

    Args:
        folder: the data set.
        settings: what its parts must have been made with, others are passed over; None for
            none of the parts.

    Raises:
        StoreError: the set cannot be read, or holds a deal twice.
    """

    def __init__(self, folder: Path, settings: Settings | None) -> None:
        wanted = None if settings is None else settings.as_dict()
        paths = part_paths(folder)
        every = seeds_by_game(read_columns(path, KEY_COLUMNS) for path in paths)
        for game, seeds in every.items():
            _refuse_repeats(folder, game, seeds)
        self._folder = folder
        self._parts = [path for path in paths if part_settings(path) == wanted]
        self._open = seeds_by_game(self._tables(()))

    @property
    def total(self) -> int:
        """How many deals these are."""
        return sum(seeds.size for seeds in self._open.values())

    def rows(self, folder: Path, columns: Iterable[str] = COLUMNS) -> Any:
        """The rows that another data set holds of these deals, sorted by seed."""

        def asked_for(table: Any) -> Any:
            wanted = np.zeros(table.num_rows, np.bool_)
            for game, places in games_in(table):
                seeds = table["seed"].to_numpy()[places]
                wanted[places] = np.isin(seeds, self._open.get(game, ()))
            return table.filter(pa.array(wanted))

        return _rows(folder, (*KEY_COLUMNS, *columns), asked_for)

    def starts(self, rows: Any) -> Iterator[Deal]:
        """The deals that are not among these rows."""
        done = seeds_by_game([rows])
        for table in self._tables(("deal",)):
            for game, places in games_in(table):
                seeds = table["seed"].to_numpy()[places]
                places = places[~np.isin(seeds, done.get(game, ()))]
                for row in table.select(["seed", "deal"]).take(places).to_pylist():
                    yield self._deal(game, row["seed"], row["deal"])

    def _deal(self, game: GameKey, seed: int, code: str) -> Deal:
        try:
            rules = VARIANTS[game.variant](game.suits)
            return Deal(Position.from_code(code, rules), game.numbering, seed)
        except (KeyError, ValueError) as error:
            what = "unknown variant" if isinstance(error, KeyError) else f"{error}"
            raise StoreError(
                f"{self._folder}: {game.key(seed)}: {what}: see spider-verify"
            ) from None

    def _tables(self, columns: tuple[str, ...]) -> Iterator[Any]:
        """The key and other columns of the open rows, a part at a time."""
        for path in self._parts:
            table = read_columns(path, (*KEY_COLUMNS, *columns, "status"))
            yield table.filter(pc.field("status") == Status.OPEN).drop(["status"])


def _rows(
    folder: Path,
    columns: Iterable[str],
    asked_for: Callable[[Any], Any],
    needed: tuple[str, ...] = (),
) -> Any:
    """Some rows of a data set, sorted by seed; only one part is in memory with all its keys.

    Args:
        folder: the data set.
        columns: the columns wanted besides ``seed``.
        asked_for: takes the rows that are wanted out of a table.
        needed: columns that it looks at, besides those of the key.
    """
    wanted = tuple(dict.fromkeys(("seed", *columns)))
    read = tuple(dict.fromkeys((*KEY_COLUMNS, *needed, *wanted)))
    found = [arrow_schema().empty_table().select(wanted)]
    for path in part_paths(folder):
        part_settings(path)  # for its checks
        rows = asked_for(read_columns(path, read))
        refuse_strange(folder, rows)
        found.append(rows.select(wanted))
    return pa.concat_tables(found).sort_by("seed")


def _refuse_repeats(folder: Path, game: GameKey, seeds: NDArray[np.int64]) -> None:
    """Refuse a game's seeds, sorted, of which one stands twice.

    Raises:
        StoreError: one does.
    """
    again = np.flatnonzero(seeds[1:] == seeds[:-1])
    if again.size:
        key = game.key(int(seeds[again[0]]))
        raise StoreError(f"{folder} has more than one row of {key}: see spider-verify")


def _missing(ranges: Sequence[range], done: NDArray[np.int64]) -> Iterator[int]:
    """The numbers in ranges that are not in a sorted array, found as they are taken."""
    for numbers in ranges:
        for start in range(numbers.start, numbers.stop, _BLOCK):
            # The end of a range may be 2**63, which is no int64.
            block = start + np.arange(min(_BLOCK, numbers.stop - start))
            begin = np.searchsorted(done, block[0])
            end = np.searchsorted(done, block[-1], side="right")
            if end - begin < block.size:
                yield from np.setdiff1d(block, done[begin:end]).tolist()
