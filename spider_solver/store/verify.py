"""Checks a data set from its rows alone: deals, proofs, and that the columns agree.

Proofs are checked by ``proofs/check.py`` under the plain rules; no kernel has a part in it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from spider_solver.errors import SpiderError
from spider_solver.game.deal import FROM_TEXT
from spider_solver.game.notation import parse_code, parse_line
from spider_solver.game.numberings import numbered
from spider_solver.game.outcomes import Proof, Reason, Status
from spider_solver.game.position import Position
from spider_solver.game.rules import VARIANTS, Rules
from spider_solver.proofs.bounds import actions_bound
from spider_solver.proofs.check import ProofError, check_blockade, check_too_few_cards, verify_line
from spider_solver.proofs.class_set import check_class_set
from spider_solver.proofs.closed_set import check_closed_set
from spider_solver.store.closed_sets import CLASSES, POSITIONS, ClosedSet, closed_set_path, hash_of
from spider_solver.store.keys import seeds_by_game
from spider_solver.store.reading import (
    StoreError,
    list_folder,
    part_settings,
    read_columns,
    read_rows,
)
from spider_solver.store.row import KEY_COLUMNS, Row
from spider_solver.store.settings import differences
from spider_solver.text.quoting import one_line, quoted

SLICE_ROWS = 4000  # rows that a worker checks at a time: about a second's work

Told = Callable[[int, int], None]
"""Hears how many positions of how many of a closed set have been checked."""


class RowError(SpiderError):
    """What is wrong with a row, in one line."""


class Verdict(StrEnum):
    """What became of a row."""

    WON_VERIFIED = "won verified"
    LOST_VERIFIED = "lost verified"
    LOST_CLAIMED = "lost claimed"
    OPEN = "open"
    BAD = "bad"


@dataclass
class Report:
    """What became of a data set.

    Attributes:
        counts: rows by verdict.
        faults: one line for each bad row and each bad file.
    """

    counts: Counter[Verdict] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


class Slice(NamedTuple):
    """Rows of a part, with the settings that they were made with."""

    path: Path
    start: int
    stop: int
    settings: dict[str, Any]


def check_row(
    row: Row, settings: dict[str, Any], folder: Path, progress: Told | None = None
) -> Verdict:
    """Check one row.

    Args:
        row: the row.
        settings: those of its part.
        folder: its data set, for closed-set files.
        progress: told how far the check of a closed set is.

    Raises:
        RowError: the first thing that is wrong with it.
    """
    position = check_claim(row, settings)
    if row.proof is None:
        return Verdict.OPEN
    if row.proof in _SETS:
        return _check_set(row, position, folder, progress)
    return _CHECKS[row.proof](row, position)


def check_claim(row: Row, settings: dict[str, Any]) -> Position:
    """Check all of a row but its proof.

    Args:
        row: the row.
        settings: those of its part.

    Returns:
        The position that the row starts from.

    Raises:
        RowError: the first thing that is wrong with it.
    """
    position = check_deal(row)
    _check_columns(row, settings, position)
    return position


def check_deal(row: Row) -> Position:
    """The position that a row starts from, once it is what the row's number deals.

    Raises:
        RowError: it is not, or it is none.
    """
    _require(row.variant in VARIANTS, f"unknown variant {quoted(row.variant)}")
    if (dealt := _dealt(row)) is not None and dealt.code == row.deal:
        return dealt  # otherwise, unless it is a board, something is wrong
    try:
        position = Position.from_code(row.deal, _rules(row.variant, row.suits))
    except ValueError as error:
        raise RowError(f"deal: {error}") from None
    if position.code != row.deal:
        runs = len(position.completed) - len(parse_code(row.deal).completed)
        _require(not runs, "deal: a complete run lies on the table")
        raise RowError("deal: not as its position's code is written")
    if row.numbering == FROM_TEXT:
        _require(row.seed >= 1, f"seed {row.seed}: boards count from 1")
        return position
    try:
        numbered(row.numbering, row.seed, position.rules)
    except ValueError as error:
        raise RowError(f"{error}") from None
    raise RowError(one_line(f"deal: not the one that {row.numbering} numbers so"))


@cache
def _rules(variant: str, suits: int) -> Rules:
    return VARIANTS[variant](suits)


def _dealt(row: Row) -> Position | None:
    """What the number of a row deals; None if it deals nothing."""
    with suppress(ValueError):
        return numbered(row.numbering, row.seed, _rules(row.variant, row.suits))
    return None


def _check_columns(row: Row, settings: dict[str, Any], position: Position) -> None:
    """Whether the columns agree with each other and with the settings of the set."""
    for name in ("variant", "solver"):
        value, theirs = getattr(row, name), settings.get(name)
        _require(value == theirs, f"{name} {value!r} in a set of {theirs!r}")
    check_state(row)
    won, lost = row.status == Status.WON, row.status == Status.LOST
    bounded = won and bool(settings.get("bound"))
    wanted_columns = {"line": won, "actions": won, "score": won, "actions_bound": bounded}
    for name, wanted in wanted_columns.items():
        there = getattr(row, name) is not None
        _require(there == wanted, f"{name} {'missing' if wanted else 'given'}: {row.status}")
    _require(lost or row.certificate is None, f"certificate given: {row.status}")
    _require(row.checked is None or row.proof in _SETS, f"checked given: proof {row.proof}")
    most = row.nodes + 1  # the start, and what was generated
    _require(
        row.checked is None or 0 < row.checked <= most,
        f"checked {row.checked}: at least 1, at most {most}",
    )
    for name, most in (
        ("runs_completed", position.rules.runs),
        ("rows_dealt", position.rules.stock_rows),
    ):
        value = getattr(row, name)
        _require(value is None or row.status == Status.OPEN, f"{name} given: {row.status}")
        _require(value is None or 0 <= value <= most, f"{name} {value}: at most {most}")
        spent = row.reason in (Reason.NODES, Reason.TIME)
        _require(value is not None or not spent, f"{name} missing: reason {row.reason}")
    _require(isfinite(row.seconds), f"seconds {row.seconds} is not a valid time")
    for name in ("nodes", "expanded", "shorten_nodes", "attempts", "seconds"):
        _require(getattr(row, name) >= 0, f"{name} {getattr(row, name)} is negative")
    budget = settings.get("max_nodes")
    _require(budget is None or row.nodes <= budget, f"nodes {row.nodes} of at most {budget}")
    timed = settings.get("time_limit") is not None
    _require(timed or row.reason != Reason.TIME, "reason time in a set without a time limit")
    shortened = bool(settings.get("shorten"))
    _require(shortened or not row.shorten_nodes, "shorten_nodes in a set without shortening")


def check_state(row: Row) -> None:
    """Check that status, proof and reason of a row go together.

    Raises:
        RowError: they do not.
    """
    state = (row.status, row.proof, row.reason)
    shown = (None if value is None else _short(value) for value in state)
    _require(state in _STATES, "status {}, proof {}, reason {} do not go together".format(*shown))


def _short(value: str, longest: int = 40) -> str:
    """A value as it is, unless it is long."""
    return value if len(value) <= longest else quoted(value)


_STATES = {
    (Status.WON, Proof.LINE, None),
    (Status.LOST, Proof.BLOCKADE, None),
    (Status.LOST, Proof.TOO_FEW_CARDS, None),
    (Status.LOST, Proof.EXHAUSTED, None),
    (Status.LOST, Proof.NO_FIRST_RUN, None),
    *((Status.OPEN, None, reason) for reason in Reason),
}


def _check_line(row: Row, position: Position) -> Verdict:
    try:
        replayed = verify_line(position, parse_line(row.line or ""))
    except ValueError as error:
        raise RowError(f"line: {error}") from None
    for name in ("actions", "score"):
        value, right = getattr(row, name), getattr(replayed, name)
        _require(value == right, f"{name} {value}, but the line's is {right}")
    if row.actions_bound is not None:
        bound = actions_bound(position)
        _require(row.actions_bound == bound, f"actions_bound {row.actions_bound}, not {bound}")
    return Verdict.WON_VERIFIED


def _check_blockade(row: Row, position: Position) -> Verdict:
    try:
        check_blockade(position, row.certificate or "")
    except ProofError as error:
        raise RowError(f"certificate: {error}") from None
    return Verdict.LOST_VERIFIED


def _check_too_few_cards(row: Row, position: Position) -> Verdict:
    _require(row.certificate is None, "certificate given: too-few-cards")
    try:
        check_too_few_cards(position)
    except ProofError as error:
        raise RowError(f"proof: {error}") from None
    return Verdict.LOST_VERIFIED


_CHECKS: dict[str, Callable[[Row, Position], Verdict]] = {
    Proof.LINE: _check_line,
    Proof.BLOCKADE: _check_blockade,
    Proof.TOO_FEW_CARDS: _check_too_few_cards,
}


_SETS: dict[str | None, tuple[str, Callable[[Position, Iterable[str], Told | None], int]]] = {
    Proof.EXHAUSTED: (POSITIONS, check_closed_set),
    Proof.NO_FIRST_RUN: (CLASSES, check_class_set),
}


def _check_set(row: Row, position: Position, folder: Path, progress: Told | None) -> Verdict:
    """Check the closed set of a search, if one was kept."""
    column, check = _SETS[row.proof]
    path = closed_set_of(row, folder)
    if path is None:
        return Verdict.LOST_CLAIMED
    try:
        found = hash_of(path)
        _require(found == row.certificate, f"certificate: {path} has SHA-256 {found}")
        closed_set = ClosedSet(path, column)
        check(position, closed_set, progress)
        held = len(closed_set)
    except OSError as error:
        raise RowError(f"certificate: {path}: {error.strerror}") from None
    except (ProofError, StoreError) as error:
        raise RowError(f"certificate: {error}") from None
    _require((row.checked or 0) <= held, f"checked {row.checked}: the closed set holds {held}")
    return Verdict.LOST_VERIFIED


def closed_set_of(row: Row, folder: Path) -> Path | None:
    """The closed-set file that a row names, there or not; None if it names none.

    Raises:
        RowError: its certificate cannot be that of a file.
    """
    name = row.certificate
    if name is None:
        return None
    _require(
        re.fullmatch(r"[0-9a-f]{64}", name) is not None,
        f"certificate {quoted(name)} is not a SHA-256: 64 digits from 0-9 and a-f, lower case",
    )
    return closed_set_path(folder, name)


def is_proof_kept(row: Row, position: Position, folder: Path) -> bool:
    """Whether the proof of a lost row is there; what is in a closed set is not looked at.

    Args:
        row: a lost row.
        position: the position that it starts from.
        folder: its data set.

    Raises:
        RowError: its proof, computed again, is none, or its certificate is malformed.
    """
    if row.proof in _CHECKS:
        return _CHECKS[row.proof](row, position) is Verdict.LOST_VERIFIED
    path = closed_set_of(row, folder)
    return path is not None and path.is_file()


def _require(condition: bool, fault: str) -> None:
    if not condition:
        raise RowError(one_line(fault))


def check_slice(piece: Slice, progress: Told | None = None) -> Report:
    """Check rows of a part; one that cannot be read is one fault."""
    report = Report()
    try:
        rows = read_rows(piece.path, piece.start, piece.stop)
    except StoreError as error:
        report.faults.append(f"{error}")
        return report
    for row in rows:
        try:
            verdict = check_row(row, piece.settings, piece.path.parent, progress)
        except MemoryError:  # says nothing of the row
            raise
        except Exception as error:  # a row may be wrong in ways that no check foresees
            kind = "" if isinstance(error, RowError) else f"{type(error).__name__}: "
            report.faults.append(one_line(f"{piece.path}: {row.key}: {kind}{error}", 1000))
            verdict = Verdict.BAD
        report.counts[verdict] += 1
    return report


def survey(folder: Path) -> tuple[list[Slice], list[str]]:
    """The rows to check in a data set, and what is wrong with its files as such.

    Raises:
        StoreError: there is no such folder, or nothing in it.
    """
    parts, foreign = list_folder(folder)
    if not parts and not foreign:
        raise StoreError(f"{folder} holds no data set")
    faults = [f"{path} is not part of a data set" for path in foreign]
    slices: list[Slice] = []
    for path in parts:
        try:
            settings = part_settings(path)
        except StoreError as error:
            faults.append(f"{error}")
            continue
        if slices and (different := differences(slices[0].settings, settings)):
            names = ", ".join(difference.name for difference in different)
            faults.append(f"{path} was made with other {names} than {slices[0].path.name}")
        slices += [Slice(path, start, stop, settings) for start, stop in pairwise(_cuts(path))]
    return slices, faults


def _cuts(path: Path) -> list[int]:
    """Where to cut a part into slices: a row with a closed set is a long piece of work alone."""
    try:
        proofs = read_columns(path, ("proof", "certificate"))
    except StoreError:  # ``check_slice`` says so
        return [0, 1]
    cuts = {*range(0, proofs.num_rows, SLICE_ROWS), proofs.num_rows}
    pairs = zip(*(proofs[name].to_pylist() for name in ("proof", "certificate")), strict=True)
    for place, (proof, certificate) in enumerate(pairs):
        if proof in _SETS and certificate is not None:
            cuts |= {place, place + 1}
    return sorted(cuts)


def repeated(slices: Sequence[Slice]) -> list[str]:
    """One line for each deal that has more than one row in a data set."""
    faults = []
    for game, seeds in seeds_by_game(_keys(slices)).items():
        found, counts = np.unique(seeds, return_counts=True)
        twice = counts > 1
        pairs = zip(found[twice].tolist(), counts[twice].tolist(), strict=True)
        faults += [f"{game.key(seed)} has {count} rows" for seed, count in pairs]
    return faults


def _keys(slices: Sequence[Slice]) -> Iterator[Any]:
    """The keys of the parts that can be read, a table each."""
    for path in dict.fromkeys(piece.path for piece in slices):
        with suppress(StoreError):  # ``check_slice`` says so
            yield read_columns(path, KEY_COLUMNS)
