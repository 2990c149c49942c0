"""The lost deals of data sets, each with its proof in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from spider_solver.game.outcomes import Proof, Status
from spider_solver.game.words import proof_words, too_few_cards_words
from spider_solver.proofs.blockade import explain_blockade
from spider_solver.store.reading import StoreError, set_settings, stream_columns
from spider_solver.store.row import COLUMNS, Key, Row
from spider_solver.store.verify import RowError, check_claim, closed_set_of, is_proof_kept


@dataclass(frozen=True)
class Loss:
    """A lost deal.

    Attributes:
        key: which deal it is.
        deal: its position code.
        proof: ``blockade``, ``too-few-cards``, ``exhausted`` or ``no-first-run``.
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
        return "\n  ".join([f"{self.key}: lost, {proof_words(self.proof)}", *self.words])


def losses(folder: Path) -> Iterator[Loss]:
    """The lost deals of a data set; all proofs but closed sets, which are not read, are checked.

    Raises:
        StoreError: the set cannot be read, or a row contradicts itself or its proof.
    """
    set_settings(folder)
    for settings, batch in stream_columns(folder, COLUMNS):
        for values in batch.filter(pc.equal(batch.column("status"), Status.LOST)).to_pylist():
            row = Row(**values)
            try:
                words = _words(row, settings, folder)
            except RowError as error:
                raise StoreError(f"{folder}: {row.key}: {error}: see spider-verify") from None
            yield Loss(row.key, row.deal, row.proof or "", tuple(words.splitlines()))


def _words(row: Row, settings: dict[str, Any], folder: Path) -> str:
    """Why the deal of a row is lost, and what proves it."""
    position = check_claim(row, settings)
    kept = is_proof_kept(row, position, folder)
    if row.proof == Proof.BLOCKADE:
        return explain_blockade(position)
    if row.proof == Proof.TOO_FEW_CARDS:
        return too_few_cards_words(position)
    found = (
        "every position that can come about was looked at "
        f"({row.nodes:,} nodes up to then), none is won"
    )
    if row.proof == Proof.NO_FIRST_RUN:
        found = (
            "every class of positions before the first empty column or complete run was looked at "
            f"({row.nodes:,} nodes up to then), none leads to one"
        )
    path = closed_set_of(row, folder)
    if path is None:
        return f"{found};\nthey were not kept, so this is claimed, not proved: see --proofs"
    if not kept:
        return f"{found};\n{path} should list them and is missing: claimed, not proved"
    return f"{found}:\n{path} should list them: spider-verify checks it"
