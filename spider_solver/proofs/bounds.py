"""A lower bound on the actions of any line that wins.

Every winning line deals all rows that are left, and under optional removal it removes each run by
an action. What remains is to count its moves. Each move has a *head*, the lowest card of the piece
that moves, and moves are counted by their heads.

The *successor* of a card is a card of its suit and the next rank; in a complete run each card but
the highest lies on one. Below, "cards" are the n cards below the highest rank that are not off the
table yet, and the line is one that wins.

1. What lies directly under a card changes only by a move that the card heads: in any other move it
   goes along with the card under it. So a card that heads a move comes to lie on the successor
   with which it leaves the table by the last move that it heads, its *final* move; a card that
   heads none lies on that successor from the start, or was dealt onto it. Call a card *placed* if
   it lies on a face-up successor at the start, or is dealt onto a successor. (On a face-down one
   it cannot stay, for that has to turn up.) Placed cards that head a move all the same are
   *wasted*. Call moves *extra* that are not final, among them all that are headed by a card of the
   highest rank. The line has

       moves = n - placed cards + wasted cards + extra moves.

2. Say that a card is *in place* if it has not moved since the start, or since it was dealt. In each
   column these are the lowest cards, without a gap. Look at a card that is placed by a deal, and
   at the run of its suit that it lands on, as far down as it goes. If a card of the run is in
   place, the placement is *anchored*.

3. There are no more placements without an anchor than wasted cards and extra moves together. Let b
   be the lowest card of the run of such a placement. It has moved, and it headed the last move
   that it took part in, or it would lie on a successor and not be the lowest. By that move, e, it
   came to this column but not onto a successor; so e is not final, but extra. Let x1, x2, ... be,
   in their order, the cards that are placed without an anchor while b lies where e put it. Then e
   pays for x1. As for the next one after x = x1, x2, ...: by then x has moved. Otherwise x, and
   with it all between b and x, would be where it was, in the run, and be an anchor. (Nor has x left
   the table, for b would have left with it.) The first time that x moved, the head was a card w of
   the run, x or one under it but not b, so that w left a successor. Either w had not headed a move
   before; then it had been placed there and is now wasted. Or it had; then the last such move had
   put it onto that successor and was not final, but extra. This pays for the next one. Nothing
   pays twice: moves such as e do not end on a successor of their head, and those of w do; and w
   takes its leave of that successor only once, from one column, above one card b, between two
   placements.

4. So moves >= n - cards placed at the start - anchored placements, and it remains to see how many
   anchored placements there can be in a column. Let a be the highest card in place in the run that
   a card c of row r lands on.

   * a is of the suit of c and of a higher rank.
   * The cards between a and c have all moved. So of each rank between there is a card that
     started on the table, but not below a in this column, or came in a row before r.
   * All that was in place above a has moved away.

   A walk through the rows that keeps all cards in place that can be, anchors a card to the highest
   one of them that meets the first two conditions, or leaves it without an anchor, finds the most:
   an anchor lower down would only leave fewer cards in place.

Dealing over empty columns changes none of this. Under group moves the lowest card of a run may
travel on a card of another suit, so that step 3 fails; there each card counts as placed that comes
in a later row than one of its successors.

The bound holds for positions inside a game as well as for starts. Of a lost position it says
nothing.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from spider_solver.game.cards import Card, rank, suit
from spider_solver.game.position import Position


class _Place(NamedTuple):
    """Where a card lies: in a row of the stock, counted from 1, or on the table: row 0."""

    card: Card
    column: int
    row: int
    depth: int = 0


def actions_bound(position: Position) -> int:
    """A number of actions such that no line wins from a position with fewer.

    Takes positions of any game, starts or not; if a position is lost, the number means nothing.
    """
    rules = position.rules
    copies: dict[Card, list[_Place]] = defaultdict(list)
    cards = 0
    for place in _places(position):
        copies[place.card].append(place)
        cards += rank(place.card) < rules.ranks
    placed = _placed_at_start(position) + sum(
        _most_placed(position, column, copies) for column in range(rules.columns)
    )
    removals = rules.runs - len(position.completed) if rules.optional_removal else 0
    return position.rows_left + removals + cards - placed


def _places(position: Position) -> list[_Place]:
    width = position.rules.columns
    table = [
        _Place(card, column, 0, depth)
        for column, cards in enumerate(position.columns)
        for depth, card in enumerate(cards)
    ]
    stock = [
        _Place(card, number % width, number // width + 1)
        for number, card in enumerate(position.stock)
    ]
    return table + stock


def _placed_at_start(position: Position) -> int:
    """How many cards lie on a successor that is face up."""
    return sum(
        cards[depth - 1] - cards[depth] == 1
        for cards, down in zip(position.columns, position.face_down, strict=True)
        for depth in range(down + 1, len(cards))
    )


def _most_placed(position: Position, column: int, copies: Mapping[Card, Sequence[_Place]]) -> int:
    """How many cards dealt onto a column can be placed, at most, that nothing else pays for."""
    rules = position.rules
    lane = [
        _Place(card, column, row)
        for row, card in enumerate(position.stock[column :: rules.columns], start=1)
    ]
    if rules.group_moves:
        return sum(any(below.row < place.row for below in copies[place.card + 1]) for place in lane)

    def most(row: int, in_place: tuple[_Place, ...]) -> int:
        if row == len(lane):
            return 0
        dealt = lane[row]
        found = most(row + 1, (*in_place, dealt))
        for last in reversed(range(len(in_place))):
            if _anchors(in_place[last], dealt, copies):
                return max(found, 1 + most(row + 1, (*in_place[: last + 1], dealt)))
        return found

    cards = position.columns[column]
    return most(0, tuple(_Place(card, column, 0, depth) for depth, card in enumerate(cards)))


def _anchors(anchor: _Place, dealt: _Place, copies: Mapping[Card, Sequence[_Place]]) -> bool:
    """Whether a run can reach from a card in place to one that is dealt onto it (step 4)."""
    if suit(anchor.card) != suit(dealt.card) or anchor.card <= dealt.card:
        return False
    return all(
        any(copy.row < dealt.row and not _lies_below(copy, anchor) for copy in copies[card])
        for card in range(dealt.card + 1, anchor.card)
    )


def _lies_below(place: _Place, anchor: _Place) -> bool:
    """Whether a card lies below an anchor that started on the table."""
    return (
        place.row == anchor.row == 0
        and place.column == anchor.column
        and place.depth < anchor.depth
    )
