"""What single rules do to the games of one pack: the share of deals that can be won under each.

Programs differ in two rules: whether a row may be dealt over empty columns, and whether a sequence
of several suits moves as one piece.  The same deals are decided under every choice.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path

import click
from tqdm import tqdm

from benchmarks.measure import worker_solver
from benchmarks.options import HELP, count, save_option, workers_option
from benchmarks.report import publish, table
from spider_solver.analysis.statistics import share_between
from spider_solver.analysis.tables import number, percent_range
from spider_solver.batch.executors import make_executor, map_in_order
from spider_solver.game.deal import Deal
from spider_solver.game.rules import VARIANTS, Rules
from spider_solver.search.result import Limits, Status
from spider_solver.search.solver import warm_up

GAMES = ("spiderette", "will-o-the-wisp", "simple-simon")

CHANGES = (
    # name, deals over empty columns, group moves
    ("as it ships", False, False),
    ("deals over empty columns", True, False),
    ("group moves", False, True),
    ("both", True, True),
)


def cases() -> list[tuple[str, str, Rules]]:
    """Game, change and rules of every row; a game without a stock has no deals to change."""
    return [
        (game, change, replace(VARIANTS[game](4), deal_over_empty=over_empty, group_moves=groups))
        for game in GAMES
        for change, over_empty, groups in CHANGES
        if VARIANTS[game](4).stock_rows or not over_empty
    ]


def _status(rules: Rules, max_nodes: int, seed: int) -> Status:
    position = Deal.numbered(seed, rules=VARIANTS[rules.name](4)).position
    return worker_solver().solve(replace(position, rules=rules), Limits(max_nodes)).status


@click.command(context_settings=HELP)
@click.option("--deals", type=count, default="300", show_default=True, help="Of each game.")
@click.option("--max-nodes", type=count, default="10M", show_default=True, help="Budget of a deal.")
@workers_option
@save_option
def main(deals: int, max_nodes: int, workers: int, save: Path | None) -> None:
    """Decide deals 1 to DEALS of the games of one pack under every choice of two rules."""
    warm_up()
    rows = []
    chosen = cases()
    with (
        make_executor(workers) as executor,
        tqdm(total=deals * len(chosen), unit="deal", leave=False, disable=None) as progress,
    ):
        for game, change, rules in chosen:
            found = []
            decide = partial(_status, rules, max_nodes)
            for status in map_in_order(executor, workers, decide, range(1, deals + 1)):
                found.append(status)
                progress.update()
            won, lost, still_open = (found.count(status) for status in Status)
            counts = [number(won), number(lost), number(still_open)]
            winnable = percent_range(share_between(won, won + still_open, deals))
            rows.append([game, change, *counts, winnable])
    title = f"deals 1 to {deals} of each game, pysol, {max_nodes:,} nodes a deal at most"
    head = ["game", "rules", "won", "lost", "open", "winnable, 95%"]
    publish(f"{title}\n\n{table(head, rows)}", save)


if __name__ == "__main__":
    main()
