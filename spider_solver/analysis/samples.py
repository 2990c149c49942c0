"""Samples of deals: the rows of data sets as arrays, one sample for each game.

A million rows take some thirty megabytes: only what is counted is read, piece by piece.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from spider_solver.analysis.statistics import Floats
from spider_solver.game.outcomes import Reason, Status
from spider_solver.game.words import count_words
from spider_solver.store.keys import GameKey
from spider_solver.store.reading import StoreError, refuse_strange, set_settings, stream_columns

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

WON, LOST, OPEN, STOPPED = range(4)
"""What came of a deal; ``STOPPED``: open for another reason than the node budget."""

_COLUMNS = (*GameKey._fields, "seed", "status", "reason", "nodes", "actions", "seconds")
_NAMED_DUPLICATES = 3


@dataclass(frozen=True)
class Sample:
    """Deals of one game and what came of them; the arrays have an entry for each deal.

    Attributes:
        game: numbering, variant and suits.
        budget: the node budget that every deal was given: the smallest of the sets' budgets.
        sets: the folders that the deals are from.
        seeds: deal numbers, ascending.
        outcome: ``WON``, ``LOST``, ``OPEN`` or ``STOPPED``.
        nodes: positions generated; of a decided deal the least budget that decides it.
        actions: length of the line; -1 without one.
        seconds: wall time.
    """

    game: GameKey
    budget: int
    sets: tuple[Path, ...]
    seeds: Ints
    outcome: NDArray[np.int8]
    nodes: Ints
    actions: NDArray[np.int32]
    seconds: Floats

    @property
    def deals(self) -> int:
        """Number of deals."""
        return self.seeds.size

    @property
    def won(self) -> Bools:
        """Which deals are won."""
        return np.equal(self.outcome, WON)

    @property
    def lost(self) -> Bools:
        """Which deals are lost."""
        return np.equal(self.outcome, LOST)

    @property
    def undecided(self) -> Bools:
        """Which deals are open."""
        return np.greater_equal(self.outcome, OPEN)

    def won_within(self, budget: int) -> Bools:
        """Which deals are won with so many nodes.

        Args:
            budget: nodes, not more than ``self.budget``.
        """
        return np.logical_and(self.won, self.nodes <= budget)

    def unknown_within(self, budget: int) -> Bools:
        """Which deals were stopped, by a clock or for want of memory, before so many nodes."""
        early: Bools = self.nodes < budget
        return np.equal(self.outcome, STOPPED) & early


def read_samples(folders: Sequence[Path]) -> list[Sample]:
    """The samples of data sets, those of several sets put together, in the order of their games.

    Raises:
        StoreError: a set cannot be read, or a deal is there more than once.
    """
    pieces: dict[GameKey, list[_Piece]] = {}
    for folder in dict.fromkeys(folders):
        set_settings(folder)  # refuses parts that do not belong together
        for settings, batch in stream_columns(folder, _COLUMNS):
            refuse_strange(folder, batch)
            for game, rows in _games(batch):
                pieces.setdefault(game, []).append(_Piece(folder, settings, rows))
    return [_sample(game, pieces[game]) for game in sorted(pieces)]


class _Piece(NamedTuple):
    """Some rows of one game."""

    folder: Path
    settings: dict[str, Any]
    rows: dict[str, NDArray[Any]]


def _games(batch: Any) -> Iterable[tuple[GameKey, dict[str, NDArray[Any]]]]:
    """The games in a batch of rows, each with its rows."""
    codes = np.zeros(batch.num_rows, np.int64)
    values = []
    for name in GameKey._fields:
        encoded = batch.column(name).dictionary_encode()
        values.append(encoded.dictionary.to_pylist())
        codes = codes * len(values[-1]) + encoded.indices.to_numpy()
    reason = pc.fill_null(batch.column("reason"), Reason.NODES)
    status = batch.column("status")
    outcome = np.select(
        [_equal(status, Status.WON), _equal(status, Status.LOST), _equal(reason, Reason.NODES)],
        [WON, LOST, OPEN],
        STOPPED,
    ).astype(np.int8)
    arrays = {
        "seeds": batch.column("seed").to_numpy(),
        "outcome": outcome,
        "nodes": batch.column("nodes").to_numpy(),
        "actions": pc.fill_null(batch.column("actions"), -1).to_numpy(zero_copy_only=False),
        "seconds": batch.column("seconds").to_numpy(),
    }
    for code in np.unique(codes):
        suits = values[2][code % len(values[2])]
        rest = code // len(values[2])
        game = GameKey(values[0][rest // len(values[1])], values[1][rest % len(values[1])], suits)
        chosen = codes == code
        yield game, {name: array[chosen] for name, array in arrays.items()}


def _equal(column: Any, value: str) -> Bools:
    equal: Bools = pc.equal(column, value).to_numpy(zero_copy_only=False)
    return equal


def _sample(game: GameKey, pieces: list[_Piece]) -> Sample:
    """The pieces of a game as one sample."""
    columns = {name: np.concatenate([p.rows[name] for p in pieces]) for name in pieces[0].rows}
    order = np.argsort(columns["seeds"], kind="stable")
    columns = {name: array[order] for name, array in columns.items()}
    _refuse_duplicates(game, columns["seeds"], pieces)
    sets = tuple(dict.fromkeys(piece.folder for piece in pieces))
    budget = min(piece.settings["max_nodes"] for piece in pieces)
    return Sample(game, budget, sets, **columns)


def _refuse_duplicates(game: GameKey, seeds: Ints, pieces: list[_Piece]) -> None:
    """Refuse deals that are there more than once: they would be counted as often."""
    again = np.unique(seeds[1:][seeds[1:] == seeds[:-1]])
    if not again.size:
        return
    named = ", ".join(map(str, again[:_NAMED_DUPLICATES].tolist()))
    named += ", ..." if again.size > _NAMED_DUPLICATES else ""
    holders = [p.folder for p in pieces if np.isin(p.rows["seeds"], again).any()]
    where = " and ".join(map(str, dict.fromkeys(holders)))
    raise StoreError(
        f"{game}: {count_words(again.size, 'deal')} ({named}) stand more than once in {where}: "
        "count one of the sets, or compare the two with spider-report compare"
    )
