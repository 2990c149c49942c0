"""Learns what makes a win short: CMA-ES over the weights, noise and diversity of a cell beam.

The objective is the mean number of actions of the line that one beam finds, plus one for each
doubling of its nodes (about what a doubling of the width is worth).  Nothing is left out by
forecast meanwhile, since forecasts belong to weights.  Every generation has fresh training deals.
"""

import json
import math
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from benchmarks.deals import Numbered, choose
from benchmarks.options import HELP, count, workers_option
from spider_solver.batch.executors import make_executor, map_in_order
from spider_solver.game.deal import Deal
from spider_solver.game.position import Position
from spider_solver.kernels.evaluation import Weights
from spider_solver.kernels.layout import Workspace
from spider_solver.kernels.workspace import make_workspace
from spider_solver.search.cell_beam import (
    CELL_SETTINGS,
    CellSettings,
    Found,
    search_cells,
    without_forecast,
)
from spider_solver.search.solver import SOLVER, warm_up

ACTIONS_OF_A_FAILURE = {1: 110, 2: 125, 3: 150, 4: 170}
"""What a beam that finds no win counts as, by suits."""

_FACTOR_STEP = 0.25  # of the logarithm
_WEIGHT_STEP = 0.25  # of the weight's size
_LEAST_STEP = 0.04
_SPREAD = 0.5  # steps, at first
_CHUNK = 4  # deals that a worker is sent at a time
MOST_NODES = 1 << 40
MOST_ACTIONS = 1000


class _Chunk(NamedTuple):
    deals: Numbered
    candidates: tuple[CellSettings, ...]
    width: int


class Space:
    """The settings around given ones as points: each weight, and the logarithm of two factors."""

    def __init__(self, start: CellSettings):
        self._start = start
        self._weights = np.array(list(asdict(start.weights).values()))
        self._steps = np.maximum(_WEIGHT_STEP * abs(self._weights), _LEAST_STEP)
        self.size = self._weights.size + 2

    def settings(self, point: Sequence[float]) -> CellSettings:
        """The settings at a point; all zeros is the start."""
        *of_weights, of_noise, of_alike = point
        weights = self._weights + self._steps * of_weights
        return CellSettings(
            Weights(*(round(float(weight), 3) for weight in weights)),
            round(self._start.noise * math.exp(_FACTOR_STEP * of_noise), 3),
            round(self._start.alike * math.exp(_FACTOR_STEP * of_alike), 3),
            self._start.slopes,
            self._start.constants,
            self._start.slack,
        )


@lru_cache(maxsize=1)
def worker_workspace() -> Workspace:
    """The memory of this process's cell beams."""
    return make_workspace()


def first_line(position: Position, settings: CellSettings, width: int, seed: int) -> Found:
    """The win that one cell beam finds without a forecast, and its nodes."""
    settings = without_forecast(settings)
    workspace = worker_workspace()
    return search_cells(workspace, position, settings, width, MOST_ACTIONS, MOST_NODES, seed)


def _actions_and_nodes(chunk: _Chunk) -> list[list[tuple[int, int]]]:
    """Actions and nodes of each deal under each candidate."""
    numbering, suits, seeds = chunk.deals
    failure = ACTIONS_OF_A_FAILURE[suits]
    rows = []
    for seed in seeds:
        position = Deal.numbered(seed, suits, numbering).position
        row = []
        for settings in chunk.candidates:
            line, nodes = first_line(position, settings, chunk.width, 2 * seed + 1)
            row.append((failure if line is None else len(line), nodes))
        rows.append(row)
    return rows


def generations(
    start: CellSettings,
    suits: int,
    width: int,
    deals: int,
    skip: int,
    population: int,
    workers: int,
) -> Iterator[dict[str, Any]]:
    """Run the search for ever; gives what there is to say of each generation.

    Besides its candidates, each generation measures the start and the mean of the generation
    before: deals that neither was fitted to.
    """
    import cma  # slow to import, and of no use to workers

    space = Space(start)
    options = {"popsize": population, "seed": 1, "verbose": -9}
    search = cma.CMAEvolutionStrategy(np.zeros(space.size), _SPREAD, options)
    warm_up()
    generation = 0
    with make_executor(workers) as executor:
        while True:
            picked = choose("training", suits, deals, skip + generation * deals)
            points = search.ask()
            candidates = (start, space.settings(search.mean), *map(space.settings, points))
            seeds = picked.seeds
            chunks = [
                _Chunk(picked._replace(seeds=seeds[first : first + _CHUNK]), candidates, width)
                for first in range(0, len(seeds), _CHUNK)
            ]
            done = map_in_order(executor, workers, _actions_and_nodes, chunks)
            actions, nodes = np.array(list(chain.from_iterable(done)), float).mean(axis=0).T
            losses = actions + np.log2(nodes / nodes[0])
            search.tell(points, list(losses[2:]))
            yield {
                "generation": generation,
                "seeds": [seeds[0], seeds[-1]],
                "start": round(losses[0], 2),
                "mean_before": round(losses[1], 2),
                "best": round(losses[2:].min(), 2),
                "median": round(float(np.median(losses[2:])), 2),
                "sigma": round(float(search.sigma), 4),
                "settings": asdict(space.settings(search.mean)),
            }
            generation += 1


def read_settings(path: Path) -> CellSettings:
    """The settings that a log of this command ends with.

    Raises:
        click.UsageError: it is no such log, or has no generation yet.
    """
    try:
        last = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])["settings"]
        return CellSettings(
            Weights(**last["weights"]),
            last["noise"],
            last["alike"],
            tuple(last["slopes"]),
            tuple(last["constants"]),
            last["slack"],
        )
    except (ValueError, LookupError, TypeError):
        raise click.UsageError(f"{path} is no log of tune_cells with a generation in it") from None


@click.command(context_settings=HELP)
@click.option("--suits", type=click.IntRange(1, 4), default=4, show_default=True, help="Suits.")
@click.option("--width", type=count, default="100", show_default=True, help="Of a cell.")
@click.option("--deals", type=count, default="40", show_default=True, help="In a generation.")
@click.option("--skip", type=click.IntRange(min=0), default=0, help="Leave out as many deals.")
@click.option("--population", type=click.IntRange(min=4), default=13, show_default=True)
@click.option("--generations", "many", type=count, default="40", show_default=True)
@click.option(
    "--start",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Go on from the settings that this log ends with.",
)
@workers_option
@click.option(
    "--log", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Lines of JSON."
)
def main(
    suits: int,
    width: int,
    deals: int,
    skip: int,
    population: int,
    many: int,
    start: Path | None,
    workers: int,
    log: Path,
) -> None:
    """Tune cell beams on training deals; the last "settings" of the log are the result.

    Fit forecasts to them with benchmarks.forecasts, then judge both with benchmarks.lines.
    """
    settings = read_settings(start) if start else CELL_SETTINGS[suits]
    with log.open("a", encoding="utf-8") as lines:
        command = shlex.join(["python", "-m", "benchmarks.tune_cells", *sys.argv[1:]])
        print(json.dumps({"command": command, "solver": SOLVER}), file=lines, flush=True)
        run = generations(settings, suits, width, deals, skip, population, workers)
        for said in islice(run, many):
            print(json.dumps(said), file=lines, flush=True)
            click.echo(", ".join(f"{name} {value}" for name, value in [*said.items()][:-1]))
    click.echo(repr(read_settings(log)))


if __name__ == "__main__":
    main()
