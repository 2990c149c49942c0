"""How often spider-report fairness finds a rigged game, by way of rigging and number of deals."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from benchmarks.options import HELP, save_option
from benchmarks.report import publish, table
from spider_solver.analysis.fairness import SIMULATIONS, p_values
from spider_solver.analysis.shuffles import (
    Cards,
    Layout,
    measure,
    repeats,
    simulate,
    statistics_of,
)
from spider_solver.analysis.statistics import holm
from spider_solver.game.rules import spider

LEVEL = 0.05
AT_A_TIME = 20_000  # deals that are measured together
KING, ACE = 13, 1

Generator = np.random.Generator
Deal = Callable[[Layout, int, Generator], Cards]
"""Deals so many deals of a layout."""


class Rig(NamedTuple):
    """A way of dealing."""

    name: str
    deal: Deal


def fair(layout: Layout, count: int, generator: Generator) -> Cards:
    """Fair shuffles."""
    return layout.shuffles(count, generator)


def fewer_moves(share: float) -> Deal:
    """Of two fair shuffles the one with fewer moves at the start, in a share of the deals."""

    def deal(layout: Layout, count: int, generator: Generator) -> Cards:
        first, second = fair(layout, count, generator), fair(layout, count, generator)
        moves = [measure(layout, deals[:, None])[:, 0] for deals in (first, second)]
        worse = (moves[1] < moves[0]) & (generator.random(count) < share)
        return np.where(worse[:, None], second, first)

    return deal


def buried(card_rank: int, share: float) -> Deal:
    """In a share of the deals every card of a rank at an end changes places with a covered one."""
    return _exchanged(share, lambda ranks: ranks == card_rank, from_zone=1, to_zone=0)


def laid_open(card_rank: int, share: float) -> Deal:
    """In a share of the deals one covered card of a rank changes places with one at an end."""
    return _exchanged(share, lambda ranks: ranks == card_rank, from_zone=0, to_zone=1, most=1)


def _exchanged(
    share: float,
    chosen: Callable[[Cards], NDArray[np.bool_]],
    from_zone: int,
    to_zone: int,
    most: int = 104,
) -> Deal:
    def deal(layout: Layout, count: int, generator: Generator) -> Cards:
        deals = fair(layout, count, generator)
        source = np.flatnonzero(layout.zones == from_zone)
        target = np.flatnonzero(layout.zones == to_zone)
        for place in np.flatnonzero(generator.random(count) < share):
            row = deals[place]
            out = source[chosen(row[source] & 15)][:most]
            into = generator.choice(target[~chosen(row[target] & 15)], len(out), replace=False)
            row[out], row[into] = row[into].copy(), row[out].copy()
        return deals

    return deal


def riffled(times: int) -> Deal:
    """A sorted deck that is cut and riffled so many times (Gilbert, Shannon and Reeds)."""

    def deal(layout: Layout, count: int, generator: Generator) -> Cards:
        # The inverse of a riffle: every card draws a bit, those with 0 go on top in their order.
        # Of two cards with the same bits from the last draw on, the upper one stays above.
        deck = layout.deck()
        deals = np.empty((count, deck.size), np.int8)
        for row in range(count):
            bits = generator.integers(0, 2**times, deck.size)
            deals[row] = deck[np.argsort(bits, kind="stable")]
        return deals

    return deal


def swapped_anywhere(layout: Layout, count: int, generator: Generator) -> Cards:
    """The common mistake in shuffling: each card changes places with any card of the deck."""
    deals = np.tile(layout.deck(), (count, 1))
    rows = np.arange(count)
    for place in range(deals.shape[1]):
        other = generator.integers(0, deals.shape[1], count)
        here = deals[rows, place].copy()
        deals[rows, place] = deals[rows, other]
        deals[rows, other] = here
    return deals


def from_a_list(length: int) -> Deal:
    """A game that has only so many deals, all of them fair."""

    known: list[Cards] = []  # drawn when it is first asked for

    def deal(layout: Layout, count: int, generator: Generator) -> Cards:
        if not known:
            known.append(fair(layout, length, np.random.default_rng(length)))
        return known[0][generator.integers(0, length, count)]

    return deal


RIGS = (
    Rig("fair shuffles", fair),
    Rig("of two shuffles that with fewer moves", fewer_moves(1.0)),
    Rig("the same in every second deal", fewer_moves(0.5)),
    Rig("the same in every fifth deal", fewer_moves(0.2)),
    Rig("aces at the ends are buried", buried(ACE, 1.0)),
    Rig("the same in every second deal", buried(ACE, 0.5)),
    Rig("a king is laid on an end", laid_open(KING, 1.0)),
    Rig("the same in every second deal", laid_open(KING, 0.5)),
    Rig("the same in every fifth deal", laid_open(KING, 0.2)),
    Rig("a sorted deck riffled 6 times", riffled(6)),
    Rig("a sorted deck riffled 8 times", riffled(8)),
    Rig("a sorted deck riffled 10 times", riffled(10)),
    Rig("cards swapped with any other (a common mistake)", swapped_anywhere),
    Rig("a list of 10,000 deals", from_a_list(10_000)),
)


@click.command(context_settings=HELP)
@click.option("--suits", type=click.IntRange(1, 4), default=4, show_default=True)
@click.option("--deals", multiple=True, type=int, default=(20, 50, 100, 200, 500, 1000))
@click.option("--files", default=500, show_default=True, help="Files dealt for each figure.")
@click.option("--seed", default=20261130, show_default=True)
@save_option
def main(suits: int, deals: tuple[int, ...], files: int, seed: int, save: Path | None) -> None:
    """Share of files that are called unfair at 5%, by way of dealing and deals in a file."""
    rules = spider(suits)
    layout = Layout.of(rules, rules.heights)
    found = np.zeros((len(RIGS), len(deals)))
    any_test = np.zeros(len(deals))
    with tqdm(total=found.size) as progress:
        for column, size in enumerate(deals):
            generator = np.random.default_rng([seed, size])
            null = np.concatenate([*simulate(layout, size, SIMULATIONS, generator)])
            for row, rig in enumerate(RIGS):
                single, corrected = rejected(layout, rig, size, files, null, generator)
                found[row, column] = corrected
                if row == 0:
                    any_test[column] = single
                progress.update()
    head = ["called unfair, of " + str(files) + " files", *(f"{n:,} deals" for n in deals)]
    rows = [[rig.name, *map(_percent, found[row])] for row, rig in enumerate(RIGS)]
    rows.append(["fair shuffles: p below 5%, mean over tests", *map(_percent, any_test)])
    publish(f"{suits} suits, level {LEVEL:.0%}\n\n{table(head, rows)}", save)


def rejected(
    layout: Layout,
    rig: Rig,
    size: int,
    files: int,
    null: NDArray[np.float64],
    generator: Generator,
) -> tuple[float, float]:
    """Which share of single p-values, and of whole files, is at most the level.

    Args:
        layout: of the deals.
        rig: how they are dealt.
        size: deals in a file.
        files: how many.
        null: the statistics of simulated files of fair deals.
        generator: where chance comes from.
    """
    deals = rig.deal(layout, files * size, generator).reshape(files, size, -1)
    parts = np.array_split(deals, max(deals.shape[0] * size // AT_A_TIME, 1))
    here = np.concatenate([measure(layout, part) for part in parts])
    found = p_values(statistics_of(layout), here, null)
    again = np.array([repeats(file)[1] for file in deals])
    wholes = [min(holm([*row, last])) <= LEVEL for row, last in zip(found, again, strict=True)]
    return float(np.mean(found <= LEVEL)), float(np.mean(wholes))


def _percent(share: float) -> str:
    return f"{share:.0%}" if share == 0 or share >= 0.1 else f"{share:.1%}"


if __name__ == "__main__":
    main()
