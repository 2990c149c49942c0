"""The features of a position as integers: what the learned score of a flip is made of.

A card that has just turned up is unknown while a plan is made: its column ends in the card 0,
which neither moves nor takes others.  All values are in units of 1 / PRICE_UNIT.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels import plan_layout as plan
from spider_solver.kernels.jit import inlined, internal
from spider_solver.kernels.layout import Evaluation, Int32s, Int64s, Workspace
from spider_solver.kernels.plan_layout import PRICE_UNIT, Plans

_ACE = 1
_KING = 13
_NONE = 99  # runs and hidden cards of a column that is not there
_NO_CLEAR_COLUMN = 5  # what counts as NEAREST_EMPTY without one
_SECOND_APART = 3  # what counts as the distance of a second column that is not there


@inlined
def _rank(card: int) -> int:
    return card & layout.CARD_RANK


@inlined
def count_meetings(plans: Plans, columns: int) -> tuple[int, int, int, int]:
    """How many unseen cards would meet the ends of the columns.

    Gives the unseen cards that fit onto an end by suit, and by rank; and those that would take a
    run from an end by suit, and by rank.  Each card counts once.
    """
    table = plans.columns
    ends = 0
    end_ranks = 0
    heads = 0
    head_ranks = 0
    fits_suit = 0
    fits = 0
    takes_suit = 0
    takes = 0
    for column in range(columns):
        end = table[plan.END + column]
        if end == 0:
            continue
        rank = _rank(end)
        if rank != _ACE:
            if ends >> end & 1 == 0:
                ends |= 1 << end
                fits_suit += plans.unseen[end - 1]
            if end_ranks >> rank & 1 == 0:
                end_ranks |= 1 << rank
                fits += plans.unseen_ranks[rank - 1]
        head = table[plan.HEAD + column]
        rank = _rank(head)
        if rank != _KING:
            if heads >> head & 1 == 0:
                heads |= 1 << head
                takes_suit += plans.unseen[head + 1]
            if head_ranks >> rank & 1 == 0:
                head_ranks |= 1 << rank
                takes += plans.unseen_ranks[rank + 1]
    return fits_suit, fits, takes_suit, takes


@inlined
def _count_junction(features: Int64s, below: int, card: int) -> None:
    """Count ``card``, which does not continue the run that ends in ``below``."""
    if _rank(below) == _rank(card) + 1:
        features[plan.OFF_SUIT] += 1
        features[plan.OFF_SUIT_RANK] += _rank(card)
    else:
        features[plan.BROKEN] += 1
        features[plan.BROKEN_RANK] += _rank(below)
        if _rank(card) > _rank(below):
            features[plan.BROKEN_UPWARDS] += 1


@inlined
def _count_run(plans: Plans, head: int, length: int) -> None:
    """Count a run among the face-up cards."""
    features = plans.features
    features[plan.LONG_RUNS] += (length - 1) * (length - 1)
    features[plan.LONGEST_RUN] = max(features[plan.LONGEST_RUN], length)
    suit = plan.LENGTH_OF_SUIT + (head >> 4)
    plans.columns[suit] = max(plans.columns[suit], length)


@internal
def _read_column(plans: Plans, nodes: Int32s, column: int, top: int) -> None:
    """Count what one column holds, from its last run down to its first face-up card."""
    features = plans.features
    table = plans.columns
    below = np.int64(nodes[top].hidden) & layout.HIDDEN_MASK
    head = np.int64(nodes[top].head)
    table[plan.END + column] = nodes[top].end
    table[plan.HEAD + column] = head
    table[plan.BELOW + column] = below
    table[plan.SECOND_HEAD + column] = 0
    runs = 1
    height = below
    node = top
    while True:
        head = np.int64(nodes[node].head)
        length = head - np.int64(nodes[node].end) + 1
        height += length
        if head != 0:
            _count_run(plans, head, length)
        parent = np.int64(nodes[node].parent)
        on_hidden = np.int64(nodes[node].hidden) & layout.BARE != 0
        if _rank(head) == _KING and parent != layout.EMPTY:
            features[plan.KINGS_ON_CARDS] += 1
        if on_hidden or parent == layout.EMPTY:
            break
        _count_junction(features, np.int64(nodes[parent].end), head)
        runs += 1
        node = parent
    table[plan.RUNS + column] = runs
    if runs == 2:
        table[plan.SECOND_HEAD + column] = head
    if below == 0:
        features[plan.CLEAR_COLUMNS] += 1
        features[plan.BASE_RANKS] += _rank(head)
        if _rank(head) == _KING:
            features[plan.KING_BASES] += 1
            features[plan.KING_RUNS] += head - np.int64(nodes[node].end) + 1
    features[plan.HIGHEST_COLUMN] = max(features[plan.HIGHEST_COLUMN], height)


@inlined
def _count_distance(features: Int64s, runs: int, below: int) -> None:
    """Keep the least runs of a clear column, and the two least of those with hidden cards."""
    if below == 0:
        features[plan.NEAREST_EMPTY] = min(features[plan.NEAREST_EMPTY], runs)
        return
    distance = runs + below
    if distance < features[plan.NEAREST_HIDDEN]:
        features[plan.SECOND_HIDDEN] = features[plan.NEAREST_HIDDEN]
        features[plan.NEAREST_HIDDEN] = distance
    else:
        features[plan.SECOND_HIDDEN] = min(features[plan.SECOND_HIDDEN], distance)


@inlined
def _ends(table: Int64s, columns: int) -> tuple[int, int]:
    """The set of cards, and of their ranks, at the ends of the columns, a bit each."""
    cards = 0
    ranks = 0
    for column in range(columns):
        end = table[plan.END + column]
        if end != 0:
            cards |= 1 << end
            ranks |= 1 << _rank(end)
    return cards, ranks


@inlined
def _fits_elsewhere(table: Int64s, columns: int, head: int, column: int) -> bool:
    """Whether a run that begins with ``head`` fits the end of any but its own column."""
    for other in range(columns):
        end = table[plan.END + other]
        if other != column and end != 0 and _rank(end) == _rank(head) + 1:
            return True
    return False


@inlined
def _count_run_at_end(plans: Plans, columns: int, column: int, cards: int, ranks: int) -> None:
    """Count what the run at the end of a column can do, given the :func:`_ends` of all."""
    features = plans.features
    table = plans.columns
    runs = table[plan.RUNS + column]
    head = table[plan.HEAD + column]
    on_hidden = table[plan.BELOW + column] > 0
    joins = cards >> (head + 1) & 1  # never the end of its own column
    fits = ranks >> (_rank(head) + 1) & 1
    features[plan.RUN_JOINS] += joins
    features[plan.RUN_FITS] += fits
    if not on_hidden:
        features[plan.RUNS_WITHOUT_HIDDEN] += runs
    if runs == 1:
        if on_hidden:
            features[plan.ONE_RUN_ON_HIDDEN] += 1
            features[plan.FLIP_ONE_MOVE_AWAY] += fits
            features[plan.FLIP_JOINS] += joins
        else:
            features[plan.ONE_RUN_IN_COLUMN] += 1
            features[plan.EMPTY_ONE_MOVE_AWAY] += fits
            features[plan.EMPTY_JOINS] += joins
    if runs == 2 and fits:
        second = _fits_elsewhere(table, columns, table[plan.SECOND_HEAD + column], column)
        if on_hidden:
            features[plan.FLIP_TWO_MOVES_AWAY] += second
        else:
            features[plan.EMPTY_TWO_MOVES_AWAY] += second


@internal
def _count_hidden(
    plans: Plans, evaluation: Evaluation, nodes: Int32s, column: int, node: int
) -> None:
    """Count the face-down cards of a column, and the root of its price."""
    features = plans.features
    below = plans.columns[plan.BELOW + column]
    if below > 0:
        features[plan.HIDDEN] += below
        features[plan.HIDDEN_COLUMNS] += 1
        features[plan.HIDDEN_ROOTS] += plans.roots[below * PRICE_UNIT]
    price = np.int64(nodes[node].junctions) + evaluation.hidden[below]
    features[plan.COLUMN_ROOTS] += plans.roots[min(max(price, 0), plans.roots.size - 1)]


@internal
def _scale(plans: Plans) -> None:
    """Bring what was counted to the units of the weights."""
    features = plans.features
    for feature in range(plan.OFF_SUIT, plan.FIRST_CLOSER):
        if feature != plan.HIDDEN_ROOTS and feature != plan.COLUMN_ROOTS:
            features[feature] *= PRICE_UNIT
    for feature in (plan.OFF_SUIT_RANK, plan.BROKEN_RANK, plan.BASE_RANKS):
        features[feature] //= _KING
    for feature in (plan.LONG_RUNS, plan.HIGHEST_COLUMN):
        features[feature] //= 10
    features[plan.LONGEST_BY_SUIT] //= 20
    total = max(plans.registers[plan.REG_TOTAL], 1)
    for feature in range(plan.UNSEEN_FITS_SUIT, plan.UNSEEN_TAKES + 1):
        features[feature] //= total


@internal
def _finish(plans: Plans, columns: int, empties: int) -> None:
    """Count what takes all columns together."""
    features = plans.features
    table = plans.columns
    features[plan.AN_EMPTY_COLUMN] = empties >= 1
    features[plan.TWO_EMPTY_COLUMNS] = empties >= 2
    features[plan.THREE_EMPTY_COLUMNS] = empties >= 3
    if empties >= 1:
        features[plan.EMPTY_AND_ONE_RUN] = min(features[plan.ONE_RUN_ON_HIDDEN], 3)
    if features[plan.NEAREST_HIDDEN] == _NONE:
        features[plan.NEAREST_HIDDEN] = 0
        features[plan.SECOND_HIDDEN] = 0
    elif features[plan.SECOND_HIDDEN] == _NONE:
        features[plan.SECOND_HIDDEN] = features[plan.NEAREST_HIDDEN] + _SECOND_APART
    if features[plan.NEAREST_EMPTY] == _NONE:
        features[plan.NEAREST_EMPTY] = _NO_CLEAR_COLUMN
    ranks = 0
    for column in range(columns):
        rank = _rank(table[plan.END + column])
        if rank == _ACE:
            features[plan.ACES_ON_TOP] += 1
        elif rank != 0 and ranks >> rank & 1 == 0:
            ranks |= 1 << rank
            features[plan.OPEN_RANKS] += 1
    for suit in range(4):
        length = table[plan.LENGTH_OF_SUIT + suit]
        features[plan.LONGEST_BY_SUIT] += length * length
    fits_suit, fits, takes_suit, takes = count_meetings(plans, columns)
    features[plan.UNSEEN_FITS_SUIT] = fits_suit
    features[plan.UNSEEN_FITS] = fits
    features[plan.UNSEEN_TAKES_SUIT] = takes_suit
    features[plan.UNSEEN_TAKES] = takes


@internal
def read_features(
    workspace: Workspace,
    plans: Plans,
    evaluation: Evaluation,
    columns: int,
    row: int,
    turned: int,
    cost: int,
) -> None:
    """Write the features of a row of the layer, but for those of a closer look, which are 0.

    ``turned`` is the column whose last card has just turned up, or -1; ``cost`` the position's.
    """
    nodes = workspace.nodes
    features = plans.features
    table = plans.columns
    at = row * layout.STATE_WORDS
    features[:] = 0
    features[plan.NEAREST_HIDDEN] = _NONE
    features[plan.SECOND_HIDDEN] = _NONE
    features[plan.NEAREST_EMPTY] = _NONE
    for suit in range(4):
        table[plan.LENGTH_OF_SUIT + suit] = 0
    empties = 0
    for column in range(columns):
        node = np.int64(workspace.layer[at + column])
        if node == layout.EMPTY:
            table[plan.END + column] = 0
            empties += 1
            continue
        _read_column(plans, nodes, column, node)
        _count_hidden(plans, evaluation, nodes, column, node)
        _count_distance(features, table[plan.RUNS + column], table[plan.BELOW + column])
    cards, ranks = _ends(table, columns)
    for column in range(columns):
        if table[plan.END + column] != 0:
            _count_run_at_end(plans, columns, column, cards, ranks)
    if turned >= 0:
        below = table[plan.BELOW + turned]
        features[plan.BELOW_UNKNOWN] = below
        features[plan.NONE_BELOW_UNKNOWN] = below == 0
        features[plan.ONE_BELOW_UNKNOWN] = below == 1
    features[plan.COMPLETED_RUNS] = workspace.layer[at + layout.TALLY] & layout.TALLY_RUNS
    _finish(plans, columns, empties)
    _scale(plans)
    features[plan.COST] = cost


@internal
def benefit(plans: Plans, first: int, last: int) -> int:
    """What the features from ``first`` up to ``last`` are worth, as a price."""
    weights = plans.registers[plan.REG_STAGE] * plan.FEATURE_WORDS
    total = 0
    for feature in range(first, last):
        total += plans.weights[weights + feature] * plans.features[feature]
    return total // PRICE_UNIT
