"""The complete search in another order: positions in which less is left to be dug up come first.

All positions are met as in ``complete.py``, each kept once, so a search that ends without a win
proves as much; only a win is not a shortest one. Positions wait in buckets by a price, and the one
that came last into the lowest bucket is gone on from next.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spider_solver.kernels import catalogues, layout
from spider_solver.kernels.bits import mix
from spider_solver.kernels.catalogues import Catalogue
from spider_solver.kernels.dead_ends import Unpacked, go_on_from
from spider_solver.kernels.digging import Digging, see_columns
from spider_solver.kernels.jit import internal, kernel
from spider_solver.kernels.layout import Int32s, Int64s

BUCKETS = 1 << 12

QUEUED = 0  # rows that have come into a bucket
LOWEST = 1  # no bucket below it holds a row
OFF_SUIT = 2  # price of a loose card that lies on one of another suit
NOISE = 3  # greatest price that is added at random
QUEUE_WORDS = 4

HEAD = 2  # price of a head, and of a card in the stock


class Queue(NamedTuple):
    """The rows that have not been gone on from."""

    under: Int32s  # by row: the one that came into its bucket before it, plus 1; 0 for none
    tops: Int32s  # by bucket: the row that came last, plus 1
    registers: Int64s


def make_queue(positions: int, off_suit: int, noise: int) -> Queue:
    """An empty queue for so many positions."""
    registers = np.zeros(QUEUE_WORDS, np.int64)
    registers[OFF_SUIT] = off_suit
    registers[NOISE] = noise
    return Queue(np.zeros(positions, np.int32), np.zeros(BUCKETS, np.int32), registers)


@kernel
def run_best_first(
    catalogue: Catalogue,
    rules: Int64s,
    unpacked: Unpacked,
    digging: Digging,
    queue: Queue,
    kinds: int,
) -> int:
    """Search on until a win, until nothing is left (FAILED: lost), or until a bound.

    Gives what ``run_past_dead_ends`` gives, and leaves the same kinds of dead ends alone.
    """
    while True:
        _put_new_rows(catalogue, rules, digging, queue)
        bucket = queue.registers[LOWEST]
        while bucket < BUCKETS and queue.tops[bucket] == 0:
            bucket += 1
        queue.registers[LOWEST] = bucket
        if bucket == BUCKETS:
            return layout.FAILED
        row = np.int64(queue.tops[bucket]) - 1
        queue.tops[bucket] = queue.under[row]
        result = go_on_from(catalogue, rules, unpacked, digging, row, kinds)
        if result != layout.GOES_ON:
            return result


@internal
def _put_new_rows(catalogue: Catalogue, rules: Int64s, digging: Digging, queue: Queue) -> None:
    see_columns(catalogue, digging)
    registers = queue.registers
    for row in range(registers[QUEUED], catalogue.registers[catalogues.SEARCH_POSITIONS]):
        bucket = min(_price(catalogue, rules, digging, queue, row), BUCKETS - 1)
        queue.under[row] = queue.tops[bucket]
        queue.tops[bucket] = row + 1
        registers[LOWEST] = min(registers[LOWEST], bucket)
    registers[QUEUED] = catalogue.registers[catalogues.SEARCH_POSITIONS]


@internal
def _price(catalogue: Catalogue, rules: Int64s, digging: Digging, queue: Queue, row: int) -> int:
    """What is left to be dug up and to be sorted in a position, with noise."""
    at = row * catalogues.ROW_WORDS
    columns = rules[layout.RULE_COLUMNS]
    heads = np.int64(0)
    off_suit = np.int64(0)
    key = np.uint64(0)
    for column in range(columns):
        node = np.int64(catalogue.rows[at + column])
        heads += digging.seen[node].heads
        off_suit += digging.seen[node].off_suit
        key = mix(key ^ (np.uint64(node) + (key << np.uint64(7))))
    dealt = catalogue.rows[at + catalogues.ROW_STAGE] & catalogues.ROWS_DEALT
    stock = (rules[layout.RULE_ROWS] - dealt) * columns
    noise = np.int64(key >> np.uint64(1)) % (queue.registers[NOISE] + 1)
    return HEAD * (heads + stock) + queue.registers[OFF_SUIT] * off_suit + noise
