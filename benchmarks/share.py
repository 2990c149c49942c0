"""Share of deals won by node budget, and what they take: the table that quotes a solver."""

from pathlib import Path

import click
import numpy as np

from benchmarks import options
from benchmarks.deals import Numbered
from benchmarks.measure import Sample, measure
from benchmarks.options import HELP, count, deal_options, save_option, workers_option
from benchmarks.report import publish, table
from benchmarks.setting import Setting
from spider_solver.analysis.statistics import share_of
from spider_solver.analysis.tables import number, percent, percent_range

BUDGETS = (10_000, 50_000, 100_000, 167_000, 1_000_000, 10_000_000)
_QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)


@click.command(context_settings=HELP)
@click.argument("setting", type=options.setting, default="default")
@deal_options(seeds="reporting", deals=None)
@click.option("--max-nodes", type=count, default="1M", show_default=True, help="Budget of a deal.")
@workers_option
@save_option
def main(
    setting: Setting, deals: Numbered, max_nodes: int, workers: int, save: Path | None
) -> None:
    """Share of deals won by node budget, with nodes, times, memory and line lengths.

    SETTING is what ships unless something such as "noise=0 patience*=2" is given.
    """
    (sample,) = measure(deals, [setting], max_nodes, workers)
    publish(f"{_title(deals, setting, max_nodes)}\n\n{report(sample)}", save)


def _title(deals: Numbered, setting: Setting, max_nodes: int) -> str:
    seeds = deals.seeds
    return (
        f"{len(seeds)} deals of {deals.suits} suits, {deals.numbering} {seeds[0]} to {seeds[-1]}, "
        f"{max_nodes:,} nodes a deal, setting: {setting}"
    )


def report(sample: Sample) -> str:
    """All tables of a sample."""
    parts = [_shares(sample), _quantiles(sample), _figures(sample)]
    if left := sample.seeds[~sample.won & ~sample.lost].tolist():
        parts.append(f"open: {' '.join(map(str, left[:50]))}{' ...' * (len(left) > 50)}")
    if lost := sample.seeds[sample.lost].tolist():
        parts.append(f"lost: {' '.join(map(str, lost))}")
    return "\n\n".join(parts)


def _shares(sample: Sample) -> str:
    rows = []
    for budget in sorted({*(b for b in BUDGETS if b < sample.max_nodes), sample.max_nodes}):
        won = int(sample.won_within(budget).sum())
        share = share_of(won, sample.seeds.size)
        rows.append([number(budget), number(won), percent(share.value), percent_range(share)])
    return table(["nodes", "won", "share", "95% interval"], rows)


def _quantiles(sample: Sample) -> str:
    head = ["quantile", *(f"{q:.0%}" for q in _QUANTILES), "mean"]
    rows = []
    for name, values in {
        "nodes": sample.nodes,
        "expanded": sample.expanded,
        "attempts": sample.attempts,
        "actions": sample.actions[sample.won],
    }.items():
        if values.size:
            quantiles = np.quantile(values, _QUANTILES, method="inverted_cdf")
            mean = f"{values.mean():,.1f}"
            rows.append([name, *map(number, quantiles), mean])
    return table(head, rows)


def _figures(sample: Sample) -> str:
    rows = [["peak memory of a worker", f"{sample.peak_bytes / 1e6:.0f} MB"]]
    if sample.timed:
        seconds = sample.seconds
        rows += [
            ["mean time a deal", f"{1e3 * seconds.mean():.2f} ms"],
            ["median time a deal", f"{1e3 * np.median(seconds):.2f} ms"],
            ["longest time", f"{seconds.max():.2f} s"],
            ["nodes a second", f"{sample.nodes.sum() / seconds.sum() / 1e6:.2f} M"],
        ]
    return table(["one worker", ""], rows)


if __name__ == "__main__":
    main()
