"""How short the lines get: actions by budget of shortening, and how far the lower bound reaches."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from tqdm import tqdm

from benchmarks import options
from benchmarks.deals import Numbered
from benchmarks.measure import worker_solver
from benchmarks.options import HELP, count, deal_options, save_option, workers_option
from benchmarks.report import publish, table
from benchmarks.setting import Setting
from spider_solver.analysis.statistics import Interval, bootstrap, mean_difference, ratio_of_means
from spider_solver.analysis.tables import number, ratio
from spider_solver.batch.executors import make_executor, map_in_order
from spider_solver.formats.deals import read_boards
from spider_solver.game.deal import Deal
from spider_solver.search.result import Limits, Status
from spider_solver.search.solver import warm_up

NOTE = """\
Deals that were won. bound: the proved lower bound on actions over the line's length, of means.
less: actions more or fewer than in the first row, mean over deals. In brackets 95% intervals over
deals (bootstrap). ms: processor time of a deal, search and shortening; nodes of shortening."""


class Case(NamedTuple):
    """A row of the table: how lines are found and shortened."""

    setting: Setting
    shorten: int

    def __str__(self) -> str:
        text = f"shortened with {number(self.shorten)}" if self.shorten else "first line"
        return text if not self.setting.changes else f"{text}, {self.setting}"


class Line(NamedTuple):
    """What came of one deal: 0 actions if it was not won."""

    actions: int
    bound: int
    shorten_nodes: int
    seconds: float


class _Task(NamedTuple):
    deal: Deal
    cases: tuple[Case, ...]
    max_nodes: int


def measure(
    deals: Sequence[Deal], cases: Sequence[Case], max_nodes: int, workers: int = 1
) -> list[list[Line]]:
    """The lines of all deals, in a list for each case."""
    warm_up()
    tasks = [_Task(deal, tuple(cases), max_nodes) for deal in deals]
    with make_executor(workers) as executor:
        done = map_in_order(executor, workers, _solve, tasks)
        rows = list(tqdm(done, total=len(tasks), unit="deal", leave=False, disable=None))
    return [list(case) for case in zip(*rows, strict=True)]


def _solve(task: _Task) -> list[Line]:
    lines = []
    for setting, shorten in task.cases:
        limits = Limits(task.max_nodes, shorten=shorten, bound=True)
        solver = worker_solver(setting)
        began = time.thread_time()
        result = solver.solve(task.deal.position, limits)
        seconds = time.thread_time() - began
        won = result.status == Status.WON
        actions, bound = (result.actions or 0, result.actions_bound or 0) if won else (0, 0)
        lines.append(Line(actions, bound, result.shorten_nodes, seconds))
    return lines


def report(cases: Sequence[Case], lines: Sequence[Sequence[Line]], timed: bool) -> str:
    """Lengths of the lines under each case, over the deals that all of them won."""
    values = np.array(lines, float)  # [case, deal, field]
    values = values[:, (values[:, :, 0] > 0).all(axis=0)]
    head = ["", "median", "mean", "10%", "90%", "least", "most", "less", "bound", "nodes", "ms"]
    rows = []
    for case, (actions, bounds, nodes, seconds) in zip(
        cases, values.transpose(0, 2, 1), strict=True
    ):
        low, high = np.quantile(actions, [0.1, 0.9])
        less = bootstrap(mean_difference, values[0, :, 0], actions)
        rows.append(
            [
                str(case),
                f"{np.median(actions):g}",
                f"{actions.mean():.1f}",
                f"{low:.0f}",
                f"{high:.0f}",
                number(actions.min()),
                number(actions.max()),
                _signed(less) if case is not cases[0] else "",
                ratio(bootstrap(ratio_of_means, actions, bounds)),
                number(nodes.mean()),
                f"{1e3 * seconds.mean():.0f}" if timed else "-",
            ]
        )
    won = f"{values.shape[1]} of {len(lines[0])} deals won"
    return f"{won}\n\n{table(head, rows)}\n\n{NOTE}"


def _signed(interval: Interval) -> str:
    return f"{interval.value:+.2f} ({interval.low:+.2f} to {interval.high:+.2f})"


@click.command(context_settings=HELP)
@click.argument("settings", type=options.setting, nargs=-1)
@deal_options(seeds="reporting", deals=100)
@click.option(
    "--boards",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Boards from a file in place of deal numbers.",
)
@click.option(
    "--shorten",
    type=count,
    multiple=True,
    default=("7M",),
    show_default=True,
    help="Nodes of shortening; may be given again.",
)
@click.option("--max-nodes", type=count, default="30M", show_default=True, help="Search budget.")
@workers_option
@save_option
def main(
    settings: tuple[Setting, ...],
    deals: Numbered,
    boards: Path | None,
    shorten: tuple[int, ...],
    max_nodes: int,
    workers: int,
    save: Path | None,
) -> None:
    """Measure the length of lines, with each SETTING (what ships if none is given).

    Names of a setting that begin with "shorten." are of shortening: shorten.noise=1.5
    """
    if boards is not None:
        starts = read_boards(boards.read_text(encoding="utf-8"))
        title = f"{len(starts)} boards of {boards}"
    else:
        numbering, suits, seeds = deals
        starts = [Deal.numbered(seed, suits, numbering) for seed in seeds]
        title = f"{len(seeds)} deals of {suits} suits, {numbering} {seeds[0]} to {seeds[-1]}"
    cases = [
        Case(setting, budget) for setting in settings or (Setting(),) for budget in (0, *shorten)
    ]
    lines = measure(starts, cases, max_nodes, workers)
    publish(f"{title}\n{report(cases, lines, workers == 1)}", save)


if __name__ == "__main__":
    main()
