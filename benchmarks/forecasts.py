"""Fits the forecasts of cell beams: how many actions a score foretells, by rows left to deal.

For each position on the lines that the beams find, its score and the actions that were still to
come; a straight line through these for each number of rows left.
"""

from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.deals import Numbered
from benchmarks.options import HELP, count, deal_options, save_option
from benchmarks.report import publish, table
from benchmarks.tune_cells import first_line, read_settings, worker_workspace
from spider_solver.game.deal import Deal
from spider_solver.game.position import Position
from spider_solver.kernels.columns import load_position
from spider_solver.kernels.evaluation import COST_UNIT, evaluation_of
from spider_solver.kernels.expand import read_columns
from spider_solver.kernels.jit import kernel
from spider_solver.kernels.layout import (
    COMPLETED_RUN,
    REG_COST_SUM,
    REG_EMPTIES,
    REG_STAGE,
    RULE_COLUMNS,
    Evaluation,
    Int64s,
    Workspace,
)
from spider_solver.search.cell_beam import CELL_SETTINGS, CellSettings
from spider_solver.search.packing import pack_removing
from spider_solver.search.solver import warm_up

Floats = NDArray[np.float64]


@kernel
def _score(
    workspace: Workspace,
    evaluation: Evaluation,
    rules: Int64s,
    cards: Int64s,
    heights: Int64s,
    face_down: Int64s,
    stock: Int64s,
    runs: int,
) -> int:
    """The score of a position, without noise."""
    load_position(workspace, evaluation, rules, cards, heights, face_down, stock)
    registers = workspace.registers
    registers[REG_STAGE] = 0
    read_columns(workspace, workspace.layer, 0, rules[RULE_COLUMNS])
    empties = evaluation.empties[registers[REG_EMPTIES]]
    gain = evaluation.constants[COMPLETED_RUN] * runs
    return int(registers[REG_COST_SUM] + empties - gain)


def score(position: Position, settings: CellSettings) -> float:
    """What cell beams think of a position, with the mean of their noise, in units of weights."""
    evaluation = evaluation_of(settings.weights, position.rules.ranks)
    costs = _score(worker_workspace(), evaluation, *pack_removing(position))
    return float(costs) / COST_UNIT + settings.noise / 2


def observations(deals: Numbered, settings: CellSettings, width: int) -> Floats:
    """Rows left, score and actions to come of all positions on the lines found, a row each."""
    numbering, suits, seeds = deals
    rows = []
    for seed in seeds:
        position = Deal.numbered(seed, suits, numbering).position
        line = first_line(position, settings, width, 2 * seed + 1).line or ()
        for played, move in enumerate(line):
            rows.append((position.rows_left, score(position, settings), len(line) - played))
            position = position.play(move)
    return np.array(rows, float)


@click.command(context_settings=HELP)
@deal_options(seeds="training", deals=200)
@click.option("--width", type=count, default="200", show_default=True, help="Of a cell.")
@click.option(
    "--of",
    "log",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A log of benchmarks.tune_cells; its last settings in place of those that ship.",
)
@save_option
def main(deals: Numbered, width: int, log: Path | None, save: Path | None) -> None:
    """Fit forecasts to cell beams; slopes and constants are for CellSettings."""
    settings = read_settings(log) if log else CELL_SETTINGS[deals.suits]
    warm_up()
    seen = observations(deals, settings, width)
    rows = []
    for rows_left in np.unique(seen[:, 0]):
        scores, to_come = seen[seen[:, 0] == rows_left, 1:].T
        slope, constant = np.polyfit(scores, to_come, 1)
        spread = np.std(to_come - slope * scores - constant)
        rows.append(
            [
                f"{rows_left:.0f}",
                f"{slope:.3f}",
                f"{constant:.1f}",
                f"{spread:.1f}",
                str(scores.size),
            ]
        )
    title = f"{len(deals.seeds)} deals of {deals.suits} suits, {deals.numbering}"
    title += f" {deals.seeds[0]} to {deals.seeds[-1]}, cells of {width}\n{settings}"
    head = ["rows left", "slope", "constant", "spread", "positions"]
    publish(f"{title}\n\n{table(head, rows)}\n\nSpread: of what the forecast misses.", save)


if __name__ == "__main__":
    main()
