"""Columns as persistent stacks of runs: laying a run on a column, and taking cards off it.

Nothing here changes a node that exists; a new column is a new node on top of old ones.  Because
neighbours of one suit and following rank always share a node, equal columns have equal keys.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.bits import run_key
from spider_solver.kernels.evaluation import COST_UNIT
from spider_solver.kernels.jit import inlined, internal, kernel
from spider_solver.kernels.layout import Evaluation, Int32s, Int64s, Workspace


@inlined
def column_cost(evaluation: Evaluation, junctions: int, hidden: int) -> int:
    """Price of a column with these summed junctions and this many face-down cards."""
    price = junctions + evaluation.hidden[hidden]
    return evaluation.curve[min(max(price, 0), evaluation.curve.size - 1)]


@inlined
def position_cost(evaluation: Evaluation, columns: int, empties: int, runs: int) -> int:
    """What a position costs but for noise: its columns' price, empty columns, completed runs."""
    gain = evaluation.constants[layout.COMPLETED_RUN] * runs
    return columns + evaluation.empties[empties] - gain


@inlined
def junction_price(evaluation: Evaluation, below: int, card: int) -> int:
    """Price of ``card`` lying on the card ``below``."""
    return evaluation.junction[below * layout.CARD_CODES + card]


@inlined
def junctions_with(evaluation: Evaluation, nodes: Int32s, node: int, card: int) -> int:
    """Summed junctions of the column ``node`` once ``card`` lies on it."""
    if node == layout.EMPTY:
        return evaluation.base[card]
    return nodes[node].junctions + junction_price(evaluation, nodes[node].end, card)


@inlined
def continues_run(nodes: Int32s, node: int, card: int) -> bool:
    """Whether ``card`` is of the same suit as the last card of ``node``, one rank lower."""
    return node != layout.EMPTY and nodes[node].end == card + 1


@inlined
def completes_run(nodes: Int32s, node: int, head: int, end: int, ranks: int) -> bool:
    """Whether laying the run ``head``..``end`` on ``node`` makes a run of all ranks."""
    if not continues_run(nodes, node, head):
        return False
    return nodes[node].head - end == ranks - 1


@inlined
def is_complete(nodes: Int32s, node: int, leaving: int) -> bool:
    """Whether the column ``node`` ends in a run that leaves; ``leaving`` is RULE_LEAVING."""
    return nodes[node].head - nodes[node].end == leaving - 1


@inlined
def settle(nodes: Int32s, node: int, leaving: int) -> tuple[int, int]:
    """The column ``node`` without the complete runs at its end, and how many these are.

    A run that is laid bare leaves as one that is completed does.  Only a start that has complete
    runs under other cards leads to such columns, so the loop stays out of the callers' code.
    """
    if is_complete(nodes, node, leaving):
        return _without_runs(nodes, node, leaving)
    return node, 0


@internal
def _without_runs(nodes: Int32s, node: int, leaving: int) -> tuple[int, int]:
    runs = 0
    while is_complete(nodes, node, leaving):
        node = np.int64(nodes[node].parent)
        runs += 1
    return node, runs


@inlined
def is_short_of_cards(rules: Int64s, stage: int, runs: int) -> bool:
    """Whether rows are left that can never be dealt, for want of a card for every column.

    ``stage`` rows have been dealt since the start of the search, and ``runs`` runs are complete.
    Only a deal brings cards to the table, and all rows but the last are full.
    """
    columns = rules[layout.RULE_COLUMNS]
    on_table = rules[layout.RULE_IN_PLAY] + stage * columns - runs * rules[layout.RULE_RANKS]
    return stage < rules[layout.RULE_ROWS] and on_table < columns


@inlined
def _write_node(
    workspace: Workspace,
    parent: int,
    key: np.uint64,
    head: int,
    end: int,
    hidden: int,
    junctions: int,
    cost: int,
) -> int:
    node = workspace.registers[layout.REG_NODE_TOP]
    workspace.registers[layout.REG_NODE_TOP] = node + 1
    nodes = workspace.nodes
    nodes[node].key = key
    nodes[node].parent = parent
    nodes[node].head = head
    nodes[node].end = end
    nodes[node].hidden = hidden
    nodes[node].junctions = junctions
    nodes[node].cost = cost
    return node


@inlined
def lay_run(workspace: Workspace, evaluation: Evaluation, node: int, head: int, end: int) -> int:
    """The column ``node`` with the run ``head``..``end`` laid on it (complete runs stay)."""
    nodes = workspace.nodes
    if continues_run(nodes, node, head):
        parent = nodes[node].parent
        hidden = nodes[node].hidden
        top_head = nodes[node].head
        key = run_key(nodes[parent].key, top_head, end, hidden & layout.BARE)
        return _write_node(
            workspace, parent, key, top_head, end, hidden, nodes[node].junctions, nodes[node].cost
        )
    hidden = nodes[node].hidden & layout.HIDDEN_MASK
    junctions = junctions_with(evaluation, nodes, node, head)
    key = run_key(nodes[node].key, head, end, 0)
    cost = column_cost(evaluation, junctions, hidden)
    return _write_node(workspace, node, key, head, end, hidden, junctions, cost)


@inlined
def take_cards(workspace: Workspace, node: int, count: int) -> int:
    """The column ``node`` without the last ``count`` cards of its top run."""
    nodes = workspace.nodes
    parent = nodes[node].parent
    head = nodes[node].head
    end = nodes[node].end + count
    if end > head:
        return parent
    hidden = nodes[node].hidden
    key = run_key(nodes[parent].key, head, end, hidden & layout.BARE)
    return _write_node(
        workspace, parent, key, head, end, hidden, nodes[node].junctions, nodes[node].cost
    )


@internal
def load_column(workspace: Workspace, evaluation: Evaluation, cards: Int64s, face_down: int) -> int:
    """A column from its cards, deepest first; gives its node."""
    if cards.size == 0:
        return layout.EMPTY
    node = layout.EMPTY
    junctions = 0
    for depth in range(min(face_down + 1, cards.size)):
        card = cards[depth]
        if depth == 0:
            junctions = evaluation.base[card]
        else:
            junctions += junction_price(evaluation, cards[depth - 1], card)
        bare = layout.BARE if depth > 0 else 0
        key = run_key(workspace.nodes[node].key, card, card, bare)
        cost = column_cost(evaluation, junctions, depth)
        node = _write_node(workspace, node, key, card, card, depth | bare, junctions, cost)
    for depth in range(face_down + 1, cards.size):
        node = lay_run(workspace, evaluation, node, cards[depth], cards[depth])
    return node


@internal
def _load_stock(workspace: Workspace, evaluation: Evaluation, stock: Int64s) -> None:
    """Keep the stock, and what it will cost to deal each card of it onto each card."""
    workspace.stock[:] = 0
    workspace.coming[:] = 0
    for place in range(stock.size):
        card = stock[place]
        workspace.stock[place] = card
        if card != 0:
            for below in range(layout.CARD_CODES):
                price = np.int64(junction_price(evaluation, below, card))
                part = price * evaluation.constants[layout.COMING] // COST_UNIT
                workspace.coming[place * layout.CARD_CODES + below] = part


@inlined
def coming_price(workspace: Workspace, at: int, card: int) -> int:
    """What counts already of the deal onto ``card``, where ``at`` is its place in the stock."""
    return np.int64(workspace.coming[at * layout.CARD_CODES + card])


@kernel
def load_position(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    cards: Int64s,
    heights: Int64s,
    face_down: Int64s,
    stock: Int64s,
) -> None:
    """Forget all nodes and make those of a start, its columns into the layer's first row.

    ``cards`` lie column after column, deepest first; ``stock`` row by row, next row first.
    """
    registers = workspace.registers
    _load_stock(workspace, evaluation, stock)
    registers[layout.REG_NODE_TOP] = 1
    first = 0
    for column in range(rules[layout.RULE_COLUMNS]):
        last = first + heights[column]
        workspace.layer[column] = load_column(
            workspace, evaluation, cards[first:last], face_down[column]
        )
        first = last
    registers[layout.REG_NODE_FLOOR] = registers[layout.REG_NODE_TOP]


@internal
def _copy_live(workspace: Workspace, node: int, floor: int, top: int) -> int:
    """Move ``node`` and all below it to the spare nodes, once; gives the new top there.

    A node that has moved remembers its new number as its head, as a negative number.
    """
    nodes = workspace.nodes
    spare = workspace.spare_nodes
    while node >= floor and nodes[node].head >= 0:
        spare[top - floor] = nodes[node]
        nodes[node].head = -top
        node = nodes[node].parent
        top += 1
    return top


@internal
def gather_live_nodes(
    workspace: Workspace, columns: int, rows: Int32s, first: int, last: int, top: int
) -> int:
    """Copy the column nodes that the rows ``first`` to ``last`` - 1 need aside.

    The first step of throwing away all other nodes: call it for every range of rows that is still
    wanted, with the result of the call before (at first REG_NODE_FLOOR), then :func:`renumber_rows`
    for the same ranges, then :func:`drop_other_nodes`.
    """
    floor = workspace.registers[layout.REG_NODE_FLOOR]
    for row in range(first, last):
        for column in range(columns):
            node = np.int64(rows[row * layout.STATE_WORDS + column])
            top = _copy_live(workspace, node, floor, top)
    return top


@internal
def renumber_rows(workspace: Workspace, columns: int, rows: Int32s, first: int, last: int) -> None:
    """Give the rows the numbers that their column nodes will have."""
    floor = workspace.registers[layout.REG_NODE_FLOOR]
    for row in range(first, last):
        for column in range(columns):
            node = np.int64(rows[row * layout.STATE_WORDS + column])
            if node >= floor:
                rows[row * layout.STATE_WORDS + column] = -workspace.nodes[node].head


@internal
def drop_other_nodes(workspace: Workspace, top: int) -> None:
    """Bring the nodes that were gathered back; all others are gone."""
    nodes = workspace.nodes
    spare = workspace.spare_nodes
    floor = workspace.registers[layout.REG_NODE_FLOOR]
    for node in range(top - floor):
        parent = np.int64(spare[node].parent)
        if parent >= floor:
            spare[node].parent = -nodes[parent].head
    for node in range(top - floor):
        nodes[floor + node] = spare[node]
    workspace.registers[layout.REG_NODE_TOP] = top
