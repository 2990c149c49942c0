"""The player's costs and features once more, in plain Python on tables of cards.

An unknown card is 0. Where the kernels count in integers of 1/256 there are floats here, so the two
agree to a few 256ths.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import sqrt

from spider_solver.game.cards import Card, rank, suit
from spider_solver.game.position import Column, Position
from spider_solver.play.weights import Cost

_KING = 13


def junction(cost: Cost, below: Card, above: Card) -> float:
    """What a card costs on another."""
    king = cost.king_on_card if rank(above) == _KING else 0.0
    if not above:
        return 0.0
    if not below:
        return cost.on_hidden + king
    if rank(below) == rank(above) + 1:
        if suit(below) == suit(above):
            return 0.0
        return cost.off_suit + cost.off_suit_rank * rank(above) / 13
    higher = max(rank(above) - rank(below), 0)
    return cost.broken + cost.broken_rank * rank(below) / 13 + cost.above * higher + king


def column_price(cost: Cost, cards: Column, down: int) -> float:
    """What a column costs before the curve."""
    if not cards:
        return 0.0
    price = sum(junction(cost, below, card) for below, card in pairwise(cards))
    if cards[0]:
        price += cost.king_base if rank(cards[0]) == _KING else cost.base
    if down:
        price += cost.hidden * down + cost.any_hidden + cost.hidden_root * sqrt(down)
    return max(price, 0.0)


def table_cost(cost: Cost, table: Position) -> float:
    """What a table costs."""
    total = -cost.completed_run * len(table.completed)
    for cards, down in zip(table.columns, table.face_down, strict=True):
        price = column_price(cost, cards, down)
        total += price + cost.curve * sqrt(price)
    if empties := len(table.empty_columns):
        total -= cost.first_empty + cost.more_empty * (empties - 1)
    return total


def runs_of(cards: Column, down: int) -> list[Column]:
    """The runs among the face-up cards of a column, the last one first."""
    runs: list[Column] = []
    for card in reversed(cards[down:]):
        if runs and card and card == runs[-1][0] + 1:
            runs[-1] = (card, *runs[-1])
        else:
            runs.append((card,))
    return runs


def _known_runs(table: Position) -> dict[int, list[Column]]:
    """The runs of each column that does not end in an unknown card."""
    return {
        column: runs_of(cards, table.face_down[column])
        for column, cards in enumerate(table.columns)
        if cards and cards[-1]
    }


def meetings(table: Position, unseen: Counter[Card]) -> list[float]:
    """Chances that an unseen card fits an end by suit, by rank, or takes a run by suit, by rank."""
    runs = [column[0] for column in _known_runs(table).values()]
    below = {run[-1] - 1 for run in runs if rank(run[-1]) > 1}
    above = {run[0] + 1 for run in runs if rank(run[0]) < _KING}
    total = max(unseen.total(), 1)
    return [
        count / total
        for wanted in (below, above)
        for count in (
            sum(unseen[card] for card in wanted),
            sum(n for card, n in unseen.items() if rank(card) in set(map(rank, wanted))),
        )
    ]


def flip_cost(cost: Cost, table: Position, unseen: Counter[Card]) -> float:
    """What a table costs on which a card has just turned up."""
    gains = zip(cost.meets, meetings(table, unseen), strict=True)
    return table_cost(cost, table) - sum(gain * chance for gain, chance in gains)


def features(
    cost: Cost, table: Position, unseen: Counter[Card], turned: int | None
) -> dict[str, float]:
    """All features but the cost and those of a closer look."""
    found: Counter[str] = Counter()
    values: dict[str, float] = {}
    all_runs = [
        (cards, down, runs_of(cards, down))
        for cards, down in zip(table.columns, table.face_down, strict=True)
        if cards
    ]
    longest = [0, 0, 0, 0]
    roots = hidden_roots = long_runs = off_suit_rank = broken_rank = base_ranks = 0.0
    for cards, down, runs in all_runs:
        roots += sqrt(column_price(cost, cards, down))
        hidden_roots += sqrt(down)
        for run in runs:
            if run[0]:
                long_runs += (len(run) - 1) ** 2 / 10
                longest[suit(run[0])] = max(longest[suit(run[0])], len(run))
        for above, below in pairwise(runs):
            if rank(below[-1]) == rank(above[0]) + 1:
                found["off_suit"] += 1
                off_suit_rank += rank(above[0]) / 13
            else:
                found["broken"] += 1
                broken_rank += rank(below[-1]) / 13
                found["broken_upwards"] += rank(above[0]) > rank(below[-1])
        found["kings_on_cards"] += sum(rank(card) == _KING for card in cards[1:])
        if not down:
            base_ranks += rank(cards[0]) / 13
            if rank(cards[0]) == _KING:
                found["king_bases"] += 1
                found["king_runs"] += len(runs[-1])
    distances = sorted(len(runs) + down for _, down, runs in all_runs if down)
    clear = [len(runs) for _, down, runs in all_runs if not down]
    empties = len(table.empty_columns)
    values |= {
        "off_suit_rank": off_suit_rank,
        "broken_rank": broken_rank,
        "hidden": table.hidden,
        "hidden_columns": sum(down > 0 for down in table.face_down),
        "hidden_roots": hidden_roots,
        "clear_columns": len(clear),
        "an_empty_column": empties >= 1,
        "two_empty_columns": empties >= 2,
        "three_empty_columns": empties >= 3,
        "completed_runs": len(table.completed),
        "column_roots": roots,
        "nearest_hidden": distances[0] if distances else 0,
        "second_hidden": (distances[1] if len(distances) > 1 else distances[0] + 3)
        if distances
        else 0,
        "nearest_empty": min(clear, default=5),
        "long_runs": long_runs,
        "longest_run": max(longest),
        "base_ranks": base_ranks,
        "highest_column": max(map(len, table.columns)) / 10,
        "longest_by_suit": sum(length * length for length in longest) / 20,
    }
    names = ("unseen_fits_suit", "unseen_fits", "unseen_takes_suit", "unseen_takes")
    values |= dict(zip(names, meetings(table, unseen), strict=True))
    if turned is not None:
        down = table.face_down[turned]
        values |= {
            "below_unknown": down,
            "none_below_unknown": down == 0,
            "one_below_unknown": down == 1,
        }
    found += _of_runs_at_ends(table)
    if empties:
        found["empty_and_one_run"] = min(found["one_run_on_hidden"], 3)
    return dict(found) | values


def _of_runs_at_ends(table: Position) -> Counter[str]:
    """What the runs at the ends of the columns can do."""
    known = _known_runs(table)
    found: Counter[str] = Counter()
    ends = {column: runs[0][-1] for column, runs in known.items()}
    found["open_ranks"] = len({rank(end) for end in ends.values()} - {1})
    found["aces_on_top"] = sum(rank(end) == 1 for end in ends.values())
    for column, runs in known.items():
        others = [end for other, end in ends.items() if other != column]
        joins = runs[0][0] + 1 in others
        fits = rank(runs[0][0]) + 1 in map(rank, others)
        on_hidden = table.face_down[column] > 0
        goal = "flip" if on_hidden else "empty"
        found["run_joins"] += joins
        found["run_fits"] += fits
        if not on_hidden:
            found["runs_without_hidden"] += len(runs)
        if len(runs) == 1:
            found["one_run_on_hidden" if on_hidden else "one_run_in_column"] += 1
            found[f"{goal}_one_move_away"] += fits
            found[f"{goal}_joins"] += joins
        if len(runs) == 2 and fits and rank(runs[1][0]) + 1 in map(rank, others):
            found[f"{goal}_two_moves_away"] += 1
    return found
