"""How messages quote what they were given: printable, and in one line, however long it is."""

import os


def quoted(text: str, most: int = 40) -> str:
    """A text between quotation marks, what cannot be printed escaped, cut after ``most``.

    Where much is escaped it is cut earlier, so that no more than twice as much is shown.
    """
    cut = text[:most]
    while len(repr(cut)) > 2 * most + 2:
        cut = cut[: len(cut) // 2]
    return f"{cut!r}{'...' * (len(cut) < len(text))}"


def one_line(text: str, most: int = 500) -> str:
    """A text with what cannot be printed escaped, line ends too, and no longer than ``most``."""
    shown = _escaped(text[: most + 1])
    return shown if len(shown) <= most else f"{shown[: most - 3]}..."


def _escaped(text: str) -> str:
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def printable(text: str) -> str:
    """A text of several lines with what cannot be printed escaped: no terminal obeys it."""
    return "\n".join(map(_escaped, text.split("\n")))


def shell_quoted(text: str) -> str:
    """A word as shells take it, such as the name of a folder in a command to go on with."""
    if text.isprintable():
        import shlex

        return shlex.quote(text)
    return f"$'{''.join(map(_shell_escaped, text))}'"


def _shell_escaped(char: str) -> str:
    if char.isprintable() and char not in "\\'":
        return char
    return "".join(f"\\{byte:03o}" for byte in os.fsencode(char))
