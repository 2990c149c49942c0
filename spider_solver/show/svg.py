"""A position as an SVG drawing, crisp at any size and without anything from outside."""

from collections.abc import Iterator
from dataclasses import dataclass

from spider_solver.game.cards import SUITS, Card, card_symbol, make_card, suit
from spider_solver.game.notation import Move, column_letter, format_move
from spider_solver.game.position import Position
from spider_solver.game.words import count_words
from spider_solver.show.drawing import (
    BACK,
    FELT,
    FELT_EDGE,
    FONT,
    GOLD,
    PAPER,
    SUIT_PATHS,
    ink,
    rank_name,
)

_WIDTH, _HEIGHT, _RADIUS = 72, 100, 7  # of a card
_PITCH = 82  # from column to column
_MARGIN = 20
_STEP_DOWN, _STEP_UP = 11, 27  # from a card to the next, face down and face up
_TOP = 64  # of the stock and the completed runs
_SMALL = 0.46  # size of the cards there
_LETTERS = 24
_LEAST_HEIGHT = 330


def position_svg(position: Position, *, mark: Move | None = None, look_under: bool = False) -> str:
    """The table as an SVG document.

    Args:
        position: the position.
        mark: a legal move to point out, by an arrow.
        look_under: whether to show what lies face down, paler than the rest.
    """
    return _Drawing(position, mark, look_under).document()


@dataclass(frozen=True, slots=True)
class _Drawing:
    position: Position
    mark: Move | None
    look_under: bool

    def document(self) -> str:
        """The whole drawing."""
        columns = self.position.rules.columns
        width = 2 * _MARGIN + columns * _PITCH - (_PITCH - _WIDTH)
        longest = max(self.top(column, height) for column, height in self.ends())
        height = max(longest + _HEIGHT + _MARGIN, _LEAST_HEIGHT)
        body = "\n".join(self.parts())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" style="max-width:100%;height:auto" role="img">\n'
            f"<title>{self.title()}</title>\n{_DEFINITIONS}\n"
            f'<rect width="{width}" height="{height}" rx="14" fill="url(#spider-felt)"/>\n'
            f'<g font-family="{FONT}">\n{body}\n</g>\n</svg>\n'
        )

    def title(self) -> str:
        """What the drawing shows, for those who cannot see it."""
        position = self.position
        text = (
            f"Spider: {len(position.completed)} of {position.rules.runs} runs completed, "
            f"{count_words(position.rows_left, 'row')} in the stock"
        )
        return text if self.mark is None else f"{text}; move {format_move(self.mark)}"

    def parts(self) -> Iterator[str]:
        """The parts from back to front."""
        yield from self.completed()
        yield from self.stock()
        for column in range(self.position.rules.columns):
            x = self.left(column)
            yield _text(x + _WIDTH / 2, _MARGIN + _TOP + 12, column_letter(column), "letter")
            yield from self.column(column)
        if self.mark is not None and self.mark.target >= 0:
            yield from self.arrow(self.mark)

    def left(self, column: int) -> int:
        """The left edge of a column."""
        return _MARGIN + column * _PITCH

    def top(self, column: int, height: int) -> int:
        """The upper edge of the card with so many cards below it in its column."""
        down = min(self.position.face_down[column], height)
        step = _STEP_UP if self.look_under else _STEP_DOWN
        return _MARGIN + _TOP + _LETTERS + down * step + (height - down) * _STEP_UP

    def ends(self) -> Iterator[tuple[int, int]]:
        """Each column with the height of its last card, or of a card that is to come."""
        for column, cards in enumerate(self.position.columns):
            to_come = self.mark is not None and column == self.mark.target
            yield column, max(len(cards) - 1 + to_come, 0)

    def completed(self) -> Iterator[str]:
        """The completed runs, each as its king, at the top left."""
        for place in range(self.position.rules.runs):
            shift = f"translate({_MARGIN + place * 38} {_MARGIN}) scale({_SMALL})"
            if place < len(self.position.completed):
                king = make_card(self.position.rules.ranks, self.position.completed[place])
                yield f'<g transform="{shift}">{_face(king, last=True)}</g>'
            else:
                yield f'<use href="#spider-place" transform="{shift}"/>'

    def stock(self) -> Iterator[str]:
        """The rows of the stock, at the top right."""
        rows = self.position.rows_left
        right = self.left(self.position.rules.columns - 1) + _WIDTH
        for row in range(rows):
            x = right - _WIDTH * _SMALL - (rows - 1 - row) * 12
            shift = f"translate({x:g} {_MARGIN}) scale({_SMALL})"
            yield f'<use href="#spider-back" transform="{shift}"/>'

    def column(self, column: int) -> Iterator[str]:
        """The cards of a column."""
        cards, x = self.position.columns[column], self.left(column)
        if not cards:
            yield f'<use href="#spider-place" x="{x}" y="{self.top(column, 0)}"/>'
        for height, card in enumerate(cards):
            shift = f'transform="translate({x} {self.top(column, height)})"'
            last = height == len(cards) - 1
            if height >= self.position.face_down[column]:
                yield f"<g {shift}>{_face(card, last)}</g>"
            elif self.look_under:
                yield f'<g {shift}>{_face(card, last)}<use href="#spider-veil"/></g>'
            else:
                yield f'<use href="#spider-back" {shift}/>'

    def arrow(self, mark: Move) -> Iterator[str]:
        """A frame around the cards of a move, one where they go, and an arrow between."""
        move = self.position.resolve(mark)
        count = move.count or 0
        cards = len(self.position.columns[move.source])
        left, top = self.left(move.source), self.top(move.source, cards - count)
        deep = self.top(move.source, cards - 1) - top + _HEIGHT
        yield (
            f'<rect x="{left}" y="{top}" width="{_WIDTH}" height="{deep}" rx="{_RADIUS}" '
            f'fill="none" stroke="{GOLD}" stroke-width="4"/>'
        )
        goal = len(self.position.columns[move.target])
        x, y = self.left(move.target), self.top(move.target, goal)
        yield (
            f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="{_RADIUS}" '
            f'fill="{GOLD}" fill-opacity=".22" stroke="{GOLD}" stroke-width="3" '
            'stroke-dasharray="7 6"/>'
        )
        right = move.target > move.source
        start = left + (_WIDTH if right else 0), top + 20
        end = x + (-4 if right else _WIDTH + 4), y + _HEIGHT / 2
        bend = (start[0] + end[0]) / 2, max(start[1], end[1]) + 26
        yield (
            f'<path d="M{start[0]:g} {start[1]:g}Q{bend[0]:g} {bend[1]:g} {end[0]:g} {end[1]:g}" '
            f'fill="none" stroke="{GOLD}" stroke-width="5" stroke-linecap="round" '
            'marker-end="url(#spider-arrow)"/>'
        )


def _face(card: Card, last: bool) -> str:
    """A card face up at the origin; the large suit only if no card lies on it."""
    letter, colour = SUITS[suit(card)], ink(card)
    x = 35 if rank_name(card) == "10" else 26
    parts = [
        '<use href="#spider-card"/>',
        f'<text x="7" y="22" fill="{colour}" class="rank">{rank_name(card)}</text>',
        _suit(letter, colour, f"translate({x} 8) scale(.155)"),
        _suit(letter, colour, "translate(17 42) scale(.38)") if last else "",
    ]
    return f'<g aria-label="{card_symbol(card)}">{"".join(parts)}</g>'


def _suit(letter: str, colour: str, transform: str) -> str:
    return f'<use href="#spider-{letter}" transform="{transform}" fill="{colour}"/>'


def _text(x: float, y: float, text: str, style: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{style}">{text}</text>'


_CARD = f'width="{_WIDTH}" height="{_HEIGHT}" rx="{_RADIUS}"'
_DEFINITIONS = f"""<defs>
<radialGradient id="spider-felt" cx=".5" cy=".3" r=".9">
<stop offset="0" stop-color="{FELT}"/><stop offset="1" stop-color="{FELT_EDGE}"/></radialGradient>
<pattern id="spider-weave" width="8" height="8" patternUnits="userSpaceOnUse"
 patternTransform="rotate(45)"><path d="M0 4h8M4 0v8" stroke="#fff" stroke-opacity=".28"/></pattern>
<marker id="spider-arrow" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="3.6"
 markerHeight="3.6" orient="auto"><path d="M0 0L10 5L0 10z" fill="{GOLD}"/></marker>
<g id="spider-card"><rect {_CARD} fill="{PAPER}" stroke="#000" stroke-opacity=".3"/></g>
<g id="spider-back"><rect {_CARD} fill="{PAPER}" stroke="#000" stroke-opacity=".3"/>
<rect x="4" y="4" width="{_WIDTH - 8}" height="{_HEIGHT - 8}" rx="4" fill="{BACK}"/>
<rect x="4" y="4" width="{_WIDTH - 8}" height="{_HEIGHT - 8}" rx="4" fill="url(#spider-weave)"/></g>
<g id="spider-veil"><rect {_CARD} fill="{BACK}" fill-opacity=".38"/></g>
<g id="spider-place"><rect {_CARD} fill="#000" fill-opacity=".12" stroke="#fff"
 stroke-opacity=".25"/></g>
{"".join(f'<path id="spider-{letter}" d="{path}"/>' for letter, path in SUIT_PATHS.items())}
</defs>
<style>.rank{{font-size:20px;font-weight:700;letter-spacing:-.5px}}
.letter{{font-size:15px;fill:#fff;fill-opacity:.75;text-anchor:middle}}</style>"""
