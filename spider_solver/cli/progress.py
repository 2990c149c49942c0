"""Progress on standard error."""

import sys
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import Self

from tqdm import tqdm

from spider_solver.cli.common import say
from spider_solver.text.quoting import printable

QUIET_SECONDS = 60.0  # between lines of progress where no one watches

_BAR = "{percentage:3.0f}% |{bar}| {n_fmt}/{total_fmt}, {rate_noinv_fmt}{postfix}, {remaining} left"


class Progress:
    """A bar on a terminal, elsewhere a line now and then; a context manager.

    Args:
        total: how many there are.
        before: how many were done before.
        unit: what they are, in the plural.
        counts: says what came of those that are done.
    """

    def __init__(self, total: int, before: int, unit: str, counts: Callable[[], str]) -> None:
        self._total, self._before, self._unit, self._counts = total, before, unit, counts
        self._done = before
        self._begin = self._said = monotonic()
        self._end: float | None = None
        self._bar = tqdm(
            total=total,
            initial=before,
            unit=f" {unit}",
            bar_format=_BAR,
            dynamic_ncols=True,
            disable=not sys.stderr.isatty(),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end = monotonic()
        self._bar.close()

    def add(self, count: int) -> None:
        """Count some more as done."""
        self._done += count
        if not self._bar.disable:
            self._bar.set_postfix_str(self._counts(), refresh=False)
            self._bar.update(count)
        elif monotonic() - self._said >= QUIET_SECONDS:
            self._said = monotonic()
            done = f"{self._done} of {self._total} {self._unit}"
            say(f"{done}: {self._counts()}, {self.rate:.1f} a second")

    def note(self, text: str) -> None:
        """Show how far the one is that is under way."""
        if not self._bar.disable:
            self._bar.set_postfix_str(f"{self._counts()}, {text}")
        elif monotonic() - self._said >= QUIET_SECONDS:
            self._said = monotonic()
            say(f"{self._done} of {self._total} {self._unit}, {text}")

    def say(self, text: str) -> None:
        """Tell the user something, above the bar."""
        with suppress(OSError):  # nobody listens any more
            tqdm.write(printable(text), file=sys.stderr)

    @property
    def seconds(self) -> float:
        """Since this was made, until the end of the context."""
        return (self._end or monotonic()) - self._begin

    @property
    def added(self) -> int:
        """How many were done since."""
        return self._done - self._before

    @property
    def rate(self) -> float:
        """How many of these a second."""
        return self.added / max(self.seconds, 1e-9)
