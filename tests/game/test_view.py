"""What a player sees: masking, unseen cards, boards with unknown cards, hidden cards by number."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spider_solver.formats.detect import FORMATS, read_view
from spider_solver.formats.unchecked import BoardError
from spider_solver.game.cards import UNKNOWN
from spider_solver.game.completion import complete
from spider_solver.game.deal import Deal
from spider_solver.game.position import Position, PositionError
from spider_solver.game.rules import spider
from spider_solver.game.view import View
from tests.strategies import positions

FRESH = """\
?? ?? ?? ?? ?? 5S
?? ?? ?? ?? ?? 7C
?? ?? ?? ?? ?? 9S
?? ?? ?? ?? ?? QC
?? ?? ?? ?? 9C
?? ?? ?? ?? 8H
?? ?? ?? ?? 3H
?? ?? ?? ?? 4H
?? ?? ?? ?? 7C
?? ?? ?? ?? 8C
"""


def played(deal: Deal, choose: st.DataObject, most: int = 60) -> Position:
    position = deal.position
    for _ in range(choose.draw(st.integers(0, most))):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(choose.draw(st.sampled_from(moves)))
    return position


@given(positions())
def test_a_view_shows_what_lies_face_up_and_nothing_else(position: Position) -> None:
    view = View.of(position)
    view.check()
    for shown, cards, down in zip(view.columns, position.columns, position.face_down, strict=True):
        assert shown == (UNKNOWN,) * down + cards[down:]
    hidden = [
        card
        for cards, down in zip(position.columns, position.face_down, strict=True)
        for card in cards[:down]
    ]
    assert sorted(view.unseen.elements()) == sorted([*hidden, *position.stock])
    assert view.filled([*hidden, *position.stock]) == position


def test_arrangements_are_counted() -> None:
    deal = Deal.numbered(1, suits=1).position
    # Two suits of nothing: of one suit the order of equal cards does not matter.
    view = View.of(deal)
    expected, left = 1, view.unknown
    for copies in view.unseen.values():
        expected *= comb(left, copies)
        left -= copies
    assert view.unknown == 94
    assert view.arrangements == expected
    known = View(deal.rules, deal.columns, deal.face_down, deal.stock)
    assert (known.unknown, known.arrangements) == (0, 1)
    assert known.filled([]) == deal


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_views_are_read_from_every_format(form: object) -> None:
    position = Deal.numbered(7).position
    for _ in range(3):
        position = position.play(position.legal_moves()[0])
    text = form.write(position)  # type: ignore[attr-defined]
    assert form.view(text, spider(4)).filled([]) == position  # type: ignore[attr-defined]


def test_a_missing_stock_is_what_the_deck_leaves() -> None:
    view = read_view(FRESH, spider(4))
    assert (view.unknown, len(view.stock)) == (94, 50)
    assert read_view("Talon: ??\n" + FRESH, spider(4)) == view
    with pytest.raises(BoardError, match="49 cards in the stock, which in rows of 10"):
        read_view("Talon: " + "?? " * 49 + "\n" + FRESH.replace("?? 8C", "?? ?? 8C"), spider(4))


def test_a_face_up_card_must_be_known() -> None:
    with pytest.raises(BoardError, match="card 6 of column a lies face up but is not known"):
        read_view(FRESH.replace("5S", "??"), spider(4))


def test_too_many_copies_are_named_with_their_lines() -> None:
    text = FRESH.replace("5S", "7C")
    with pytest.raises(BoardError, match=r"^lines 1, 2, 9: 3 copies of 7C, the deck has 2$"):
        read_view(text, spider(4))


@pytest.mark.parametrize(("numbering", "suits"), [("kpat", 4), ("kpat", 1), ("pysol", 2)])
@given(choose=st.data())
def test_the_number_of_a_deal_tells_every_hidden_card(
    numbering: str, suits: int, choose: st.DataObject
) -> None:
    deal = Deal.numbered(choose.draw(st.integers(1, 31999)), suits=suits, numbering=numbering)
    position = played(deal, choose)
    assert complete(View.of(position), deal.position) == position


def test_a_table_of_another_deal_is_told_by_its_first_difference() -> None:
    view = View.of(Deal.numbered(44).position)
    with pytest.raises(PositionError, match=r"^card 6 of column a is .., but the deal has ..$"):
        complete(view, Deal.numbered(45).position)


def test_more_hidden_cards_than_were_dealt_are_refused() -> None:
    taller = "?? " * 6 + "5S\n" + FRESH.partition("\n")[2].replace("?? ?? ?? ?? 9C", "?? ?? ?? 9C")
    with pytest.raises(PositionError, match=r"^card 7 of column a: the deal has no card there$"):
        complete(read_view(taller, spider(4)), Deal.numbered(44).position)
