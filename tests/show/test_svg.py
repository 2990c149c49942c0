"""The SVG drawing: well-formed, complete, and what notebooks call."""

import xml.etree.ElementTree as ElementTree

from hypothesis import given

from spider_solver import DEAL, Deal, Position
from spider_solver.answers.hints import Hint
from spider_solver.game.cards import card_symbol
from spider_solver.game.notation import parse_move
from spider_solver.game.outcomes import Proof
from spider_solver.search.result import Status
from spider_solver.show.svg import position_svg
from tests.case_files import case
from tests.strategies import positions

SVG = "{http://www.w3.org/2000/svg}"


def faces(svg: str) -> list[str]:
    """The cards that a drawing shows face up."""
    groups = ElementTree.fromstring(svg).iter(f"{SVG}g")
    return [group.attrib["aria-label"] for group in groups if "aria-label" in group.attrib]


@given(position=positions())
def test_every_card_is_drawn_once(position: Position) -> None:
    up = [
        card_symbol(card)
        for cards, down in zip(position.columns, position.face_down, strict=True)
        for card in cards[down:]
    ]
    done = len(position.completed)
    svg = position_svg(position)
    assert sorted(faces(svg)[done:]) == sorted(up)
    backs = svg.count('href="#spider-back"')
    assert backs == position.hidden + position.rows_left
    assert len(faces(position_svg(position, look_under=True))) == len(up) + position.hidden + done


def test_nothing_comes_from_outside() -> None:
    svg = position_svg(Deal.numbered(1).position)
    assert svg.count("http") == 1
    assert 'xmlns="http://www.w3.org/2000/svg"' in svg


def test_a_move_is_pointed_out() -> None:
    position = Deal.numbered(1).position
    svg = position_svg(position, mark=parse_move("ie"))
    assert svg.count("stroke-dasharray") == 1
    assert "<title>Spider: 0 of 8 runs completed, 5 rows in the stock; move ie</title>" in svg
    assert "stroke-dasharray" not in position_svg(position, mark=DEAL)
    assert "stroke-dasharray" in position_svg(case("206"), mark=parse_move("ab1"))


def test_notebooks() -> None:
    position = Deal.numbered(1).position
    assert position._repr_svg_() == position_svg(position)
    assert Deal.numbered(1)._repr_svg_() == position_svg(position)
    line = (parse_move("ie1"),)
    html = Hint(position, Status.OPEN, line, nodes=7)._repr_html_()
    assert position_svg(position, mark=line[0]) in html
    assert "move 8♦ from column i to column e, a card turns up in column i</b> <code>ie1" in html
    assert "open: neither won nor lost is proved within 7 nodes" in html
    lost = Hint(position, Status.LOST, proof=Proof.BLOCKADE)._repr_html_()
    assert "<b>no move: the game is lost</b><br>lost: proved (blockade)" in lost
