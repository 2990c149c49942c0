"""A solver setting as text: what differs from the settings that ship.

``noise=0 classes*=2 off_suit=0.7`` names fields of an attempt (:class:`schedule.Attempt`), fields
of the evaluation (:class:`evaluation.Weights`) and constants of :mod:`schedule`; ``=`` sets them,
``*=`` and ``+=`` change what ships. The names are looked up in the package, so whatever it gains
can be measured. The package itself has one fixed setting; this file is the only one that bends it.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any
from unittest.mock import patch

from spider_solver import schedule
from spider_solver.kernels import evaluation
from spider_solver.kernels.evaluation import Weights
from spider_solver.kernels.layout import Evaluation
from spider_solver.kernels.workspace import MOST_WIDTH

_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "=": lambda shipped, value: value,
    "*=": lambda shipped, value: shipped * value,
    "+=": lambda shipped, value: shipped + value,
}
_CHANGE = re.compile(r"([A-Za-z_]+)\s*([*+]?=)\s*([-+.\deE]+)")


class SettingError(ValueError):
    """A setting that names nothing of the solver, or is no setting at all."""


@dataclass(frozen=True)
class Change:
    """One thing that differs: ``name`` becomes ``value``, or what ships times or plus it."""

    name: str
    operation: str
    value: float

    def __str__(self) -> str:
        return f"{self.name}{self.operation}{self.value:.6g}"

    def of(self, shipped: float) -> float:
        """The value in place of the one that ships; whole where that one is."""
        changed = _OPERATIONS[self.operation](shipped, self.value)
        return round(changed) if isinstance(shipped, int) else float(changed)


@dataclass(frozen=True)
class Setting:
    """The solver as it ships, but for some changes."""

    changes: tuple[Change, ...] = ()

    def __str__(self) -> str:
        return " ".join(map(str, self.changes)) or "default"


def constants() -> frozenset[str]:
    """The constants of the schedule that are numbers."""
    return frozenset(
        name for name, value in vars(schedule).items() if name.isupper() and _is_number(value)
    )


def attempt_fields() -> frozenset[str]:
    """What an attempt has."""
    return frozenset(field.name for field in fields(schedule.Attempt))


def weights() -> dict[str, float]:
    """The weights of the evaluation as they ship."""
    return {field.name: float(getattr(Weights(), field.name)) for field in fields(Weights)}


def parse_setting(text: str) -> Setting:
    """Read a setting; ``default`` or nothing is what ships.

    Raises:
        SettingError: it cannot be read, or the solver has nothing of a name.
    """
    if text.strip() in ("", "default"):
        return Setting()
    changes = []
    known = constants() | attempt_fields() | weights().keys()
    for part in re.split(r"[\s,;]+", text.strip()):
        match = _CHANGE.fullmatch(part)
        if match is None:
            raise SettingError(f"{part!r} is no change such as noise=0, patience*=2 or seed+=2")
        name, operation, value = match.groups()
        if name not in known:
            raise SettingError(f"the solver has no {name!r}, but {', '.join(sorted(known))}")
        try:
            changes.append(Change(name, operation, float(value)))
        except ValueError:
            raise SettingError(f"{value!r} is no number") from None
    return Setting(tuple(changes))


@contextmanager
def applied(setting: Setting) -> Iterator[None]:
    """Let every Solver of this process use ``setting`` inside (not for threads)."""
    changes = setting.changes
    with ExitStack() as stack:
        for change in changes:
            if change.name in constants():
                shipped = getattr(schedule, change.name)
                _replace(stack, change.name, shipped, change.of(shipped))
        if of_attempt := [change for change in changes if change.name in attempt_fields()]:
            attempt = schedule.attempt
            _replace(stack, "attempt", attempt, _changing_attempts(attempt, of_attempt))
        if of_weights := [change for change in changes if change.name in weights()]:
            make = evaluation.evaluation_of
            _replace(stack, "evaluation_of", make, _changing_weights(make, of_weights))
        yield


def _replace(stack: ExitStack, name: str, shipped: object, by: object) -> None:
    """Put something else in the place of what ships, wherever it was imported to."""
    for path, module in list(sys.modules.items()):
        if path.startswith("spider_solver.") and getattr(module, name, None) is shipped:
            stack.enter_context(patch.object(module, name, by))


def _changing_attempts(
    shipped: Callable[..., schedule.Attempt], changes: list[Change]
) -> Callable[..., schedule.Attempt]:
    def attempt(*arguments: Any, **options: Any) -> schedule.Attempt:
        trial = shipped(*arguments, **options)
        changed: dict[str, Any] = {c.name: c.of(getattr(trial, c.name)) for c in changes}
        if "width" in changed:
            changed["width"] = max(1, min(changed["width"], MOST_WIDTH))
        return replace(trial, **changed)

    return attempt


def _changing_weights(
    shipped: Callable[..., Evaluation], changes: list[Change]
) -> Callable[..., Evaluation]:
    def evaluation_of(weights: Weights, *arguments: Any) -> Evaluation:
        changed: dict[str, Any] = {c.name: c.of(getattr(weights, c.name)) for c in changes}
        return shipped(replace(weights, **changed), *arguments)

    return evaluation_of


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
