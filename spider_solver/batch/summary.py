"""What came of a batch, in numbers."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import pyarrow.compute as pc

from spider_solver.game.outcomes import Proof, Status


@dataclass(frozen=True)
class Summary:
    """The rows of a batch, counted.

    Attributes:
        deals: rows there are.
        won: deals won.
        lost: deals lost.
        open: deals open.
        reasons: open deals by reason.
        median_nodes: median of the nodes of all deals; None without deals.
    """

    COLUMNS: ClassVar = ("status", "reason", "nodes")
    """The columns that a summary is made of."""

    deals: int
    won: int
    lost: int
    open: int
    reasons: dict[str, int]
    median_nodes: float | None

    @classmethod
    def of(cls, rows: Any) -> Self:
        """The summary of an Arrow table of rows."""
        status = tally(rows["status"])
        reasons = tally(rows["reason"].drop_null())
        median = pc.quantile(rows["nodes"], 0.5)[0].as_py() if rows.num_rows else None
        return cls(
            deals=rows.num_rows,
            won=status[Status.WON],
            lost=status[Status.LOST],
            open=status[Status.OPEN],
            reasons=dict(reasons.most_common()),
            median_nodes=median,
        )


UNPROVED_COLUMNS = ("numbering", "proof", "certificate")
"""The columns that :func:`unproved` looks at, besides ``seed``."""


def unproved(rows: Any) -> list[str]:
    """The deals in an Arrow table of rows whose closed set is not kept: ``kpat 17``."""
    claimed = rows.filter(
        pc.field("proof").isin([Proof.EXHAUSTED, Proof.NO_FIRST_RUN])
        & pc.field("certificate").is_null()
    )
    pairs = (claimed[name].to_pylist() for name in ("numbering", "seed"))
    return [f"{numbering} {seed}" for numbering, seed in zip(*pairs, strict=True)]


def tally(column: Any) -> Counter[str]:
    """How often each value stands in an Arrow column."""
    counts = pc.value_counts(column)
    pairs = (counts.field(name).to_pylist() for name in ("values", "counts"))
    return Counter(dict(zip(*pairs, strict=True)))
