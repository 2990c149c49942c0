"""Why is this deal lost, or still open?  Facts about a verdict, and what they rest on.

Nothing here guesses.  A blockade is explained card by card, a loss by exhaustion by the number of
positions searched, and every search by how far it came.  The positions that can be reached before
each deal, and the cards that never turn up in them, are counted again, stage by stage
(:mod:`spider_solver.search.reach`); each figure says whether it is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from spider_solver.game.cards import card_text
from spider_solver.game.deal import Deal
from spider_solver.game.notation import Move, column_letter, format_line
from spider_solver.game.outcomes import Ended, Proof, Reason
from spider_solver.game.position import Position
from spider_solver.game.words import count_words, too_few_cards_words
from spider_solver.kernels.evaluation import ALL_COLUMNS
from spider_solver.kernels.layout import EVERY_MOVE, JOINS_FIRST, PURPOSEFUL
from spider_solver.proofs.blockade import explain_blockade, stages
from spider_solver.proofs.check import verify_line
from spider_solver.search.complete import DeadEnds, Exploration
from spider_solver.search.first_run import Classes
from spider_solver.search.portfolio import Attempt
from spider_solver.search.reach import REACH_NODES, Reach, StageCount, reach, reach_of
from spider_solver.search.result import Limits, Result, Search, Status
from spider_solver.search.solver import SOLVER, Solver, start_clock

_ENDED = {
    Ended.WON: "won",
    Ended.LOST: "saw all positions, none is won",
    Ended.NO_PROOF: "a column may be emptied or a run completed",
    Ended.FAILED: "no win",
    Ended.NODES: "out of nodes",
    Ended.TIME: "out of time",
    Ended.MEMORY: "out of memory",
}

_MOVES = {EVERY_MOVE: "every move", PURPOSEFUL: "purposeful moves", JOINS_FIRST: "joins first"}


@dataclass(frozen=True)
class Explanation:
    """The facts about a verdict.

    Attributes:
        result: the verdict, with the searches that led to it.
        reach: the positions that can be reached; None if the position is won, or lost by too few
            cards: then they do not matter.
    """

    result: Result
    reach: Reach | None

    @property
    def words(self) -> str:
        """The facts in words, in paragraphs."""
        return "\n\n".join("\n".join(part) for part in self._parts() if part)

    def _parts(self) -> Iterator[list[str]]:
        result = self.result
        if result.proof is Proof.TOO_FEW_CARDS:
            yield too_few_cards_words(result.position).splitlines()
            return
        if result.proof is Proof.BLOCKADE:
            yield explain_blockade(result.position).splitlines()
            covered = stages(result.position)[-1].covered
            yield _covered_lines(result.position, covered, "whatever is played, by the blockade")
        if result.exploration is not None:
            yield [_seen_line(result.exploration)]
        if result.classes is not None:
            yield _class_lines(result.classes)
        yield _search_lines(result.searches)
        if self.reach is not None:
            yield _count_lines(self.reach)
            if result.proof is not Proof.BLOCKADE:
                yield from _covered_parts(self.reach)
            yield _news(result, self.reach)

    def as_dict(self) -> dict[str, Any]:
        """The facts for programs, ready for JSON."""
        result = self.result
        blockade = explain_blockade(result.position) if result.proof is Proof.BLOCKADE else None
        return {
            "status": str(result.status),
            "proof": result.proof,
            "blockade": blockade,
            "searches": [_search_dict(search) for search in result.searches],
            "reach": None if self.reach is None else _reach_dict(self.reach),
            "words": self.words,
            "solver": SOLVER,
        }


def explain(
    position: Position | Deal,
    limits: Limits | None = None,
    reach_nodes: int = REACH_NODES,
    solver: Solver | None = None,
) -> Explanation:
    """Decide a position or deal and collect the facts.

    Args:
        position: the position or deal.
        limits: what may be spent on deciding it, by default what ``Limits()`` says; a limit of
            time is one for all of it.
        reach_nodes: what may be spent on counting the positions that can be reached.
        solver: a solver to use, by default one of its own.

    Raises:
        UnsupportedRules: the game is too large for the kernels.
    """
    start = position.position if isinstance(position, Deal) else position
    limits = limits or Limits()
    deadline = start_clock(limits.time)
    return explain_result((solver or Solver()).solve(start, limits), reach_nodes, deadline)


def explain_result(
    result: Result, reach_nodes: int = REACH_NODES, deadline: float | None = None
) -> Explanation:
    """The facts about a verdict that is there already; see :func:`explain`.

    Counting stops at a deadline (:mod:`spider_solver.search.clock`).
    """
    if result.status is Status.WON or result.proof is Proof.TOO_FEW_CARDS:
        return Explanation(result, None)
    if result.exploration is not None and not any(result.exploration.dead_ends.values()):
        return Explanation(result, reach_of(result.exploration))
    found = reach(result.position, reach_nodes, deadline=deadline)
    if found.line is not None:
        verify_line(result.position, found.line)
    return Explanation(result, found)


def _seen_line(found: Exploration) -> str:
    """What a complete search has seen."""
    seen = count_words(found.size, "position")
    ends = {kind: count for kind, count in found.dead_ends.items() if count}
    if not ends:
        return f"all {seen} that can come about: none is won"
    left = " and ".join(f"{count:,} {_DEAD_ENDS[kind]}" for kind, count in ends.items())
    one = sum(ends.values()) == 1
    return (
        f"{seen} looked at: none is won; {left}, which {'is' if one else 'are'} lost, "
        f"{'leads' if one else 'lead'} on to others that were not"
    )


_DEAD_ENDS = {
    DeadEnds.SHORT_OF_CARDS: "with too few cards on the table to deal again",
    DeadEnds.BURIED: "with buried cards that can never all be dug up",
}


def _class_lines(found: Classes) -> list[str]:
    """What a search of classes has seen."""
    return [
        "no column can ever be emptied and no run completed:",
        f"{count_words(found.size, 'class', 'classes')} of positions can come about before, "
        "and none of them leads there",
    ]


def _search_lines(searches: tuple[Search, ...]) -> list[str]:
    """A line for each search: its settings, how it ended and how far it came."""
    if not searches:
        return []
    names = [_search_name(search) for search in searches]
    counts = [f"{search.nodes:,}" for search in searches]
    name_width, count_width = max(map(len, names)), max(map(len, counts))
    lines = ["searches, and the most that was reached in each:"]
    for place, (name, nodes, search) in enumerate(zip(names, counts, searches, strict=True), 1):
        runs = count_words(search.runs_completed, "run")
        rows = count_words(search.rows_dealt, "row")
        lines.append(
            f"{place:>4}  {name:<{name_width}}  {nodes:>{count_width}} nodes, "
            f"{runs} complete, {rows} dealt, {_ended(search)}"
        )
    return lines


def _ended(search: Search) -> str:
    if search.of_classes and search.ended is Ended.LOST:
        return "saw all classes, no column is emptied and no run completed"
    return _ENDED[search.ended]


def _search_name(search: Search) -> str:
    if search.settings is None and search.order is not None:
        off_suit, noise = search.order
        return f"complete search, best first, off-suit cards {off_suit}, noise {noise}"
    if search.of_classes:
        return "search of classes"
    if search.settings is None:
        return "complete search"
    settings = search.settings
    keyed = settings.keyed.bit_count()
    columns = "" if settings.keyed == ALL_COLUMNS else f" by {count_words(keyed, 'column')}"
    return (
        f"beam {settings.width} wide, {settings.classes:g} classes{columns}, "
        f"noise {settings.noise:.2f}, patience {settings.patience}, {_MOVES[settings.moves]}"
    )


def _count_lines(found: Reach) -> list[str]:
    """How many positions can be reached before each deal."""
    rows = found.start.rows_left
    when = [_when(rows, dealt) for dealt in range(len(found.stages))]
    counts = [_count(stage) for stage in found.stages]
    width, count_width = max(map(len, when)), max(map(len, counts))
    lines = ["positions that can be reached (columns with equal cards to come may swap places):"]
    for dealt, (name, count, stage) in enumerate(zip(when, counts, found.stages, strict=True)):
        line = f"  {name:<{width}}  {count:>{count_width}}"
        if not stage.exact:
            why = "out of memory" if found.reason is Reason.MEMORY else "stopped"
            line += f", counting {why} after {count_words(found.nodes, 'node')}"
        elif not stage.positions:
            stay = len(found.start.stock) - (dealt - 1) * found.start.rules.columns
            line += f", row {dealt} of {rows} can never be dealt: {count_words(stay, 'card')} stay"
        lines.append(line)
    return lines


def _count(stage: StageCount) -> str:
    if stage.exact:
        return f"{stage.positions:,}" if stage.positions else "none"
    return f"at least {stage.positions:,}"


def _when(rows: int, dealt: int) -> str:
    if not rows:
        return "with no stock"
    return f"before deal {dealt + 1}" if dealt < rows else "after the last deal"


def _news(result: Result, found: Reach) -> list[str]:
    """What the counting proves about a position that the searches left open."""
    if found.line is not None:
        length = count_words(len(found.line), "action")
        return [f"counting met a won position, so this is won, in {length}:", _text(found.line)]
    if found.reason is None and result.status is Status.OPEN:
        return ["counting saw all positions that can be reached and none is won, so this is lost"]
    return []


def _text(line: Sequence[Move]) -> str:
    return f"  {format_line(line)}"


def _covered_parts(found: Reach) -> Iterator[list[str]]:
    """The cards that lie face down in all positions: of the exact stages, and of all met."""
    start = found.start
    exact = [stage for stage in found.stages if stage.exact]
    whole = found.reason is None
    if not start.hidden:
        return
    if exact:
        count = count_words(sum(stage.positions for stage in exact), "position")
        before = "" if whole else f" before deal {len(exact)}"
        where = f"all {count} that can be reached{before}"
        yield _covered_lines(start, exact[-1].covered, f"in {where}")
    if not whole:
        met = f"the {count_words(found.positions, 'position')} met, which are not all there are"
        last = found.stages[-1].covered
        if exact and last == exact[-1].covered:
            yield [f"the same cards lie face down in {met}"]
        else:
            yield _covered_lines(start, last, f"in {met}")


def _covered_lines(start: Position, covered: Sequence[int], where: str) -> list[str]:
    count = sum(covered)
    if not count:
        return [f"no card stays face down {where}"]
    lines = [f"{count} of {count_words(start.hidden, 'face-down card')} never turn up {where}:"]
    for column, cards in enumerate(cards_covered(start, covered)):
        if cards:
            lines.append(f"  column {column_letter(column)}: {' '.join(cards)}")
    return lines


def cards_covered(start: Position, covered: Sequence[int]) -> list[list[str]]:
    """So many of the deepest cards of each column, as text."""
    return [
        [card_text(card) for card in cards[:count]]
        for cards, count in zip(start.columns, covered, strict=True)
    ]


def _search_dict(search: Search) -> dict[str, Any]:
    settings = search.settings
    return {
        "search": _kind(search),
        **_settings_dict(settings),
        "ended": search.ended,
        "nodes": search.nodes,
        "runs_completed": search.runs_completed,
        "rows_dealt": search.rows_dealt,
    }


def _kind(search: Search) -> str:
    if search.of_classes:
        return "classes"
    return "complete" if search.settings is None else "beam"


def _settings_dict(settings: Attempt | None) -> dict[str, Any]:
    names = ("width", "classes", "noise", "patience")
    known = {name: None if settings is None else getattr(settings, name) for name in names}
    return {**known, "moves": None if settings is None else _MOVES[settings.moves]}


def _reach_dict(found: Reach) -> dict[str, Any]:
    stages = [
        {
            "rows_dealt": dealt,
            "positions": stage.positions,
            "exact": stage.exact,
            "never_turned_up": cards_covered(found.start, stage.covered),
        }
        for dealt, stage in enumerate(found.stages)
    ]
    line = None if found.line is None else format_line(found.line)
    return {"stages": stages, "nodes": found.nodes, "reason": found.reason, "line": line}
