"""Deals that the blockade calls lost against the search for a win, which is not told.

The blockade has a proof; this is the test of it that needs none. Deals of ``data/lost-kpat.csv``
are drawn by a fixed seed and searched as if the blockade did not exist. A single win would refute
it.
"""

import csv
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest.mock import patch

import click
from tqdm import tqdm

from benchmarks.options import HELP, count, save_option, workers_option
from benchmarks.report import publish, table
from spider_solver.analysis.tables import number
from spider_solver.batch.executors import make_executor, map_in_order
from spider_solver.game.deal import Deal
from spider_solver.search.packing import PackedPosition
from spider_solver.search.result import Limits, Status
from spider_solver.search.solver import Solver, warm_up

LOST = Path(__file__).parents[1] / "data" / "lost-kpat.csv"


class Case(NamedTuple):
    """A deal that is called lost, and what may be spent on winning it."""

    seed: int
    suits: int
    max_nodes: int


class Outcome(NamedTuple):
    """How far the search for a win came."""

    seed: int
    status: str
    nodes: int
    attempts: int
    runs_completed: int
    rows_dealt: int


@click.command(context_settings=HELP)
@click.option("--deals", type=count, default="20", show_default=True, help="How many deals.")
@click.option("--draw", type=int, default=1, show_default=True, help="Seed of the drawing.")
@click.option("--suits", type=click.IntRange(1, 4), default=4, show_default=True, help="Suits.")
@click.option("--max-nodes", type=count, default="100M", show_default=True, help="For each deal.")
@workers_option
@save_option
def main(
    deals: int, draw: int, suits: int, max_nodes: int, workers: int, save: Path | None
) -> None:
    """Search lost deals for a win with the blockade put aside, and say how far that came."""
    warm_up()
    cases = [Case(seed, suits, max_nodes) for seed in drawn(deals, draw, suits)]
    outcomes = []
    with make_executor(workers) as executor:
        runs = map_in_order(executor, workers, resist, cases)
        for outcome in tqdm(runs, total=len(cases), unit="deal", leave=False, disable=None):
            outcomes.append(outcome)
    publish(report(outcomes, suits, max_nodes), save)


def drawn(deals: int, draw: int, suits: int) -> list[int]:
    """So many different deals of the list, lost with so many suits, drawn by a seed, in order."""
    with LOST.open(encoding="ascii", newline="") as file:
        seeds = [int(row["seed"]) for row in csv.DictReader(file) if int(row["suits"]) <= suits]
    return sorted(Random(draw).sample(seeds, deals))


def _never(packed: PackedPosition) -> bool:
    return False


def resist(case: Case) -> Outcome:
    """Search one deal for a win."""
    position = Deal.numbered(case.seed, suits=case.suits).position
    with patch("spider_solver.search.solver.is_blockaded", _never):
        result = Solver().solve(position, Limits(case.max_nodes))
    return Outcome(
        case.seed,
        str(result.status),
        result.nodes,
        result.attempts,
        result.runs_completed or 0,
        result.rows_dealt or 0,
    )


def report(outcomes: list[Outcome], suits: int, max_nodes: int) -> str:
    """A line for each deal, and how many were won."""
    won = sum(outcome.status == Status.WON for outcome in outcomes)
    exhausted = sum(outcome.status == Status.LOST for outcome in outcomes)
    rows = [
        [
            str(outcome.seed),
            outcome.status,
            number(outcome.nodes),
            number(outcome.attempts),
            str(outcome.runs_completed),
            str(outcome.rows_dealt),
        ]
        for outcome in outcomes
    ]
    head = ["kpat", "without blockade", "nodes", "attempts", "most runs completed", "rows dealt"]
    return (
        f"{len(outcomes)} deals of {suits} suits that are blockaded, searched for a win with the "
        f"blockade put aside,\n{max_nodes:,} nodes each: {won} won, {exhausted} found lost by "
        f"complete search.\n\n{table(head, rows)}"
    )


if __name__ == "__main__":
    main()
