"""The layout that the packed one is measured against: a column is 64 bytes, a card a byte.

Spider as one would write it first, jitted like the kernels: a position is a flat row of bytes that
is copied as a whole, and what a column costs is added up card by card when it has changed.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types
from numba.core.cgutils import raw_memcpy
from numba.extending import intrinsic
from numba.np.arrayobj import make_array
from numpy.typing import NDArray

from spider_solver.kernels.jit import inlined, kernel
from spider_solver.kernels.layout import (
    DEAL_MOVE,
    MOVE_SOURCE,
    MOVE_TARGET,
    Evaluation,
    Int32s,
    Int64s,
)

Bytes = NDArray[np.uint8]
whole: Any = np.int64
"""A number of any width as a plain one, to compute with; mypy takes it for an int."""

# --- a column: 64 bytes, the cards deepest first from CARDS on ------------------------------------
COLUMN_BYTES = 64
HEIGHT = 0
FACE_DOWN = 1
CARDS = 2
MOST_CARDS = COLUMN_BYTES - CARDS

# --- a position: its columns, then two counts -----------------------------------------------------
COLUMNS = 10
RUNS = COLUMNS * COLUMN_BYTES  # completed runs
ROWS = RUNS + 1  # rows dealt
STATE_BYTES = RUNS + 2

RANKS = 13
STOCK_ROWS = 5
OVERFULL = -1  # what a playout gives when a column does not fit into its bytes

_STEP = 6364136223846793005
_INCREMENT = 1442695040888963407
_KEY_STEP = np.int64(0x2545F4914F6CDD1D)


def state_of(columns: Sequence[Sequence[int]], face_down: Sequence[int], rows: int) -> Bytes:
    """A position of standard Spider as bytes: columns deepest card first, ``rows`` dealt."""
    state = np.zeros(STATE_BYTES, np.uint8)
    for column, cards in enumerate(columns):
        at = column * COLUMN_BYTES
        state[at + HEIGHT] = len(cards)
        state[at + FACE_DOWN] = face_down[column]
        state[at + CARDS : at + CARDS + len(cards)] = cards
    state[ROWS] = rows
    return state


@inlined
def draw(random: int) -> int:
    """The next number of a linear congruence; its upper bits are the random ones."""
    return random * _STEP + _INCREMENT


@inlined
def pick(random: int, count: int) -> int:
    """A number below ``count``."""
    return ((random >> 33) & 0x7FFFFFFF) % count


@intrinsic  # type: ignore[untyped-decorator]
def copy(typing_context: Any, origin: Any, at: Any, to: Any, to_at: Any, count: Any) -> Any:
    """Copy ``count`` items of a flat array to another, as fast as memory goes."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        origin_type, _, to_type, _, _ = signature.args
        source = make_array(origin_type)(context, builder, arguments[0])
        target = make_array(to_type)(context, builder, arguments[2])
        raw_memcpy(
            builder,
            builder.gep(target.data, [arguments[3]]),
            builder.gep(source.data, [arguments[1]]),
            arguments[4],
            context.get_abi_sizeof(context.get_data_type(origin_type.dtype)),
        )
        return context.get_dummy_value()

    return types.void(origin, types.int64, to, types.int64, types.int64), code


@inlined
def _run_length(states: Bytes, at: int) -> int:
    """Cards of the run at the end of the column at ``at``, which is not empty."""
    height = whole(states[at + HEIGHT])
    down = whole(states[at + FACE_DOWN])
    length = 1
    while (
        height - length > down
        and states[at + CARDS + height - length - 1] == states[at + CARDS + height - length] + 1
    ):
        length += 1
    return length


@kernel
def legal_moves(states: Bytes, at: int, moves: Int32s) -> int:
    """Write the codes of all legal moves, in the order of the packed engine."""
    count = 0
    can_deal = states[at + ROWS] < STOCK_ROWS
    for source in range(COLUMNS):
        from_at = at + source * COLUMN_BYTES
        height = whole(states[from_at + HEIGHT])
        if height == 0:
            can_deal = False
            continue
        end = whole(states[from_at + CARDS + height - 1])
        length = _run_length(states, from_at)
        for target in range(COLUMNS):
            if target == source:
                continue
            onto_at = at + target * COLUMN_BYTES
            onto_height = whole(states[onto_at + HEIGHT])
            code = source * MOVE_SOURCE + target * MOVE_TARGET
            if onto_height == 0:
                for cards in range(1, length + 1):
                    moves[count] = code + cards
                    count += 1
                continue
            onto = whole(states[onto_at + CARDS + onto_height - 1])
            cards = (onto & 15) - (end & 15)
            if 1 <= cards <= length:
                moves[count] = code + cards
                count += 1
    if can_deal:
        moves[count] = DEAL_MOVE
        count += 1
    return count


@inlined
def _settle(states: Bytes, at: int, column: int) -> None:
    """Take a complete run off a column and turn up the card that lies bare."""
    from_at = at + column * COLUMN_BYTES
    height = whole(states[from_at + HEIGHT])
    if height > 0 and _run_length(states, from_at) == RANKS:
        height -= RANKS
        states[from_at + HEIGHT] = height
        states[at + RUNS] += 1
    if height > 0 and states[from_at + FACE_DOWN] == height:
        states[from_at + FACE_DOWN] = height - 1


@inlined
def _play(states: Bytes, at: int, stock: Int64s, move: int) -> bool:
    """Play a legal move; False if a column does not fit into its bytes."""
    if move == DEAL_MOVE:
        row = whole(states[at + ROWS]) * COLUMNS
        for column in range(COLUMNS):
            to = at + column * COLUMN_BYTES
            height = whole(states[to + HEIGHT])
            if height == MOST_CARDS:
                return False
            states[to + CARDS + height] = stock[row + column]
            states[to + HEIGHT] = height + 1
            _settle(states, at, column)
        states[at + ROWS] += 1
        return True
    source = (move // MOVE_SOURCE) % 16
    target = (move // MOVE_TARGET) % 16
    count = move % 16
    from_at = at + source * COLUMN_BYTES
    onto_at = at + target * COLUMN_BYTES
    height = whole(states[from_at + HEIGHT]) - count
    onto_height = whole(states[onto_at + HEIGHT])
    if onto_height + count > MOST_CARDS:
        return False
    for card in range(count):
        states[onto_at + CARDS + onto_height + card] = states[from_at + CARDS + height + card]
    states[from_at + HEIGHT] = height
    states[onto_at + HEIGHT] = onto_height + count
    if height > 0 and states[from_at + FACE_DOWN] == height:
        states[from_at + FACE_DOWN] = height - 1
    _settle(states, at, target)
    return True


@inlined
def _price(states: Bytes, at: int, evaluation: Evaluation) -> tuple[int, int]:
    """What the column at ``at`` costs, and a key of its content."""
    height = whole(states[at + HEIGHT])
    if height == 0:
        return 0, 0
    down = whole(states[at + FACE_DOWN])
    below = whole(states[at + CARDS])
    price = whole(evaluation.base[below])
    key = (below + down * 64) * _KEY_STEP
    for depth in range(1, height):
        card = whole(states[at + CARDS + depth])
        price += evaluation.junction[below * 64 + card]
        key = (key ^ card) * _KEY_STEP
        below = card
    price += evaluation.hidden[down]
    return whole(evaluation.curve[min(max(price, 0), evaluation.curve.size - 1)]), key


@inlined
def _price_touched(states: Bytes, at: int, evaluation: Evaluation, move: int) -> int:
    """A number that depends on costs and keys of the columns that ``move`` has touched."""
    cost = 0
    key = 0
    if move == DEAL_MOVE:
        for column in range(COLUMNS):
            column_cost, column_key = _price(states, at + column * COLUMN_BYTES, evaluation)
            cost += column_cost
            key ^= column_key
    else:
        for column in ((move // MOVE_SOURCE) % 16, (move // MOVE_TARGET) % 16):
            column_cost, column_key = _price(states, at + column * COLUMN_BYTES, evaluation)
            cost += column_cost
            key ^= column_key
    return cost + (key & 1)


@kernel
def playouts(
    states: Bytes,
    start: Bytes,
    stock: Int64s,
    evaluation: Evaluation,
    games: int,
    most_moves: int,
    moves: Int32s,
    random: int,
    priced: bool,
) -> tuple[int, int, int]:
    """Play random games; gives the moves played (or OVERFULL) and a number that depends on all.

    The third number depends on what the positions cost, if they are ``priced``.
    """
    played = 0
    trace = 0
    costs = 0
    for _ in range(games):
        copy(start, 0, states, 0, STATE_BYTES)
        for _ in range(most_moves):
            count = legal_moves(states, 0, moves)
            if count == 0:
                break
            random = draw(random)
            move = whole(moves[pick(random, count)])
            if not _play(states, 0, stock, move):
                return OVERFULL, 0, 0
            if priced:
                costs += _price_touched(states, 0, evaluation, move)
            played += 1
            trace = trace * 31 + move
    return played, trace, costs


@kernel
def build_successors(
    states: Bytes,
    built: Bytes,
    stock: Int64s,
    evaluation: Evaluation,
    positions: int,
    rounds: int,
    moves: Int32s,
    priced: bool,
) -> tuple[int, int]:
    """Build all successors of ``states``, deals aside, again and again.

    Gives how many, and a number that depends on what they cost (if ``priced``, cost and key of the
    two columns touched are worked out, as the packed layout always does).
    """
    made = 0
    trace = 0
    for _ in range(rounds):
        for position in range(positions):
            at = position * STATE_BYTES
            count = legal_moves(states, at, moves)
            slot = 0
            for place in range(count):
                move = whole(moves[place])
                if move == DEAL_MOVE:
                    continue
                copy(states, at, built, slot, STATE_BYTES)
                _play(built, slot, stock, move)
                if priced:
                    trace += _price_touched(built, slot, evaluation, move)
                slot += STATE_BYTES
                made += 1
    return made, trace
