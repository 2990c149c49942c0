"""The rules in full on packed positions: every legal move, and play.

The searches for a win look at fewer moves and never build what they do not keep; this is the plain
engine beside them, which the complete search and the tests against `position.py` use.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels.columns import completes_run, lay_run, settle, take_cards
from spider_solver.kernels.dealing import deal_row
from spider_solver.kernels.groups import movable_cards, move_group
from spider_solver.kernels.jit import inlined, kernel
from spider_solver.kernels.layout import (
    CARD_RANK,
    DEAL_MOVE,
    EMPTY,
    END,
    HEAD,
    HIDDEN,
    HIDDEN_MASK,
    MOVE_SOURCE,
    MOVE_TARGET,
    NODE_WORDS,
    PARENT,
    REG_NODE_TOP,
    REG_STAGE,
    RULE_COLUMNS,
    RULE_DEAL_OVER_EMPTY,
    RULE_GROUP_MOVES,
    RULE_LEAVING,
    RULE_OPTIONAL_REMOVAL,
    RULE_RANKS,
    RULE_ROWS,
    STATE_WORDS,
    TALLY,
    TALLY_ACTION,
    TURNED_UP,
    Evaluation,
    Int32s,
    Int64s,
    Workspace,
)
from spider_solver.kernels.move_codes import count_of, source_of, target_of


@kernel
def legal_moves(workspace: Workspace, rules: Int64s, rows: Int32s, at: int, moves: Int32s) -> int:
    """Write the codes of all legal moves of the row at ``at``; gives their number.

    Moves of cards come first, then removals, then a deal.
    """
    nodes = workspace.nodes
    columns = rules[RULE_COLUMNS]
    count = 0
    can_deal = workspace.registers[REG_STAGE] < rules[RULE_ROWS]
    for source in range(columns):
        node = np.int64(rows[at + source])
        if node == EMPTY:
            can_deal = can_deal and rules[RULE_DEAL_OVER_EMPTY] != 0
            continue
        end = np.int64(nodes[node * NODE_WORDS + END])
        length = nodes[node * NODE_WORDS + HEAD] - end + 1
        if rules[RULE_GROUP_MOVES]:
            length = movable_cards(nodes, node)
        for target in range(columns):
            if target == source:
                continue
            onto = np.int64(rows[at + target])
            code = source * MOVE_SOURCE + target * MOVE_TARGET
            if onto == EMPTY:
                for cards in range(1, length + 1):
                    moves[count] = code + cards
                    count += 1
                continue
            cards = (nodes[onto * NODE_WORDS + END] & CARD_RANK) - (end & CARD_RANK)
            if 1 <= cards <= length:
                moves[count] = code + cards
                count += 1
    if rules[RULE_OPTIONAL_REMOVAL]:
        for source in range(columns):
            word = rows[at + source] * NODE_WORDS
            if word != EMPTY and nodes[word + HEAD] - nodes[word + END] == rules[RULE_RANKS] - 1:
                moves[count] = source * (MOVE_SOURCE + MOVE_TARGET) + rules[RULE_RANKS]
                count += 1
    if can_deal:
        moves[count] = DEAL_MOVE
        count += 1
    return count


@inlined
def build_row(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    rows: Int32s,
    at: int,
    move: int,
) -> int:
    """Play ``move`` (source, target, count in one number) on the columns at ``at`` of ``rows``.

    Gives TURNED_UP if the source's next card was turned up or a run there laid bare, else 0.
    """
    nodes = workspace.nodes
    source = source_of(move)
    target = target_of(move)
    count = count_of(move)
    node = np.int64(rows[at + source])
    onto = np.int64(rows[at + target])
    end = np.int64(nodes[node * NODE_WORDS + END])
    head = end + count - 1
    hidden = nodes[node * NODE_WORDS + HIDDEN] & HIDDEN_MASK
    leaving = rules[RULE_LEAVING]
    bared = 0
    completed = 0
    if source == target:
        left = np.int64(nodes[node * NODE_WORDS + PARENT])
        completed = 1
    elif head > nodes[node * NODE_WORDS + HEAD]:
        move_group(workspace, evaluation, rows, at + source, at + target, count)
        left, bared = settle(nodes, np.int64(rows[at + source]), leaving)
    else:
        left, bared = settle(nodes, take_cards(workspace, node, count), leaving)
        if completes_run(nodes, onto, head, end, leaving):
            onto, completed = settle(nodes, np.int64(nodes[onto * NODE_WORDS + PARENT]), leaving)
            completed += 1
        else:
            onto = lay_run(workspace, evaluation, onto, head, end)
        rows[at + target] = onto
    rows[at + source] = left
    rows[at + TALLY] += TALLY_ACTION + bared + completed
    turned_up = nodes[left * NODE_WORDS + HIDDEN] & HIDDEN_MASK != hidden
    return TURNED_UP if turned_up or bared > 0 else 0


@kernel
def play(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, rows: Int32s, at: int, move: int
) -> None:
    """Play any legal move on the row at ``at`` in place; a deal moves the stage on."""
    if move == DEAL_MOVE:
        rows[at + TALLY] += TALLY_ACTION + deal_row(workspace, evaluation, rules, rows, at)
        workspace.registers[REG_STAGE] += 1
    else:
        build_row(workspace, evaluation, rules, rows, at, move)


@kernel
def read_cards(workspace: Workspace, node: int, cards: Int32s) -> int:
    """Write the cards of the column ``node``, top card first, as far as they are face up."""
    nodes = workspace.nodes
    count = 0
    hidden = nodes[node * NODE_WORDS + HIDDEN] & HIDDEN_MASK
    while node != EMPTY and nodes[node * NODE_WORDS + HIDDEN] & HIDDEN_MASK == hidden:
        at = node * NODE_WORDS
        for card in range(nodes[at + END], nodes[at + HEAD] + 1):
            cards[count] = card
            count += 1
        node = np.int64(nodes[at + PARENT])
    return count


@kernel
def hidden_cards(workspace: Workspace, node: int) -> int:
    """How many cards of the column ``node`` lie face down."""
    return workspace.nodes[node * NODE_WORDS + HIDDEN] & HIDDEN_MASK


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
    registers[REG_STAGE] = 0
    stages[0] = 0
    left[0] = legal_moves(workspace, rules, rows, 0, moves)
    tops[0] = registers[REG_NODE_TOP]
    while level >= 0:
        if level == depth:
            total += 1
            level -= 1
            continue
        at = level * STATE_WORDS
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        move = np.int64(moves[level * width + left[level]])
        registers[REG_NODE_TOP] = tops[level]
        registers[REG_STAGE] = stages[level]
        for word in range(STATE_WORDS):
            rows[at + STATE_WORDS + word] = rows[at + word]
        play(workspace, evaluation, rules, rows, at + STATE_WORDS, move)
        level += 1
        stages[level] = registers[REG_STAGE]
        tops[level] = registers[REG_NODE_TOP]
        if level < depth:
            left[level] = legal_moves(
                workspace, rules, rows, level * STATE_WORDS, moves[level * width :]
            )
    return total
