"""Successors as they are announced against what is built of them: key, score, diversity class.

Searches order successors that nobody has built, by what a few reads of two columns say of them.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

from spider_solver.game.deal import Deal
from spider_solver.game.position import Position
from spider_solver.game.rules import VARIANTS, spider
from spider_solver.kernels import layout
from spider_solver.kernels.beam import begin_beam, run_beam
from spider_solver.kernels.bits import noise_of, position_key
from spider_solver.kernels.dealing import deal_row
from spider_solver.kernels.evaluation import evaluation_of
from spider_solver.kernels.expand import read_columns
from spider_solver.kernels.jit import kernel
from spider_solver.kernels.layout import (
    COMPLETED_RUN,
    EMPTY,
    EVERY_MOVE,
    HIDDEN_MASK,
    MOST_HIDDEN,
    MOVE_PARENT,
    MOVE_SOURCE,
    MOVE_TARGET,
    REG_CANDIDATES,
    REG_COST_SUM,
    REG_EMPTIES,
    REG_POOL,
    REG_STAGE,
    RULE_COLUMNS,
    SET_LENGTH,
    SET_MOVES,
    SET_NOISE,
    STATE_WORDS,
    TALLY,
    Evaluation,
    Int32s,
    Int64s,
    Workspace,
)
from spider_solver.kernels.moves import build_row
from spider_solver.kernels.workspace import make_workspace
from spider_solver.search.packing import pack
from spider_solver.search.portfolio import Portfolio
from tests.kernels.engine import expand_layer

WORK = make_workspace()


@kernel
def build(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, rows: Int32s, move: int
) -> None:
    """Put the position that a candidate leads to into ``rows``."""
    parent = (move // MOVE_PARENT) * STATE_WORDS
    for word in range(STATE_WORDS):
        rows[word] = workspace.layer[parent + word]
    build_row(workspace, evaluation, rules, rows, 0, move)


@kernel
def deal(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, rows: Int32s, entry: int
) -> None:
    """Put the position that a proposal leads to into ``rows``."""
    for word in range(STATE_WORDS):
        rows[word] = workspace.pool[entry * STATE_WORDS + word]
    deal_row(workspace, evaluation, rules, rows, 0)


@kernel
def judge(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    rows: Int32s,
    noise: int,
    seed: np.uint64,
    dealt: int,
) -> tuple[np.uint64, int, int]:
    """Key, score and class of the position in ``rows``.

    Of one that was just dealt the next row does not count.
    """
    columns = rules[RULE_COLUMNS]
    nodes = workspace.nodes
    stage = workspace.registers[REG_STAGE] + dealt
    key = position_key(read_columns(workspace, rows, 0, columns), stage)
    cost = np.int64(0)
    diversity = np.int64(0)
    for column in range(columns):
        node = np.int64(rows[column])
        cost += nodes[node].cost
        hidden = nodes[node].hidden & HIDDEN_MASK
        diversity += evaluation.diversity[column * MOST_HIDDEN + hidden]
    if not dealt:
        cost = workspace.registers[REG_COST_SUM]
    cost += evaluation.empties[workspace.registers[REG_EMPTIES]]
    cost -= evaluation.constants[COMPLETED_RUN] * (rows[TALLY] & 0xFF)
    return key, cost + noise_of(key, seed, noise), diversity


class Successor(NamedTuple):
    """One successor: its kind, and key, score and class as announced and as built."""

    kind: str
    announced: tuple[int, int, int]
    built: tuple[int, int, int]
    base: int  # of a run that goes to an empty column: the price of its deepest card there


def successors(position: Position, number: int) -> Iterator[Successor]:
    """The candidates and proposals of every layer of a beam with the settings of an attempt."""
    suits = position.rules.suits
    packed = pack(position)
    trial = Portfolio().attempt(number, spider(suits))
    evaluation = evaluation_of(trial.weights, position.rules.ranks)
    settings = trial.words()
    settings[SET_LENGTH] = 0
    settings[SET_MOVES] = EVERY_MOVE
    searching = (WORK, evaluation, packed.rules, settings, np.uint64(trial.seed))
    registers = WORK.registers
    registers[:] = 0
    registers[layout.REG_MAX_NODES] = layout.INFINITE
    begin_beam(WORK, evaluation, *packed)
    while True:
        registers[layout.REG_PAUSE_AT] = 0
        if run_beam(*searching) != layout.PAUSED:
            return
        kept = registers.copy()
        if expand_layer(*searching) != layout.GOES_ON:
            return  # a win: the layer is not expanded to its end
        yield from _of_layer(evaluation, packed.rules, int(settings[SET_NOISE]), searching[-1])
        registers[:] = kept


def check_successor(successor: Successor) -> None:
    key, score, diversity = successor.announced
    # The deepest card of a column has a price from the next move on.
    assert (key, score + successor.base, diversity) == successor.built


def _of_layer(
    evaluation: Evaluation, rules: Int64s, noise: int, seed: np.uint64
) -> Iterator[Successor]:
    rows = np.zeros(STATE_WORDS, np.int32)
    playing = (WORK, evaluation, rules, rows)
    for record in range(int(WORK.registers[REG_CANDIDATES])):
        candidate = WORK.candidates[record]
        move = int(candidate["move"])
        kind, head = _kind(move)
        build(*playing, move)
        yield Successor(
            kind,
            _numbers(candidate["key"], candidate["score"], candidate["diversity"]),
            _numbers(*judge(*playing, noise, seed, 0)),
            int(evaluation.curve[evaluation.base[head]]) if kind == "to empty" else 0,
        )
    for entry in range(int(WORK.registers[REG_POOL])):
        proposal = WORK.proposals[entry]
        deal(*playing, entry)
        yield Successor(
            "deal",
            _numbers(proposal["key"], proposal["score"], proposal["diversity"]),
            _numbers(*judge(*playing, noise, seed, 1)),
            0,
        )


def _numbers(key: np.uint64, score: int, diversity: int) -> tuple[int, int, int]:
    return int(key), int(score), int(diversity) & 0xFFFFFFFF


def _kind(move: int) -> tuple[str, int]:
    """What kind of move a candidate is, and the deepest card of what it moves."""
    row = move // MOVE_PARENT * STATE_WORDS
    source, target, count = move // MOVE_SOURCE % 16, move // MOVE_TARGET % 16, move % 16
    node = int(WORK.layer[row + source])
    head = int(WORK.nodes["end"][node]) + count - 1
    if source == target:
        return "removal", head
    if head > WORK.nodes["head"][node]:
        return "group", head
    return "to empty" if WORK.layer[row + target] == EMPTY else "run", head


@pytest.mark.parametrize(
    ("variant", "suits", "kinds"),
    [
        ("spider", 4, {"run", "to empty", "deal"}),
        ("spider", 2, {"run", "to empty", "deal"}),
        ("relaxed", 2, {"run", "to empty", "deal"}),
        ("group-moves", 4, {"run", "to empty", "deal", "group"}),
        ("optional-removal", 1, {"run", "to empty", "deal", "removal"}),
        ("spiderette", 4, {"run", "to empty", "deal"}),
        ("simple-simon", 4, {"run", "to empty"}),
    ],
)
def test_successors_are_what_was_announced(variant: str, suits: int, kinds: set[str]) -> None:
    seen: Counter[str] = Counter()
    for seed in (17, 18, 19):
        position = Deal.numbered(seed, rules=VARIANTS[variant](suits)).position
        for number in (0, 5):
            for successor in successors(position, number):
                check_successor(successor)
                seen[successor.kind] += 1
    assert set(seen) == kinds
    assert min(seen.values()) >= 10, seen
