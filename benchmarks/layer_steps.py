"""One layer of a beam again and again, as far as a given step, with everything put back between."""

from typing import NamedTuple

import numpy as np

from benchmarks.byte_layout import copy
from spider_solver.kernels.beam import _expand_layer, _next_layer
from spider_solver.kernels.expand import expand, read_columns
from spider_solver.kernels.jit import inlined, kernel
from spider_solver.kernels.layout import (
    INFINITE,
    REG_CANDIDATES,
    REG_HIGHEST,
    REG_LAYER,
    REG_LOWEST,
    REG_POOL,
    REG_TABLE_BITS,
    REG_WORDS,
    RULE_COLUMNS,
    SET_MOVES,
    SET_NOISE,
    STATE_WORDS,
    Evaluation,
    Int32s,
    Int64s,
    Records,
    UInt64s,
    Workspace,
)
from spider_solver.kernels.selection import order_by_score
from spider_solver.kernels.siblings import leave_to_siblings

STEPS = ("read columns", "score moves", "propose deals", "order candidates", "build next layer")
"""The steps of a layer in their order; step n of :func:`repeat_layer` is all before place n."""


class Backup(NamedTuple):
    """What a layer changes and the next run of it must find as before."""

    registers: Int64s
    table: UInt64s
    pool: Int32s
    proposals: Records
    siblings: Int32s


def back_up(workspace: Workspace) -> Backup:
    """Copy what a layer changes."""
    size = 1 << int(workspace.registers[REG_TABLE_BITS])
    pool = int(workspace.registers[REG_POOL])
    return Backup(
        workspace.registers.copy(),
        workspace.table[size : 2 * size].copy(),
        workspace.pool[: pool * STATE_WORDS].copy(),
        workspace.proposals[:pool].copy(),
        workspace.elder_sibling[: int(workspace.registers[REG_LAYER])].copy(),
    )


def put_back(workspace: Workspace, backup: Backup) -> None:
    """Make everything as it was, the pool too."""
    workspace.registers[:] = backup.registers
    workspace.table[backup.table.size : 2 * backup.table.size] = backup.table
    workspace.pool[: backup.pool.size] = backup.pool
    workspace.proposals[: backup.proposals.size] = backup.proposals
    workspace.elder_sibling[: backup.siblings.size] = backup.siblings


@inlined
def _rewind(workspace: Workspace, backup: Backup) -> None:
    """Put registers, table and siblings back. What a layer adds to the pool lies above its top."""
    copy(backup.registers, 0, workspace.registers, 0, REG_WORDS)
    copy(backup.table, 0, workspace.table, backup.table.size, backup.table.size)
    copy(backup.siblings, 0, workspace.elder_sibling, 0, backup.siblings.size)
    workspace.registers[REG_CANDIDATES] = 0
    workspace.registers[REG_LOWEST] = INFINITE
    workspace.registers[REG_HIGHEST] = -INFINITE


@kernel
def repeat_layer(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    settings: Int64s,
    seed: np.uint64,
    backup: Backup,
    step: int,
    times: int,
) -> int:
    """Run the first ``step`` steps of the layer ``times`` times; at step 0 nothing but rewinding.

    Gives a number that depends on the columns read, so that no reading can be left out.
    """
    keys = np.uint64(0)
    columns = rules[RULE_COLUMNS]
    registers = workspace.registers
    for _ in range(times):
        _rewind(workspace, backup)
        if step == 1:
            for row in range(registers[REG_LAYER]):
                keys += read_columns(workspace, workspace.layer, row * STATE_WORDS, columns)
        elif step == 2:
            for row in range(registers[REG_LAYER]):
                key = read_columns(workspace, workspace.layer, row * STATE_WORDS, columns)
                leave_to_siblings(workspace, rules, row)
                noise, moves = settings[SET_NOISE], settings[SET_MOVES]
                expand(workspace, evaluation, rules, row, key, noise, seed, moves)
        elif step >= 3:
            _expand_layer(workspace, evaluation, rules, settings, seed)
        if step == 4:
            order_by_score(
                workspace.candidates,
                registers[REG_CANDIDATES],
                registers[REG_LOWEST],
                registers[REG_HIGHEST],
                workspace.order,
                workspace.buckets,
            )
        elif step == 5:  # orders the candidates first
            _next_layer(workspace, evaluation, rules, settings)
    return int(np.int64(keys >> np.uint64(1)))
