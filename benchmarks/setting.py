"""A solver setting as text: what differs from the settings that ship.

``noise=0 classes*=2 off_suit=0.7`` names fields of an attempt (:class:`schedule.Attempt`), fields
of the evaluation (:class:`evaluation.Weights`) and constants of :mod:`schedule`; ``=`` sets them,
``*=`` and ``+=`` change what ships; with ``shorten.`` before the name they are constants of
shortening, and fields and weights of its cell beams. The names are looked up in the package, so
whatever it gains can be measured. The package itself has one fixed setting; this file is the only
one that bends it.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, fields, replace
from fractions import Fraction
from typing import Any, TypeVar
from unittest.mock import patch

from spider_solver.kernels.evaluation import Weights
from spider_solver.kernels.workspace import MOST_WIDTH
from spider_solver.search import cell_beam, schedule, shorten, solver
from spider_solver.search.cell_beam import CellSettings

Frozen = TypeVar("Frozen", schedule.Attempt, CellSettings, Weights)
Beam = TypeVar("Beam", schedule.Attempt, CellSettings)

_MODULES = {"": schedule, "shorten": shorten}
_NOT_TO_CHOOSE = {"COST_UNIT", "MOST_WIDTH", "EVERY_MOVE", "PURPOSEFUL", "JOINS_FIRST"}
_WEIGHTS = frozenset(field.name for field in fields(Weights))
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "=": lambda shipped, value: value,
    "*=": lambda shipped, value: shipped * value,
    "+=": lambda shipped, value: shipped + value,
}
_CHANGE = re.compile(r"([A-Za-z_.]+)\s*([*+]?=)\s*([-+.\deE]+)")


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
        operation = _OPERATIONS[self.operation]
        if isinstance(shipped, int):  # exactly: a float has no room for a seed
            exact: Fraction = operation(Fraction(shipped), Fraction(self.value))
            return round(exact)
        changed: float = operation(shipped, self.value)
        return changed


@dataclass(frozen=True)
class Setting:
    """The solver as it ships, but for some changes."""

    changes: tuple[Change, ...] = ()

    def __str__(self) -> str:
        return " ".join(map(str, self.changes)) or "default"


def constants() -> dict[str, float]:
    """The constants that are numbers: of the schedule, and of ``shorten`` with that word before."""
    return {
        f"{prefix}.{name}".lstrip("."): value
        for prefix, module in _MODULES.items()
        for name, value in vars(module).items()
        if name.isupper() and name not in _NOT_TO_CHOOSE and name[0] != "_" and _is_number(value)
    }


def attempt_fields() -> dict[str, float]:
    """The numbers of an attempt, as the first attempt has them."""
    first = schedule.attempt(0)
    values = {field.name: getattr(first, field.name) for field in fields(first)}
    return {name: value for name, value in values.items() if _is_number(value)}


def weights() -> dict[str, float]:
    """The weights of the evaluation, as the first attempt has them."""
    return {name: float(value) for name, value in asdict(schedule.attempt(0).weights).items()}


def cell_fields() -> dict[str, float]:
    """The numbers of a cell beam and its weights, as those of four suits have them."""
    settings = cell_beam.CELL_SETTINGS[4]
    values = {name: value for name, value in vars(settings).items() if _is_number(value)}
    return {f"shorten.{name}": value for name, value in (values | asdict(settings.weights)).items()}


def parse_setting(text: str) -> Setting:
    """Read a setting; ``default`` or nothing is what ships.

    Raises:
        SettingError: it cannot be read, or the solver has nothing of a name.
    """
    if text.strip() in ("", "default"):
        return Setting()
    changes = []
    known = constants() | attempt_fields() | weights() | cell_fields()
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
    shipped = constants()
    of_attempts = []
    of_cells = []
    with ExitStack() as stack:
        for change in setting.changes:
            prefix, _, name = change.name.rpartition(".")
            if change.name in shipped:
                module = _MODULES[prefix]
                stack.enter_context(patch.object(module, name, change.of(shipped[change.name])))
            elif prefix:
                of_cells.append(replace(change, name=name))
            else:
                of_attempts.append(change)
        if of_cells:
            cells = {
                suits: _changed(settings, of_cells)
                for suits, settings in cell_beam.CELL_SETTINGS.items()
            }
            stack.enter_context(patch.object(cell_beam, "CELL_SETTINGS", cells))
        if of_attempts:
            attempt = _changing(schedule.attempt, of_attempts)
            stack.enter_context(patch.object(solver, "attempt", attempt))
        yield


def _changing(
    shipped: Callable[..., schedule.Attempt], changes: list[Change]
) -> Callable[..., schedule.Attempt]:
    def attempt(*arguments: Any, **options: Any) -> schedule.Attempt:
        trial = _changed(shipped(*arguments, **options), changes)
        return replace(trial, width=max(1, min(trial.width, MOST_WIDTH)))

    return attempt


def _changed(settings: Beam, changes: list[Change]) -> Beam:
    """An attempt, or the settings of a cell beam, with other fields and weights."""
    for change in changes:
        name = change.name
        if name in _WEIGHTS:
            value = change.of(getattr(settings.weights, name))
            settings = _with(settings, "weights", _with(settings.weights, name, value))
        else:
            settings = _with(settings, name, change.of(getattr(settings, name)))
    return settings


def _with(value: Frozen, name: str, field: object) -> Frozen:
    """A frozen value with another field."""
    changes: dict[str, Any] = {name: field}
    return replace(value, **changes)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
