"""The staged blockade: a proof that a game is lost, found in microseconds.

It looks at play up to the *first event*: the first empty column or the first complete run. If no
event can ever come about, no run is ever completed and the game is lost.

**What is computed.** Stage ``s`` is the time at which ``s`` rows have been dealt from the
position. For ``s`` = 0, 1, ... a set X of cards and a count of covered cards for each column are
carried on:

* at the start X holds the cards that lie face up, and the face-down ones are covered;
* at stage ``s`` row ``s`` of the stock joins X, each of its cards lying on its column;
* a column *gives way* when for each of its cards that started face up or were uncovered since,
  and for each of the ``s`` cards dealt onto it, X holds a card of the next rank (for a king
  there is none); its lowest covered card is then uncovered and joins X. This is repeated, over
  all columns, until nothing changes.

If at some stage a column without a covered card gives way, or X holds all ranks of one suit, the
test says nothing. If that happens at no stage, up to the last row, the position is *blockaded*:
it is lost.

**Why that is so.** Let play start from a position without an empty column, and look at any time
before the first event, with ``s`` rows dealt. *In place* are the cards that lay on the table at
the start and have not moved since: they are the lowest cards of each column, since a card that
moves takes along all that lies on it.

1. A move puts its lowest card onto a face-up card of the next rank: there is no empty column to
   go to. Any other card of the moved piece lies on a face-up card of the next rank too, in the
   piece itself. So a card that moves, in whatever place in a piece, lies directly on a face-up
   card of the next rank when the move is done, and a king never moves.
2. No card leaves the table, since no run is complete.
3. Claim: every face-up card is in X as it is at the end of stage ``s``, and every card that is
   counted as covered then lies face down in place. It holds at the start. It goes on to hold:

   * A deal adds its cards to those face up and to X. X only grows and the counts only shrink,
     also from stage to stage.
   * A move changes nothing about it unless it turns a card up. A card is turned up when all that
     lay on it has gone. That is every card above it that was in its column at the start and,
     because the column was never empty and each row went onto the end of it, every one of the
     ``s`` cards dealt onto the column. All of them have moved since, the last of them just now.
     By 1, each then lay on a face-up card of the next rank, which by the claim (for the time
     just before a card is turned up) is in X at stage ``s`` or was at an earlier one; and X only
     grows. So the column gives way in the computation, and the card that turned up is one that
     is counted as uncovered and in X.

4. The first event is not an empty column: its last card in place would have moved, and with it,
   or before, all the other cards of the start and all those dealt onto it. As in 3 the column
   would give way, without a covered card left. This is what the test rules out.
5. The first event is not a complete run either: its cards would lie face up just when a move or
   a deal completed it, so that X held all ranks of its suit.
6. So no event ever happens. But a won game has completed its runs. QED

**Where it holds.** The proof asks that a card which moves to a column with cards in it is put
onto the next rank, that pieces descend rank by rank, that rows go onto the ends of the columns
and that the game is won by completing runs. All :class:`~spider_solver.game.rules.Rules` agree on
that: any columns, suits, packs, ranks, cards face up and stock, with a short last row too
(columns that it does not reach have one card fewer to move). Under group moves, 1 holds as it
stands. Dealing over empty columns makes no difference before there is one. With optional
removal a complete run may stay, but a first one has to be made, and one that already lies on the
table has all its ranks in X. Nor does it matter whether the position is a fresh deal or lies
inside a game, as long as no column is empty: cards that lie face up at the start, wherever they
are in their columns, are in X from the start. With an empty column the test says nothing.

In standard Spider the suits play no part in the verdict: if all ranks were in X, all cards but
the kings could move, and the eight kings cannot hold ten columns. So a blockade there always keeps
some rank out of X altogether, and the same deal is blockaded with one, two or four suits.

The test sees some losses, not all. It was checked against brute force on small games; see
``tests/proofs/test_blockade_soundness.py``.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from spider_solver.game.cards import RANKS, SUITS, Card, card_text, make_card, rank
from spider_solver.game.notation import column_letter
from spider_solver.game.position import Position


@dataclass(frozen=True, slots=True)
class Stage:
    """What can come to light with a number of rows dealt, before the first event.

    Attributes:
        covered: for each column, how many of the position's cards surely still lie face down.
        face_up: all cards that may lie face up: X of the proof.
    """

    covered: tuple[int, ...]
    face_up: frozenset[Card]


def stages(position: Position) -> list[Stage]:
    """The stages, from no row dealt, in which no column can be emptied and no run completed.

    The list ends before the first stage in which that cannot be ruled out: it is empty if a
    column is, and holds one stage more than there are rows left if the position is blockaded.
    """
    found: list[Stage] = []
    if position.empty_columns:
        return found
    covered = list(position.face_down)
    # the cards of each column that have to move before the column gives way
    loads = [
        list(cards[down:]) for cards, down in zip(position.columns, position.face_down, strict=True)
    ]
    face_up = {card for load in loads for card in load}
    for row in ((), *stock_rows(position)):
        for load, card in zip(loads, row, strict=False):  # the last row may be short
            load.append(card)
            face_up.add(card)
        if not _uncover(position, covered, loads, face_up) or _shows_run(position, face_up):
            break
        found.append(Stage(tuple(covered), frozenset(face_up)))
    return found


def stock_rows(position: Position) -> Iterator[Sequence[Card]]:
    """The rows of the stock in dealing order, each from the left."""
    width = position.rules.columns
    for start in range(0, len(position.stock), width):
        yield position.stock[start : start + width]


def _uncover(
    position: Position, covered: list[int], loads: list[list[Card]], face_up: set[Card]
) -> bool:
    """Uncover, in place, all that can be; whether each column holds a card that stays."""
    gave_way = True
    while gave_way:
        gave_way = False
        for column, load in enumerate(loads):
            while not _holders(load, face_up):
                if not covered[column]:
                    return False
                covered[column] -= 1
                uncovered = position.columns[column][covered[column]]
                load.append(uncovered)
                face_up.add(uncovered)
                gave_way = True
    return True


def _holders(load: Iterable[Card], face_up: Set[Card]) -> list[Card]:
    """The cards of a load that cannot move, for want of a card of the next rank."""
    ranks = {rank(card) for card in face_up}
    return [card for card in load if rank(card) + 1 not in ranks]


def _shows_run(position: Position, face_up: set[Card]) -> bool:
    """Whether all ranks of one suit are among these cards."""
    ranks = range(1, position.rules.ranks + 1)
    return any(face_up.issuperset(make_card(r, s) for r in ranks) for s in range(len(SUITS)))


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
        A line that says what never comes to light; one for each column with the cards that hold
        it, one after the other where it takes several, and those of the former that lie under
        them; and a line with what follows.

    Raises:
        ValueError: the position is not blockaded.
    """
    found = stages(position)
    if len(found) <= position.rows_left:
        raise ValueError("the position is not blockaded")
    missing = _never_uncovered(position, found[-1].face_up)
    buried = frozenset().union(*missing.values())
    lines = [", ".join(f"no {name}" for name in missing) + " can ever be uncovered:"]
    for column, cards in enumerate(position.columns):
        line = f"column {column_letter(column)} is held by {_hold(position, column, found)}"
        below = [card_text(card) for card in cards[: found[-1].covered[column]] if card in buried]
        lines.append(f"{line}, over {' '.join(below)}" if below else line)
    lines.append("so no column can ever be emptied and no run completed")
    return "\n".join(lines)


def _never_uncovered(position: Position, face_up: Set[Card]) -> dict[str, set[Card]]:
    """The cards that never come to light: by rank if there are such ranks, else one by one."""
    cards = {card for cards in (*position.columns, position.stock) for card in cards}
    unseen: dict[str, set[Card]] = {}
    for value in range(1, position.rules.ranks + 1):
        of_rank = {card for card in cards if rank(card) == value}
        if of_rank.isdisjoint(face_up):
            unseen[_rank_name(value)] = of_rank
    return unseen or {card_text(card): {card} for card in sorted(cards - face_up)}


def _rank_name(value: int) -> str:
    return RANKS[value - 1].replace("T", "10")


def _hold(position: Position, column: int, found: Sequence[Stage]) -> str:
    """The cards that hold a column, each for as many stages as it lasts."""
    cards = position.columns[column]
    dealt = [row[column] for row in stock_rows(position) if column < len(row)]
    holders = [
        _holders(cards[stage.covered[column] :] + tuple(dealt[:deals]), stage.face_up)
        for deals, stage in enumerate(found)
    ]
    parts: list[str] = []
    stage = 0
    while stage < len(found):
        card, stage = max(
            ((card, _held_until(card, holders, stage)) for card in holders[stage]),
            key=lambda hold: hold[1],
        )
        top = rank(card) == position.rules.ranks
        why = "which goes on nothing" if top else f"without a {_rank_name(rank(card) + 1)} to go on"
        until = f" until deal {stage}" if stage < len(found) else ""
        parts.append(f"{card_text(card)}, {why}{until}")
    return ", then by ".join(parts)


def _held_until(card: Card, holders: Sequence[Sequence[Card]], stage: int) -> int:
    """The first stage from a given one in which a card does not hold its column."""
    while stage < len(holders) and card in holders[stage]:
        stage += 1
    return stage
