"""Tables as text for people and as Markdown, and how numbers stand in them."""

from collections.abc import Sequence
from textwrap import fill
from typing import NamedTuple

from spider_solver.analysis.statistics import Interval

_WIDTH = 100  # of a line of text


class Table(NamedTuple):
    """A table; the first ``left`` columns are words, the others numbers.

    Attributes:
        head: the names of the columns.
        rows: the cells, as text.
        left: columns that are set to the left; all others to the right.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1

    def text(self) -> str:
        """The table in aligned columns."""
        lines = [list(self.head), *map(list, self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(
                cell.ljust(width) if place < self.left else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        )

    def markdown(self) -> str:
        """The table in Markdown."""
        rule = ["---" if place < self.left else "--:" for place in range(len(self.head))]
        lines = [self.head, rule, *self.rows]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)


class Section(NamedTuple):
    """A part of a report.

    Attributes:
        title: its heading; empty for none.
        tables: its tables, one below the other.
        notes: sentences below them.
    """

    title: str
    tables: Sequence[Table]
    notes: Sequence[str] = ()

    def text(self) -> str:
        """The part for people in a terminal."""
        notes = "\n".join(fill(note, _WIDTH, subsequent_indent="  ") for note in self.notes)
        return "\n\n".join(filter(None, [self.title, *(t.text() for t in self.tables), notes]))

    def markdown(self) -> str:
        """The part in Markdown."""
        title = f"### {self.title}" if self.title else ""
        notes = "\n".join(f"- {note}" for note in self.notes)
        return "\n\n".join(filter(None, [title, *(t.markdown() for t in self.tables), notes]))


def render(sections: Sequence[Section], markdown: bool) -> str:
    """A report as text or Markdown."""
    return "\n\n".join(part.markdown() if markdown else part.text() for part in sections)


def number(value: float) -> str:
    """A count with commas."""
    return f"{value:,.0f}"


def percent(share: float) -> str:
    """A share with two decimals, more where it would look like nothing or all but is not."""
    decimals = 2
    while 0 < share < 1 and decimals < 9 and float(f"{100 * share:.{decimals}f}") in (0, 100):
        decimals += 1
    return f"{100 * share:.{decimals}f}%"


def percent_range(interval: Interval) -> str:
    """The two ends of a share's interval."""
    return f"{percent(interval.low)[:-1]}-{percent(interval.high)}"


def points(interval: Interval) -> str:
    """A difference of shares in percentage points, with its interval."""
    value, low, high = (100 * value for value in interval)
    return f"{value:+.2f} ({low:+.2f} to {high:+.2f})"


def ratio(interval: Interval) -> str:
    """A ratio and its interval."""
    return f"{interval.value:.3f} ({interval.low:.3f}-{interval.high:.3f})"


def difference(interval: Interval) -> str:
    """A difference and its interval."""
    return f"{interval.value:+.1f} ({interval.low:+.1f} to {interval.high:+.1f})"
