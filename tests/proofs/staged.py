"""The staged blockade of version 0.1: may *some* card of the next rank be face up?"""

from spider_solver.game.cards import SUITS, Card, make_card, rank
from spider_solver.game.position import Position
from spider_solver.proofs.blockade import stock_rows


def staged_blockade(position: Position) -> list[list[int]] | None:
    """For each number of rows dealt, how many cards of each column stay face down; or None."""
    if position.empty_columns:
        return None
    columns = [list(cards) for cards in position.columns]
    covered = list(position.face_down)
    loads = [cards[down:] for cards, down in zip(columns, covered, strict=True)]
    found = []
    for row in ((), *stock_rows(position)):
        for load, card in zip(loads, row, strict=False):
            load.append(card)
        if not _uncover(columns, covered, loads) or _shows_run(position, loads):
            return None
        found.append(covered.copy())
    return found


def _uncover(columns: list[list[Card]], covered: list[int], loads: list[list[Card]]) -> bool:
    """Uncover all that can be; whether each column holds a card that stays."""
    before = None
    while before != covered:
        before = covered.copy()
        for column, load in enumerate(loads):
            ranks = {rank(card) for cards in loads for card in cards}
            if all(rank(card) + 1 in ranks for card in load):
                if not covered[column]:
                    return False
                covered[column] -= 1
                load.append(columns[column][covered[column]])
    return True


def _shows_run(position: Position, loads: list[list[Card]]) -> bool:
    face_up = {card for cards in loads for card in cards}
    ranks = range(1, position.rules.ranks + 1)
    return any(face_up.issuperset(make_card(r, s) for r in ranks) for s in range(len(SUITS)))
