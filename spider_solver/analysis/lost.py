"""The lost deals of data sets, each with its proof in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from spider_solver.blockade import explain_blockade
from spider_solver.notation import NotationError
from spider_solver.position import Position, PositionError
from spider_solver.proof import ProofError, check_blockade
from spider_solver.rules import VARIANTS
from spider_solver.store.closed_sets import closed_set_path
from spider_solver.store.reading import StoreError, set_settings, stream_columns
from spider_solver.store.row import KEY_COLUMNS, Key

_COLUMNS = (*KEY_COLUMNS, "deal", "status", "proof", "certificate", "nodes")


@dataclass(frozen=True)
class Loss:
    """A lost deal.

    Attributes:
        key: which deal it is.
        deal: its position code.
        proof: ``blockade`` or ``exhausted``.
        words: why it is lost, line by line.
    """

    key: Key
    deal: str
    proof: str
    words: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {**self.key._asdict(), "deal": self.deal, "proof": self.proof, "words": self.words}

    def __str__(self) -> str:
        return "\n  ".join([f"{self.key}: lost, {self.proof}", *self.words])


def losses(folder: Path) -> Iterator[Loss]:
    """The lost deals of a data set; a blockade is computed anew for the words.

    Raises:
        StoreError: the set cannot be read, or the proof in a row does not hold.
    """
    set_settings(folder)
    for _, batch in stream_columns(folder, _COLUMNS):
        for row in batch.filter(pc.equal(batch.column("status"), "lost")).to_pylist():
            key = Key(*(row[name] for name in KEY_COLUMNS))
            try:
                words = _words(row, key, folder)
            except (NotationError, PositionError, ProofError, KeyError) as error:
                raise StoreError(f"{folder}: {key}: {error}: see spider-verify") from None
            yield Loss(key, row["deal"], row["proof"], tuple(words.splitlines()))


def _words(row: dict[str, Any], key: Key, folder: Path) -> str:
    """Why the deal of a row is lost."""
    if row["proof"] == "blockade":
        position = Position.from_code(row["deal"], VARIANTS[key.variant](key.suits))
        check_blockade(position, row["certificate"] or "")
        return explain_blockade(position)
    found = (
        "every position that can come about was looked at "
        f"({row['nodes']:,} nodes up to then), none is won"
    )
    if row["certificate"] is None:
        return f"{found};\nthey were not kept, so this is claimed, not proved: see --proofs"
    return f"{found}:\n{closed_set_path(folder, row['certificate'])} lists them for spider-verify"
