"""The one bridge between a Position and the kernels' arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spider_solver.kernels import blockade
from spider_solver.kernels.dealing import read_line
from spider_solver.kernels.layout import (
    DEAL_MOVE,
    HISTORY,
    MAX_COLUMNS,
    MOVE_SOURCE,
    MOVE_TARGET,
    REG_WIN,
    RULE_COLUMNS,
    RULE_RANKS,
    RULE_ROWS,
    RULE_RUNS,
    RULE_WORDS,
    Int64s,
    Workspace,
)
from spider_solver.notation import DEAL, Move
from spider_solver.position import Position
from spider_solver.rules import Rules


class UnsupportedRules(ValueError):
    """Rules that the kernels do not know."""


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
    """Refuse rules that the kernels do not know.

    Raises:
        UnsupportedRules: the message says which.
    """
    for field in ("deal_over_empty", "group_moves", "optional_removal"):
        if getattr(rules, field):
            raise UnsupportedRules(f"the solver does not play {field.replace('_', ' ')} yet")
    if rules.columns > MAX_COLUMNS:
        raise UnsupportedRules(f"the solver plays at most {MAX_COLUMNS} columns")


def pack(position: Position) -> PackedPosition:
    """A position as arrays.

    Raises:
        UnsupportedRules: the kernels do not know the position's rules.
    """
    rules = position.rules
    check_rules(rules)
    packed_rules = np.zeros(RULE_WORDS, np.int64)
    packed_rules[RULE_COLUMNS] = rules.columns
    packed_rules[RULE_RANKS] = rules.ranks
    packed_rules[RULE_RUNS] = rules.runs
    packed_rules[RULE_ROWS] = position.rows_left
    stock = np.zeros(position.rows_left * rules.columns, np.int64)
    stock[: len(position.stock)] = position.stock
    return PackedPosition(
        rules=packed_rules,
        cards=np.array([card for column in position.columns for card in column], np.int64),
        heights=np.array([len(column) for column in position.columns], np.int64),
        face_down=np.array(position.face_down, np.int64),
        stock=stock,
        runs=len(position.completed),
    )


def is_blockaded(packed: PackedPosition) -> bool:
    """Whether the staged blockade proves the position lost; see :mod:`spider_solver.blockade`."""
    columns = packed.heights.size
    covered = np.zeros(columns * (int(packed.rules[RULE_ROWS]) + 1), np.int64)
    needs = np.zeros(columns, np.int64)
    return bool(blockade.is_blockaded(*packed[:-1], needs, covered))


_LONGEST_LINE = 4096


def read_win(workspace: Workspace) -> tuple[Move, ...]:
    """The line of the win that a search has just found."""
    return _line_to(workspace, int(workspace.registers[REG_WIN]))


def read_best(workspace: Workspace) -> tuple[Move, ...]:
    """The line to the best position of the last layer of a beam that has just ended."""
    return _line_to(workspace, int(workspace.layer[HISTORY]))


def _line_to(workspace: Workspace, entry: int) -> tuple[Move, ...]:
    """The line to a history entry."""
    codes = np.zeros(_LONGEST_LINE, np.int32)
    length = read_line(workspace, entry, codes)
    return tuple(unpack_move(int(code)) for code in codes[:length])


def unpack_move(code: int) -> Move:
    """The move of a kernel's move code."""
    if code == DEAL_MOVE:
        return DEAL
    return Move(code // MOVE_SOURCE % 16, code // MOVE_TARGET % 16, code % 16)
