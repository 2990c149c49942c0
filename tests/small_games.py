"""Small games that brute force settles, with many lost deals among them."""

from collections.abc import Iterator
from random import Random

from spider_solver.game.notation import DEAL
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules, tiny
from tests.strategies import SHORT_ROW, with_options

# Most deals of these have at most a few thousand positions.
SMALL_GAMES = (
    tiny(columns=2, ranks=6, suits=1, copies=2, hidden=1, rows=3),
    tiny(columns=3, ranks=4, suits=2, copies=2, hidden=1, rows=2),
    tiny(columns=3, ranks=5, suits=2, copies=2, hidden=2, rows=2),
    tiny(columns=3, ranks=6, suits=1, copies=2, hidden=0, rows=2),
    tiny(columns=3, ranks=6, suits=2, copies=1, hidden=1, rows=1),
    tiny(columns=3, ranks=7, suits=1, copies=2, hidden=1, rows=2),
    tiny(columns=4, ranks=6, suits=1, copies=2, hidden=1, rows=1),
    tiny(columns=4, ranks=6, suits=2, copies=1, hidden=1, rows=1),
    tiny(columns=4, ranks=7, suits=1, copies=2, hidden=1, rows=1),
    tiny(columns=4, ranks=8, suits=1, copies=2, hidden=2, rows=1),
    SHORT_ROW,
)

SMALL_GAMES_WITH_OPTIONS = tuple(option for rules in SMALL_GAMES for option in with_options(rules))

# Larger ones, of whose deals only those that are stuck from the start can be searched completely.
LARGER_GAMES = (
    tiny(columns=4, ranks=5, suits=4, copies=1, hidden=2, rows=2),
    tiny(columns=4, ranks=6, suits=1, copies=4, hidden=2, rows=3),
    tiny(columns=4, ranks=6, suits=2, copies=2, hidden=2, rows=3),
    tiny(columns=4, ranks=9, suits=1, copies=2, hidden=2, rows=2),
    tiny(columns=4, ranks=10, suits=1, copies=2, hidden=3, rows=1),
    tiny(columns=5, ranks=5, suits=2, copies=2, hidden=2, rows=1),
    tiny(columns=5, ranks=5, suits=4, copies=1, hidden=2, rows=1),
    tiny(columns=5, ranks=6, suits=2, copies=2, hidden=3, rows=1),
)


def game_name(rules: Rules) -> str:
    return rules.name


def random_game(position: Position, generator: Random) -> Iterator[Position]:
    """The positions of a game of random moves, in which a deal comes when it is drawn last."""
    yield position
    for _ in range(100):
        moves = position.legal_moves()
        if not moves:
            return
        move = generator.choice(moves)
        if move == DEAL:
            move = generator.choice(moves)
        position = position.play(move)
        yield position
