"""Decides deals of Spider solitaire: won with a line, lost with a proof, or open.

>>> from spider_solver import Deal, Position, solve
>>> print(solve(Deal.numbered(1)).status)
won
"""

from typing import TYPE_CHECKING, Any

from spider_solver.errors import SpiderError
from spider_solver.game.deal import Deal
from spider_solver.game.notation import DEAL, Move, format_line, parse_line
from spider_solver.game.outcomes import Proof, Reason
from spider_solver.game.position import IllegalMove, Position
from spider_solver.game.rules import Rules, spider
from spider_solver.search.result import Limits, Result, Status

if TYPE_CHECKING:
    from spider_solver.search.solver import Solver, solve

__version__ = "0.1.0"

__all__ = [
    "DEAL",
    "Deal",
    "IllegalMove",
    "Limits",
    "Move",
    "Position",
    "Proof",
    "Reason",
    "Result",
    "Rules",
    "Solver",
    "SpiderError",
    "Status",
    "format_line",
    "parse_line",
    "solve",
    "spider",
]

# What comes with the kernels waits until it is asked for: numba takes its time to import.
_FROM_SOLVER = frozenset({"Solver", "solve"})


def __getattr__(name: str) -> Any:
    if name in _FROM_SOLVER:
        from spider_solver.search import solver

        return getattr(solver, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
