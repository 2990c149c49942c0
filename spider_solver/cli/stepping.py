"""Steps through a line in the terminal, key by key; where no one sits, prints every step."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from textwrap import fill

import click

from spider_solver.cli.common import draw
from spider_solver.game.words import move_text
from spider_solver.show.steps import Step, result_words
from spider_solver.show.text import WIDTH, position_text, use_colour

KEYS = "right: next   left: back   0 $: start, end   g: go to   u: look under   q: quit"

_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO.|.", re.DOTALL)
_NEXT = ("\x1b[C", "\x1bOC", "l", "n", " ", "\r", "\n")
_BACK = ("\x1b[D", "\x1bOD", "h", "b", "p", "\x7f")
_START = ("\x1b[H", "\x1b[1~", "0", "^")
_END = ("\x1b[F", "\x1b[4~", "$", "G")
_QUIT = ("q", "Q", "\x1b", "\x04")


def step_through(title: str, played: Sequence[Step], note: str) -> None:
    """Show the steps of a game, as the keys say.

    Args:
        title: what the game is called.
        played: its steps.
        note: what is known about the game, for its first and last step.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        every = (frame(title, played, place, note) for place in range(len(played)))
        draw("\n\n".join(every))
        return
    place, look_under = 0, False
    with _keys() as keys:
        while True:
            click.clear()
            colour = use_colour(sys.stdout)
            draw(frame(title, played, place, note, colour=colour, look_under=look_under))
            draw(f"\n{KEYS}")
            key = next(keys)
            if key in _QUIT:
                return
            if key == "u":
                look_under = not look_under
            place = _go(key, keys, place, len(played) - 1)


@contextmanager
def _keys() -> Iterator[Iterator[str]]:
    """The keys that are pressed, one after another, as long as the context lasts.

    Raises:
        ClickException: this system has no terminals of the Unix kind.
    """
    try:
        import termios
        import tty
    except ImportError as error:
        raise click.ClickException(
            f"stepping with keys needs the module {error.name}, which this system does not have: "
            "print every step with --terminal | more, or leave --terminal out for a page"
        ) from None
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        yield _pressed(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _pressed(terminal: int) -> Iterator[str]:
    """The keys that come from a terminal; it has gone when nothing more comes."""
    while text := os.read(terminal, 1024).decode(errors="replace"):
        yield from _KEY.findall(text)
    yield "q"


def frame(
    title: str,
    played: Sequence[Step],
    place: int,
    note: str,
    *,
    colour: bool = False,
    look_under: bool = False,
) -> str:
    """One step: where it stands in the game, the table, what was played and what comes next."""
    step = played[place]
    where = f"action {place} of {len(played) - 1}, score {step.score:,}"
    lines = [f"{title}{where:>{max(WIDTH - len(title), len(where) + 2)}}", ""]
    following = played[place + 1].move if place + 1 < len(played) else None
    lines += [
        position_text(step.position, colour=colour, mark=following, look_under=look_under),
        "",
    ]
    if step.move is not None:
        lines.append(_said("played", f"{step.words}: `{step.move}`"))
    if following is not None:
        lines.append(_said("next", move_text(step.position, following)))
    if place == len(played) - 1:
        lines.append(result_words(played))
    if note and place in (0, len(played) - 1):
        lines.append(note)
    return "\n".join(lines)


def _said(what: str, text: str) -> str:
    return fill(text, WIDTH, initial_indent=f"{what:<8}", subsequent_indent=" " * 8)


def _go(key: str, keys: Iterator[str], place: int, last: int) -> int:
    """Where a key leads."""
    if key in _NEXT:
        return min(place + 1, last)
    if key in _BACK:
        return max(place - 1, 0)
    if key in _START:
        return 0
    if key in _END:
        return last
    return _asked(keys, place, last) if key == "g" else place


def _asked(keys: Iterator[str], place: int, last: int) -> int:
    """The place that the user types the number of, or the old one."""
    click.echo(f"action (0 to {last}): ", nl=False)
    digits = ""
    for key in keys:
        if key.isdecimal():
            digits += key
            click.echo(key, nl=False)
        elif key in ("\r", "\n"):
            break
        else:
            return place
    return min(int(digits), last) if digits else place
