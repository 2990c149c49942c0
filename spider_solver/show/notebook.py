"""How things show themselves in a notebook."""

from html import escape

from spider_solver.answers.hints import Hint
from spider_solver.show.svg import position_svg


def hint_html(hint: Hint) -> str:
    """A hint as HTML: the table with an arrow, and the words below it."""
    picture = position_svg(hint.position, mark=hint.move)
    words, move = hint.words, ""
    if hint.move is not None:
        words, _, move = words.rpartition(": ")
        move = f" <code>{escape(move.strip('`'))}</code>"
    return f"<div>{picture}<p><b>{escape(words)}</b>{move}<br>{escape(hint.certainty)}</p></div>"
