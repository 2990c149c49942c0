"""Hints for tables with unknown cards: what they come to, however the unseen cards lie."""

import json
import sys
from typing import TYPE_CHECKING

from spider_solver.cli.common import draw, echo
from spider_solver.cli.compiling import warm_up
from spider_solver.game.words import count_words, move_text

if TYPE_CHECKING:
    from spider_solver.answers.fillings import Counts, Fillings
    from spider_solver.game.view import View
    from spider_solver.search.result import Limits

_EXACT = 10**6
"""Numbers of arrangements up to this one are written out."""


def hint_without_all_cards(view: "View", limits: "Limits | None", as_json: bool) -> None:
    """Solve the arrangements of a table's unknown cards, with progress, and print the answer.

    Args:
        view: the table.
        limits: what may be spent on each arrangement, by default ``FILLING_LIMITS``.
        as_json: whether to print JSON.
    """
    from spider_solver.answers.fillings import FILLING_LIMITS, solve_fillings

    warm_up()
    from tqdm import tqdm

    with tqdm(unit=" positions", leave=False, dynamic_ncols=True, disable=None) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        found = solve_fillings(view, limits or FILLING_LIMITS, progress=show)
    if as_json:
        echo(json.dumps(found.as_dict()))
    else:
        draw(fillings_text(found))


def fillings_text(found: "Fillings") -> str:
    """The answer for people: the table, what the arrangements are, and the best first moves."""
    from spider_solver.show.text import position_text, use_colour

    position = found.position
    best = found.choices[0].move if found.choices else None
    picture = position_text(position, colour=use_colour(sys.stdout), mark=best)
    lines = [picture, "", _counts_text(found)]
    for choice in found.choices:
        share = f"{choice.counts.won} of {found.solved}"
        lines.append(f"won in {share} after: {move_text(position, choice.move)}")
    if not found.choices and found.counts.lost == found.solved:
        end = "no move helps" if found.is_complete else "there may be others"
        lines.append(f"lost in all of them, which is proved; {end}")
    lines.append(
        "no card was looked under; whoever plays on without seeing them may still go wrong"
    )
    return "\n".join(lines)


def _counts_text(found: "Fillings") -> str:
    """How many arrangements there are, and what became of those that were solved."""
    cards = count_words(found.view.unknown, "unknown card")
    if found.is_complete:
        ways = f"{cards} can lie in {found.arrangements:,} ways"
        return f"{ways}: {_outcomes(found.counts)}"
    from spider_solver.analysis.statistics import share_of

    low, high = share_of(found.counts.won, found.solved)[1:]
    number = found.arrangements
    many = f"{number:,}" if number <= _EXACT else f"some 10^{len(str(number)) - 1}"
    return (
        f"{cards} can lie in {many} ways; of {found.solved} drawn at random: "
        f"{_outcomes(found.counts)} (won: {low:.0%} to {high:.0%}, 95% interval)"
    )


def _outcomes(counts: "Counts") -> str:
    return f"{counts.won} won, {counts.lost} lost, {counts.open} open"
