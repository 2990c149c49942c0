"""Settings against each other on the same deals: what a change buys, with an interval."""

from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np

from benchmarks import options
from benchmarks.deals import Numbered
from benchmarks.measure import Sample, measure
from benchmarks.options import HELP, count, deal_options, save_option, workers_option
from benchmarks.report import publish, table
from benchmarks.setting import Setting
from spider_solver.analysis.statistics import (
    bootstrap,
    ratio_of_means,
    share_difference,
    typical_ratio,
)
from spider_solver.analysis.tables import number, percent, points, ratio

BUDGETS = (50_000, 167_000, 1_000_000, 10_000_000)

NOTE = """\
Each row against the first, on the same deals. nodes: ratio of means; typical: exp of the mean
difference of log nodes; open deals count with the whole budget. In brackets 95% intervals over
deals: bootstrap for ratios, Agresti and Min's for differences of shares, in points."""


@click.command(context_settings=HELP)
@click.argument("settings", type=options.setting, nargs=-1, required=True)
@deal_options(seeds="training", deals=200)
@click.option("--max-nodes", type=count, default="1M", show_default=True, help="Budget of a deal.")
@workers_option
@save_option
def main(
    settings: tuple[Setting, ...],
    deals: Numbered,
    max_nodes: int,
    workers: int,
    save: Path | None,
) -> None:
    """Compare SETTINGS with the first of them (with what ships, if there is one only).

    \b
    A setting is "default", or changes of fields of an attempt, weights, numbers of the portfolio:
      python -m benchmarks.compare default noise=0 "classes=1 patience*=2"
      python -m benchmarks.compare default seed+=2      what chance alone does
    """
    if len(settings) == 1:
        settings = (Setting(), *settings)
    samples = measure(deals, settings, max_nodes, workers)
    text = report([str(setting) for setting in settings], samples)
    title = f"{len(deals.seeds)} deals of {deals.suits} suits, {max_nodes:,} nodes a deal"
    publish(f"{title}, {deals.numbering} {deals.seeds[0]} to {deals.seeds[-1]}\n\n{text}", save)


def report(names: Sequence[str], samples: Sequence[Sample]) -> str:
    """What every setting reaches, and how each differs from the first."""
    return "\n\n".join([_absolute(names, samples), _differences(names, samples), NOTE])


def _budgets(sample: Sample) -> list[int]:
    return sorted({*(b for b in BUDGETS if b < sample.max_nodes), sample.max_nodes})


def _absolute(names: Sequence[str], samples: Sequence[Sample]) -> str:
    head = ["setting", *(f"at {number(budget)}" for budget in _budgets(samples[0]))]
    head += ["mean nodes", "median", "mean actions", "ms a deal"]
    rows = []
    for name, sample in zip(names, samples, strict=True):
        shares = [percent(sample.won_within(b).mean()) for b in _budgets(sample)]
        actions = f"{sample.actions[sample.won].mean():.1f}" if sample.won.any() else "-"
        nodes = sample.capped_nodes
        time = f"{1e3 * sample.seconds.mean():.2f}" if sample.timed else "-"
        rows.append(
            [name, *shares, number(nodes.mean()), number(float(np.median(nodes))), actions, time]
        )
    return table(head, rows)


def _differences(names: Sequence[str], samples: Sequence[Sample]) -> str:
    first = samples[0]
    head = ["setting", "nodes", "typical", *(f"at {number(b)}" for b in _budgets(first))]
    if first.timed:
        head.append("time")
    rows = []
    for name, sample in zip(names[1:], samples[1:], strict=True):
        row = [
            name,
            ratio(bootstrap(ratio_of_means, first.capped_nodes, sample.capped_nodes)),
            ratio(bootstrap(typical_ratio, first.capped_nodes, sample.capped_nodes)),
        ]
        for budget in _budgets(first):
            row.append(
                points(share_difference(first.won_within(budget), sample.won_within(budget)))
            )
        if first.timed:
            row.append(ratio(bootstrap(ratio_of_means, first.seconds, sample.seconds)))
        rows.append(row)
    return table(head, rows)


if __name__ == "__main__":
    main()
