"""The test that a class of positions leads to no first event: ends are counted rank by rank.

It is the inner test of :mod:`spider_solver.proofs.first_run`, whose words it uses. Let play go on
from a position of the class, up to the first event, and count for each rank the ends that are not
covered by a head of the class: the active ones, and those that rows dealt later cover. That count
is

    (active ends of the class) + (cards dealt since) + (cards turned up and ends uncovered since)
    - (cards of the rank below that moved since as heads, or were dealt since and are chain cards)

since each chain card lies on a card of the next rank, which is an end no more. It is never
negative. ``is_stuck`` looks at it row by row. For each column it keeps how many heads of the class
may have moved, and what that adds to the count at most, rank by rank:

* A head of rank p that moves takes one from the ends of rank p + 1.
* Before it every card dealt since onto its column has become a chain card, and took one from the
  ends of its next rank; a king never does.
* A card of the start that turns up adds one to its rank.
* A head dealt in a row uncovers an end that the row covers, no higher than the head under it. It
  is counted for each rank that the end may have, and all ends uncovered from a row at most as
  often as the row covers that rank.
* The column may stand at any number of heads moved so far, and for each rank at the best one.

A head may move if the count, with the other columns at their best, stays above zero for each rank,
just when it has been put down and nothing is uncovered yet. If its suit's next lower card is not
among the chain cards and the cards dealt since, the head moves alone and is an end itself: of its
own rank there must then be one. Heads move while any may. If in the end, with all rows dealt, no
column's last card may move, and no suit has all its cards below the king among the chain cards,
the cards dealt and the heads that may move, then no event can follow.

Why: take the first head in real play that moves though here, with as many rows dealt, it may not.
All heads that moved before it may move here, so that every column stands at a number of heads that
is counted here, and the real count is at most the one here, which is negative: that cannot be.
"""

from spider_solver.game.cards import Card, rank
from spider_solver.proofs.first_run import FirstPhase, PositionClass
from spider_solver.proofs.rank_counts import (
    any_negative,
    counted,
    larger,
    one,
    positive,
    smaller,
    up_to,
)


def is_stuck(phase: FirstPhase, found: PositionClass) -> bool:
    """Whether no event can follow on a class, as far as counting tells."""
    return _Counting(phase, found).is_stuck()


class _Counting:
    """The counts for one class, while heads that may move are found.

    Args:
        phase: the deal.
        found: the class.
    """

    def __init__(self, phase: FirstPhase, found: PositionClass) -> None:
        table = phase.table(found)
        width = len(phase.columns)
        self._phase = phase
        self._in_place = list(found.in_place)
        self._below = [list(part.below) for part in table.parts]
        self._heads = [part.head for part in table.parts]
        self._chain = table.chain
        self._covered = found.covered
        self._dealt = len(found.covered)
        self._base = table.ends
        self._now = [0] * width  # what each column adds, with all heads moved that may
        self._best = [0] * width  # and at its best, by rank
        self._total = 0  # the sum of these
        self._paid = [self._dealt] * width  # rows whose cards are among what moved
        self._uncovered = [0] * self._dealt  # by row, each rank as often as it may come
        self._released = 0  # the ends uncovered, at most

    def is_stuck(self) -> bool:
        """Let heads move row by row; False when an event may come about."""
        phase = self._phase
        while True:
            moved = True
            while moved:
                moved = False
                for column in range(len(self._heads)):
                    moved |= self._move_all(column)
                if not all(self._in_place):
                    return False
            if any(phase.has_run(self._chain, of) for of in range(4)):
                return False
            if self._dealt == len(phase.rows):
                return True
            row = phase.rows[self._dealt]
            self._dealt += 1
            self._base += counted(map(rank, row))
            for card in row:
                self._chain |= 1 << card

    def _move_all(self, column: int) -> bool:
        """Move the heads of a column while they may move; whether one did."""
        moved = False
        while self._in_place[column] and self._move(column):
            moved = True
        return moved

    def _move(self, column: int) -> bool:
        """Move the head of a column, if it may."""
        head = self._heads[column]
        places = self._phase.places[column]
        dealt = places[self._dealt] - places[self._paid[column]]
        now = self._now[column] - one(rank(head) + 1) - dealt  # a king's place is nowhere
        count = self._base + self._total - self._best[column] + now + self._released
        if rank(head) == 1 or not self._chain >> (head - 1) & 1:
            count -= one(rank(head))
        if any_negative(count):
            return False
        self._chain |= 1 << head
        self._paid[column] = self._dealt
        self._now[column] = now + self._uncover(column)
        best = larger(self._best[column], self._now[column])
        self._total += best - self._best[column]
        self._best[column] = best
        return True

    def _uncover(self, column: int) -> int:
        """Bring up what lies under a head that has moved; what that adds besides ends uncovered."""
        if self._below[column]:
            row, under = self._below[column].pop()
            covered, uncovered = self._covered[row], self._uncovered[row]
            more = uncovered + (positive(covered) & up_to(under))
            self._released += smaller(more, covered) - smaller(uncovered, covered)
            self._uncovered[row] = more
            self._heads[column] = self._lower_head(column)
            return 0
        self._in_place[column] -= 1
        if not self._in_place[column]:
            return 0
        self._heads[column] = self._lower_head(column)
        return one(rank(self._heads[column]))

    def _lower_head(self, column: int) -> Card:
        """The uppermost head of a column that has not moved."""
        if self._below[column]:
            return self._phase.rows[self._below[column][-1][0]][column]
        return self._phase.columns[column][self._in_place[column] - 1]
