"""Small fresh deals, the search for the first event by brute force, and the search of classes."""

from random import Random

from spider_solver.game.cards import make_card
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules
from spider_solver.proofs.first_run import FirstPhase, PositionClass
from spider_solver.proofs.first_run_stuck import is_stuck
from tests.brute import up_to_order

_PACKS = {1: "S", 2: "HS", 4: "CDHS"}


def small_game(columns: int, ranks: int, suits: int, copies: int, rows: int) -> Rules:
    """A game whose columns each show one card, with whole rows in the stock."""
    left = ranks * suits * copies - rows * columns
    return Rules(
        name=f"{columns} columns, {ranks} ranks, {suits} x {copies} runs, {rows} rows",
        pack=_PACKS[suits],
        packs=copies,
        ranks=ranks,
        heights=tuple(left // columns + (column < left % columns) for column in range(columns)),
    )


# Games in which many deals come to no first event.
FIRST_PHASE_GAMES = (
    small_game(columns=3, ranks=5, suits=2, copies=2, rows=2),
    small_game(columns=3, ranks=5, suits=4, copies=1, rows=1),
    small_game(columns=3, ranks=5, suits=4, copies=1, rows=2),
    small_game(columns=3, ranks=6, suits=1, copies=2, rows=2),
    small_game(columns=3, ranks=7, suits=2, copies=1, rows=1),
    small_game(columns=4, ranks=5, suits=2, copies=2, rows=1),
    small_game(columns=4, ranks=5, suits=4, copies=1, rows=2),
    small_game(columns=4, ranks=6, suits=2, copies=2, rows=2),
    small_game(columns=4, ranks=6, suits=2, copies=2, rows=3),
    small_game(columns=4, ranks=6, suits=4, copies=1, rows=2),
    small_game(columns=4, ranks=9, suits=1, copies=2, rows=2),
    small_game(columns=5, ranks=5, suits=4, copies=1, rows=1),
)


def random_deal(rules: Rules, generator: Random) -> Position:
    """A fresh deal of a deck in any order."""
    deck = [
        make_card(rank, suit)
        for suit in range(4)
        for rank in range(1, rules.ranks + 1)
        for _ in range(rules.copies(suit))
    ]
    generator.shuffle(deck)
    columns = []
    for height in rules.heights:
        columns.append(tuple(deck[:height]))
        del deck[:height]
    return Position(rules, tuple(columns), tuple(h - 1 for h in rules.heights), tuple(deck))


def reaches_event(start: Position, most: int) -> bool | None:
    """Whether some line empties a column or completes a run; None if there are too many positions.

    A complete run that may stay counts as complete once it could leave.
    """
    seen = {up_to_order(start)}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        for move in position.legal_moves():
            after = position.play(move)
            if after.completed or after.empty_columns:
                return True
            key = up_to_order(after)
            if key not in seen:
                seen.add(key)
                waiting.append(after)
        if len(seen) > most:
            return None
    return False


def search_classes(start: Position, most: int) -> list[PositionClass] | None:
    """The classes that can follow on a fresh deal; None if an event may, or there are too many."""
    phase = FirstPhase(start)
    found = {phase.start(): None}
    waiting = [phase.start()]
    while waiting:
        for after in phase.successors(waiting.pop()):
            if after is None or len(found) > most:
                return None
            if after not in found and not is_stuck(phase, after):
                found[after] = None
                waiting.append(after)
    return list(found)
