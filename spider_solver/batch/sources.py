"""What a run is asked to solve, and what of it a data set already holds."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from spider_solver.batch.boards import BOARD
from spider_solver.batch.runner import DealNumber, Start
from spider_solver.deal import Deal
from spider_solver.rules import Rules
from spider_solver.store.reading import StoreError, read_table
from spider_solver.store.row import COLUMNS


class Source(Protocol):
    """Deals that are asked for."""

    @property
    def total(self) -> int:
        """How many."""

    def rows(self, folder: Path, columns: Iterable[str] = COLUMNS) -> Any:
        """The rows that a data set holds of these deals, as an Arrow table sorted by key.

        Args:
            folder: the data set.
            columns: the columns wanted, besides those of the key.

        Raises:
            StoreError: the set cannot be read, or holds other boards.
        """

    def starts(self, rows: Any) -> Iterator[Start]:
        """The deals that are not among these rows."""


class Numbers:
    """Deals by number.

    Args:
        numbering: ``kpat`` or ``pysol``.
        rules: the game.
        seeds: the numbers, as ascending ranges that do not overlap (see ``parse_seeds``).
    """

    def __init__(self, numbering: str, rules: Rules, seeds: Sequence[range]) -> None:
        self.numbering = numbering
        self.rules = rules
        self.seeds = seeds

    @property
    def total(self) -> int:
        """How many deals these are."""
        return sum(map(len, self.seeds))

    def rows(self, folder: Path, columns: Iterable[str] = COLUMNS) -> Any:
        """The rows that a data set holds of these deals, sorted by seed."""
        table = read_table(folder, columns)
        wanted = (pc.field("numbering") == self.numbering) & (pc.field("suits") == self.rules.suits)
        table = table.filter(wanted & (pc.field("variant") == self.rules.name))
        first = np.array([seeds.start for seeds in self.seeds], dtype=np.int64)
        last = np.array([seeds.stop - 1 for seeds in self.seeds], dtype=np.int64)
        seed = table["seed"].to_numpy()
        place = np.searchsorted(first, seed, side="right") - 1  # -1 before the first range
        return table.filter(pa.array((place >= 0) & (seed <= last[place])))

    def starts(self, rows: Any) -> Iterator[DealNumber]:
        """The deals that are not among these rows."""
        done = set(rows["seed"].to_pylist())
        left = (seed for seeds in self.seeds for seed in seeds if seed not in done)
        return (DealNumber(seed, self.numbering, self.rules) for seed in left)


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
        """The rows that a data set holds of these boards, sorted by key.

        Raises:
            StoreError: in the place of one of these boards the set has another one.
        """
        table = read_table(folder, ["deal", *columns])
        variant = self.deals[0].position.rules.name
        table = table.filter((pc.field("numbering") == BOARD) & (pc.field("variant") == variant))
        codes = {deal.seed: deal.position.code for deal in self.deals}
        columns = (table[name].to_pylist() for name in ("seed", "deal"))
        for seed, code in zip(*columns, strict=True):
            if codes.get(seed, code) != code:
                raise StoreError(f"{folder} holds another board {seed}: give another --out")
        return table.filter(pc.is_in(table["seed"], pa.array(list(codes), pa.int64())))

    def starts(self, rows: Any) -> Iterator[Deal]:
        """The boards that are not among these rows."""
        done = set(rows["seed"].to_pylist())
        return (deal for deal in self.deals if deal.seed not in done)
