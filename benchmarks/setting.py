"""A solver setting as text: what differs from the settings that ship.

``noise=0 classes*=2 off_suit=0.7`` names fields of an attempt (:class:`portfolio.Attempt`), fields
of the evaluation (:class:`evaluation.Weights`) and, in capitals, numbers of the portfolio
(:class:`portfolio.Portfolio`); ``=`` sets them, ``*=`` and ``+=`` change what ships; with
``shorten.`` before the name they are numbers of shortening (:class:`shorten.Shortening`), and
fields and weights of its cell beams. The names are looked up in the package, so whatever it gains
can be measured. The commands of the package have one fixed setting; this file is the only one that
bends it.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

from spider_solver.game.rules import Rules, spider
from spider_solver.kernels.evaluation import Weights
from spider_solver.kernels.workspace import MOST_WIDTH
from spider_solver.search.cell_beam import CellSettings
from spider_solver.search.portfolio import Attempt, Portfolio
from spider_solver.search.shorten import Shortening

Frozen = TypeVar("Frozen", Attempt, CellSettings, Portfolio, Shortening, Weights)

_SHORTEN = "shorten."
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

    @property
    def portfolio(self) -> Portfolio:
        """The restart portfolio with these changes."""
        changes = [change for change in self.changes if not change.name.startswith(_SHORTEN)]
        of_attempts = tuple(change for change in changes if not change.name.isupper())
        return _changed(_ChangedAttempts(changes=of_attempts), _of_whole(changes))

    @property
    def shortening(self) -> Shortening:
        """The settings of shortening with these changes."""
        changes = [
            replace(change, name=change.name.removeprefix(_SHORTEN))
            for change in self.changes
            if change.name.startswith(_SHORTEN)
        ]
        of_cells = [change for change in changes if not change.name.isupper()]
        shipped = Shortening()
        cells = {suits: _changed(cell, of_cells) for suits, cell in shipped.cells.items()}
        return _changed(replace(shipped, cells=cells), _of_whole(changes))


@dataclass(frozen=True)
class _ChangedAttempts(Portfolio):
    """A portfolio whose attempts have other fields and weights."""

    changes: tuple[Change, ...] = ()

    def attempt(self, number: int, rules: Rules = spider()) -> Attempt:
        trial = _changed(super().attempt(number, rules), self.changes)
        return replace(trial, width=max(1, min(trial.width, MOST_WIDTH)))


def constants() -> dict[str, float]:
    """The numbers of the portfolio, and of shortening with that word before."""
    shortening = _numbers(Shortening())
    return {name.upper(): value for name, value in _numbers(Portfolio()).items()} | {
        _SHORTEN + name.upper(): value for name, value in shortening.items()
    }


def attempt_fields() -> dict[str, float]:
    """The numbers of an attempt, as the first attempt has them."""
    return _numbers(Portfolio().attempt(0))


def weights() -> dict[str, float]:
    """The weights of the evaluation, as the first attempt has them."""
    return {name: float(value) for name, value in asdict(Portfolio().attempt(0).weights).items()}


def cell_fields() -> dict[str, float]:
    """The numbers of a cell beam and its weights, as those of four suits have them."""
    settings = Shortening().cells[4]
    values = _numbers(settings) | asdict(settings.weights)
    return {_SHORTEN + name: value for name, value in values.items()}


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


def _of_whole(changes: Iterable[Change]) -> list[Change]:
    """The changes in capitals, by the names of the fields that they mean."""
    return [
        replace(change, name=change.name.lower()) for change in changes if change.name.isupper()
    ]


def _numbers(settings: object) -> dict[str, float]:
    """The fields that are numbers."""
    return {
        name: value
        for name, value in vars(settings).items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }


def _changed(settings: Frozen, changes: Iterable[Change]) -> Frozen:
    """Settings with other fields, or a beam's with other weights."""
    for change in changes:
        shipped = vars(settings)
        if change.name in shipped:
            new: dict[str, Any] = {change.name: change.of(shipped[change.name])}
        else:
            new = {"weights": _changed(shipped["weights"], [change])}
        settings = replace(settings, **new)
    return settings
