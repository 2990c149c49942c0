"""Two samples deal by deal: the same numbers with other suits, rules or settings."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from spider_solver.analysis.samples import Bools, Ints, Sample
from spider_solver.analysis.statistics import (
    LEVEL,
    Floats,
    Interval,
    bootstrap,
    mcnemar,
    mean_difference,
    share_difference,
    typical_ratio,
)
from spider_solver.analysis.tables import (
    Section,
    Table,
    difference,
    number,
    percent,
    points,
    ratio,
)
from spider_solver.errors import SpiderError
from spider_solver.game.deal import FROM_TEXT
from spider_solver.game.words import count_words
from spider_solver.store.keys import GameKey
from spider_solver.store.reading import stream_columns


class CompareError(SpiderError, ValueError):
    """Samples that have no deals to compare; the message is one line."""


@dataclass(frozen=True)
class Comparison:
    """What two samples say about the deals that both hold; B is compared with A.

    Attributes:
        a: the game of A.
        b: the game of B.
        budget: the node budget at which wins are counted.
        pairs: deals that both hold.
        unknown: of these, deals that one of the two stopped earlier, by a clock or for want of
            memory: left out of all that follows.
        both: won within the budget in A and in B.
        only_a: won in A only.
        only_b: won in B only.
        neither: won in neither.
        open_a: of the pairs, open deals in A: they count as not won.
        open_b: the same for B.
        p_value: of McNemar's exact test of ``only_a`` against ``only_b``.
        share: share won in B less that in A.
        node_pairs: pairs that are lost in neither.
        nodes: the typical ratio of nodes on one deal, B over A, of these; None without any. What
            is not won counts with the whole budget.
        action_pairs: pairs won in both, with any number of nodes.
        actions: mean actions in B less those in A, of these; None without any.
        actions_ratio: their typical ratio.
        level: confidence of the intervals.
    """

    a: GameKey
    b: GameKey
    budget: int
    pairs: int
    unknown: int
    both: int
    only_a: int
    only_b: int
    neither: int
    open_a: int
    open_b: int
    p_value: float
    share: Interval
    node_pairs: int
    nodes: Interval | None
    action_pairs: int
    actions: Interval | None
    actions_ratio: Interval | None
    level: float

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            name: value._asdict() if isinstance(value, GameKey | Interval) else value
            for name, value in values.items()
        }


def pair(a: Sequence[Sample], b: Sequence[Sample]) -> list[tuple[Sample, Sample]]:
    """Which samples of two sets to compare: the same games, or else the only one of each side.

    Raises:
        CompareError: there is more than one way to pair them, or none.
    """
    pairs = []
    for numbering in sorted({sample.game.numbering for sample in (*a, *b)}):
        left = {sample.game: sample for sample in a if sample.game.numbering == numbering}
        right = {sample.game: sample for sample in b if sample.game.numbering == numbering}
        if shared := sorted(left.keys() & right.keys()):
            pairs += [(left[game], right[game]) for game in shared]
        elif len(left) == len(right) == 1:
            pairs += zip(left.values(), right.values(), strict=True)
        elif left and right:
            raise CompareError(
                f"no game is in both A ({_names(left)}) and B ({_names(right)}): "
                "choose one of each with --suits or --variant"
            )
    if not pairs:
        sides = (_names(sample.game for sample in side) or "nothing" for side in (a, b))
        raise CompareError(f"A has {' and B has '.join(sides)}: no numbering is in both")
    return pairs


def _names(games: Any) -> str:
    return "; ".join(map(str, games))


def compare(a: Sample, b: Sample, budget: int | None = None, level: float = LEVEL) -> Comparison:
    """Compare two samples on the deals that both hold.

    Args:
        a: what is compared with.
        b: what is compared.
        budget: nodes within which wins are counted; by default what both were given.
        level: confidence of the intervals.

    Raises:
        CompareError: no deal is in both, a board is another one in B, or the budget is larger
            than what both were given.
    """
    most = min(a.budget, b.budget)
    budget = most if budget is None else budget
    if budget > most:
        raise CompareError(f"a budget of {budget:,} nodes: both sides were given only {most:,}")
    seeds, places_a, places_b = np.intersect1d(
        a.seeds, b.seeds, assume_unique=True, return_indices=True
    )
    if not seeds.size:
        raise CompareError(f"{a.game} and {b.game}: no deal is in both")
    if FROM_TEXT in (a.game.numbering, b.game.numbering):
        _check_same_boards(a, b)
    unknown = a.unknown_within(budget)[places_a] | b.unknown_within(budget)[places_b]
    left, right = places_a[~unknown], places_b[~unknown]
    won_a, won_b = a.won_within(budget)[left], b.won_within(budget)[right]
    neither_lost = ~(a.lost[left] | b.lost[right])
    nodes = [_capped(s, budget, p)[neither_lost] for s, p in ((a, left), (b, right))]
    both_won = a.won[left] & b.won[right]
    actions = [s.actions[p][both_won].astype(np.float64) for s, p in ((a, left), (b, right))]
    only_a, only_b = _count(won_a & ~won_b), _count(won_b & ~won_a)
    return Comparison(
        a=a.game,
        b=b.game,
        budget=budget,
        pairs=seeds.size,
        unknown=_count(unknown),
        both=_count(won_a & won_b),
        only_a=only_a,
        only_b=only_b,
        neither=_count(~won_a & ~won_b),
        open_a=_count(a.undecided[left]),
        open_b=_count(b.undecided[right]),
        p_value=mcnemar(only_a, only_b),
        share=share_difference(won_a, won_b, level),
        node_pairs=nodes[0].size,
        nodes=bootstrap(typical_ratio, *nodes, level=level) if nodes[0].size else None,
        action_pairs=actions[0].size,
        actions=bootstrap(mean_difference, *actions, level=level) if actions[0].size else None,
        actions_ratio=bootstrap(typical_ratio, *actions, level=level) if actions[0].size else None,
        level=level,
    )


def _count(which: Bools) -> int:
    return int(which.sum())


def _capped(sample: Sample, budget: int, places: Ints) -> Floats:
    """The nodes of deals; what is not won within the budget counts with all of it."""
    nodes = np.where(sample.won_within(budget), np.maximum(sample.nodes, 1), budget)
    return nodes[places].astype(np.float64)


def _check_same_boards(a: Sample, b: Sample) -> None:
    """Refuse boards that have the same place in two files but are not the same."""
    codes = [
        {seed: code for folder in s.sets for seed, code in _boards(folder, s.game)} for s in (a, b)
    ]
    for seed in sorted(codes[0].keys() & codes[1].keys()):
        if codes[0][seed] != codes[1][seed]:
            raise CompareError(f"board {seed} is another one in B: compare sets of the same boards")


def _boards(folder: Path, game: GameKey) -> Any:
    """Place and position code of the boards of one game in a set."""
    for _, batch in stream_columns(folder, ("numbering", "variant", "suits", "seed", "deal")):
        for row in batch.to_pylist():
            if (row["numbering"], row["variant"], row["suits"]) == game:
                yield row["seed"], row["deal"]


NOTES = (
    "won: within so many nodes. Open and lost deals count as not won; deals that a time limit or "
    "want of memory stopped earlier are left out (unknown). p: McNemar's exact test, two-sided, "
    "of 'A only' against 'B only'; the difference, in percentage points, has Agresti and Min's "
    "interval.",
    "nodes: typical ratio on one deal, the exponential of the mean difference of logarithms, over "
    "pairs lost in neither; what is not won counts with the whole budget, so that with many of "
    "these the ratio lies too near to 1.",
    "actions: over pairs won in both. Intervals of nodes and actions are bootstrapped over pairs. "
    "An interval that holds 1 (0 for differences) has not shown a difference.",
)


def report(comparisons: Sequence[Comparison], a: str, b: str) -> list[Section]:
    """The comparisons in tables.

    Args:
        comparisons: one for each pair of samples, all at one level.
        a: what A is called.
        b: what B is called.
    """
    level = f"({100 * comparisons[0].level:g}%)"
    won = ["game", "nodes", "pairs", "unknown", "both", "A only", "B only", "neither"]
    won += ["won A", "won B", f"B - A {level}", "p"]
    cost = ["game", "pairs", "open A", "open B", f"nodes B/A {level}"]
    cost += ["won in both", f"actions B - A {level}", f"actions B/A {level}"]
    tables = [
        Table(won, [_won_row(found) for found in comparisons]),
        Table(cost, [_cost_row(found) for found in comparisons]),
    ]
    return [Section("", tables, [f"A: {a}", f"B: {b}", *NOTES])]


def _won_row(found: Comparison) -> list[str]:
    """What is won on each side."""
    counted = max(found.pairs - found.unknown, 1)
    counts = [found.budget, found.pairs, found.unknown]
    counts += [found.both, found.only_a, found.only_b, found.neither]
    return [
        _name(found),
        *map(number, counts),
        *(percent((found.both + only) / counted) for only in (found.only_a, found.only_b)),
        points(found.share),
        f"{found.p_value:.2g}",
    ]


def _cost_row(found: Comparison) -> list[str]:
    """What it takes on each side."""
    return [
        _name(found),
        *map(number, (found.node_pairs, found.open_a, found.open_b)),
        ratio(found.nodes) if found.nodes else "-",
        number(found.action_pairs),
        difference(found.actions) if found.actions else "-",
        ratio(found.actions_ratio) if found.actions_ratio else "-",
    ]


def _name(found: Comparison) -> str:
    """The game, or the two of them: what they share is said once."""
    a, b = found.a, found.b
    if a == b:
        return str(a)
    return f"{a} / {b}" if a.variant != b.variant else f"{a} / {count_words(b.suits, 'suit')}"
