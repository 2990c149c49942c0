"""Tables that come from numbered deals: the number tells the hidden cards, and can be found."""

from typing import TYPE_CHECKING

import click

from spider_solver.cli.common import say
from spider_solver.game.deal import FROM_TEXT, Deal
from spider_solver.game.numberings import NUMBERINGS
from spider_solver.game.words import count_words, list_words

if TYPE_CHECKING:
    from spider_solver.game.view import View

_MOST_NAMED = 5
"""Deals that a message names."""


def table_of(view: "View", deal: Deal, name: str) -> Deal:
    """The table that a view is of, with the hidden cards of the deal that it comes from.

    Args:
        view: the table.
        deal: the deal.
        name: of the table, for messages.

    Raises:
        ClickException: the table does not come from the deal.
    """
    from spider_solver.game.completion import complete
    from spider_solver.game.position import PositionError

    try:
        position = complete(view, deal.position)
    except PositionError as error:
        raise click.ClickException(f"{name}: no table of {_deal_name(deal)}: {error}") from None
    if view.unknown:
        cards = count_words(view.unknown, "hidden card")
        say(f"{cards} of {name} filled in from {_deal_name(deal)}")
    return Deal(position.settled(), FROM_TEXT, 1)


def found_deal(view: "View", name: str) -> Deal:
    """The numbered deal that a table comes from, looked for among all that there are.

    Raises:
        ClickException: there is none, or more than one.
        Undetermined: the table tells too little.
    """
    from tqdm import tqdm

    from spider_solver.answers.finding import PYSOL_NUMBERS, find_deals

    with tqdm(unit=" deals", unit_scale=True, leave=False, dynamic_ncols=True, disable=None) as bar:

        def show(tried: int, total: int) -> None:
            bar.total = total
            bar.update(tried - bar.n)

        deals = find_deals(view, show)
    if not deals:
        tried = f"the first {PYSOL_NUMBERS:,} of {NUMBERINGS['pysol'].program}"
        if NUMBERINGS["kpat"].deals(view.rules):
            tried += f" and all of {NUMBERINGS['kpat'].program}"
        raise click.ClickException(f"{name}: comes from no numbered deal ({tried} were tried)")
    if len(deals) > 1:
        names = list_words(list(map(_deal_name, deals[:_MOST_NAMED])))
        raise click.ClickException(
            f"{name}: fits {len(deals)} deals, such as {names}: give --seed and --numbering"
        )
    return deals[0]


def _deal_name(deal: Deal) -> str:
    return f"{deal.numbering} {deal.seed}"
