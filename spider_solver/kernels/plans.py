"""A plan: what can be done from here before an unknown card turns up, or a row is dealt.

A beam over the moves that reveal nothing.  A move that bares an unknown card is not followed any
further: it is a *flip*, kept with the way to it.  If there is no flip, the cheapest position to
deal from is kept.  Unknown cards are the card 0, which neither moves nor takes other cards.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels import plan_layout as plan
from spider_solver.kernels.bits import position_key
from spider_solver.kernels.columns import column_cost, completes_run, junction_price, settle
from spider_solver.kernels.dealing import key_of_deal
from spider_solver.kernels.expand import expand, read_columns
from spider_solver.kernels.jit import inlined, internal, kernel
from spider_solver.kernels.layers import build_successor, copy_row, nodes_fit, open_start, try_deal
from spider_solver.kernels.layout import Evaluation, Int32s, Int64s, Workspace
from spider_solver.kernels.move_codes import count_of, source_of, target_of
from spider_solver.kernels.plan_features import benefit, count_meetings, read_features
from spider_solver.kernels.plan_layout import Plans
from spider_solver.kernels.selection import order_by_score
from spider_solver.kernels.table import clear_table, insert, table_is_full

_NO_NOISE = 0
_ANY_SEED = np.uint64(1)
_NO_KEY = np.uint64(0)
_ALL_COLUMNS = -1  # as a set


@kernel
def begin_plan(
    workspace: Workspace,
    plans: Plans,
    evaluation: Evaluation,
    rules: Int64s,
    cards: Int64s,
    heights: Int64s,
    face_down: Int64s,
    stock: Int64s,
    runs: int,
) -> None:
    """Make a table with unknown cards the only position; see ``search.packing.PackedPosition``."""
    registers = workspace.registers
    registers[:] = 0
    registers[layout.REG_MAX_NODES] = layout.INFINITE
    open_start(workspace, evaluation, rules, cards, heights, face_down, stock, runs)
    plans.registers[plan.REG_FLIPS] = 0
    plans.registers[plan.REG_DEALS] = 0


@inlined
def _is_unknown(nodes: Int32s, node: int) -> bool:
    """Whether a column ends in an unknown card."""
    return node != layout.EMPTY and nodes[node].end == 0


@inlined
def _takes_whole_run(workspace: Workspace, source: int, count: int) -> bool:
    scratch = workspace.scratch
    length = scratch[layout.COLUMN_HEAD + source] - scratch[layout.COLUMN_END + source] + 1
    return count == length


@inlined
def _node_after_completion(workspace: Workspace, rules: Int64s, move: int) -> int:
    """What is left of the target if the move completes a run there, otherwise -1."""
    nodes = workspace.nodes
    onto = workspace.scratch[layout.COLUMN_NODE + target_of(move)]
    end = workspace.scratch[layout.COLUMN_END + source_of(move)]
    head = end + count_of(move) - 1
    if not completes_run(nodes, onto, head, end, rules[layout.RULE_LEAVING]):
        return -1
    left, _ = settle(nodes, np.int64(nodes[onto].parent), rules[layout.RULE_LEAVING])
    return left


@internal
def _column_turned(workspace: Workspace, rules: Int64s, move: int) -> int:
    """The column in which a move of the position that was read bares an unknown card, or -1."""
    nodes = workspace.nodes
    left = _node_after_completion(workspace, rules, move)
    if left > layout.EMPTY and _is_unknown(nodes, left):
        return target_of(move)
    source = source_of(move)
    below = workspace.scratch[layout.COLUMN_PARENT + source]
    if _takes_whole_run(workspace, source, count_of(move)) and _is_unknown(nodes, below):
        return source
    return -1


@inlined
def _set_end(plans: Plans, nodes: Int32s, column: int, node: int) -> None:
    plans.columns[plan.END + column] = nodes[node].end
    plans.columns[plan.HEAD + column] = nodes[node].head


@internal
def _read_ends_after(workspace: Workspace, plans: Plans, rules: Int64s, move: int) -> None:
    """Note the run at the end of each column once a move of the position read is played."""
    nodes = workspace.nodes
    scratch = workspace.scratch
    for column in range(rules[layout.RULE_COLUMNS]):
        _set_end(plans, nodes, column, scratch[layout.COLUMN_NODE + column])
    source = source_of(move)
    target = target_of(move)
    end = scratch[layout.COLUMN_END + source]
    lead = end + count_of(move) - 1
    if _takes_whole_run(workspace, source, count_of(move)):
        _set_end(plans, nodes, source, scratch[layout.COLUMN_PARENT + source])
    else:
        plans.columns[plan.END + source] = lead + 1
    left = _node_after_completion(workspace, rules, move)
    if left >= layout.EMPTY:
        _set_end(plans, nodes, target, left)
        return
    if plans.columns[plan.END + target] != lead + 1:
        plans.columns[plan.HEAD + target] = lead
    plans.columns[plan.END + target] = end


@internal
def _note_flip(workspace: Workspace, plans: Plans, rules: Int64s, record: int, turned: int) -> None:
    """Keep a candidate that turns up a card, if it is new."""
    if not insert(workspace, workspace.candidates[record].key):
        return
    registers = plans.registers
    _read_ends_after(workspace, plans, rules, workspace.candidates[record].move)
    meetings = count_meetings(plans, rules[layout.RULE_COLUMNS])
    worth = 0
    for kind in range(plan.MEETS_WORDS):
        worth += plans.meets[kind] * meetings[kind]
    cost = workspace.candidates[record].score - worth // max(registers[plan.REG_TOTAL], 1)
    plans.cheapest[turned] = min(plans.cheapest[turned], cost)
    if cost < registers[plan.REG_LOWEST]:
        registers[plan.REG_LOWEST] = cost
        registers[plan.REG_SINCE] = 0
    registers[plan.REG_HIGHEST] = max(registers[plan.REG_HIGHEST], cost)
    flip = registers[plan.REG_FLIPS]
    if flip < plans.flips.size:
        plans.flips[flip] = workspace.candidates[record]
        plans.flips[flip].score = cost
        plans.flips[flip].diversity = turned
        registers[plan.REG_FLIPS] = flip + 1


@inlined
def _correction(workspace: Workspace, evaluation: Evaluation, move: int) -> int:
    """What is missing in the score of a move to an empty column.

    ``expand`` takes the empty column for an unknown card.
    """
    if workspace.scratch[layout.COLUMN_NODE + target_of(move)] != layout.EMPTY:
        return 0
    head = workspace.scratch[layout.COLUMN_END + source_of(move)] + count_of(move) - 1
    on_hidden = column_cost(evaluation, np.int64(junction_price(evaluation, 0, head)), 0)
    return column_cost(evaluation, np.int64(evaluation.base[head]), 0) - on_hidden


@internal
def _sort_out(
    workspace: Workspace, plans: Plans, evaluation: Evaluation, rules: Int64s, first: int
) -> None:
    """Move the flips among the candidates from ``first`` on to the list of flips."""
    records = workspace.candidates
    registers = workspace.registers
    kept = first
    for record in range(first, registers[layout.REG_CANDIDATES]):
        score = records[record].score
        score += _correction(workspace, evaluation, records[record].move)
        records[record].score = score
        registers[layout.REG_LOWEST] = min(registers[layout.REG_LOWEST], score)
        registers[layout.REG_HIGHEST] = max(registers[layout.REG_HIGHEST], score)
        turned = _column_turned(workspace, rules, records[record].move)
        if turned >= 0:
            _note_flip(workspace, plans, rules, record, turned)
        else:
            records[kept] = records[record]
            kept += 1
    registers[layout.REG_CANDIDATES] = kept


@internal
def _propose_deal(
    workspace: Workspace, plans: Plans, evaluation: Evaluation, rules: Int64s, row: int
) -> None:
    """Note the row that was read as one to deal from, empty columns filled, if that is new."""
    registers = workspace.registers
    node_top = registers[layout.REG_NODE_TOP]
    history_top = registers[layout.REG_HISTORY_TOP]
    columns = rules[layout.RULE_COLUMNS]
    result, _, cost, _ = try_deal(workspace, evaluation, rules, row, columns)
    key = key_of_deal(workspace, rules) if result == layout.GOES_ON else _NO_KEY
    registers[layout.REG_NODE_TOP] = node_top
    registers[layout.REG_HISTORY_TOP] = history_top
    deal = plans.registers[plan.REG_DEALS]
    if result != layout.GOES_ON or deal == plans.deals.size or not insert(workspace, key):
        return
    plans.deals[deal].score = cost
    plans.deals[deal].move = row
    plans.registers[plan.REG_DEALS] = deal + 1
    if cost < plans.registers[plan.REG_BEST_DEAL]:
        plans.registers[plan.REG_BEST_DEAL] = cost
        plans.registers[plan.REG_SINCE] = 0


@internal
def _expand_layer(
    workspace: Workspace,
    plans: Plans,
    evaluation: Evaluation,
    rules: Int64s,
    first: int,
    last: int,
) -> int:
    """Write the candidates of the rows ``first`` to ``last`` - 1; flips and deals are noted.

    Gives GOES_ON, or WON.
    """
    registers = workspace.registers
    nodes = workspace.nodes
    columns = rules[layout.RULE_COLUMNS]
    registers[layout.REG_CANDIDATES] = 0
    registers[layout.REG_LOWEST] = layout.INFINITE
    registers[layout.REG_HIGHEST] = -layout.INFINITE
    deals_left = rules[layout.RULE_ROWS] > 0
    for row in range(first, last):
        before = registers[layout.REG_CANDIDATES]
        if before + layout.MOST_CANDIDATES > workspace.order.size:
            break
        key = read_columns(workspace, workspace.layer, row * layout.STATE_WORDS, columns)
        for column in range(columns):
            node = workspace.scratch[layout.COLUMN_NODE + column]
            workspace.left_out[column] = _ALL_COLUMNS if _is_unknown(nodes, node) else 0
        result = expand(
            workspace, evaluation, rules, row, key, _NO_NOISE, _ANY_SEED, layout.EVERY_MOVE
        )
        if result != layout.GOES_ON:
            return result
        _sort_out(workspace, plans, evaluation, rules, before)
        if deals_left and plans.registers[plan.REG_FLIPS] == 0:
            _propose_deal(workspace, plans, evaluation, rules, row)
    return layout.GOES_ON


@inlined
def _count_empties(workspace: Workspace, columns: int, row: int) -> int:
    empties = 0
    for column in range(columns):
        empties += workspace.layer[row * layout.STATE_WORDS + column] == layout.EMPTY
    return empties


@internal
def _keep_best_rows(workspace: Workspace, plans: Plans, first: int, built: int, width: int) -> None:
    """Keep the ``width`` rows of the best learned scores of the ``built`` from ``first`` on."""
    ranked = plans.ranked
    lowest = layout.INFINITE
    highest = -layout.INFINITE
    for record in range(built):
        lowest = min(lowest, ranked[record].score)
        highest = max(highest, ranked[record].score)
    order_by_score(ranked, built, lowest, highest, workspace.order, workspace.buckets)
    for place in range(width):
        copy_row(workspace.next_layer, place, workspace.layer, first + workspace.order[place])
    for place in range(width):
        copy_row(workspace.layer, first + place, workspace.next_layer, place)


@internal
def _build_layer(
    workspace: Workspace,
    plans: Plans,
    evaluation: Evaluation,
    rules: Int64s,
    width: int,
    learned: int,
) -> int:
    """Build the best candidates into the rows from REG_ROWS on; gives their number.

    With ``learned``, these are the best by learned score of as many times the width.
    """
    registers = plans.registers
    records = workspace.candidates
    count = workspace.registers[layout.REG_CANDIDATES]
    order_by_score(
        records,
        count,
        workspace.registers[layout.REG_LOWEST],
        workspace.registers[layout.REG_HIGHEST],
        workspace.order,
        workspace.buckets,
    )
    columns = rules[layout.RULE_COLUMNS]
    first = registers[plan.REG_ROWS]
    wanted = width * max(learned, 1)
    built = 0
    for place in range(count):
        record = np.int64(workspace.order[place])
        if not insert(workspace, records[record].key):
            continue
        row = first + built
        build_successor(workspace, evaluation, rules, workspace.layer, row, record)
        score = records[record].score
        if learned:
            read_features(workspace, plans, evaluation, columns, row, -1, score)
            score -= benefit(plans, plan.COST, plan.FIRST_CLOSER)
            plans.ranked[built].score = score
        if score < registers[plan.REG_BEST]:
            registers[plan.REG_BEST] = score
            registers[plan.REG_SINCE] = 0
        empties = _count_empties(workspace, columns, row)
        registers[plan.REG_EMPTIES] = max(registers[plan.REG_EMPTIES], empties)
        built += 1
        if built == wanted:
            break
    if built > width:
        _keep_best_rows(workspace, plans, first, built, width)
        built = width
    registers[plan.REG_ROWS] = first + built
    return built


@inlined
def _has_room(workspace: Workspace, plans: Plans, rows: int) -> bool:
    """Whether a layer of so many rows, and a row for a flip, fit."""
    if (plans.registers[plan.REG_ROWS] + rows + 1) * layout.STATE_WORDS > workspace.layer.size:
        return False
    if workspace.registers[layout.REG_HISTORY_TOP] + 2 * rows > workspace.history.size:
        return False
    if rows > plans.ranked.size or table_is_full(workspace, rows * layout.MAX_COLUMNS):
        return False
    return nodes_fit(workspace, rows * 2 * layout.MAX_COLUMNS)


@internal
def grow(
    workspace: Workspace,
    plans: Plans,
    evaluation: Evaluation,
    rules: Int64s,
    start: int,
    width: int,
    layers: int,
    patience: int,
    learned: int,
) -> int:
    """Make a plan from row ``start`` of the layer; later rows are overwritten.

    Flips are added to the list.  Gives WON (the history entry is in its register) or GOES_ON; a
    plan for which there is no more room ends where it is.
    """
    registers = plans.registers
    registers[plan.REG_LOWEST] = layout.INFINITE
    registers[plan.REG_HIGHEST] = -layout.INFINITE
    registers[plan.REG_BEST] = layout.INFINITE
    registers[plan.REG_BEST_DEAL] = layout.INFINITE
    registers[plan.REG_SINCE] = 0
    registers[plan.REG_EMPTIES] = _count_empties(workspace, rules[layout.RULE_COLUMNS], start)
    registers[plan.REG_ROWS] = start + 1
    plans.cheapest[:] = layout.INFINITE
    built = 1
    for _ in range(layers):
        if not _has_room(workspace, plans, width * max(learned, 1)):
            break
        last = registers[plan.REG_ROWS]
        result = _expand_layer(workspace, plans, evaluation, rules, last - built, last)
        if result == layout.WON:
            return result
        built = _build_layer(workspace, plans, evaluation, rules, width, learned)
        registers[plan.REG_SINCE] += 1
        if built == 0 or registers[plan.REG_SINCE] > patience:
            break
    return layout.GOES_ON


@internal
def restart_from(
    workspace: Workspace, rules: Int64s, evaluation: Evaluation, row: int
) -> tuple[int, int]:
    """Forget all positions but a row of the layer; gives its empty columns and its cost."""
    columns = rules[layout.RULE_COLUMNS]
    clear_table(workspace)
    key = read_columns(workspace, workspace.layer, row * layout.STATE_WORDS, columns)
    insert(workspace, position_key(key, 0))
    empties = workspace.registers[layout.REG_EMPTIES]
    return empties, workspace.registers[layout.REG_COST_SUM]
