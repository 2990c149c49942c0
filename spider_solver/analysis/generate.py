"""Certified deals on demand: won with a line, and of the difficulty that was asked for.

Candidates are the deals with numbers from a start on, taken in order: the same wishes give the same
deals, whatever the number of workers. A candidate outside the class is given up as soon as that is
certain; one inside is solved, and its line replayed.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import lru_cache, partial

from spider_solver.analysis.difficulty import (
    DEFAULT_MEASURE,
    MEASURES,
    Band,
    Difficulty,
    reference,
)
from spider_solver.batch.executors import map_in_order
from spider_solver.game.deal import Deal
from spider_solver.game.rules import Rules
from spider_solver.search.result import Limits, Status
from spider_solver.search.solver import SOLVER, Solver
from spider_solver.store.difficulties import DifficultyRow
from spider_solver.store.row import Row, row_of

CHUNK = 4
"""Candidates that a worker is sent at a time."""


@dataclass(frozen=True)
class Wishes:
    """What deals are asked for.

    Attributes:
        numbering: whose numbers.
        rules: the game.
        band: the class of difficulty; None for any.
        limits: what may be spent on a deal's line.
        measure: the name of the measure of difficulty.
    """

    numbering: str
    rules: Rules
    band: Band | None = None
    limits: Limits = field(default_factory=Limits)
    measure: str = DEFAULT_MEASURE


@dataclass(frozen=True)
class Candidate:
    """What became of a candidate.

    Attributes:
        seed: its number.
        fits: whether it is in the class.
        row: the result, if it fits and is won.
        difficulty: how hard it is, likewise.
    """

    seed: int
    fits: bool
    row: Row | None = None
    difficulty: DifficultyRow | None = None


def examine(wishes: Wishes, seed: int, solver: Solver) -> Candidate:
    """Measure a candidate, and solve it if it is in the class.

    Raises:
        NumberingError: there is no such deal.
        UnsupportedRules: the kernels do not know the rules.
        ValueError: there is no reference for the number of suits.
    """
    deal = Deal.numbered(seed, numbering=wishes.numbering, rules=wishes.rules)
    levels = reference(wishes.rules.suits, wishes.measure)
    low, high = levels.limits(wishes.band) if wishes.band else (-1.0, float("inf"))
    measured = MEASURES[wishes.measure](deal.position, solver, most=high)
    if not low < measured.score <= high:
        return Candidate(seed, fits=False)
    result = solver.solve(deal.position, wishes.limits)
    if result.status != Status.WON:
        return Candidate(seed, fits=True)
    difficulty = difficulty_row(deal, measured, wishes.measure)
    return Candidate(seed, True, row_of(deal, result, SOLVER), difficulty)


def difficulty_row(
    deal: Deal, measured: Difficulty, measure: str = DEFAULT_MEASURE
) -> DifficultyRow:
    """The row that keeps a deal's difficulty, by the measure with a name."""
    rules = deal.position.rules
    levels = reference(rules.suits, measure)
    return DifficultyRow(
        numbering=deal.numbering,
        variant=rules.name,
        suits=rules.suits,
        seed=deal.seed,
        score=measured.score,
        easier=levels.easier(measured.score),
        band=levels.band(measured.score).value,
        beams_lost=list(measured.lost),
        difficulty_nodes=measured.nodes,
    )


def candidates(
    wishes: Wishes,
    seeds: range,
    executor: Executor,
    workers: int,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Candidate]:
    """What becomes of the deals with these numbers, in their order.

    Args:
        wishes: what is asked for.
        seeds: the numbers; the caller stops taking when there are enough.
        executor: where the work is done; see ``batch.executors``.
        workers: how many calls it can run at a time.
        stop: asked every now and then; once it says True no further deal is begun.
    """

    def chunks() -> Iterator[Sequence[int]]:
        for first in range(seeds.start, seeds.stop, CHUNK):
            if stop():
                return
            yield range(first, min(first + CHUNK, seeds.stop))

    for done in map_in_order(executor, workers, partial(_examine_chunk, wishes), chunks()):
        yield from done


def _examine_chunk(wishes: Wishes, seeds: Sequence[int]) -> list[Candidate]:
    return [examine(wishes, seed, _worker_solver()) for seed in seeds]


@lru_cache(maxsize=1)
def _worker_solver() -> Solver:
    """The solver of this process, whose memory all its deals share."""
    return Solver()
