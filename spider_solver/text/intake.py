"""How much of what comes from outside is taken in: every limit, and files read within them.

What goes beyond a limit is refused in one line that names it, and no more than that is read.
"""

from io import StringIO
from pathlib import Path
from typing import BinaryIO

from spider_solver.errors import SpiderError

MAX_TEXT = 1_000_000
"""Characters of a board, and bytes of a file with one board, one line or lines to follow."""

MAX_BOARDS_BYTES = 100_000_000
"""Bytes of a file of boards, some 200,000 of them."""

MAX_MOVES = 100_000
"""Moves of a line of play."""

MAX_RANGES = 100_000
"""Ranges in a list of seeds."""

MAX_DIGITS = 30
"""Digits of a seed; no numbering has more than 21."""

MAX_NAMED = 12
"""Things that a message names one by one, before it counts the others."""

MAX_MESSAGE = 500
"""Characters of a message about what was read, apart from file names."""


class IntakeError(SpiderError, ValueError):
    """A file that is too large, or no text; one line without its name."""


def read_text(source: Path | BinaryIO, most: int = MAX_TEXT) -> str:
    """The text of a file, with line feeds for line ends of any kind.

    Args:
        source: the file, or an open stream; a pipe or a device will do.
        most: how many bytes it may have. One more is read, but never all of a larger one.

    Raises:
        IntakeError: it is larger, or not text in UTF-8.
        OSError: it cannot be read.
    """
    if isinstance(source, Path):
        with source.open("rb") as file:
            data = file.read(most + 1)
    else:
        data = source.read(most + 1)
    if len(data) > most:
        raise IntakeError(f"larger than {most:,} bytes, the most that is read")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise IntakeError(f"not a text file: byte {error.start + 1} is not UTF-8") from None
    if "\0" in text:  # such as UTF-16 without its mark
        raise IntakeError(f"not a text file: byte {data.index(0) + 1} is zero")
    return StringIO(text, newline=None).read()
