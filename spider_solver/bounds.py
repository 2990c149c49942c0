"""A lower bound on the actions of any line that wins.

Every winning line deals all rows that are left. What remains is to count its moves, and each move
has one *head*, the lowest card of the piece that moves. So the moves are counted by their heads.

The *successor* of a card is a card of its suit and the next rank; in a complete run each card but
the highest lies on one, and no two cards on the same. All that follows is about a winning line
from the given position and about cards below the highest rank, of those not completed yet.

1. What lies directly under a card changes only when the card heads a move: in any other move it
   goes along with the card under it. So each card, unless it never heads a move, comes to lie on
   the successor that it leaves the table with by the last move that it heads, its *final* move. A
   card that heads no move at all is *free*: it lies on that successor from the start, or was dealt
   onto it. In the first case the successor lies face up, or it could not turn up without the card
   leaving it. Hence

       moves = cards - free cards + extra moves,

   where extra moves are the moves headed by a card of the highest rank and those that are not the
   final move of their head.

2. A free card is dealt onto its successor, which must be on the table, so that it started there or
   came in an earlier row. Different free cards have different successors.

3. Say that a card is *in place* in a column if it lay there at the start, or was dealt there, and
   has not moved since. Cards in place from the start are the deepest of the column without a gap.
   Look at a free card that is dealt onto a column, and at the run of its suit that it lands on.

   a. Some card of that run is in place. Let b be the last such card. It is of the same suit and a
      higher rank, all cards of the run between it and the free card were moved there (so of each
      rank between there is a card that came in an earlier row or lay on the table, but not below b
      in this column, where nothing has moved), and all cards in place above b have moved away, for
      good: they are not in place any more.
   b. No card of that run is in place. Its lowest card then was moved to this column, as the head
      of the move, since otherwise it would lie on its successor and not be the lowest. It did not
      come to lie on its successor, so that this was an extra move. Free cards that are dealt onto
      the column while the run's lowest card stays where it is share this one extra move; they are
      of its suit. Those dealt at other times or onto other columns have other extra moves.

   So of the free cards of case b, the first one that shares an extra move makes up for it. Without
   these, free cards minus extra moves are at most the cards left: at most as many in each column
   as a walk through its rows can collect, in which case a takes the last card in place that
   qualifies (that leaves most cards in place for the rows to come), and case b asks for an earlier
   card of the same suit in this column that was not collected.

4. By 2 the cards left go to different successors. The most that fit both the columns' limits and
   the successors is a maximum flow, and ``cards - flow`` is the least number of moves.

Dealing over empty columns changes none of this. Under optional removal, the removal of each run is
one more action. Under group moves the lowest card of a run may travel on a card of another suit,
so that 3b fails; step 3 is left out there.

The bound holds for positions inside a game as well as for starts. Of a lost position it says
nothing.
"""

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from spider_solver.cards import Card, rank, suit
from spider_solver.position import Position


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
    places = _places(position)
    cards = sum(rank(place.card) < rules.ranks for place in places)
    removals = rules.runs - len(position.completed) if rules.optional_removal else 0
    return position.rows_left + removals + cards - _most_free(position, places)


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


def _most_free(position: Position, places: Sequence[_Place]) -> int:
    """The most free cards, less the extra moves that they cost: the flow of step 4."""
    copies: dict[Card, list[_Place]] = defaultdict(list)
    for place in places:
        copies[place.card].append(place)
    edges: list[tuple[Hashable, Hashable, int]] = [(place, _SINK, 1) for place in places]
    for column, cards in enumerate(position.columns):
        for depth in range(position.face_down[column] + 1, len(cards)):
            if cards[depth - 1] - cards[depth] == 1:
                edges.append((_SOURCE, _Place(cards[depth - 1], column, 0, depth - 1), 1))
        limit, rows = _collect(position, column, copies)
        edges.append((_SOURCE, column, limit))
        for place in rows:
            edges.append((column, ("free", place), 1))
            edges.extend(
                (("free", place), below, 1)
                for below in copies[place.card + 1]
                if below.row < place.row
            )
    return _maximum_flow(edges)


def _collect(
    position: Position, column: int, copies: Mapping[Card, Sequence[_Place]]
) -> tuple[int, set[_Place]]:
    """How many cards dealt onto a column can be collected, and which of them (step 3)."""
    rules = position.rules
    lane = [
        _Place(card, column, row)
        for row, card in enumerate(position.stock[column :: rules.columns], start=1)
    ]
    able = [place for place in lane if rank(place.card) < rules.ranks]
    if rules.group_moves:
        return len(able), set(able)
    collected: set[_Place] = set()

    def most(row: int, in_place: tuple[_Place, ...], spare: frozenset[int]) -> int:
        """The most from a row on, with ``spare`` the suits of cards that were not collected."""
        if row == len(lane):
            return 0
        dealt = lane[row]
        its_suit = suit(dealt.card)
        best = most(row + 1, (*in_place, dealt), spare | {its_suit})
        if dealt not in able:
            return best
        if its_suit in spare:
            collected.add(dealt)
            best = max(best, 1 + most(row + 1, (*in_place, dealt), spare))
        for last in reversed(range(len(in_place))):
            if _can_carry(in_place[last], dealt, copies):
                collected.add(dealt)
                best = max(best, 1 + most(row + 1, (*in_place[: last + 1], dealt), spare))
                break
        return best

    start = tuple(
        _Place(card, column, 0, depth) for depth, card in enumerate(position.columns[column])
    )
    return most(0, start, frozenset()), collected


def _can_carry(base: _Place, dealt: _Place, copies: Mapping[Card, Sequence[_Place]]) -> bool:
    """Whether a card can be dealt onto a run whose last card in place is ``base`` (3a)."""
    if suit(base.card) != suit(dealt.card) or base.card <= dealt.card:
        return False
    return all(
        any(copy.row < dealt.row and not _lies_below(copy, base) for copy in copies[card])
        for card in range(dealt.card + 1, base.card)
    )


def _lies_below(place: _Place, base: _Place) -> bool:
    """Whether a card surely lies below another that is in place."""
    return (place.column, place.row, base.row) == (base.column, 0, 0) and place.depth < base.depth


_SOURCE = "source"
_SINK = "sink"


def _maximum_flow(edges: Iterable[tuple[Hashable, Hashable, int]]) -> int:
    """The maximum flow from source to sink, by augmenting paths (Edmonds and Karp, 1972)."""
    left: dict[Hashable, dict[Hashable, int]] = defaultdict(lambda: defaultdict(int))
    for start, end, capacity in edges:
        left[start][end] += capacity
    flow = 0
    while path := _augmenting_path(left):
        for start, end in pairwise(path):
            left[start][end] -= 1
            left[end][start] += 1
        flow += 1
    return flow


def _augmenting_path(left: Mapping[Hashable, Mapping[Hashable, int]]) -> list[Hashable]:
    """A path on which one more unit can flow, or an empty list."""
    reached_from: dict[Hashable, Hashable] = {_SOURCE: _SOURCE}
    queue = deque(reached_from)
    while queue:
        node = queue.popleft()
        for other, capacity in left[node].items():
            if capacity and other not in reached_from:
                reached_from[other] = node
                queue.append(other)
        if _SINK in reached_from:
            path: list[Hashable] = [_SINK]
            while path[-1] != _SOURCE:
                path.append(reached_from[path[-1]])
            return path[::-1]
    return []
