"""The file of ``spider-hint --follow``: the lines that hints were taken from, as JSON."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spider_solver.errors import SpiderError
from spider_solver.game.notation import format_line, parse_line
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules
from spider_solver.store.atomic import new_file, require_plain

if TYPE_CHECKING:
    from spider_solver.answers.hints import Hint, Hinter

MOST_LINES = 100
"""Lines that a file keeps, the newest ones."""

MOST_BYTES = 10_000_000
"""Bytes that a file may have: many times what so many lines take."""


class FollowError(SpiderError):
    """A file that cannot be read or written, or is not what ``--follow`` writes; one line."""


def load_lines(path: Path, rules: Rules, hinter: "Hinter") -> None:
    """Let a hinter learn the lines of a file that are of the same game; each is replayed.

    A file that is not there yet holds no lines.

    Raises:
        FollowError: the file cannot be read, or a line in it does not win.
    """
    for place, entry in enumerate(_entries(path), start=1):
        if (entry["variant"], entry["suits"]) != (rules.name, rules.suits):
            continue
        try:
            position = Position.from_code(entry["position"], rules)
            hinter.learn(position, parse_line(entry["line"]))
        except SpiderError as error:
            raise FollowError(f"{path}: line {place} of the game: {error}") from None


def save_line(path: Path, given: "Hint") -> None:
    """Add the line of a hint to a file, if it wins.

    Raises:
        FollowError: the file cannot be read or written.
    """
    if given.actions is None:
        return
    rules = given.position.rules
    entry = {
        "variant": rules.name,
        "suits": rules.suits,
        "position": given.position.code,
        "line": format_line(given.line),
    }
    entries = [*_entries(path), entry][-MOST_LINES:]
    try:
        with new_file(path) as file:
            file.write((json.dumps({"lines": entries}, indent=1) + "\n").encode())
    except OSError as error:
        raise FollowError(f"{path}: {error.strerror}") from None


def _entries(path: Path) -> list[dict[str, Any]]:
    try:
        require_plain(path)
        if path.stat().st_size > MOST_BYTES:
            raise _foreign(path)
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise FollowError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise _foreign(path) from None
    try:
        entries = json.loads(text)["lines"]
        wanted = {"variant": str, "suits": int, "position": str, "line": str}
        for entry in entries:
            if not all(isinstance(entry[name], kind) for name, kind in wanted.items()):
                raise _foreign(path)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise _foreign(path) from None
    return list(entries)


def _foreign(path: Path) -> FollowError:
    return FollowError(f"{path} was not written by --follow: give another file")
