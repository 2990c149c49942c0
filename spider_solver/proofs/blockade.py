"""The blockade: a proof that a game is lost, found in microseconds by counting places.

It looks at play up to the *first event*: the first empty column or the first complete run. If no
event can ever come about, no run is ever completed and the game is lost.

**Words.** *In place* are the cards that lay on the table at the start and have not moved since:
the lowest cards of each column, since a card that moves takes along all that lies on it. A card
is *fitted* while it lies directly on a face-up card of the next rank. At the start each column is
a stack of *segments*: a *head*, which is not fitted, and the cards on it, which are; the last one
is the segment's *end*. A face-down card is a segment by itself, and so is in a fresh deal each
card. The uppermost segment whose head is in place is *active*, those below it are *buried*. A
column is *dug* when the head of its active segment moves.

**What is computed.** ``places[r]`` is an upper bound of the cards of rank r that are free, and it
is kept in parts: what all columns share, and a part for each column.

* At the start the ends of the active segments are free places; all other parts are 0.
* A card of rank q that is dealt onto a column is one more place on rank q, shared by all. It
  takes a place on rank q + 1 from the part of its column, and so does the head of rank q that the
  column has to dig next. (A king takes a place on a rank that does not exist.)
* A column can be dug if for each rank what all share, its own part and the *most* that the part
  of each other column has been after any of its digs so far, or at the start, do not add up to
  less than 0.
* It then gives a place to its own part: the end of the segment that comes up.

Stage ``s`` is the time at which ``s`` rows have been dealt from the position. For ``s`` = 0, 1, ...
row ``s`` is dealt, and columns are dug until none can be. That the order does not matter follows
from the parts of others only growing.

If at some stage a column without a further segment can be dug, or all ranks of one suit are among
the cards that may lie in a run, the test says nothing. Those are the face-up kings, and of the
other ranks the cards that were fitted at the start, the dealt ones and the heads that were dug.
If it happens at no stage, up to the last row, the position is *blockaded*: it is lost.

**Why that is so.** Let play start from a position without an empty column, and look at any time
before the first event, with ``s`` rows dealt.

1. A move puts its lowest card onto a face-up card of the next rank: there is no empty column to
   go to. Any other card of the moved piece lies on a face-up card of the next rank too, in the
   piece itself. So a card that has moved is fitted, and stays so, since what it lies on stays
   under it until it moves again. A king never moves. No card leaves the table, since no run is
   complete.
2. Leave out the cards of buried segments, which are all in place: each has a card in place on it.
   The others, as far as they lie face up, are *live*. A fitted live card lies on a live card: had
   it a card of a buried segment under it, it would be in that segment, or the head above, which
   is not fitted. And a card bears one card at most. So for each rank r there are at least as many
   live cards of rank r as fitted live cards of rank r - 1; call the difference D(r).
3. D at the start is 1 for the end of each active segment, at its rank: in a segment each card but
   the end bears a fitted one. It changes as follows. A dealt card adds 1 at its rank q. It takes
   1 at q + 1 as soon as it is fitted: at once if it falls on its next rank, otherwise when it
   moves. When a column is dug, its head takes 1 at the rank above its own, and the segment below
   it adds 1 at the rank of its end. Nothing else is ever fitted or becomes live: other cards that
   move were fitted before.
4. So D is a sum of one part that all share, the start and the dealt cards, and one for each
   column: what its segments have added, less what its heads and the cards dealt onto it have
   taken. When a column is dug for the k-th time, all cards dealt onto it so far have moved, for
   they lay on its head. Hence, for every rank, the part of a column that has been dug k times is
   at most what the computation had for it just after its k-th dig, provided that it was dug k
   times there too, at the same stage or an earlier one: then no more cards had been dealt onto it
   there, and all of them were charged to it, as they are in play.
5. Claim: in play a column is dug only where it is in the computation, at the same stage or an
   earlier one. Take the first dig in play of which that is not true, at a stage s, and look at the
   table when the piece has been put down, before a card is turned up. By 4 the part of each other
   column is at most the most that it has been in the computation by the end of stage s; and the
   column itself has taken what the test takes: its head and all cards dealt onto it are fitted.
   So the sum of the test, at the end of stage s, is at least D, which by 2 is nowhere below 0.
   The column could be dug. That contradicts the end of stage s.
6. The first event is not an empty column: this column would have been dug to its last segment
   and once more, which by 5 the test rules out. It is not a complete run either: just when a move
   or a deal completes it, its king lies face up and its other cards are fitted; a card is fitted
   only if it was at the start, or was dealt, or moved and hence was dug as a head, or had been
   fitted before. By 5 all these are among the cards that may lie in a run.
7. So no event ever happens. But a won game has completed its runs. QED

**Where it holds.** The proof asks that a card which moves to a column with cards in it is put
onto the next rank, that pieces descend rank by rank, that rows go onto the ends of the columns
and that the game is won by completing runs. All :class:`~spider_solver.game.rules.Rules` agree on
that: any columns, suits, packs, ranks, cards face up and stock, with a short last row too. Under
group moves, 1 holds as it stands. Dealing over empty columns makes no difference before there is
one. With optional removal a complete run may stay, but a first one has to be made, and the cards
of one that already lies on the table may lie in a run. Nor does it matter whether the position is
a fresh deal or lies inside a game, as long as no column is empty: with an empty column the test
says nothing.

**Suits** play no part in which columns are dug. They matter only for the runs that stop the test:
a position is blockaded by the same counts if some suits are taken for one another, unless that
completes a set of ranks.

It proves all that the *staged blockade* of version 0.1 proves, which digs a column as soon as for
each card that lies on it *some* card of the next rank may be face up: where the sum is not below
0, some card has added a place, and it is face up there. And a card that may lie in a run may be
face up. The counts of a staged blockade are at most those found here.

The test sees some losses, not all. It was checked against brute force on small games; see
``tests/proofs/test_blockade_soundness.py``.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from spider_solver.game.cards import RANKS, SUITS, Card, card_text, make_card, rank
from spider_solver.game.notation import column_letter
from spider_solver.game.position import Position

_ROOM = len(RANKS) + 2  # numbers by rank, to the one above the king's


@dataclass(frozen=True, slots=True)
class Hold:
    """One reason why a column cannot be dug.

    Attributes:
        cards: cards of the column that would all have to lie on cards of the same rank.
        onto: this rank; for kings one that does not exist.
        places: how many cards of it may be free for them, at most: fewer than there are cards.
    """

    cards: tuple[Card, ...]
    onto: int
    places: int


@dataclass(frozen=True, slots=True)
class Stage:
    """What can come to light with a number of rows dealt, before the first event.

    Attributes:
        covered: for each column, how many of the position's cards surely still lie face down.
        face_up: all cards that may lie face up.
        holds: for each column, all that holds it.
    """

    covered: tuple[int, ...]
    face_up: frozenset[Card]
    holds: tuple[tuple[Hold, ...], ...]


class _Column:
    """A column: how far it is dug, and its part of the places.

    Attributes:
        head: the place in the column of the head that has to move next.
        movers: this head, then those that were dug, the last one first.
        dealt: the cards dealt onto it.
        part: the places of each rank that it gave, less those that all these cards take.
        most: the most that each of these has been, at the start or just after a dig.
    """

    def __init__(self, cards: Sequence[Card], face_down: int) -> None:
        self.cards = cards
        self.face_down = face_down
        self.movers: list[Card] = []
        self.dealt: list[Card] = []
        self.part = [0] * _ROOM
        self.most = [0] * _ROOM
        self._come_up(len(cards) - 1)

    @property
    def covered(self) -> int:
        """How many of its cards still lie face down."""
        return min(self.head, self.face_down)

    def is_fitted(self, place: int) -> bool:
        """Whether a card of the start lay on a face-up card of the next rank."""
        below = place - 1
        return below >= self.face_down and rank(self.cards[below]) == rank(self.cards[place]) + 1

    def deal(self, card: Card) -> None:
        self.dealt.append(card)
        self.part[rank(card) + 1] -= 1

    def dig(self) -> None:
        end = self.head - 1
        self.part[rank(self.cards[end])] += 1
        self.most = list(map(max, self.most, self.part))
        self._come_up(end)

    def _come_up(self, end: int) -> None:
        """Go on with the segment that ends at this place: its head has to move next."""
        self.head = end
        while self.is_fitted(self.head):
            self.head -= 1
        card = self.cards[self.head]
        self.movers.insert(0, card)
        self.part[rank(card) + 1] -= 1


class _Digging:
    """The computation: what all columns share, and how far they have been dug.

    Attributes:
        shared: the places of each rank that all columns share.
        face_up: cards that may lie face up.
        in_runs: cards that may lie in a run.
    """

    def __init__(self, position: Position) -> None:
        self.ranks = position.rules.ranks
        self.columns = list(map(_Column, position.columns, position.face_down))
        self.shared = [0] * _ROOM
        self.face_up: set[Card] = set()
        self.in_runs: set[Card] = set()
        for column in self.columns:
            self.shared[rank(column.cards[-1])] += 1
            for place in range(column.face_down, len(column.cards)):
                self._show(column.cards[place], column.is_fitted(place))

    def deal(self, row: Sequence[Card]) -> None:
        for column, card in zip(self.columns, row, strict=False):  # the last row may be short
            column.deal(card)
            self.shared[rank(card)] += 1
            self._show(card, fitted=True)

    def dig(self) -> bool:
        """Dig all that can be dug; whether each column holds a card that stays."""
        dug = True
        while dug:
            dug = False
            for column in self.columns:
                while min(self._places(column)) >= 0:
                    if column.head == 0:
                        return False
                    self._show(column.cards[column.head], fitted=True)
                    self._show(column.cards[column.head - 1], fitted=False)
                    column.dig()
                    dug = True
        return True

    def shows_run(self) -> bool:
        """Whether all ranks of a suit are among the cards that may lie in a run."""
        runs = ([make_card(r + 1, suit) for r in range(self.ranks)] for suit in range(len(SUITS)))
        return any(self.in_runs.issuperset(run) for run in runs)

    def stage(self) -> Stage:
        return Stage(
            covered=tuple(column.covered for column in self.columns),
            face_up=frozenset(self.face_up),
            holds=tuple(tuple(self._holds(column)) for column in self.columns),
        )

    def _show(self, card: Card, fitted: bool) -> None:
        """Count a card among those that may lie face up, and in a run if it may do so."""
        self.face_up.add(card)
        if fitted or rank(card) == self.ranks:
            self.in_runs.add(card)

    def _places(self, column: _Column) -> list[int]:
        """How many places of each rank may be left once a column has been dug: none if below 0."""
        parts = [other.part if other is column else other.most for other in self.columns]
        return [shared + sum(part) for shared, *part in zip(self.shared, *parts, strict=True)]

    def _holds(self, column: _Column) -> Iterator[Hold]:
        for onto, places in enumerate(self._places(column)):
            if places < 0:
                load = (*column.movers, *column.dealt)
                cards = tuple(card for card in load if rank(card) == onto - 1)
                yield Hold(cards, onto, len(cards) + places)


def stages(position: Position) -> list[Stage]:
    """The stages, from no row dealt, in which no column can be emptied and no run completed.

    The list ends before the first stage in which that cannot be ruled out: it is empty if a
    column is, and holds one stage more than there are rows left if the position is blockaded.
    """
    found: list[Stage] = []
    if position.empty_columns:
        return found
    digging = _Digging(position)
    for row in ((), *stock_rows(position)):
        digging.deal(row)
        if not digging.dig() or digging.shows_run():
            break
        found.append(digging.stage())
    return found


def stock_rows(position: Position) -> Iterator[Sequence[Card]]:
    """The rows of the stock in dealing order, each from the left."""
    width = position.rules.columns
    for start in range(0, len(position.stock), width):
        yield position.stock[start : start + width]


def find_blockade(position: Position) -> str | None:
    """The certificate that a position is blockaded and therefore lost, or None.

    Returns:
        For each number of rows dealt, from none to all, how many cards of each column stay face
        down: numbers joined by ``,``, stages by ``/``. None proves nothing.
    """
    found = stages(position)
    if len(found) <= position.rows_left:
        return None
    return "/".join(",".join(map(str, stage.covered)) for stage in found)


def explain_blockade(position: Position) -> str:
    """Why a blockaded position is lost, in words.

    Returns:
        A line that says what never comes to light, or of which ranks too few cards do; one for
        each column with the cards that hold it, one after the other where it takes several, and
        those of the former that lie under them; and a line with what follows.

    Raises:
        ValueError: the position is not blockaded.
    """
    found = stages(position)
    if len(found) <= position.rows_left:
        raise ValueError("the position is not blockaded")
    first, buried = _what_is_missing(position, found[-1])
    lines = [f"{first} can ever be uncovered:"]
    for column, cards in enumerate(position.columns):
        line = f"column {column_letter(column)} is held by {_hold(position, column, found)}"
        below = [card_text(card) for card in cards[: found[-1].covered[column]] if card in buried]
        lines.append(f"{line}, over {' '.join(below)}" if below else line)
    lines.append("so no column can ever be emptied and no run completed")
    return "\n".join(lines)


def _what_is_missing(position: Position, last: Stage) -> tuple[str, Set[Card]]:
    """What does not come to light, in words, and these cards.

    These are the ranks of which no card does if there are such ranks, else those of which there
    are too few, else the cards one by one.
    """
    cards = {card for cards in (*position.columns, position.stock) for card in cards}
    ranks = {rank(card) for card in cards}
    if missing := sorted(ranks - {rank(card) for card in last.face_up}):
        words = ", ".join(f"no {_rank_name(value)}" for value in missing)
        return words, {card for card in cards if rank(card) in missing}
    if short := sorted({hold.onto for holds in last.holds for hold in holds} & ranks):
        words = "too few " + " and ".join(f"{_rank_name(value)}s" for value in short)
        return words, {card for card in cards if rank(card) in short}
    unseen = cards - last.face_up
    return ", ".join(f"no {card_text(card)}" for card in sorted(unseen)), unseen


def _rank_name(value: int) -> str:
    return RANKS[value - 1].replace("T", "10")


def _a_rank(value: int) -> str:
    return f"{'an' if value == 8 else 'a'} {_rank_name(value)}"


def _hold(position: Position, column: int, found: Sequence[Stage]) -> str:
    """The cards that hold a column, each for as many stages as it lasts."""
    words = [
        [text for hold in stage.holds[column] for text in _hold_words(hold, position, stage)]
        for stage in found
    ]
    parts: list[str] = []
    stage = 0
    while stage < len(found):
        text, stage = max(
            ((text, _held_until(text, words, stage)) for text in words[stage]),
            key=lambda hold: hold[1],
        )
        until = f" until deal {stage}" if stage < len(found) else ""
        parts.append(f"{text}{until}")
    return ", then by ".join(parts)


def _hold_words(hold: Hold, position: Position, stage: Stage) -> Iterator[str]:
    """What holds a column, in words: any of the cards alone if it has no place at all."""
    if hold.onto > position.rules.ranks:
        why = "which goes on nothing"
    elif all(rank(card) != hold.onto for card in stage.face_up):
        why = f"without {_a_rank(hold.onto)} to go on"
    elif hold.places == 0:
        why = f"without a free {_rank_name(hold.onto)} to go on"
    else:
        plural = "s" if hold.places > 1 else ""
        cards = " ".join(map(card_text, hold.cards))
        count = f"{hold.places} free {_rank_name(hold.onto)}{plural}"
        yield f"{cards}, with only {count} to go on"
        return
    for card in hold.cards:
        yield f"{card_text(card)}, {why}"


def _held_until(text: str, words: Sequence[Sequence[str]], stage: int) -> int:
    """The first stage from a given one in which a column is not held so."""
    while stage < len(words) and text in words[stage]:
        stage += 1
    return stage
