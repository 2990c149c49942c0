"""The complete search with and without its dead ends, and moves that are no dominance.

``pytest -m full tests/search/test_dead_ends.py --log-cli-level=info`` logs how many games that was
checked on.
"""

import logging
from collections import Counter
from collections.abc import Callable

import pytest

from spider_solver.game.notation import Move
from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules, tiny
from spider_solver.game.symmetry import in_order
from spider_solver.proofs.check import is_short_of_cards, verify_line
from spider_solver.search.complete import DeadEnds, explore
from spider_solver.search.reach import reach_of
from tests import brute
from tests.case_files import case
from tests.small_games import LARGER_GAMES, SMALL_GAMES, game_name
from tests.stuck import stuck_deal

LOG = logging.getLogger(__name__)

PLENTY = 10**7
ALL = DeadEnds.SHORT_OF_CARDS | DeadEnds.BLOCKADED
KINDS = [DeadEnds.SHORT_OF_CARDS, DeadEnds.BLOCKADED, ALL]

# Games that run out of cards: many rows, few cards on the table when a run has left.
SHORT_GAMES = (
    tiny(columns=4, ranks=3, suits=1, copies=3, hidden=0, rows=1),
    tiny(columns=4, ranks=3, suits=1, copies=4, hidden=0, rows=2),
    tiny(columns=5, ranks=3, suits=1, copies=4, hidden=0, rows=1),
)


def check(rules: Rules, seeds: range, most: int) -> Counter[str]:
    """Compare the verdicts on deals with those of brute force, with and without dead ends."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        start = numbered("pysol", seed, rules)
        known = brute.explore(start, most)
        if known is None:
            counts["too large"] += 1
            continue
        whole = explore(start, PLENTY)
        for skip in KINDS:
            found = explore(start, PLENTY, skip=skip)
            assert found.status == whole.status == ("lost" if known[start] is None else "won")
            if found.line is not None:
                assert verify_line(start, found.line).actions == known[start]
            assert found.size <= whole.size
            assert found.nodes <= whole.nodes
            for kind, count in found.dead_ends.items():
                counts[f"{kind.name}"] += count if skip == ALL else 0
        counts[f"{whole.status}"] += 1
        counts["positions"] += whole.size
        counts["positions with dead ends"] += found.size
    return counts


def test_small_games() -> None:
    counts: Counter[str] = Counter()
    for rules in (*SMALL_GAMES, *SHORT_GAMES):
        counts += check(rules, range(1, 16), most=250)
    LOG.info("%s", counts)
    assert min(counts["lost"], counts["SHORT_OF_CARDS"]) > 40
    assert min(counts["won"], counts["BLOCKADED"]) > 20


@pytest.mark.full
@pytest.mark.parametrize("rules", [*SMALL_GAMES, *SHORT_GAMES, *LARGER_GAMES], ids=game_name)
def test_many_games(rules: Rules) -> None:
    counts = check(rules, range(1000, 1300), most=1500)
    LOG.info("%s: %s", rules.name, counts)


def test_each_kind_is_found_where_it_is() -> None:
    """What the search leaves alone is what plain Python calls a dead end, and no more."""
    for rules in SHORT_GAMES:
        for seed in range(1, 9):
            start = numbered("pysol", seed, rules)
            found = explore(start, 5_000)
            if found.status != "lost":
                continue
            short = explore(start, 5_000, skip=DeadEnds.SHORT_OF_CARDS)
            expected = sum(map(is_short_of_cards, short.positions()))
            assert short.dead_ends.get(DeadEnds.SHORT_OF_CARDS, 0) == expected


@pytest.mark.parametrize(("number", "positions"), [("209", 910), ("210", 505_800)])
def test_a_trap_is_seen_at_once(number: str, positions: int) -> None:
    found = explore(case(number), PLENTY, skip=DeadEnds.SHORT_OF_CARDS)
    assert (found.status, found.size, found.nodes) == ("lost", 1, 0)
    assert found.dead_ends == {DeadEnds.SHORT_OF_CARDS: 1}
    cut = explore(case(number), 5_000, skip=DeadEnds.BLOCKADED)
    assert (cut.status, cut.dead_ends) == ("open", {DeadEnds.BLOCKADED: 0})
    assert positions > cut.size
    with pytest.raises(ValueError, match="has not seen all positions"):
        reach_of(found)


def test_a_stuck_deal_has_fewer_positions() -> None:
    start = stuck_deal(1, 43)
    assert explore(start, PLENTY).size == 360
    found = explore(start, PLENTY, skip=DeadEnds.BLOCKADED)
    assert (found.status, found.size, found.dead_ends) == ("lost", 3, {DeadEnds.BLOCKADED: 1})


# Moves that look as if they could do no harm, and do. Each rule takes one of a position's moves
# for the only one worth a try; the position is won, and lost by the rule.


def joins(position: Position, move: Move) -> bool:
    """Whether a whole run goes onto the next rank of its suit."""
    if move.is_deal or not position.columns[move.target]:
        return False
    head = position.columns[move.source][-(move.count or 0)]
    return (
        move.count == position.movable(move.source)
        and position.columns[move.target][-1] == head + 1
    )


def joins_and_may_go_back(position: Position, move: Move) -> bool:
    """The same, and the card that is laid bare would take the run back."""
    after = position.play(move)
    return joins(position, move) and any(
        after.play(back) == position for back in after.legal_moves()
    )


def joins_a_whole_column(position: Position, move: Move) -> bool:
    """The same, and a column becomes empty."""
    return joins(position, move) and not position.play(move).columns[move.source]


def completes_a_run(position: Position, move: Move) -> bool:
    return len(position.play(move).completed) > len(position.completed)


def completes_a_column(position: Position, move: Move) -> bool:
    """The same, and a column becomes empty."""
    return completes_a_run(position, move) and not position.play(move).columns[move.target]


THREE_RANKS = tiny(columns=3, ranks=3, suits=2, copies=2, hidden=0, rows=0)
FIVE_RANKS = tiny(columns=3, ranks=5, suits=2, copies=1, hidden=1, rows=0)
REFUTED: list[tuple[Callable[[Position, Move], bool], Rules, str]] = [
    (joins, FIVE_RANKS, "5s2H4H3S/3HAH4S/2SAS5H - -"),
    (joins_and_may_go_back, FIVE_RANKS, "5s2H4H3S/3HAH4S/2SAS5H - -"),
    (joins_a_whole_column, THREE_RANKS, "2S/AH2S3H3S2HAS/AS3S - H"),
    (completes_a_run, THREE_RANKS, "AH3S2SAH/AS2HAS3H/3S2S3H2H - -"),
    (completes_a_column, THREE_RANKS, "2S3H3S2HAS/ASAH2S/3S - H"),
]


@pytest.mark.parametrize(("rule", "rules", "code"), REFUTED)
def test_these_moves_may_not_be_forced(
    rule: Callable[[Position, Move], bool], rules: Rules, code: str
) -> None:
    start = Position.from_code(code, rules)
    assert not start.stock
    known = brute.explore(start, 3000)
    assert known is not None
    assert known[start] is not None
    seen = {in_order(start)}
    for position in (found := [*seen]):  # grows while it is read
        moves = position.legal_moves()
        forced = [move for move in moves if rule(position, move)]
        for move in forced[:1] or moves:
            after = in_order(position.play(move))
            if after not in seen:
                seen.add(after)
                found.append(after)
    assert not any(position.is_won for position in found)
