"""One HTML page that replays a line: everything is in it, nothing is loaded."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from spider_solver.game.cards import SUITS, card_text
from spider_solver.game.notation import Move, format_move
from spider_solver.game.position import Position
from spider_solver.show.drawing import SUIT_PATHS
from spider_solver.show.steps import Step, result_words, steps

_SCRIPT_SAFE = str.maketrans({"<": r"\u003c", ">": r"\u003e", "&": r"\u0026"})


def replay_page(start: Position, line: Iterable[Move], title: str, note: str = "") -> str:
    """The page that replays a line.

    Args:
        start: the position that the line begins with.
        line: legal actions; they need not win.
        title: what the game is called, such as ``kpat 17``.
        note: what else there is to say, shown at the end.

    Raises:
        ProofError: an action is illegal.
    """
    played = list(steps(start, line))
    content = _content(played) | {"note": note}
    parts = {
        "TITLE": escape(title),
        "STYLE": _asset("replay.css"),
        "SUITS": "".join(
            f'<symbol id="suit-{letter}" viewBox="0 0 100 100"><path d="{path}"/></symbol>'
            for letter, path in SUIT_PATHS.items()
        ),
        "DATA": json.dumps(content, separators=(",", ":")).translate(_SCRIPT_SAFE),
        "SCRIPT": _asset("replay.js"),
    }
    page = _asset("replay.html")
    for name, part in parts.items():
        page = page.replace(f"<!--{name}-->", part)
    return page


@cache
def _asset(name: str) -> str:
    return (files("spider_solver.show") / "assets" / name).read_text(encoding="utf-8")


def _content(played: Sequence[Step]) -> dict[str, Any]:
    """What the page is told: the cards, numbered, and where each lies after each action."""
    start, end = played[0].position, played[-1].position
    cards = [card for pile in (*start.columns, start.stock) for card in pile]
    return {
        "cards": list(map(card_text, cards)),
        "columns": start.rules.columns,
        "runs": start.rules.runs,
        "doneBefore": [SUITS[suit] for suit in start.completed],
        "won": end.is_won,
        "result": result_words(played),
        "steps": list(_frames(played)),
    }


def _frames(played: Sequence[Step]) -> Iterator[dict[str, Any]]:
    """Each step with its cards by their numbers."""
    places = _CardPlaces.of(played[0].position)
    for step in played:
        if step.move is not None:
            places.play(step.move, step.position)
        yield {
            "move": None if step.move is None else format_move(step.move),
            "words": step.words,
            "score": step.score,
            "rows": step.position.rows_left,
            "columns": [list(column) for column in places.columns],
            "down": step.position.face_down,
            "stock": list(places.stock),
            "done": [list(run) for run in places.completed],
        }


@dataclass(slots=True)
class _CardPlaces:
    """Where each card lies, by its number: two cards of one name are not the same card."""

    columns: list[list[int]]
    stock: list[int]
    completed: list[list[int]]

    @classmethod
    def of(cls, start: Position) -> "_CardPlaces":
        """The places at the start, numbered column by column, then the stock."""
        columns, number = [], 0
        for cards in start.columns:
            columns.append(list(range(number, number + len(cards))))
            number += len(cards)
        return cls(columns, list(range(number, number + len(start.stock))), [])

    def play(self, move: Move, after: Position) -> None:
        """Move the cards; those that the position ``after`` lacks are completed runs."""
        if move.is_deal:
            width = len(self.columns)
            for column, number in zip(self.columns, self.stock[:width], strict=False):
                column.append(number)
            del self.stock[:width]
        elif not move.is_removal:
            source, count = self.columns[move.source], move.count or 0
            self.columns[move.target] += source[len(source) - count :]
            del source[len(source) - count :]
        ranks = after.rules.ranks
        for column, cards in zip(self.columns, after.columns, strict=True):
            while len(column) > len(cards):
                self.completed.append(column[-ranks:])
                del column[-ranks:]
