"""The one bridge between a Position and the kernels' arrays."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from spider_solver.errors import SpiderError
from spider_solver.game.notation import DEAL, Move
from spider_solver.game.outcomes import Reason
from spider_solver.game.position import Position, ends_in_run
from spider_solver.game.rules import Rules
from spider_solver.kernels import entries
from spider_solver.kernels.layout import (
    DEAL_MOVE,
    HISTORY,
    MAX_CARDS,
    MAX_COLUMNS,
    MAX_ROWS,
    MOVE_SOURCE,
    MOVE_TARGET,
    NEVER,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    PAUSED,
    PLENTY,
    REG_WIN,
    RULE_COLUMNS,
    RULE_DEAL_OVER_EMPTY,
    RULE_GROUP_MOVES,
    RULE_IN_PLAY,
    RULE_LEAVING,
    RULE_OPTIONAL_REMOVAL,
    RULE_RANKS,
    RULE_ROWS,
    RULE_RUNS,
    RULE_WORDS,
    Int64s,
    Workspace,
)
from spider_solver.kernels.places import make_places

REASONS = {
    OUT_OF_NODES: Reason.NODES,
    OUT_OF_MEMORY: Reason.MEMORY,
    PAUSED: Reason.TIME,
}
"""Why nothing is decided, by what a kernel gives."""


class UnsupportedRules(SpiderError, ValueError):
    """Rules of a game that is larger than the kernels have room for."""


class PackedPosition(NamedTuple):
    """A position as the kernels take it.

    Attributes:
        rules: int64, the rules as numbers.
        cards: int64, the tableau column after column, deepest first.
        heights: int64, cards in each column.
        face_down: int64, face-down cards in each column.
        stock: int64, the rows left, each as long as there are columns; 0 where a short row has
            no card.
        runs: completed runs.
    """

    rules: Int64s
    cards: Int64s
    heights: Int64s
    face_down: Int64s
    stock: Int64s
    runs: int


def check_rules(rules: Rules) -> None:
    """Refuse games that are larger than the kernels have room for.

    This is the one place that does: every array in :mod:`spider_solver.kernels` is made for these
    limits, and any position of a game within them fits, even with all cards in one column.

    Raises:
        UnsupportedRules: the message says what there is too much of.
    """
    for count, most, what in (
        (rules.columns, MAX_COLUMNS, "columns"),
        (rules.stock_rows, MAX_ROWS, "rows in the stock"),
        (rules.deck_size, MAX_CARDS, "cards"),
    ):
        if count > most:
            raise UnsupportedRules(f"the solver plays with at most {most} {what}, not {count}")


def pack(position: Position) -> PackedPosition:
    """A position as arrays.

    Raises:
        PositionError: the position is not settled (see :meth:`Position.settled`).
        UnsupportedRules: the game is too large for the kernels.
    """
    rules = position.rules
    words = _rule_words(rules).copy()
    position.check_settled()
    rows, runs = position.rows_left, len(position.completed)
    cards = [card for column in position.columns for card in column]
    words[RULE_ROWS] = rows
    words[RULE_IN_PLAY] = PLENTY if rules.deal_over_empty else len(cards) + runs * rules.ranks
    missing = rows * rules.columns - len(position.stock)
    return PackedPosition(
        rules=words,
        cards=np.array(cards, np.int64),
        heights=np.array(list(map(len, position.columns)), np.int64),
        face_down=np.array(position.face_down, np.int64),
        stock=np.array(position.stock + (0,) * missing, np.int64),
        runs=runs,
    )


@lru_cache(maxsize=64)  # all deals of a batch have the same
def _rule_words(rules: Rules) -> Int64s:
    """What the packed rules of all positions of a game have in common; not to be written to.

    Raises:
        UnsupportedRules: the game is too large for the kernels.
    """
    check_rules(rules)
    words = np.zeros(RULE_WORDS, np.int64)
    words[RULE_COLUMNS] = rules.columns
    words[RULE_RANKS] = rules.ranks
    words[RULE_RUNS] = rules.runs
    words[RULE_DEAL_OVER_EMPTY] = rules.deal_over_empty
    words[RULE_GROUP_MOVES] = rules.group_moves
    words[RULE_OPTIONAL_REMOVAL] = rules.optional_removal
    words[RULE_LEAVING] = NEVER if rules.optional_removal else rules.ranks
    return words


def remove_runs(position: Position) -> tuple[Position, tuple[Move, ...]]:
    """A position once all complete runs are removed, and the removals; none if it is automatic."""
    removals: list[Move] = []
    if position.rules.optional_removal:
        ranks = position.rules.ranks
        for column in range(position.rules.columns):
            while ends_in_run(position.columns[column], position.face_down[column], ranks):
                removals.append(Move(column, -1, ranks))
                position = position.play(removals[-1])
    return position, tuple(removals)


def pack_removing(position: Position) -> PackedPosition:
    """A position packed for a search that removes every run as soon as it is complete.

    :func:`with_removals` makes its lines legal where that is left to the player.

    Raises:
        UnsupportedRules: the game is too large for the kernels.
    """
    packed = pack(remove_runs(position)[0])
    packed.rules[RULE_OPTIONAL_REMOVAL] = 0
    packed.rules[RULE_LEAVING] = position.rules.ranks
    return packed


def with_removals(position: Position, line: Iterable[Move]) -> tuple[Move, ...]:
    """A line in which complete runs leave by themselves, as one in which they are removed.

    Under optional removal each run is removed as soon as it is complete, so that every position
    between two moves of ``line`` is the one it would be with automatic removal, and the line is
    legal. Otherwise it is the line itself.
    """
    if not position.rules.optional_removal:
        return tuple(line)
    position, removals = remove_runs(position)
    moves = [*removals]
    for move in line:
        position, removals = remove_runs(position.play(move))
        moves += [move, *removals]
    return tuple(moves)


def is_blockaded(packed: PackedPosition) -> bool:
    """Whether the blockade (:mod:`spider_solver.proofs.blockade`) proves it lost."""
    covered = np.zeros(packed.heights.size * (int(packed.rules[RULE_ROWS]) + 1), np.int64)
    return bool(entries.is_blockaded(*packed[:-1], make_places(), covered))


_LONGEST_LINE = 4096


def read_win(workspace: Workspace) -> tuple[Move, ...]:
    """The line of the win that a search has just found."""
    return _line_to(workspace, int(workspace.registers[REG_WIN]))


def read_best(workspace: Workspace) -> tuple[Move, ...]:
    """The line to the best position of the last layer of a beam that has just ended."""
    return _line_to(workspace, int(workspace.layer[HISTORY]))


def _line_to(workspace: Workspace, entry: int) -> tuple[Move, ...]:
    """The line to a history entry."""
    codes = np.empty(_LONGEST_LINE, np.int32)
    length = entries.read_line(workspace, entry, codes)
    return tuple(map(unpack_move, codes[:length].tolist()))


@cache  # there are few thousand
def unpack_move(code: int) -> Move:
    """The move of a kernel's move code."""
    if code == DEAL_MOVE:
        return DEAL
    source, target = code // MOVE_SOURCE % 16, code // MOVE_TARGET % 16
    return Move(source, -1 if source == target else target, code % 16)
