"""Inputs for readers: good ones with some damage, drawn by hypothesis.

An edit cuts, repeats, moves or replaces a piece, or puts in something that has hurt a reader
somewhere: a number too long, a character that is half of one, an end that is missing.
"""

from collections.abc import Sequence
from typing import AnyStr

from hypothesis import strategies as st

MOST_EDITS = 6
MOST_REPEATS = 3000

TOKENS = (
    *("", " ", "\t", "\n", "\r", "\r\n", "\n\n", "\v", "\x00", "\x1c", "\u2028", "\ufeff"),
    *("-", "--", "0", "1", "9", "10", "99", "1000000000", "9" * 25, "9" * 5000, "-1", "1e9", "NaN"),
    *("\ud800", "²", "٣", "İ", "ß", "\ufb00", "♠", "♥\ufe0f", "🂡", "e\u0301"),
    *("??", "?", "<", ">", "<KS>", "<>", "KS", "ks", "Ks", "kS", "TH", "10h", "AC", "XX", "aS"),
    *("#", ":", "/", "//", "|", ",", ";", '"', "'", "\\", "[", "]", "{", "}", "*", ".", "=", "_"),
    *("Talon:", "talon", "Foundations:", "Foundations: S", "stock", "completed", "a\tb", "1 2"),
    *('"tableau piles"', '"stock"', '"foundations"', '"lines"', "[]", "{}", "null", "true", "1.5"),
    *("deal", "ac", "ac3", "ac99", "a*", "zz", "{}{}", "[" * 2000, '{"a":' * 2000, "%s", "{0}"),
)
BYTES = (
    *(b"", b"\x00", b"\xff", b"\x80", b"\x7f", b"PAR1", b"\xff\xff\xff\xff\x0f", b"\xff" * 8),
    *(b"\x00\x00\x00\x80", b"\xff\xff\xff\x7f", b"\x15\x00", b"\x19\x0c", b"\x28\xb5\x2f\xfd"),
)


def damaged_texts(good: Sequence[str]) -> st.SearchStrategy[str]:
    """Good texts with a few edits, now and then none."""
    return _damaged(good, st.sampled_from(TOKENS) | st.text(max_size=8))


def damaged_bytes(good: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Good files with a few edits, now and then none."""
    return _damaged(good, st.sampled_from(BYTES) | st.binary(max_size=8))


@st.composite
def _damaged(
    draw: st.DrawFn, good: Sequence[AnyStr], inserted: st.SearchStrategy[AnyStr]
) -> AnyStr:
    data = draw(st.sampled_from(good))
    for _ in range(draw(st.integers(0, MOST_EDITS))):
        start = draw(st.integers(0, len(data)))
        end = min(start + draw(st.sampled_from((0, 1, 2, 3, 8, 40, len(data)))), len(data))
        piece = data[start:end]
        kind = draw(st.sampled_from(("replace", "insert", "cut", "repeat", "move", "splice")))
        if kind == "replace":
            data = data[:start] + draw(inserted) + data[end:]
        elif kind == "insert":
            data = data[:start] + draw(inserted) + data[start:]
        elif kind == "cut":
            data = data[:start] + data[end:]
        elif kind == "repeat":
            data = data[:start] + piece * _repeats(draw, len(piece)) + data[end:]
        elif kind == "move":
            rest = data[:start] + data[end:]
            target = draw(st.integers(0, len(rest)))
            data = rest[:target] + piece + rest[target:]
        else:
            data = data[:start] + draw(st.sampled_from(good))[start:]
    return data


def _repeats(draw: st.DrawFn, length: int) -> int:
    """How often to repeat a piece: often only if it is short."""
    most = MOST_REPEATS if length <= 3 else 20
    return draw(st.sampled_from((2, 3, most)))
