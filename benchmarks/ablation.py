"""What each trick buys: the solver without it, on the same deals as the solver as it ships."""

from pathlib import Path

import click

from benchmarks.compare import report
from benchmarks.deals import Numbered
from benchmarks.measure import measure
from benchmarks.options import HELP, count, deal_options, save_option, workers_option
from benchmarks.report import publish
from benchmarks.setting import Setting, parse_setting
from spider_solver.kernels.layout import EVERY_MOVE, JOINS_FIRST, PURPOSEFUL
from spider_solver.search.portfolio import Portfolio

WIDE = 600
"""A width whose first beam mostly ends within the default budget: about 1400 nodes a position."""

_FIRST = Portfolio().attempt(0)

ABLATIONS = {
    "as it ships": "default",
    "other noise (what chance does)": "seed+=2",
    "no noise": "noise=0",
    "half the noise": "noise*=0.5",
    "twice the noise": "noise*=2",
    "no diversity": "classes=1",
    "off-suit for half the price": "off_suit*=0.5 off_suit_rank=0",
    "off-suit for nothing": "off_suit=0 off_suit_rank=0",
    "no price of face-down cards": "hidden=0 any_hidden=0",
    "no gain of empty columns": "first_empty=0 more_empty=0",
    "no gain of completed runs": "completed_run=0",
    "no curve": "curve=0",
    "the coming row counts when it is dealt": "coming=0",
    "every move": f"moves={EVERY_MOVE}",
    "moves with a purpose, never joins first": f"moves={PURPOSEFUL}",
    "joins first, always": f"moves={JOINS_FIRST}",
    "commuting moves in every order": "siblings=0",
    "neighbours and noise alone": (
        "hidden=0 any_hidden=0 first_empty=0 more_empty=0 completed_run=0 curve=0 coming=0 above=0"
        " king_on_card=0 same_suit_below=0 off_suit_rank=0 broken_rank=0 base=0 base_rank=0"
    ),
    "no price of length in the pool": "length_price=0",
    "no small terms": (
        "above=0 king_on_card=0 same_suit_below=0 off_suit_rank=0 broken_rank=0 base=0 base_rank=0"
    ),
    "every position proposes a deal": "proposing=1",
    "half the patience": "patience*=0.5",
    "twice the patience": "patience*=2",
    "restarts that never widen": f"width={_FIRST.width}",
    "begins wide: every beam of 100": "width=100",
    "no restarts: one wide beam": f"width={WIDE}",
    "one wide beam, no diversity": f"width={WIDE} classes=1",
    "restarts all of one kind": (
        f"classes={_FIRST.classes} noise={_FIRST.noise} patience={_FIRST.patience}"
    ),
}


def settings() -> dict[str, Setting]:
    """The ablations as settings, the shipped one first."""
    return {name: parse_setting(text) for name, text in ABLATIONS.items()}


@click.command(context_settings=HELP)
@deal_options(seeds="training", deals=300)
@click.option("--max-nodes", type=count, default="1M", show_default=True, help="Budget of a deal.")
@click.option("--only", multiple=True, metavar="WORD", help="Only rows that have this word.")
@workers_option
@save_option
def main(
    deals: Numbered, max_nodes: int, only: tuple[str, ...], workers: int, save: Path | None
) -> None:
    """Show what each trick of the search and the evaluation buys, by leaving it out."""
    chosen = {
        name: setting
        for place, (name, setting) in enumerate(settings().items())
        if place == 0 or not only or any(word in name for word in only)
    }
    samples = measure(deals, list(chosen.values()), max_nodes, workers)
    changes = "\n".join(f"{name}: {setting}" for name, setting in chosen.items())
    title = f"{len(deals.seeds)} deals of {deals.suits} suits, {max_nodes:,} nodes a deal"
    title += f", {deals.numbering} {deals.seeds[0]} to {deals.seeds[-1]}"
    publish(f"{title}\n\n{report(list(chosen), samples)}\n\n{changes}", save)


if __name__ == "__main__":
    main()
