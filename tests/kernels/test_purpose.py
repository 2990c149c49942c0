"""The moves of a beam, all of them or those with a purpose, against the rule in plain words."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from spider_solver.game.cards import rank
from spider_solver.game.deal import Deal
from spider_solver.game.notation import Move
from spider_solver.game.position import Column, Position
from spider_solver.kernels import layout
from spider_solver.kernels.beam import begin_beam
from spider_solver.kernels.evaluation import Weights, evaluation_of
from spider_solver.kernels.expand import expand, read_columns
from spider_solver.kernels.jit import kernel
from spider_solver.kernels.layout import (
    EVERY_MOVE,
    GOES_ON,
    JOINS_FIRST,
    MOVE_SOURCE,
    MOVE_TARGET,
    PURPOSEFUL,
    REG_CANDIDATES,
    RULE_COLUMNS,
    Evaluation,
    Int64s,
    Workspace,
)
from spider_solver.kernels.workspace import make_workspace
from spider_solver.search.packing import pack
from spider_solver.search.result import Limits
from spider_solver.search.solver import Solver

WORK = make_workspace()


@kernel
def expand_start(workspace: Workspace, evaluation: Evaluation, rules: Int64s, moves: int) -> int:
    """Expand the only position of a beam that has just begun."""
    workspace.left_out[:] = 0
    workspace.registers[REG_CANDIDATES] = 0
    key = read_columns(workspace, workspace.layer, 0, rules[RULE_COLUMNS])
    return int(expand(workspace, evaluation, rules, 0, key, 0, np.uint64(1), moves))


def moves_of(position: Position, moves: int) -> set[Move] | None:
    """The moves by which the kernel expands a position; None if one of them wins."""
    packed = pack(position)
    evaluation = evaluation_of(Weights(), position.rules.ranks)
    WORK.registers[:] = 0
    WORK.registers[layout.REG_MAX_NODES] = layout.INFINITE
    begin_beam(WORK, evaluation, *packed)
    if expand_start(WORK, evaluation, packed.rules, moves) != GOES_ON:
        return None
    records = range(int(WORK.registers[REG_CANDIDATES]))
    codes = [int(WORK.candidates["move"][record]) for record in records]
    return {Move(code // MOVE_SOURCE, code // MOVE_TARGET % 16, code % 16) for code in codes}


def runs_of(cards: Column, face_down: int) -> list[Column]:
    """The face-up runs of a column, the last one first."""
    runs: list[Column] = []
    for card in reversed(cards[face_down:]):
        if runs and card == runs[-1][0] + 1:
            runs[-1] = (card, *runs[-1])
        else:
            runs.append((card,))
    return runs


def beam_moves(position: Position) -> Iterator[Move]:
    """Whole runs anywhere (to the first empty column, unless alone in theirs); splits to suit."""
    ends = {column: cards[-1] for column, cards in enumerate(position.columns) if cards}
    for source in ends:
        cards, face_down = position.columns[source], position.face_down[source]
        run = runs_of(cards, face_down)[0]
        for count in range(1, len(run) + 1):
            lead = cards[-count]
            for target, end in ends.items():
                whole = count == len(run) and rank(end) == rank(lead) + 1
                if target != source and (whole or end == lead + 1):
                    yield Move(source, target, count)
        if position.empty_columns and len(run) < len(cards):
            yield Move(source, position.empty_columns[0], len(run))


def has_purpose(position: Position, move: Move) -> bool:
    """The rule of ``kernels/purpose.py``, told again without bits."""
    runs = {
        column: runs_of(cards, position.face_down[column])
        for column, cards in enumerate(position.columns)
        if cards
    }
    ends = {column: stack[0][-1] for column, stack in runs.items()}
    run = runs[move.source][0]
    assert move.count is not None
    if move.count != len(run):
        return len(runs[move.target][0]) + move.count > len(run)  # and of the same suit
    if run[0] + 1 in ends.values():  # it joins its suit, and nothing else
        return ends.get(move.target) == run[0] + 1
    if len(runs[move.source]) == 1:  # it turns a card up, or empties the column
        return True
    bared = runs[move.source][1]
    if len(bared) == position.rules.ranks:  # it leaves
        return True
    moves_on = any(rank(end) == rank(bared[0]) + 1 for end in ends.values())
    lengthened = any(stack[0][0] == bared[-1] - 1 for stack in runs.values())
    if moves_on or lengthened:
        return True
    return move.target not in runs and rank(bared[-1]) == rank(run[0]) + 1


def joins(position: Position, move: Move) -> bool:
    """Whether a whole run goes onto its own suit."""
    cards = position.columns[move.source]
    run = runs_of(cards, position.face_down[move.source])[0]
    target = position.columns[move.target]
    return move.count == len(run) and bool(target) and target[-1] == run[0] + 1


def positions_of(suits: int) -> Iterator[Position]:
    """All positions of some winning lines."""
    solver = Solver()
    for seed in range(20, 28):
        position = Deal.numbered(seed, suits=suits).position
        for move in solver.solve(position, Limits(1_000_000)).line or ():
            yield position
            position = position.play(move)


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_the_kernel_leaves_out_what_the_rule_leaves_out(suits: int) -> None:
    counts: Counter[int] = Counter()
    for position in positions_of(suits):
        every = moves_of(position, EVERY_MOVE)
        if every is None:
            continue
        assert every == set(beam_moves(position))
        purposeful = {move for move in every if has_purpose(position, move)}
        assert moves_of(position, PURPOSEFUL) == purposeful
        joining = {move for move in purposeful if joins(position, move)}
        assert moves_of(position, JOINS_FIRST) == (joining or purposeful)
        for kind, some in ((EVERY_MOVE, every), (PURPOSEFUL, purposeful), (JOINS_FIRST, joining)):
            counts[kind] += len(some)
    assert counts[EVERY_MOVE] > 1.2 * counts[PURPOSEFUL] > 1.2 * counts[JOINS_FIRST] > 100


def test_laying_a_complete_run_bare_is_a_purpose() -> None:
    position = Position.from_code(
        "KSQSJSTS9S8S7S6S5S4S3S2SAS4S/////////KSQSJSTS9S8S7S6S5S3S2SAS - SSSSSS"
    )
    (move,) = (move for move in moves_of(position, PURPOSEFUL) or () if move.source == 0)
    assert (move, has_purpose(position, move)) == (Move(0, 1, 1), True)
    assert position.play(move).completed == (3,) * 7
