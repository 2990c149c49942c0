"""Checks proofs under the plain rules: replays a line, recomputes a blockade, checks a closed set.

What a ``won`` and a ``lost`` rest on. Only ``position``, ``symmetry`` and ``blockade`` are used
here, never a kernel.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import blake2b

from spider_solver.blockade import find_blockade
from spider_solver.notation import Move, format_move
from spider_solver.position import IllegalMove, Position
from spider_solver.quoting import quoted
from spider_solver.symmetry import in_order

# Microsoft's scoring: https://en.wikipedia.org/wiki/Spider_(solitaire)
START_SCORE = 500
RUN_SCORE = 100

PROGRESS_POSITIONS = 1000
"""Positions of a closed set that are checked between two reports of progress."""


class ProofError(ValueError):
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
    """
    actions, score = 0, START_SCORE
    for move in line:
        try:
            after = position.play(move)
        except IllegalMove as error:
            raise ProofError(f"action {actions + 1} ({format_move(move)}): {error}") from None
        actions += 1
        runs = len(after.completed) - len(position.completed)
        score = max(score - 1 + RUN_SCORE * runs, 0)
        position = after
    return Replay(actions, score, position)


def verify_line(position: Position, line: Iterable[Move]) -> Replay:
    """Play a line that must win.

    Raises:
        ProofError: an action is illegal, or the game is not won at the end.
    """
    result = replay(position, line)
    if not result.final.is_won:
        done, runs = len(result.final.completed), position.rules.runs
        raise ProofError(f"after {result.actions} actions {done} of {runs} runs are complete")
    return result


def is_short_of_cards(position: Position) -> bool:
    """Whether rows are left in the stock that can never be dealt, so that the game is lost.

    A row can be dealt only if every column holds a card. Only a deal brings cards to the table;
    moves and removals bring none. So with fewer cards on the table than there are columns no row
    can ever be dealt, and the cards of the stock come into no run. Where the rules deal over empty
    columns this is never so.
    """
    on_table = sum(map(len, position.columns))
    over_empty = position.rules.deal_over_empty
    return bool(position.stock) and on_table < position.rules.columns and not over_empty


def check_blockade(position: Position, certificate: str) -> None:
    """Recompute the staged blockade that a loss is claimed by (see ``blockade``).

    Args:
        position: the position that is claimed to be lost.
        certificate: for each number of rows dealt, how many cards of each column stay face
            down, as ``find_blockade`` writes it.

    Raises:
        ProofError: the position is not blockaded, or not as the certificate says.
    """
    found = find_blockade(position)
    if found is None:
        raise ProofError("the position is not blockaded")
    if certificate != found:
        raise ProofError(f"certificate {quoted(certificate, 200)}, but the blockade is {found}")


def check_closed_set(
    position: Position,
    codes: Iterable[str],
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Check that a set of positions proves a loss.

    A set S of positions proves that ``position`` is lost if

    (a) ``position`` with its columns in order (``symmetry.in_order``) is in S,
    (b) no position in S is won, and
    (c) for every position in S and every legal action there, a deal included, the position that
        follows, with its columns in order, is in S.

    **Why.** Call two positions *alike* if one becomes the other by letting columns with equal
    lanes swap places; a column's lane is the cards of the stock still to be dealt onto it.
    ``in_order`` gives a position that is alike. Alike positions are of one value:

    1. Let q be p with columns a and b swapped, whose lanes are equal. The stock is the same, so q
       is p with the columns swapped *together with their lanes*. Every legal action of p is
       legal in q when a and b are swapped in its name: whether cards move depends on the cards of
       the two columns named and on nothing else, and whether a row may be dealt on which columns
       are empty, or on none of that, but never on where they stand.
    2. The positions that follow are again p' and q' = p' with a and b swapped, and again with
       equal lanes. A move leaves the stock as it is and changes only the columns that it names,
       and what happens by itself (a complete run leaves, a bare card turns up) happens within a
       column. A deal puts the first card of its lane on each column and takes it from the lane:
       equal lanes have equal first cards (or none, if a short row does not reach them) and stay
       equal.
    3. So what can be reached from q is, swap by swap, what can be reached from p, and the runs
       completed are the same: p can be won if and only if q can. A reordering among equal lanes
       is a sequence of such swaps.

    Suppose now that a line won from ``position``. By (a) a position alike to its start is in S.
    If a position alike to the one before an action is in S, then by 1 the same action, renamed,
    is legal there, by 2 it leads to a position alike to the one after the action, and by (c) S
    holds that in order. So S holds one alike to the end of the line, which is won as that is:
    against (b). Hence there is no such line, and ``position`` is lost.

    Swapping columns with *different* lanes would not do: 1 holds, but 2 fails at the next deal.
    That S holds more than can be reached does no harm, nor does a position that is twice in it.

    **Memory.** The set is read twice and never held: of each code its 16-byte BLAKE2 digest is
    kept, about 100 bytes a position in all. Two codes with one digest could hide a hole; none are
    known, and to look for some takes 2^64 tries.

    Args:
        position: the position that is claimed to be lost.
        codes: the position codes of S, read twice: a list or something like it, no iterator.
        progress: told every now and then how many positions of how many have been checked.

    Returns:
        How many positions the set holds, each counted once.

    Raises:
        ProofError: the first thing that is wrong, in one line.
        TypeError: ``codes`` is an iterator.
    """
    if iter(codes) is codes:
        raise TypeError("the codes are read twice: give a list, not an iterator")
    known: set[bytes] = set()
    count = 0
    for code in codes:
        known.add(_digest(code))
        count += 1
    start = in_order(position).code
    if _digest(start) not in known:
        raise ProofError(f"the start is not in the closed set: {start}")
    number = 0
    for number, code in enumerate(codes, start=1):
        if _digest(code) not in known:
            raise ProofError(f"position {number} was another one at first reading: {code}")
        _check_closed(_read_closed(position, code, number), known, number)
        if progress is not None and number % PROGRESS_POSITIONS == 0:
            progress(number, count)
    if number != count:
        raise ProofError(f"{count} positions at first reading, then {number}")
    return len(known)


def _digest(code: str) -> bytes:
    return blake2b(code.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _read_closed(start: Position, code: str, number: int) -> Position:
    """A position of a closed set, once it is one of the game, in order and not won."""
    try:
        position = Position.from_code(code, start.rules)
    except ValueError as error:
        raise ProofError(f"position {number} of the closed set: {error}") from None
    if position.is_won:
        raise ProofError(f"position {number} of the closed set is won: {code}")
    if in_order(position).code != code:
        raise ProofError(f"position {number} of the closed set is not in order: {code}")
    return position


def _check_closed(position: Position, known: set[bytes], number: int) -> None:
    """Whether all that follows on a position of a closed set is in it."""
    for move in position.legal_moves():
        after = position.play(move)
        code = in_order(after).code
        if after.is_won or _digest(code) not in known:
            fault = "wins" if after.is_won else f"leads out of the set, to {code}"
            raise ProofError(f"position {number} of the closed set: {format_move(move)} {fault}")
