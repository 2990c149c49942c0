"""Lost positions of the full game that a complete search settles and the blockade does not see."""

from collections.abc import Iterator
from random import Random

from spider_solver.game.cards import Card, rank
from spider_solver.game.deal import Deal
from spider_solver.game.position import Position
from spider_solver.game.rules import spider
from tests.small_games import random_game


def stuck_deal(exchanges: int, seed: int) -> Position:
    """A whole deal of four suits whose first tops and stock are nearly all of odd rank.

    Odd ranks go only on even ones, which lie face down but for a few exchanged cards.
    """
    generator = Random(seed)
    start = Deal.numbered(seed, numbering="pysol").position
    deck: list[Card] = [card for column in start.columns for card in column] + list(start.stock)
    odd = [card for card in deck if rank(card) % 2]
    even = [card for card in deck if not rank(card) % 2]  # 48 of 104
    generator.shuffle(odd)
    generator.shuffle(even)
    heights = spider(4).heights
    below = sum(heights) - len(heights)  # 44 cards face down
    hidden, seen = even[:below], odd + even[below:]  # four even ones too many
    generator.shuffle(seen)
    for _ in range(exchanges):
        one, other = generator.randrange(len(hidden)), generator.randrange(len(seen))
        hidden[one], seen[other] = seen[other], hidden[one]
    columns = []
    for height in heights:
        columns.append((*(hidden.pop() for _ in range(height - 1)), seen.pop()))
    face_down = tuple(height - 1 for height in heights)
    return Position(start.rules, tuple(columns), face_down, tuple(seen))


def late_positions(seeds: range, suits: int) -> Iterator[Position]:
    """The last position but a few of random games, one for each deal that is dealt to the end."""
    for seed in seeds:
        game = list(random_game(Deal.numbered(seed, suits=suits).position, Random(seed)))
        if not game[-1].stock:
            yield game[-1]
