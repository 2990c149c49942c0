"""Checks the difficulty score: cost, test and retest, bands, and what weak players make of them.

Every deal is measured twice, with other noise. The deals are none of those that made the bands.
"""

import random
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from benchmarks.deals import Numbered
from benchmarks.measure import worker_solver
from benchmarks.options import HELP, deal_options, measure_option, save_option, workers_option
from benchmarks.players import digger_wins, play_blind
from benchmarks.report import publish, table
from benchmarks.scores import scores_of
from spider_solver.analysis.difficulty import Band, Difficulty, reference
from spider_solver.analysis.statistics import Interval, bootstrap
from spider_solver.analysis.tables import number
from spider_solver.batch.executors import make_executor, map_in_order
from spider_solver.game.deal import Deal
from spider_solver.game.words import count_words
from spider_solver.search.result import Limits
from spider_solver.search.solver import warm_up

Floats = NDArray[np.float64]

MOST_NODES = {1: 150_000, 2: 500_000, 3: 3_000_000, 4: 3_000_000}
"""What a measurement may cost at the mean."""

GAMES = 32
DIGGER_WIDTH = {1: 1, 2: 16, 3: 64, 4: 128}
DIGGER_BEAMS = 24


@click.command(context_settings=HELP)
@deal_options("1000000-1000299", None)
@measure_option
@click.option("--keep", type=click.Path(file_okay=False, path_type=Path), help="For the scores.")
@workers_option
@save_option
def main(deals: Numbered, measure: str, keep: Path | None, workers: int, save: Path | None) -> None:
    """Measure deals twice, and let the weak players play them."""
    first, second = (scores_of(deals, series, workers, keep, measure) for series in (0, 1))
    weak = play(deals, workers)
    seeds = deals.seeds
    suits = count_words(deals.suits, "suit")
    title = f"{suits}, {deals.numbering} {seeds[0]} to {seeds[-1]}, {len(seeds)} deals"
    publish(f"{title}\n\n{report(measure, deals.suits, first, second, weak)}", save)


def play(deals: Numbered, workers: int) -> dict[str, Floats]:
    """What the players and the solver itself make of each deal."""
    warm_up()
    rows: list[tuple[float, ...]] = []
    progress = tqdm(total=len(deals.seeds), unit="deal", leave=False, disable=None)
    with make_executor(workers) as executor, progress:
        for row in map_in_order(executor, workers, partial(_played, deals), deals.seeds):
            rows.append(row)
            progress.update()
    return dict(zip(_PLAYERS, np.array(rows).T, strict=True))


_PLAYERS = {
    "blind: runs completed": 1,
    "blind: cards turned up": 1,
    "digger: share won": 1,
    "spider-solve: nodes": -1,
}
"""What is told of each deal: 1 where high values speak for an easy deal, -1 where low ones do."""


def _played(deals: Numbered, seed: int) -> tuple[float, ...]:
    position = Deal.numbered(seed, deals.suits, deals.numbering).position
    games = [play_blind(position, random.Random(f"{seed} {game}")) for game in range(GAMES)]
    solver = worker_solver()
    suits = deals.suits
    return (
        sum(game.completed for game in games) / GAMES,
        position.hidden - sum(game.face_down for game in games) / GAMES,
        digger_wins(position, solver, DIGGER_WIDTH[suits], DIGGER_BEAMS),
        float(solver.solve(position, Limits()).nodes),
    )


def report(
    measure: str,
    suits: int,
    first: Sequence[Difficulty],
    second: Sequence[Difficulty],
    weak: dict[str, Floats],
) -> str:
    """All tables."""
    scores = np.array([one.score for one in first])
    again = np.array([one.score for one in second])
    return "\n\n".join(
        [
            _figures(suits, [*first, *second], scores, again),
            _agreement(measure, suits, scores, again),
            _correlations(scores, weak),
            _bands(measure, suits, scores, weak),
        ]
    )


def _figures(suits: int, both: Sequence[Difficulty], scores: Floats, again: Floats) -> str:
    nodes = np.array([one.nodes for one in both])
    retest = _text(bootstrap(rank_correlation, scores, again))
    quantiles = np.quantile(scores, (0.1, 0.25, 0.5, 0.75, 0.9), method="inverted_cdf")
    rows = [
        ["nodes a measurement, mean", f"{number(nodes.mean())} of {number(MOST_NODES[suits])}"],
        ["nodes, median and most", f"{number(float(np.median(nodes)))}, {number(nodes.max())}"],
        ["test and retest, rank correlation", retest],
        ["score at 10, 25, 50, 75, 90%", " ".join(f"{value:.2f}" for value in quantiles)],
    ]
    return table(["score", ""], rows)


def _agreement(measure: str, suits: int, scores: Floats, again: Floats) -> str:
    """How often the second measurement gives which band."""
    bands = _bands_of(measure, suits, scores), _bands_of(measure, suits, again)
    rows = []
    for band in Band:
        retested = bands[1][bands[0] == band]
        shares = [f"{np.mean(retested == other):.0%}" if retested.size else "-" for other in Band]
        rows.append([band, f"{retested.size / scores.size:.1%}", *shares])
    return table(["band", "share", *(f"again {band}" for band in Band)], rows)


def _correlations(scores: Floats, weak: dict[str, Floats]) -> str:
    rows = [
        [name, _text(bootstrap(rank_correlation, -scores, _PLAYERS[name] * values))]
        for name, values in weak.items()
        if np.ptp(values) > 0
    ]
    return table(["easy by ...", "rank correlation with easy by score"], rows)


def _bands(measure: str, suits: int, scores: Floats, weak: dict[str, Floats]) -> str:
    bands = _bands_of(measure, suits, scores)
    there = [band for band in Band if np.any(bands == band)]
    rows = [
        [name, *(f"{np.mean(values[bands == band]):,.2f}" for band in there)]
        for name, values in weak.items()
    ]
    return table(["mean by band", *there], rows)


def _bands_of(measure: str, suits: int, scores: Floats) -> NDArray[np.str_]:
    return np.array([reference(suits, measure).band(score).value for score in scores])


def rank_correlation(first: Floats, second: Floats) -> Floats:
    """Spearman's, of samples of shape (..., n); ties share their mean rank."""
    from scipy.stats import rankdata  # slow to import, and large (see measure.peak_bytes)

    ranks = [rankdata(sample, axis=-1) for sample in (first, second)]
    a, b = (rank - rank.mean(axis=-1, keepdims=True) for rank in ranks)
    value: Floats = (a * b).sum(axis=-1) / np.sqrt((a**2).sum(axis=-1) * (b**2).sum(axis=-1))
    return value


def _text(interval: Interval) -> str:
    return f"{interval.value:.3f} ({interval.low:.3f} to {interval.high:.3f})"


if __name__ == "__main__":
    main()
