"""Where the time of a beam goes: its steps, timed one by one on layers of real searches."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from benchmarks.beam_run import BeamRun
from benchmarks.deals import Numbered
from benchmarks.layer_steps import STEPS, back_up, put_back, repeat_layer
from benchmarks.options import HELP, count, deal_options, save_option
from benchmarks.report import publish, table
from spider_solver.analysis.tables import number
from spider_solver.game.deal import Deal
from spider_solver.kernels.layout import (
    FAILED,
    OUT_OF_MEMORY,
    REG_CANDIDATES,
    REG_EXPANDED,
    REG_NODES,
)

REPEATS = 5
"""Times that each step is timed; the least counts, the others were disturbed."""

ROWS = 2000
"""About how many positions a step is run on for one timing."""

NOTE = """\
Steps are timed on every {every}th layer, in a warm cache: run again and again as far as each step,
the differences count. "the rest" is what the same attempts take beyond that when nobody stops
them: memory that is cold, ends of stages, copies of layers, calls from Python."""


@dataclass
class Profile:
    """Seconds of the steps over all sampled layers, and of whole beams without a stop."""

    steps: NDArray[np.float64] = field(default_factory=lambda: np.zeros(len(STEPS)))
    layers: int = 0
    positions: int = 0
    candidates: int = 0
    nodes: int = 0
    whole_seconds: float = 0.0
    whole_nodes: int = 0
    whole_expanded: int = 0


def profile(deals: Numbered, every: int, width: int | None) -> Profile:
    """Profile the attempts on deals as a solver makes them, or beams of one width."""
    run = BeamRun()
    result = Profile()
    for seed in tqdm(deals.seeds, leave=False, disable=None):
        deal = Deal.numbered(seed, deals.suits, deals.numbering)
        if result.layers == 0:
            _profile_deal(run, deal, every, width, Profile())  # compiles, and touches the memory
        _profile_deal(run, deal, every, width, result)
    return result


def _profile_deal(run: BeamRun, deal: Deal, every: int, width: int | None, result: Profile) -> None:
    ended = FAILED
    number = 0
    while ended == FAILED and (width is None or number == 0):
        run.begin(deal, number, width)
        began = time.thread_time()
        run.to_the_end()
        result.whole_seconds += time.thread_time() - began
        ended = run.ended
        if ended == OUT_OF_MEMORY:
            raise click.ClickException(f"deal {deal.seed}: a beam is too wide for the memory")
        nodes = int(run.work.registers[REG_NODES])
        result.whole_nodes += nodes
        result.whole_expanded += int(run.work.registers[REG_EXPANDED])
        run.begin(deal, number, width)
        for positions in _every(every, run.layers()):
            _profile_layer(run, positions, result)
        if run.work.registers[REG_NODES] != nodes:
            raise RuntimeError("the beam went another way for being timed")
        number += 1


def _every(step: int, layers: Iterator[int]) -> Iterator[int]:
    return (positions for place, positions in enumerate(layers) if place % step == step - 1)


def _profile_layer(run: BeamRun, positions: int, result: Profile) -> None:
    """Time the steps on the layer that comes next, and leave everything as it was."""
    work = run.work
    backup = back_up(work)
    nodes = int(work.registers[REG_NODES])
    times = max(1, ROWS // positions)
    until = np.full(len(STEPS) + 1, np.inf)
    for _ in range(REPEATS):
        for step in range(len(STEPS) + 1):
            put_back(work, backup)
            began = time.thread_time()
            repeat_layer(
                work, run.evaluation, run.rules, run.settings, run.seed, backup, step, times
            )
            until[step] = min(until[step], (time.thread_time() - began) / times)
    result.steps += np.diff(until)
    result.candidates += int(work.registers[REG_CANDIDATES])
    result.nodes += int(work.registers[REG_NODES]) - nodes
    result.layers += 1
    result.positions += positions
    put_back(work, backup)


def report(result: Profile, every: int) -> str:
    """Nanoseconds of each step."""
    whole = 1e9 * result.whole_seconds / result.whole_nodes
    a_node = 1e9 * result.steps / result.nodes
    expanded = result.whole_nodes / result.whole_expanded
    names = [*STEPS, "the rest", "whole"]
    times = [*a_node, whole - a_node.sum(), whole]
    rows = [
        [name, f"{time:.1f}", f"{time * expanded:.0f}", f"{time / whole:.0%}"]
        for name, time in zip(names, times, strict=True)
    ]
    figures = [
        ["layers sampled", number(result.layers)],
        ["positions a layer", f"{result.positions / result.layers:.1f}"],
        ["nodes a position", f"{expanded:.2f}"],
        ["nodes a second", f"{1e3 / whole:.2f} M"],
    ]
    return "\n\n".join(
        [
            table(["step", "ns a node", "ns a position", "share"], rows),
            table(["", ""], figures).lstrip(),
            NOTE.format(every=every),
        ]
    )


@click.command(context_settings=HELP)
@deal_options(seeds="training", deals=10)
@click.option(
    "--every", type=count, default="7", show_default=True, help="Sample one layer of as many."
)
@click.option("--width", type=count, help="One beam of this width a deal.  [default: as solving]")
@save_option
def main(deals: Numbered, every: int, width: int | None, save: Path | None) -> None:
    """Show where the time of the beam goes, step by step."""
    publish(report(profile(deals, every, width), every), save)


if __name__ == "__main__":
    main()
