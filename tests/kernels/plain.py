"""The rules in full on packed positions: every legal move, and play.

The searches for a win look at fewer moves and never build what they do not keep. This is the plain
engine beside them, with which the kernels' layout is held against `game/position.py`.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.dealing import deal_row
from spider_solver.kernels.groups import goes_on_below
from spider_solver.kernels.jit import internal, kernel
from spider_solver.kernels.layout import Evaluation, Int32s, Int64s, Workspace
from spider_solver.kernels.moves import build_row


@internal
def movable_cards(nodes: Int32s, node: int) -> int:
    """How many cards at the end of the column ``node`` move as one piece, of any suits."""
    length = nodes[node].head - nodes[node].end + 1
    while goes_on_below(nodes, node):
        node = np.int64(nodes[node].parent)
        length += nodes[node].head - nodes[node].end + 1
    return np.int64(length)


@kernel
def legal_moves(workspace: Workspace, rules: Int64s, rows: Int32s, at: int, moves: Int32s) -> int:
    """Write the codes of all legal moves of the row at ``at``; gives their number.

    Moves of cards come first, then removals, then a deal.
    """
    nodes = workspace.nodes
    columns = rules[layout.RULE_COLUMNS]
    count = 0
    can_deal = workspace.registers[layout.REG_STAGE] < rules[layout.RULE_ROWS]
    for source in range(columns):
        node = np.int64(rows[at + source])
        if node == layout.EMPTY:
            can_deal = can_deal and rules[layout.RULE_DEAL_OVER_EMPTY] != 0
            continue
        end = np.int64(nodes[node].end)
        length = nodes[node].head - end + 1
        if rules[layout.RULE_GROUP_MOVES]:
            length = movable_cards(nodes, node)
        for target in range(columns):
            if target == source:
                continue
            onto = np.int64(rows[at + target])
            code = source * layout.MOVE_SOURCE + target * layout.MOVE_TARGET
            if onto == layout.EMPTY:
                for cards in range(1, length + 1):
                    moves[count] = code + cards
                    count += 1
                continue
            cards = (nodes[onto].end & layout.CARD_RANK) - (end & layout.CARD_RANK)
            if 1 <= cards <= length:
                moves[count] = code + cards
                count += 1
    if rules[layout.RULE_OPTIONAL_REMOVAL]:
        for source in range(columns):
            word = rows[at + source]
            if (
                word != layout.EMPTY
                and nodes[word].head - nodes[word].end == rules[layout.RULE_RANKS] - 1
            ):
                moves[count] = (
                    source * (layout.MOVE_SOURCE + layout.MOVE_TARGET) + rules[layout.RULE_RANKS]
                )
                count += 1
    if can_deal:
        moves[count] = layout.DEAL_MOVE
        count += 1
    return count


@kernel
def play(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, rows: Int32s, at: int, move: int
) -> None:
    """Play any legal move on the row at ``at`` in place; a deal moves the stage on."""
    if move == layout.DEAL_MOVE:
        rows[at + layout.TALLY] += layout.TALLY_ACTION + deal_row(
            workspace, evaluation, rules, rows, at
        )
        workspace.registers[layout.REG_STAGE] += 1
    else:
        build_row(workspace, evaluation, rules, rows, at, move)


@kernel
def read_cards(workspace: Workspace, node: int, cards: Int32s) -> int:
    """Write the cards of the column ``node``, top card first, as far as they are face up."""
    nodes = workspace.nodes
    count = 0
    hidden = nodes[node].hidden & layout.HIDDEN_MASK
    while node != layout.EMPTY and nodes[node].hidden & layout.HIDDEN_MASK == hidden:
        for card in range(nodes[node].end, nodes[node].head + 1):
            cards[count] = card
            count += 1
        node = np.int64(nodes[node].parent)
    return count


@kernel
def hidden_cards(workspace: Workspace, node: int) -> int:
    """How many cards of the column ``node`` lie face down."""
    return workspace.nodes[node].hidden & layout.HIDDEN_MASK


@kernel
def perft(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    depth: int,
    moves: Int32s,
) -> int:
    """The number of lines of ``depth`` actions from the row at place 0 of the layer.

    ``moves`` has room for 128 codes a level.  Positions stand in the layer, one row a level.
    """
    registers = workspace.registers
    width = moves.size // (depth + 1)
    left = workspace.order  # moves of each level still to be played
    tops = workspace.buckets
    stages = workspace.classes
    rows = workspace.layer
    level = 0
    total = 0
    registers[layout.REG_STAGE] = 0
    stages[0] = 0
    left[0] = legal_moves(workspace, rules, rows, 0, moves)
    tops[0] = registers[layout.REG_NODE_TOP]
    while level >= 0:
        if level == depth:
            total += 1
            level -= 1
            continue
        at = level * layout.STATE_WORDS
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        move = np.int64(moves[level * width + left[level]])
        registers[layout.REG_NODE_TOP] = tops[level]
        registers[layout.REG_STAGE] = stages[level]
        for word in range(layout.STATE_WORDS):
            rows[at + layout.STATE_WORDS + word] = rows[at + word]
        play(workspace, evaluation, rules, rows, at + layout.STATE_WORDS, move)
        level += 1
        stages[level] = registers[layout.REG_STAGE]
        tops[level] = registers[layout.REG_NODE_TOP]
        if level < depth:
            left[level] = legal_moves(
                workspace, rules, rows, level * layout.STATE_WORDS, moves[level * width :]
            )
    return total
