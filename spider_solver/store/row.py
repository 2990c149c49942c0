"""A row of a data set: the schema, and how a result becomes a row."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from spider_solver.game.deal import Deal
from spider_solver.game.notation import Move, format_move
from spider_solver.game.outcomes import Reason, Status
from spider_solver.text.quoting import one_line

if TYPE_CHECKING:
    from spider_solver.search.result import Result

SCHEMA_VERSION = 1

# The Arrow type of a column is written beside its Python type; a column that may be null is
# ``Text | None``, and is read as null where an older set does not have it. ``reading.arrow_schema``
# is made from these.
Text = Annotated[str, "string"]
Int8 = Annotated[int, "int8"]
Int32 = Annotated[int, "int32"]
Int64 = Annotated[int, "int64"]
Float64 = Annotated[float, "float64"]


class Key(NamedTuple):
    """What names a row within a data set."""

    numbering: str
    variant: str
    suits: int
    seed: int

    def __str__(self) -> str:
        numbering, variant = one_line(self.numbering, 40), one_line(self.variant, 40)
        return f"{numbering} {self.seed} ({variant}, suits {self.suits})"


@dataclass(frozen=True, slots=True)
class Row:
    """One decided or open deal: the columns of a data set, in order.

    Attributes:
        numbering: whose deal number it is, such as ``kpat``, or ``board``.
        seed: its number there; for ``board`` its place in the file, from 1.
        variant: the name of the Rules preset.
        suits: number of suits.
        deal: the position code of the start; a proof needs nothing else.
        status: won, lost or open, a ``Status``.
        reason: why a deal is open, a ``Reason``.
        proof: how a deal was decided, a ``Proof``.
        line: the winning line in move text.
        certificate: for ``blockade``, how many starting cards of each column stay covered,
            joined by ``,``, for each number of deals, joined by ``/``; for ``exhausted``, the
            SHA-256 of the closed-set file ``_proofs/<sha>.parquet``, None if none was written; for
            ``no-first-run`` the same of the set of classes.
        checked: for ``exhausted``, positions of the closed set that were checked before the deal
            was called lost, for ``no-first-run`` classes; None in rows of versions that did not.
        actions: length of the line.
        score: Microsoft's score of the line.
        actions_bound: a proved lower bound on the actions of any winning line, when asked for.
        nodes: positions generated.
        expanded: positions expanded.
        shorten_nodes: positions generated to shorten the line.
        attempts: searches tried.
        runs_completed: for open deals, the most runs that any attempt completed.
        rows_dealt: for open deals, the most rows that any attempt dealt.
        seconds: wall time of the deal; never part of anything that must reproduce.
        solver: version and hash of the kernel sources.
    """

    numbering: Text
    seed: Int64
    variant: Text
    suits: Int8
    deal: Text
    status: Text
    reason: Text | None
    proof: Text | None
    line: Text | None
    certificate: Text | None
    checked: Int64 | None
    actions: Int32 | None
    score: Int32 | None
    actions_bound: Int32 | None
    nodes: Int64
    expanded: Int64
    shorten_nodes: Int64
    attempts: Int32
    runs_completed: Int8 | None
    rows_dealt: Int8 | None
    seconds: Float64
    solver: Text

    @property
    def key(self) -> Key:
        """The key of this row in its data set."""
        return Key(self.numbering, self.variant, self.suits, self.seed)

    def as_dict(self) -> dict[str, Any]:
        """The row by column name, ready for JSON."""
        return {name: getattr(self, name) for name in COLUMNS}


class _MoveTexts(dict[tuple[int, int, int | None], str]):
    """The texts of moves by their fields, made once: there are few moves, and lines repeat them."""

    def __missing__(self, move: tuple[int, int, int | None]) -> str:
        self[move] = text = format_move(Move(*move))
        return text


_TEXTS = _MoveTexts()

COLUMNS = tuple(field.name for field in fields(Row))
KEY_COLUMNS = Key._fields


def row_of(deal: Deal, result: "Result", solver: str) -> Row:
    """The row of a result.

    Args:
        deal: the deal that was solved.
        result: what the solver made of it.
        solver: the solver's version and hash, ``SOLVER``.
    """
    rules = deal.position.rules
    return Row(
        numbering=deal.numbering,
        seed=deal.seed,
        variant=rules.name,
        suits=rules.suits,
        deal=deal.position.code,
        status=result.status,
        reason=result.reason,
        proof=result.proof,
        line=None if result.line is None else _line_text(result.line),
        certificate=result.certificate,
        checked=result.checked,
        actions=result.actions,
        score=result.score,
        actions_bound=result.actions_bound,
        nodes=result.nodes,
        expanded=result.expanded,
        shorten_nodes=result.shorten_nodes,
        attempts=result.attempts,
        runs_completed=result.runs_completed,
        rows_dealt=result.rows_dealt,
        seconds=result.seconds,
        solver=solver,
    )


def _line_text(line: Iterable[Move]) -> str:
    """What ``format_line`` gives, in less time."""
    return " ".join([_TEXTS[move.source, move.target, move.count] for move in line])


def unsolved_row(deal: Deal, reason: Reason, solver: str) -> Row:
    """The row of a deal on which the search itself broke off."""
    rules = deal.position.rules
    blank: dict[str, Any] = dict.fromkeys(COLUMNS)
    blank |= {"numbering": deal.numbering, "seed": deal.seed, "variant": rules.name}
    blank |= {"suits": rules.suits, "deal": deal.position.code}
    blank |= {"status": Status.OPEN, "reason": reason, "solver": solver, "seconds": 0.0}
    blank |= {"nodes": 0, "expanded": 0, "shorten_nodes": 0, "attempts": 0}
    return Row(**blank)
