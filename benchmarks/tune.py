"""Learns the settings of the search: CMA-ES over weights, noise, patience and diversity.

The objective is the mean over deals of the nodes to solve, restarts included, capped at a budget.
Every generation has fresh training deals, the same for all its candidates, so that nothing is
fitted to a few deals. See Hansen (2016), "The CMA Evolution Strategy: A Tutorial".
"""

import json
import math
import shlex
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from benchmarks.deals import choose
from benchmarks.measure import Sample, measure_on
from benchmarks.options import HELP, count, setting, workers_option
from benchmarks.setting import Change, Setting, attempt_fields, weights
from spider_solver.batch.executors import make_executor
from spider_solver.search.solver import SOLVER, warm_up

FACTORS = ("noise", "patience", "classes")
"""Fields of an attempt that are tuned besides the weights: by one factor for all attempts, so that
the portfolio stays one."""

_FACTOR_STEP = 0.25  # of the logarithm
_WEIGHT_STEP = 0.25  # of the weight's size
_LEAST_STEP = 0.04
_SPREAD = 0.5  # steps, at first


class Parameter(NamedTuple):
    """One number to be tuned: ``start`` plus ``step`` times what the search gives."""

    name: str
    is_factor: bool
    start: float
    step: float

    def change(self, x: float) -> Change:
        """The change of a setting that a coordinate means."""
        value = self.start + self.step * x
        if self.is_factor:
            return Change(self.name, "*=", math.exp(value))
        return Change(self.name, "=", value)


def parameters(start: Setting, also: Sequence[str] = ()) -> list[Parameter]:
    """What is tuned, from a setting on."""
    given = {change.name: change for change in start.changes}
    chosen = []
    for name, shipped in weights().items():
        value = given[name].of(shipped) if name in given else shipped
        step = max(_WEIGHT_STEP * abs(value), _LEAST_STEP)
        chosen.append(Parameter(name, False, value, step))
    for name in (*FACTORS, *also):
        shipped = attempt_fields()[name]
        value = given[name].of(shipped) / shipped if name in given else 1.0
        chosen.append(Parameter(name, True, math.log(value), _FACTOR_STEP))
    return chosen


def setting_of(chosen: Sequence[Parameter], point: Sequence[float]) -> Setting:
    """The setting at a point of the search."""
    return Setting(tuple(p.change(float(x)) for p, x in zip(chosen, point, strict=True)))


def loss(sample: Sample) -> float:
    """Mean nodes to solve, the whole cap where a deal stayed open."""
    return float(sample.capped_nodes.mean())


def generations(
    chosen: Sequence[Parameter],
    suits: int,
    deals: int,
    cap: int,
    skip: int,
    population: int,
    workers: int,
) -> Iterator[dict[str, Any]]:
    """Run the search for ever; gives what there is to say of each generation.

    Besides its candidates, each generation measures what ships and the mean of the generation
    before: deals that neither was fitted to.
    """
    import cma  # slow to import, and of no use to workers

    options = {"popsize": population, "seed": 1, "verbose": -9}
    search = cma.CMAEvolutionStrategy(np.zeros(len(chosen)), _SPREAD, options)
    warm_up()
    generation = 0
    with make_executor(workers) as executor:
        while True:
            picked = choose("training", suits, deals, skip + generation * deals)
            points = search.ask()
            centre = setting_of(chosen, search.mean)
            settings = [Setting(), centre, *(setting_of(chosen, point) for point in points)]
            samples = measure_on(executor, workers, picked, settings, cap)
            shipped, before, *losses = map(loss, samples)
            search.tell(points, losses)
            yield {
                "generation": generation,
                "seeds": [picked.seeds[0], picked.seeds[-1]],
                "shipped": round(shipped),
                "mean_before": round(before),
                "best": round(min(losses)),
                "median": round(float(np.median(losses))),
                "sigma": round(float(search.sigma), 4),
                "setting": str(setting_of(chosen, search.mean)),
            }
            generation += 1


@click.command(context_settings=HELP)
@click.option("--suits", type=click.IntRange(1, 4), default=4, show_default=True, help="Suits.")
@click.option("--deals", type=count, default="200", show_default=True, help="In a generation.")
@click.option("--cap", type=count, default="500k", show_default=True, help="Nodes a deal.")
@click.option("--skip", type=click.IntRange(min=0), default=0, help="Leave out as many deals.")
@click.option("--population", type=click.IntRange(min=4), default=14, show_default=True)
@click.option("--generations", "many", type=count, default="50", show_default=True)
@click.option("--start", type=setting, default="default", help="A setting to start from.")
@click.option(
    "--also",
    multiple=True,
    type=click.Choice(["width", "last_patience", "length_price"]),
    help="Tune this field too.",
)
@workers_option
@click.option(
    "--log", type=click.Path(dir_okay=False, path_type=Path), required=True, help="Lines of JSON."
)
def main(
    suits: int,
    deals: int,
    cap: int,
    skip: int,
    population: int,
    many: int,
    start: Setting,
    also: tuple[str, ...],
    workers: int,
    log: Path,
) -> None:
    """Tune the search on training deals; the last "setting" of the log is the result.

    Judge it on other deals: python -m benchmarks.compare default "SETTING" --skip 500000
    """
    chosen = parameters(start, also)
    with log.open("a", encoding="utf-8") as lines:
        command = shlex.join(["python", "-m", "benchmarks.tune", *sys.argv[1:]])
        print(json.dumps({"command": command, "solver": SOLVER}), file=lines, flush=True)
        run = generations(chosen, suits, deals, cap, skip, population, workers)
        for said in islice(run, many):
            print(json.dumps(said), file=lines, flush=True)
            figures = ", ".join(f"{name} {value}" for name, value in [*said.items()][:-1])
            click.echo(figures)
    click.echo(said["setting"])


if __name__ == "__main__":
    main()
