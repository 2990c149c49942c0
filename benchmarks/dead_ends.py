"""What the complete search saves where it does not go on from positions that are proved lost.

On small games, on deals of the full game that are built to be stuck, and on late positions of real
deals after random play. Only those that are lost count and that the plain search settles: a win is
found in the same place with or without. Deals that are blockaded at the start are left out, since
the solver tells them without a search.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from time import process_time

import click
from tqdm import tqdm

from benchmarks.options import HELP, count, save_option
from benchmarks.report import publish, table
from spider_solver.analysis.tables import number, percent
from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import tiny
from spider_solver.proofs.blockade import find_blockade
from spider_solver.search.complete import DeadEnds, explore
from tests.small_games import LARGER_GAMES, SMALL_GAMES, random_game
from tests.stuck import late_positions, stuck_deal

SKIPS = {
    "nothing": DeadEnds.NONE,
    "short of cards": DeadEnds.SHORT_OF_CARDS,
    "blockaded": DeadEnds.BLOCKADED,
    "both": DeadEnds.SHORT_OF_CARDS | DeadEnds.BLOCKADED,
}


@dataclass
class Cost:
    """What the lost positions of a kind took with some dead ends left alone."""

    positions: int = 0
    nodes: int = 0
    seconds: float = 0.0


@dataclass
class Costs:
    """The lost positions of a kind."""

    lost: int = 0
    by_skip: dict[str, Cost] = field(default_factory=lambda: {name: Cost() for name in SKIPS})


@click.command(context_settings=HELP)
@click.option("--deals", type=count, default="100", show_default=True, help="Of each kind.")
@click.option("--max-nodes", type=count, default="1M", show_default=True, help="Of a search.")
@save_option
def main(deals: int, max_nodes: int, save: Path | None) -> None:
    """What dead ends save the complete search, on positions that it finds lost."""
    explore(stuck_deal(0, 1), 10, skip=DeadEnds.BLOCKADED)  # compiled before the clock runs
    costs = {name: measure(starts(), deals, max_nodes) for name, starts in KINDS.items()}
    publish(report(costs, deals, max_nodes), save)


def small_games() -> Iterator[Position]:
    """Deals of all small games of the tests, in turns."""
    for seed in range(1, 10**6):
        for rules in (*SMALL_GAMES, *LARGER_GAMES):
            yield numbered("pysol", seed, rules)


def short_games() -> Iterator[Position]:
    """Deals of small games in which rows are left when runs have gone, inside random play."""
    games = (tiny(4, 3, 1, 4, 0, 2), tiny(5, 3, 1, 4, 0, 1), tiny(4, 4, 1, 3, 0, 1))
    for seed in range(1, 10**6):
        for rules in games:
            *_, last = random_game(numbered("pysol", seed, rules), Random(seed))
            yield last


def stuck_deals(exchanges: int) -> Callable[[], Iterator[Position]]:
    """Whole deals that are built to be stuck, with so many cards exchanged."""
    return lambda: (stuck_deal(exchanges, seed) for seed in range(1, 10**6))


def late(suits: int) -> Callable[[], Iterator[Position]]:
    """The ends of random games of real deals, with no stock left."""
    return lambda: late_positions(range(1, 10**6), suits)


KINDS: dict[str, Callable[[], Iterator[Position]]] = {
    "small games": small_games,
    "small games at the end of random play": short_games,
    "built to be stuck": stuck_deals(0),
    "one card exchanged": stuck_deals(1),
    "two cards exchanged": stuck_deals(2),
    "late, four suits": late(4),
    "late, two suits": late(2),
}


def measure(starts: Iterator[Position], deals: int, max_nodes: int) -> Costs:
    """Search so many starts in each way, and count those that are lost."""
    costs = Costs()
    for start in tqdm(islice(starts, deals), total=deals, leave=False, disable=None):
        if find_blockade(start) is not None or explore(start, max_nodes).status != "lost":
            continue
        costs.lost += 1
        for name, skip in SKIPS.items():
            began = process_time()
            found = explore(start, max_nodes, skip=skip)
            cost = costs.by_skip[name]
            cost.seconds += process_time() - began
            cost.positions += found.size
            cost.nodes += found.nodes
            if found.status != "lost":
                raise RuntimeError(f"{found.status} with {skip}: {start.code}")
    return costs


def report(costs: dict[str, Costs], deals: int, max_nodes: int) -> str:
    """A line for each kind of position and each choice of dead ends."""
    rows = []
    for kind, of_kind in costs.items():
        plain = of_kind.by_skip["nothing"]
        for name, cost in of_kind.by_skip.items():
            rows.append(
                [
                    kind if name == "nothing" else "",
                    number(of_kind.lost) if name == "nothing" else "",
                    name,
                    number(cost.positions),
                    percent(cost.positions / plain.positions) if plain.positions else "-",
                    number(cost.nodes),
                    f"{1e3 * cost.seconds:,.0f}",
                ]
            )
    head = ["positions", "lost", "left alone", "met", "of plain", "nodes", "ms"]
    return (
        f"Complete searches of at most {max_nodes:,} nodes from {deals} positions of each kind; "
        f"those that are lost\nand not blockaded count.\n\n{table(head, rows)}"
    )


if __name__ == "__main__":
    main()
