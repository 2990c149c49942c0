"""The clock: when a search has to stop, and how often it looks.

A deadline is a time as ``time.perf_counter`` tells it, or None for no limit. Kernels know no clock:
they hand control back every ``PAUSE_NODES`` nodes, with no effect on what they find, and whoever
called them looks here. So does every loop around them, between two searches.
"""

from __future__ import annotations

import time

PAUSE_NODES = 50_000
"""Nodes between two looks at the clock, also the longest wait for Ctrl-C: some 20 ms, and at most
about 0.3 s, where beams are widest and pause only between layers."""


def deadline_after(seconds: float | None) -> float | None:
    """The deadline so many seconds from now."""
    return None if seconds is None else time.perf_counter() + seconds


def is_past(deadline: float | None) -> bool:
    """Whether a deadline has passed."""
    return deadline is not None and time.perf_counter() >= deadline
