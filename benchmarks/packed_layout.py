"""The games and successors of :mod:`benchmarks.byte_layout` on the package's own packed layout."""

import numpy as np

from benchmarks.byte_layout import copy, draw, pick, whole
from spider_solver.kernels.expand import expand, read_columns
from spider_solver.kernels.jit import kernel
from spider_solver.kernels.layout import (
    DEAL_MOVE,
    EVERY_MOVE,
    INFINITE,
    REG_CANDIDATES,
    REG_MAX_NODES,
    REG_NODE_TOP,
    REG_NODES,
    REG_STAGE,
    RULE_COLUMNS,
    STATE_WORDS,
    Evaluation,
    Int32s,
    Int64s,
    Workspace,
)
from spider_solver.kernels.moves import build_row
from tests.kernels.plain import legal_moves, play


@kernel
def playouts(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    games: int,
    most_moves: int,
    moves: Int32s,
    random: int,
) -> tuple[int, int]:
    """Play random games from the start that was loaded, as the byte layout does."""
    rows = workspace.layer
    copy(rows, 0, workspace.next_layer, 0, STATE_WORDS)
    first_node = workspace.registers[REG_NODE_TOP]
    played = 0
    trace = 0
    for _ in range(games):
        copy(workspace.next_layer, 0, rows, 0, STATE_WORDS)
        workspace.registers[REG_STAGE] = 0
        workspace.registers[REG_NODE_TOP] = first_node
        for _ in range(most_moves):
            count = legal_moves(workspace, rules, rows, 0, moves)
            if count == 0:
                break
            random = draw(random)
            move = whole(moves[pick(random, count)])
            play(workspace, evaluation, rules, rows, 0, move)
            played += 1
            trace = trace * 31 + move
    return played, trace


@kernel
def build_successors(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    positions: int,
    rounds: int,
    moves: Int32s,
) -> tuple[int, int]:
    """Build all successors of the layer, deals aside; gives how many, and new nodes."""
    registers = workspace.registers
    rows = workspace.next_layer
    first_node = registers[REG_NODE_TOP]
    made = 0
    nodes = 0
    for _ in range(rounds):
        for position in range(positions):
            at = position * STATE_WORDS
            count = legal_moves(workspace, rules, workspace.layer, at, moves)
            slot = 0
            for place in range(count):
                move = whole(moves[place])
                if move == DEAL_MOVE:
                    continue
                copy(workspace.layer, at, rows, slot, STATE_WORDS)
                build_row(workspace, evaluation, rules, rows, slot, move)
                slot += STATE_WORDS
                made += 1
            nodes += registers[REG_NODE_TOP] - first_node
            registers[REG_NODE_TOP] = first_node
    return made, nodes


@kernel
def score_successors(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    positions: int,
    rounds: int,
    noise: int,
    seed: np.uint64,
) -> int:
    """Score the successors that the beam looks at, without building one; gives how many."""
    registers = workspace.registers
    registers[REG_MAX_NODES] = INFINITE
    registers[REG_NODES] = 0
    workspace.left_out[:] = 0  # these positions have no siblings
    for _ in range(rounds):
        for position in range(positions):
            at = position * STATE_WORDS
            registers[REG_CANDIDATES] = 0
            keys = read_columns(workspace, workspace.layer, at, rules[RULE_COLUMNS])
            expand(workspace, evaluation, rules, position, keys, noise, seed, EVERY_MOVE)
    return int(registers[REG_NODES])
