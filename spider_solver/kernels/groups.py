"""Pieces of several runs, for the rules under which any descending sequence moves as one piece.

A piece is some of the runs at the end of a column, each a rank below the one under it; of the
lowest run it may take a part.  Nothing in it can complete a run: below the highest run of a piece
lies a card of another suit, or it would be one with it.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.bits import lowest_bit, noise_of, position_key, run_key
from spider_solver.kernels.columns import (
    column_cost,
    coming_price,
    is_short_of_cards,
    junction_price,
    lay_run,
    position_cost,
    settle,
    take_cards,
)
from spider_solver.kernels.expand import add_candidate, flip_class
from spider_solver.kernels.jit import inlined, internal
from spider_solver.kernels.layout import Evaluation, Int32s, Int64s, Workspace
from spider_solver.kernels.move_codes import count_of, source_of, target_of
from spider_solver.kernels.siblings import last_move


@inlined
def goes_on_below(nodes: Int32s, node: int) -> bool:
    """Whether a piece that takes the top run of the column ``node`` may go on below it."""
    below = nodes[node].parent
    if below == layout.EMPTY or nodes[node].hidden & layout.BARE:
        return False
    return (nodes[below].end & layout.CARD_RANK) == (nodes[node].head & layout.CARD_RANK) + 1


@inlined
def _run_below(nodes: Int32s, node: int, runs: int) -> int:
    """The column ``node`` without its last ``runs`` runs."""
    for _ in range(runs):
        node = np.int64(nodes[node].parent)
    return node


@internal
def move_group(
    workspace: Workspace, evaluation: Evaluation, rows: Int32s, source: int, target: int, count: int
) -> None:
    """Move ``count`` cards, more than one run, between the columns at two places of ``rows``."""
    nodes = workspace.nodes
    top = np.int64(rows[source])
    lowest = top
    above = 0  # whole runs above the lowest one
    length = nodes[lowest].head - nodes[lowest].end + 1
    while count > length:
        count -= length
        above += 1
        lowest = np.int64(nodes[lowest].parent)
        length = nodes[lowest].head - nodes[lowest].end + 1
    end = np.int64(nodes[lowest].end)
    rows[source] = take_cards(workspace, lowest, count)
    onto = lay_run(workspace, evaluation, np.int64(rows[target]), end + count - 1, end)
    for runs in range(above - 1, -1, -1):
        at = _run_below(nodes, top, runs)
        head = np.int64(nodes[at].head)
        onto = lay_run(workspace, evaluation, onto, head, np.int64(nodes[at].end))
    rows[target] = onto


@internal
def _after_group(
    workspace: Workspace, evaluation: Evaluation, onto: int, top: int, above: int, lead: int
) -> tuple[int, np.uint64]:
    """Cost and key of the column ``onto`` with a piece of the column ``top`` laid on it.

    The piece is the last ``above`` runs of ``top`` and the cards from ``lead`` of the run below.
    """
    nodes = workspace.nodes
    lowest = _run_below(nodes, top, above)
    end = np.int64(nodes[lowest].end)
    hidden = nodes[onto].hidden
    junctions = np.int64(nodes[top].junctions)
    junctions -= nodes[lowest].junctions
    if onto == layout.EMPTY:
        junctions += evaluation.base[lead]
        key = run_key(np.uint64(0), lead, end, 0)
    elif nodes[onto].end == lead + 1:
        junctions += nodes[onto].junctions
        below = nodes[nodes[onto].parent].key
        key = run_key(below, np.int64(nodes[onto].head), end, hidden & layout.BARE)
    else:
        junctions += nodes[onto].junctions + junction_price(evaluation, nodes[onto].end, lead)
        key = run_key(nodes[onto].key, lead, end, 0)
    for runs in range(above - 1, -1, -1):
        at = _run_below(nodes, top, runs)
        key = run_key(key, np.int64(nodes[at].head), np.int64(nodes[at].end), 0)
    return np.int64(column_cost(evaluation, junctions, hidden & layout.HIDDEN_MASK)), key


@internal
def expand_groups(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    row: int,
    key_sum: np.uint64,
    noise: int,
    seed: np.uint64,
) -> int:
    """Write the candidates that move several runs from row ``row``, after :func:`expand`.

    The same moves are left out as there.  Gives GOES_ON or OUT_OF_NODES.
    """
    nodes = workspace.nodes
    workspace.registers[layout.REG_ROW] = row
    workspace.registers[layout.REG_NOISE] = noise
    workspace.scratch_keys[layout.KEY_SUM] = key_sum
    workspace.scratch_keys[layout.SEED] = seed
    for source in range(rules[layout.RULE_COLUMNS]):
        top = workspace.scratch[layout.COLUMN_NODE + source]
        if top == layout.EMPTY:
            continue
        above = 0
        taken = 0
        node = np.int64(top)
        while goes_on_below(nodes, node):
            taken += nodes[node].head - nodes[node].end + 1
            above += 1
            node = np.int64(nodes[node].parent)
            length = nodes[node].head - nodes[node].end + 1
            for part in range(1, length + 1):
                count = taken + part
                if not _expand_piece(
                    workspace, evaluation, rules, source, node, above, part, count
                ):
                    return layout.OUT_OF_NODES
    return layout.GOES_ON


@inlined
def _is_fresh(workspace: Workspace, row: int, source: int, count: int) -> bool:
    """Whether a piece is another than the one that was moved last: one move would have done."""
    last = last_move(workspace, row)
    is_deal = last & layout.DEAL_MOVE == layout.DEAL_MOVE
    return is_deal or target_of(last) != source or count_of(last) != count


@inlined
def _ways_back(workspace: Workspace, row: int) -> int:
    """Where the piece that was moved last may go: back, onto what it has turned up."""
    last = last_move(workspace, row)
    return 1 << source_of(last) if last & layout.TURNED_UP else 0


@internal
def _expand_piece(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    source: int,
    lowest: int,
    above: int,
    part: int,
    count: int,
) -> bool:
    """Write the candidates that move one piece: ``part`` cards of the run ``lowest`` and all above.

    The row, the noise and the seed stand where :func:`expand_groups` put them.  False if the nodes
    are used up.
    """
    nodes = workspace.nodes
    scratch = workspace.scratch
    registers = workspace.registers
    top = np.int64(scratch[layout.COLUMN_NODE + source])
    parent = np.int64(nodes[lowest].parent)
    head = np.int64(nodes[lowest].head)
    lead = nodes[lowest].end + part - 1
    row = registers[layout.REG_ROW]
    key_sum = workspace.scratch_keys[layout.KEY_SUM]
    seed = workspace.scratch_keys[layout.SEED]
    state = row * layout.STATE_WORDS
    left_class = np.int64(workspace.layer[state + layout.DIVERSITY])
    left_empties = registers[layout.REG_EMPTIES]
    runs = workspace.layer[state + layout.TALLY] & layout.TALLY_RUNS
    if lead == head:
        left, bared = settle(nodes, parent, rules[layout.RULE_LEAVING])
        runs += bared
        left_cost = np.int64(nodes[left].cost)
        left_end = np.int64(nodes[left].end)
        left_key = nodes[left].key
        left_empties += 1 if left == layout.EMPTY else 0
        left_class += flip_class(evaluation, nodes, source, top, left)
        if bared > 0:
            registers[layout.REG_MOST_RUNS] = max(registers[layout.REG_MOST_RUNS], runs)
            if is_short_of_cards(rules, registers[layout.REG_STAGE], runs):
                return True
        targets = workspace.rank_columns[(head & layout.CARD_RANK) + 1]  # of a king: none
        if registers[layout.REG_FIRST_EMPTY] >= 0 and parent != layout.EMPTY:
            targets |= 1 << registers[layout.REG_FIRST_EMPTY]
    else:
        targets = workspace.card_columns[lead + 1]
        left_cost = np.int64(nodes[lowest].cost)
        left_end = lead + 1
        bare = nodes[lowest].hidden & layout.BARE
        left_key = run_key(nodes[parent].key, head, lead + 1, bare)
    next_row = registers[layout.REG_STAGE] * rules[layout.RULE_COLUMNS]
    left_cost += coming_price(workspace, next_row + source, left_end)
    end = scratch[layout.COLUMN_END + source]
    if not _is_fresh(workspace, row, source, count):
        targets &= _ways_back(workspace, row)
    while targets != 0:
        target = lowest_bit(targets)
        targets &= targets - 1
        if registers[layout.REG_NODES] >= registers[layout.REG_MAX_NODES]:
            return False
        registers[layout.REG_NODES] += 1
        onto = np.int64(scratch[layout.COLUMN_NODE + target])
        cost, key = _after_group(workspace, evaluation, onto, top, above, lead)
        both = workspace.scratch_keys[source] + workspace.scratch_keys[target]
        whole = key_sum - both + left_key + key
        whole = position_key(whole, registers[layout.REG_STAGE])
        next_cost = registers[layout.REG_COST_SUM] + left_cost + cost
        next_cost -= scratch[layout.COLUMN_COST + source] + scratch[layout.COLUMN_COST + target]
        next_cost += coming_price(workspace, next_row + target, end)
        empties = left_empties - (1 if onto == layout.EMPTY else 0)
        score = position_cost(evaluation, next_cost, empties, runs)
        score += noise_of(whole, seed, registers[layout.REG_NOISE])
        move = (
            row * layout.MOVE_PARENT
            + source * layout.MOVE_SOURCE
            + target * layout.MOVE_TARGET
            + count
        )
        add_candidate(workspace, move, whole, score, left_class)
    return True
