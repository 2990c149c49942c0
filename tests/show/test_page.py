"""What the page is told. That it shows it is tested in a browser, in ``test_browser``."""

import json
import re
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spider_solver import Deal, Move, Position
from spider_solver.game.cards import card_text
from spider_solver.game.notation import parse_line
from spider_solver.proofs.check import ProofError, replay
from spider_solver.show.page import replay_page
from spider_solver.show.steps import result_words, steps
from tests.case_files import case, checked_lines
from tests.strategies import choices, starts


def told(page: str) -> dict[str, Any]:
    """The data in a page."""
    match = re.search(r'<script type="application/json" id="game">(.*?)</script>', page, re.DOTALL)
    assert match is not None
    content: dict[str, Any] = json.loads(match[1])
    return content


def line_of(position: Position, picks: list[int]) -> list[Move]:
    line = []
    for pick in picks:
        moves = position.legal_moves()
        if not moves:
            break
        line.append(moves[pick % len(moves)])
        position = position.play(line[-1])
    return line


@given(start=starts(), picks=choices(40))
def test_every_card_is_where_it_should_be(start: Position, picks: list[int]) -> None:
    line = line_of(start, picks)
    content = told(replay_page(start, line, "a game"))
    names = content["cards"]
    assert len(content["steps"]) == len(line) + 1
    for frame, step in zip(content["steps"], steps(start, line), strict=True):
        position = step.position
        shown = [[names[card] for card in column] for column in frame["columns"]]
        assert shown == [list(map(card_text, cards)) for cards in position.columns]
        assert [names[card] for card in frame["stock"]] == list(map(card_text, position.stock))
        assert frame["down"] == list(position.face_down)
        assert len(frame["done"]) + len(content["doneBefore"]) == len(position.completed)
        assert all(len(run) == start.rules.ranks for run in frame["done"])
        everywhere = chain(*frame["columns"], *frame["done"], frame["stock"])
        assert sorted(everywhere) == list(range(len(names)))  # no card is lost or doubled


def test_scores_and_the_result() -> None:
    for checked in checked_lines()[:6]:
        if checked.relaxed:
            continue
        start, line = case(checked.case), parse_line(checked.line)
        content = told(replay_page(start, line, checked.case))
        expected = replay(start, line)
        assert content["steps"][-1]["score"] == expected.score
        assert content["won"]
        assert content["result"] == f"won in {_actions(len(line))}, score {expected.score:,}"


def _actions(count: int) -> str:
    return "1 action" if count == 1 else f"{count} actions"


def test_a_line_that_does_not_win() -> None:
    start = Deal.numbered(1).position
    content = told(replay_page(start, parse_line("ie deal"), "kpat 1", "only the beginning"))
    assert content["result"] == "not won after 2 actions, score 498"
    assert content["note"] == "only the beginning"
    assert not content["won"]
    assert [frame["move"] for frame in content["steps"]] == [None, "ie1", "deal"]
    assert content["steps"][1]["words"].startswith("move 8♦ from column i to column e, a card")
    assert result_words(list(steps(start, []))) == "not won after 0 actions, score 500"


def test_an_illegal_line() -> None:
    with pytest.raises(ProofError, match="action 1"):
        replay_page(Deal.numbered(1).position, parse_line("ab"), "kpat 1")


@pytest.mark.parametrize("title", ["</script><b>", "<!--DATA-->", "a & b"])
def test_nothing_that_is_said_breaks_the_page(title: str) -> None:
    page = replay_page(Deal.numbered(1).position, [], title, title)
    assert told(page)["note"] == title
    assert page.count("</script>") == 2
    assert "<b>" not in page.replace("`<b>", "")


def test_the_page_needs_nothing_else() -> None:
    page = replay_page(Deal.numbered(1).position, [], "kpat 1")
    assert "http" not in page
    assert "url(" not in page
    assert re.findall(r"""(?:src|href)=["'](?!#)([^"']*)""", page) == ["data:,"]
    assert "<!--" not in page


@given(st.integers(1, 50))
def test_steps_begin_with_the_start(seed: int) -> None:
    start = Deal.numbered(seed).position
    (only,) = steps(start, [])
    assert (only.position, only.move, only.words, only.score) == (start, None, "", 500)
