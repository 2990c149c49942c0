"""Moves and tables in words, for people."""

from collections.abc import Sequence

from spider_solver.game.cards import SUITS, card_symbol, make_card, suit
from spider_solver.game.notation import Move, column_letter, format_move
from spider_solver.game.outcomes import Proof
from spider_solver.game.position import Position
from spider_solver.text.intake import MAX_NAMED

SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
assert [name[0].upper() for name in SUIT_NAMES] == list(SUITS)

_MOST_NAMED = 4
"""Cards of a piece that are all named; of a longer one only the first and the last."""


def move_words(position: Position, move: Move) -> str:
    """What an action does, in words: ``move 9♥ 8♥ from column c to column f``.

    Cards that the action turns up are not named: a player has not seen them yet.

    Args:
        position: the position before the action.
        move: a legal action; its count may be missing.

    Raises:
        IllegalMove: the rules do not allow the move.
    """
    move = position.resolve(move)
    after = position.play(move)
    effects = []
    runs = [SUIT_NAMES[done] for done in _new_runs(position, after)]
    if runs and not move.is_removal:
        effects.append(f"which completes {_and([f'the run of {name}' for name in runs])}")
    turned = _turned_up(position, after)
    if turned:
        letters = _and([column_letter(column) for column in turned])
        effects.append(f"a card turns up in column{'s' * (len(turned) > 1)} {letters}")
    return ", ".join([_action_words(position, move), *effects])


def move_text(position: Position, move: Move) -> str:
    """An action in words and in move text: ``move 9♥ 8♥ from column c to column f: `cf2```."""
    return f"{move_words(position, move)}: `{format_move(position.resolve(move))}`"


def count_words(count: int, noun: str, nouns: str = "") -> str:
    """A count with its noun: ``1 action``, ``2 actions``; ``nouns`` if the plural has no ``s``."""
    return f"{count:,} {noun if count == 1 else nouns or f'{noun}s'}"


def too_few_cards_words(position: Position) -> str:
    """Why a position that is short of cards to deal is lost (``proof.is_short_of_cards``).

    Args:
        position: the position.
    """
    rules = position.rules
    done = len(position.completed)
    table = [card for cards in position.columns for card in cards]
    most = done + sum(
        min(table.count(make_card(r, s)) for r in range(1, rules.ranks + 1))
        for s in range(len(SUITS))
    )
    cards = "1 card lies" if len(table) == 1 else f"{len(table)} cards lie"
    stock = count_words(len(position.stock), "card")
    return (
        f"{cards} on the table, too few for {rules.columns} columns, and only a deal adds cards:\n"
        "a row can be dealt only when every column holds a card, so none ever will be;\n"
        f"{stock} stay in the stock, and at most {most} of {count_words(rules.runs, 'run')} "
        f"can ever be complete, {done} are"
    )


def proof_words(proof: str | None) -> str:
    """The name of a proof for a player: ``blockade``, ``too few cards to deal again``."""
    return _PROOF_WORDS.get(proof or "", f"{proof}")


_PROOF_WORDS: dict[str, str] = {
    Proof.TOO_FEW_CARDS: "too few cards to deal again",
    Proof.NO_FIRST_RUN: "no first run can be completed",
}


def list_words(names: Sequence[str]) -> str:
    """Names with commas between, of which a long list gives the first ones and a count."""
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def _action_words(position: Position, move: Move) -> str:
    """The action itself, which has its count."""
    if move.is_deal:
        left = position.rows_left - 1
        return f"deal a row ({left} left)" if left else "deal the last row"
    source = column_letter(move.source)
    cards = position.columns[move.source][len(position.columns[move.source]) - (move.count or 0) :]
    if move.is_removal:
        return f"remove the run of {SUIT_NAMES[suit(cards[0])]} from column {source}"
    if len(cards) > _MOST_NAMED:
        names = f"{card_symbol(cards[0])} to {card_symbol(cards[-1])} ({len(cards)} cards)"
    else:
        names = " ".join(map(card_symbol, cards))
    empty = "" if position.columns[move.target] else "the empty "
    return f"move {names} from column {source} to {empty}column {column_letter(move.target)}"


def _new_runs(before: Position, after: Position) -> list[int]:
    """The suits of the runs that an action completed."""
    runs = list(after.completed)
    for done in before.completed:
        runs.remove(done)
    return runs


def _turned_up(before: Position, after: Position) -> list[int]:
    """The columns in which an action turned a card up."""
    pairs = zip(before.face_down, after.face_down, strict=True)
    return [column for column, (was, is_now) in enumerate(pairs) if is_now < was]


def _and(names: list[str]) -> str:
    """Names as a list in a sentence."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
