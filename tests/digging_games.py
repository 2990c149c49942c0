"""Random small games, all their positions, and which of these can be won or are buried."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules
from spider_solver.kernels import complete, digging
from spider_solver.proofs.columns import Columns, Stock
from spider_solver.search.complete import make_catalogue
from spider_solver.search.packing import pack

OPTIONS: dict[str, dict[str, bool]] = {
    "standard": {},
    "relaxed": {"deal_over_empty": True},
    "optional removal": {"optional_removal": True},
    "relaxed, optional removal": {"deal_over_empty": True, "optional_removal": True},
}
"""The variants in which the test is on, and the options that make them."""


def random_rules(draw: Random, most_cards: int, **options: bool) -> Rules:
    """Some small game, often with a short last row."""
    while True:
        columns, ranks = draw.randint(3, 5), draw.randint(4, 6)
        suits, copies, rows = draw.choice((1, 2, 4)), draw.choice((1, 2, 4)), draw.randint(0, 3)
        cards = suits * copies * ranks
        short = draw.randrange(columns) if rows and draw.random() < 0.5 else 0
        dealt = cards - rows * columns + short
        if cards > most_cards or dealt < columns:
            continue
        height, odd = divmod(dealt, columns)
        rules = Rules(
            name=f"c{columns}r{ranks}s{suits}k{copies}t{rows}",
            pack="CDHS"[4 - suits :],
            packs=copies,
            ranks=ranks,
            heights=tuple(height + (column < odd) for column in range(columns)),
            face_up=draw.randint(1, height),
        )
        return replace(rules, **options)  # type: ignore[arg-type]


def random_starts(seed: int, most_cards: int, **options: bool) -> Iterator[Position]:
    """Deals of random small games, without end."""
    draw = Random(seed)
    while True:
        yield numbered("pysol", draw.randint(1, 31999), random_rules(draw, most_cards, **options))


def all_positions(start: Position, most: int) -> tuple[list[Position], list[bool]] | None:
    """All positions that can come about, and whether each can be won; None if there are too many.

    By the plain rules, column by column; what can be won is found from the wins backward.
    """
    columns = Columns(start.rules)
    stock = columns.stock(start.stock)
    found: list[tuple[tuple[int, ...], Stock]] = [(tuple(stock.sorted(columns.of(start))), stock)]
    numbers = {found[0]: 0}
    leading_to: list[list[int]] = [[]]
    for number, position in enumerate(found):  # grows while it is read
        for after, left in columns.successors(*position):
            key = tuple(left.sorted(after)), left
            other = numbers.setdefault(key, len(found))
            if other == len(found):
                if other == most:
                    return None
                found.append(key)
                leading_to.append([])
            leading_to[other].append(number)
    winnable = [columns.is_won(*position) for position in found]
    waiting = [number for number, won in enumerate(winnable) if won]
    for number in waiting:  # grows while it is read
        for before in leading_to[number]:
            if not winnable[before]:
                winnable[before] = True
                waiting.append(before)
    return [columns.position(*position) for position in found], winnable


class Kernel:
    """The kernel's verdicts on positions of one game, with its memory of them."""

    def __init__(self) -> None:
        self._digging = digging.make_digging(make_catalogue(2))

    def is_buried(self, position: Position) -> bool:
        catalogue = make_catalogue(2)
        packed = pack(position)
        complete.begin_complete(catalogue, *packed)
        self._digging.registers[digging.SEEN_COLUMNS] = 1
        return bool(digging.is_buried(catalogue, packed.rules, self._digging, 0))
