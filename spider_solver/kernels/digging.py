"""Buried positions: the test of ``proofs/digging.py`` for the rows of a catalogue.

What it is, and why it proves a loss, is said there and in ``docs/proofs.md``. Verdicts are kept by
all that they depend on, so most rows cost one look: thousands of them differ only in what the test
forgets. The digging itself is in :mod:`.digging_states`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spider_solver.kernels import catalogues, layout
from spider_solver.kernels.bits import mix
from spider_solver.kernels.catalogues import Catalogue
from spider_solver.kernels.digging_states import (
    DEALT,
    STATE_EMPTIED,
    STATE_IN_PLACE,
    STATE_LOOSE,
    STATE_PLACES,
    STATE_ROWS,
    STATE_WORDS,
    Board,
    dig_up,
    make_board,
)
from spider_solver.kernels.jit import internal, kernel
from spider_solver.kernels.layout import Int32s, Int64s, Records

MOST_ROWS = 1
"""Rows left in the stock at most."""

# --- what is seen of a column node, and the sequences under its uppermost one ---------------------
SEEN = np.dtype(
    [
        ("loose", np.int64),  # a bit for each card that is no head
        ("below", np.int32),  # the sequences under the uppermost one
        ("head", np.int32),  # of the uppermost sequence
        ("heads", np.int32),  # how many
        ("off_suit", np.int32),  # loose cards that lie on one of another suit
    ],
    align=True,
)
SEQUENCES = np.dtype(
    [
        ("below", np.int32),  # the sequences under this one, 0 if there are none
        ("head", np.int32),
        ("end", np.int32),  # a rank
    ],
    align=True,
)

# --- what a verdict depends on, and the verdict ---------------------------------------------------
KEY_PLACES = layout.MAX_COLUMNS  # words before: the columns, sorted
KEY_LOOSE = KEY_PLACES + 1
KEY_ROWS = KEY_PLACES + 2
KEY_WORDS = KEY_PLACES + 3
VERDICT = KEY_WORDS
VERDICT_WORDS = KEY_WORDS + 1
VERDICTS = 1 << 15  # kept at a time
SPARE_STATES = 5_000_000  # that may be looked at in all, and so many for each node
STATES_A_NODE = 20
FEW_STATES = 100  # looked at for a position once there were more than that in all
BURIED = 1
NOT_BURIED = 2  # 0: no verdict is kept here

COLUMN_HEAD = 1 << 8
COLUMN_BELOW = 1 << 16
BYTE = 0xFF

# --- registers ------------------------------------------------------------------------------------
SEEN_COLUMNS = 0  # column nodes that have been looked at
KNOWN_SEQUENCES = 1
STATES = 2  # states of digging that have been looked at in all
DIGGING_WORDS = 3


class Digging(NamedTuple):
    """The memory of the test, for one catalogue."""

    seen: Records  # by column node
    sequences: Records
    sequence_table: Int32s
    verdicts: Int64s
    key: Int64s
    board: Board
    registers: Int64s


def make_digging(catalogue: Catalogue) -> Digging:
    """Memory for a catalogue; pages that are not written cost nothing."""
    registers = np.zeros(DIGGING_WORDS, np.int64)
    registers[SEEN_COLUMNS] = 1  # 0 is the empty column
    registers[KNOWN_SEQUENCES] = 1  # 0 is no sequence
    return Digging(
        seen=np.zeros(catalogue.nodes.size, SEEN),
        sequences=np.zeros(catalogue.nodes.size + 1, SEQUENCES),
        sequence_table=np.zeros(catalogue.node_table.size, np.int32),
        verdicts=np.zeros(VERDICTS * VERDICT_WORDS, np.int64),
        key=np.zeros(KEY_WORDS, np.int64),
        board=make_board(),
        registers=registers,
    )


@kernel
def is_buried(catalogue: Catalogue, rules: Int64s, digging: Digging, row: int) -> bool:
    """Whether digging proves a row lost.

    Never under group moves or with too many rows left. Once digging has looked at many states for
    the nodes of the search, it looks at few for each position, and so may miss buried ones.
    """
    stage = catalogue.rows[row * catalogues.ROW_WORDS + catalogues.ROW_STAGE]
    dealt = np.int64(stage & catalogues.ROWS_DEALT)
    left = rules[layout.RULE_ROWS] - dealt
    if rules[layout.RULE_GROUP_MOVES] or left > MOST_ROWS:
        return False
    see_columns(catalogue, digging)
    _find_key(catalogue, rules, digging, row, dealt)
    key = digging.key
    verdicts = digging.verdicts
    mixed = np.uint64(0)
    for word in range(KEY_WORDS):
        mixed = mix(mixed ^ (np.uint64(key[word]) + (mixed << np.uint64(7))))
    at = (np.int64(mixed >> np.uint64(1)) & (VERDICTS - 1)) * VERDICT_WORDS
    known = verdicts[at + VERDICT] != 0
    for word in range(KEY_WORDS):
        known = known and verdicts[at + word] == key[word]
    if not known:
        most = np.int64(digging.board.waiting.size)
        spare = SPARE_STATES + STATES_A_NODE * catalogue.registers[catalogues.SEARCH_NODES]
        if digging.registers[STATES] > spare:
            most = min(most, FEW_STATES)
        _begin(rules, digging)
        states = dig_up(rules[layout.RULE_COLUMNS], rules[layout.RULE_RANKS], digging.board, most)
        digging.registers[STATES] += abs(states)
        for word in range(KEY_WORDS):
            verdicts[at + word] = key[word]
        verdicts[at + VERDICT] = BURIED if states < 0 else NOT_BURIED
    return verdicts[at + VERDICT] == BURIED


@internal
def see_columns(catalogue: Catalogue, digging: Digging) -> None:
    """Look at the column nodes that are new."""
    nodes = catalogue.nodes
    seen = digging.seen
    known = digging.registers[SEEN_COLUMNS]
    for node in range(known, catalogue.registers[catalogues.SEARCH_COLUMNS]):
        parent = np.int64(nodes[node].parent)
        head = np.int64(nodes[node].head)
        loose = (np.int64(1) << head) - (np.int64(1) << np.int64(nodes[node].end))
        seen[node].heads = seen[parent].heads + 1
        seen[node].off_suit = seen[parent].off_suit
        if parent == layout.EMPTY:
            seen[node].below = 0
            seen[node].head = head
        elif (
            nodes[node].hidden & layout.BARE
            or nodes[parent].end & layout.CARD_RANK != (head & layout.CARD_RANK) + 1
        ):
            seen[node].below = _intern(
                digging,
                np.int64(seen[parent].below),
                np.int64(seen[parent].head),
                np.int64(nodes[parent].end & layout.CARD_RANK),
            )
            seen[node].head = head
        else:
            seen[node].heads -= 1
            seen[node].off_suit += 1
            seen[node].below = seen[parent].below
            seen[node].head = seen[parent].head
            loose |= np.int64(1) << head
        seen[node].loose = seen[parent].loose | loose
    digging.registers[SEEN_COLUMNS] = catalogue.registers[catalogues.SEARCH_COLUMNS]


@internal
def _intern(digging: Digging, below: int, head: int, end: int) -> int:
    """The number of some sequences: one, and those below it. There are no more than columns."""
    sequences = digging.sequences
    table = digging.sequence_table
    slots = table.size - 1
    slot = np.int64(mix(np.uint64((below << 12) ^ (head << 4) ^ end)) >> np.uint64(1)) & slots
    while table[slot] != 0:
        at = np.int64(table[slot])
        if sequences[at].below == below and sequences[at].head == head and sequences[at].end == end:
            return at
        slot = (slot + 1) & slots
    number = digging.registers[KNOWN_SEQUENCES]
    digging.registers[KNOWN_SEQUENCES] = number + 1
    table[slot] = number
    sequences[number].below = below
    sequences[number].head = head
    sequences[number].end = end
    return number


@internal
def _find_key(catalogue: Catalogue, rules: Int64s, digging: Digging, row: int, dealt: int) -> None:
    """Write down all that the verdict on a row depends on."""
    key = digging.key
    seen = digging.seen
    columns = rules[layout.RULE_COLUMNS]
    rows = rules[layout.RULE_ROWS] - dealt
    places = np.int64(0)  # open ends by rank, four bits each
    loose = np.int64(0)
    for column in range(columns):
        node = np.int64(catalogue.rows[row * catalogues.ROW_WORDS + column])
        word = np.int64(seen[node].below) * COLUMN_BELOW + seen[node].head * COLUMN_HEAD
        if rows > 0:
            word += catalogue.stock[dealt * columns + column]
        if node != layout.EMPTY:
            places += np.int64(1) << 4 * np.int64(catalogue.nodes[node].end & layout.CARD_RANK)
            loose |= seen[node].loose
        place = column
        while place > 0 and key[place - 1] > word:
            key[place] = key[place - 1]
            place -= 1
        key[place] = word
    key[KEY_PLACES] = places
    key[KEY_LOOSE] = loose
    key[KEY_ROWS] = rows


@internal
def _begin(rules: Int64s, digging: Digging) -> None:
    """Write the first state, as the key says."""
    key = digging.key
    sequences = digging.sequences
    board = digging.board
    states = board.states
    for word in range(STATE_WORDS):
        states[word] = 0
    for column in range(rules[layout.RULE_COLUMNS]):
        first = column * layout.MAX_CARDS
        below = key[column] // COLUMN_BELOW
        head = key[column] // COLUMN_HEAD & BYTE
        board.row[column] = key[column] & BYTE
        if head == 0:
            states[STATE_EMPTIED] += 1
            continue
        left = 1
        at = below
        while at != 0:
            left += 1
            at = np.int64(sequences[at].below)
        states[column] = left * DEALT
        board.heads[first + left - 1] = head  # its end is among the places
        states[STATE_IN_PLACE + (head & layout.CARD_RANK)] += 1
        at = below
        for depth in range(left - 2, -1, -1):
            board.heads[first + depth] = sequences[at].head
            board.ends[first + depth] = sequences[at].end
            states[STATE_IN_PLACE + (sequences[at].head & layout.CARD_RANK)] += 1
            at = np.int64(sequences[at].below)
    for place in range(1, rules[layout.RULE_RANKS] + 1):
        states[STATE_PLACES + place] = key[KEY_PLACES] >> 4 * place & 15
    states[STATE_LOOSE] = key[KEY_LOOSE]
    states[STATE_ROWS] = key[KEY_ROWS]
