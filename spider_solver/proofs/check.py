"""Checks proofs under the plain rules: replays a line, recomputes a blockade, counts cards.

With ``closed_set`` this is what a ``won`` and a ``lost`` rest on. Only ``table``, ``position`` and
``blockade`` are used here, never a kernel.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from spider_solver.errors import SpiderError
from spider_solver.game.notation import Move, format_move
from spider_solver.game.position import IllegalMove, Position
from spider_solver.proofs.blockade import find_blockade
from spider_solver.proofs.table import Table
from spider_solver.text.quoting import quoted


class ProofError(SpiderError, ValueError):
    """A line or certificate that proves nothing; the message says where it fails and why."""


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of a line.

    Attributes:
        actions: moves, deals and optional removals played.
        score: 500, less 1 for each action, plus 100 for each run that it completes, never
            below 0 after an action. Runs that were complete at the start earn nothing.
        final: the position at the end.
    """

    actions: int
    score: int
    final: Position


def replay(position: Position, line: Iterable[Move]) -> Replay:
    """Play a line.

    Raises:
        ProofError: an action is illegal; the message gives its number, from 1.
        PositionError: the position is not settled.
    """
    moves = tuple(line)
    table = Table(position)
    try:
        table.play(moves)
    except IllegalMove as error:
        number, move = table.actions + 1, moves[table.actions]
        raise ProofError(f"action {number} ({format_move(move)}): {error}") from None
    return Replay(table.actions, table.score, table.position)


def verify_line(position: Position, line: Iterable[Move]) -> Replay:
    """Play a line that must win.

    Raises:
        ProofError: an action is illegal, or the game is not won at the end.
        PositionError: the position is not settled.
    """
    result = replay(position, line)
    if not result.final.is_won:
        done, runs = len(result.final.completed), position.rules.runs
        raise ProofError(f"after {result.actions} actions {done} of {runs} runs are complete")
    return result


def check_blockade(position: Position, certificate: str) -> None:
    """Recompute the blockade that a loss is claimed by (see ``blockade``).

    Args:
        position: the position that is claimed to be lost.
        certificate: for each number of rows dealt, how many cards of each column stay face
            down, as ``find_blockade`` writes it. It may claim less than is true, as certificates
            of version 0.1 do.

    Raises:
        ProofError: the position is not blockaded, or the certificate claims more, or is none.
    """
    found = find_blockade(position)
    if found is None:
        raise ProofError("the position is not blockaded")
    if not _claims_no_more(certificate, found):
        raise ProofError(f"certificate {quoted(certificate, 150)}, but the blockade is {found}")


def _claims_no_more(certificate: str, found: str) -> bool:
    """Whether a certificate has the shape of another and no count of it is larger."""
    claimed, true = (re.split("([,/])", text) for text in (certificate, found))
    return claimed[1::2] == true[1::2] and all(
        _COUNT.fullmatch(claim) and int(claim) <= int(count)
        for claim, count in zip(claimed[::2], true[::2], strict=True)
    )


_COUNT = re.compile("0|[1-9][0-9]{0,2}")


def is_short_of_cards(position: Position) -> bool:
    """Whether the stock can never be dealt, for want of cards to fill the columns: so it is lost.

    A row can be dealt only if every column holds a card, unless the rules deal over empty columns:
    then no position is short of cards. Only a deal puts cards on the table; moves leave their
    number as it is, and runs that leave take some away. So with a stock and fewer cards on the
    table than columns no row can be dealt from here on, and the runs that the cards of the stock
    belong to are never completed.
    """
    cards = sum(map(len, position.columns))
    return (
        bool(position.stock)
        and cards < position.rules.columns
        and not position.rules.deal_over_empty
    )


def check_too_few_cards(position: Position) -> None:
    """Check that a loss by too few cards on the table is one (see :func:`is_short_of_cards`).

    Raises:
        ProofError: it is not; the message says why.
    """
    if is_short_of_cards(position):
        return
    rules = position.rules
    cards = sum(map(len, position.columns))
    if not position.stock:
        why = "the stock is empty"
    elif rules.deal_over_empty:
        why = "a row may be dealt over empty columns"
    else:
        why = f"{cards} cards for {rules.columns} columns"
    raise ProofError(f"there are not too few cards to deal a row: {why}")
