"""Difficulty scores of many deals, in this process or in several, kept in a folder if wanted."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from tqdm import tqdm

from benchmarks.deals import Numbered
from benchmarks.measure import worker_solver
from spider_solver.analysis.difficulty import DEFAULT_MEASURE, MEASURES, SERIES, Difficulty
from spider_solver.batch.executors import make_executor, map_in_order
from spider_solver.game.deal import Deal
from spider_solver.kernels.jit import SOURCE_HASH
from spider_solver.search.solver import warm_up

_CHUNK = 8  # deals that a worker is sent at a time


def scores_of(
    deals: Numbered,
    series: int = SERIES,
    workers: int = 1,
    keep: Path | None = None,
    measure: str = DEFAULT_MEASURE,
) -> list[Difficulty]:
    """The difficulty of each deal, in order; not measured again if ``keep`` has them."""
    numbering, suits, seeds = deals
    of_deals = f"{numbering}-{suits}-{seeds[0]}-{seeds[-1]}-{len(seeds)}"
    name = f"{measure}-{of_deals}-{series}-{SOURCE_HASH}.json"
    if keep is not None and (keep / name).exists():
        known = json.loads((keep / name).read_text(encoding="utf-8"))
        return [Difficulty(**{**one, "lost": tuple(one["lost"])}) for one in known]
    warm_up()
    chunks = [deals._replace(seeds=seeds[at : at + _CHUNK]) for at in range(0, len(seeds), _CHUNK)]
    found: list[Difficulty] = []
    with (
        make_executor(workers) as executor,
        tqdm(total=len(seeds), unit="deal", leave=False, disable=None) as progress,
    ):
        for done in map_in_order(executor, workers, partial(_scores, measure, series), chunks):
            found += done
            progress.update(len(done))
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        text = json.dumps([asdict(one) for one in found])
        (keep / name).write_text(text, encoding="utf-8")
    return found


def _scores(measure: str, series: int, deals: Numbered) -> Sequence[Difficulty]:
    numbering, suits, seeds = deals
    positions = (Deal.numbered(seed, suits, numbering).position for seed in seeds)
    return [MEASURES[measure](position, worker_solver(), series) for position in positions]
