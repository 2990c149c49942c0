"""The settings of a data set: all that its rows depend on, besides the deals."""

import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Self

from spider_solver.errors import SpiderError
from spider_solver.text.quoting import one_line, quoted

if TYPE_CHECKING:
    from spider_solver.search.result import Limits


@dataclass(frozen=True, slots=True)
class Settings:
    """What makes a data set one.

    Attributes:
        variant: the name of the Rules preset.
        max_nodes: node budget of a deal.
        time_limit: seconds that a deal may take; None for no limit.
        shorten: nodes spent on a shorter line for each deal that is won.
        bound: whether a lower bound on the actions is proved for each of them.
        solver: version and hash of the solver's sources.
        proofs: whether the closed sets of exhausted deals are kept.
    """

    variant: str
    max_nodes: int
    time_limit: float | None
    shorten: int
    bound: bool
    solver: str
    proofs: bool = False

    @classmethod
    def of(cls, variant: str, limits: "Limits", solver: str, proofs: bool = False) -> Self:
        """The settings of a run.

        Args:
            variant: the name of the Rules preset.
            limits: what may be spent on a deal.
            solver: the solver's version and hash, ``SOLVER``.
            proofs: whether closed sets are kept.
        """
        return cls(
            variant=variant,
            max_nodes=limits.max_nodes,
            time_limit=limits.time,
            shorten=limits.shorten,
            bound=limits.bound,
            solver=solver,
            proofs=proofs,
        )

    @classmethod
    def names(cls) -> frozenset[str]:
        """The names of all settings."""
        return frozenset(field.name for field in fields(cls))

    @classmethod
    def from_dict(cls, settings: dict[str, Any]) -> Self:
        """The settings of a part, which may have been written by another version.

        Raises:
            TypeError: they have other names.
        """
        return cls(**settings)

    def as_dict(self) -> dict[str, Any]:
        """The settings by name."""
        return asdict(self)

    def to_json(self) -> str:
        """The settings as canonical JSON: sorted keys, no spaces."""
        return json.dumps(self.as_dict(), sort_keys=True, separators=(",", ":"))

    @property
    def folder_name(self) -> str:
        """The name of a set's folder when none is given, such as ``spider-1M-0.1.0-3f9a``."""
        parts = [self.variant, short_count(self.max_nodes)]
        if self.time_limit is not None:
            parts.append(f"{self.time_limit:g}s")
        if self.shorten:
            parts.append(f"shorten{short_count(self.shorten)}")
        if self.bound:
            parts.append("bound")
        if self.proofs:
            parts.append("proofs")
        return "-".join([*parts, re.sub(r"[^0-9A-Za-z.]+", "-", self.solver)])


class SettingsError(SpiderError, ValueError):
    """Settings in a file that are none; the message goes on from the name of the file."""


_MOST_BYTES = 10_000  # of settings as JSON: many times what they take
_MOST_TEXT = 100  # characters


class _Kind(NamedTuple):
    """What a setting may be, in words and as a test."""

    words: str
    is_right: Callable[[Any], bool]


def _count_from(least: int) -> _Kind:
    def is_right(value: Any) -> bool:
        return type(value) is int and least <= value < 2**63

    return _Kind(f"a whole number from {least}", is_right)


_TEXT = _Kind(
    f"1 to {_MOST_TEXT} printable characters",
    lambda value: type(value) is str and 0 < len(value) <= _MOST_TEXT and value.isprintable(),
)
_FLAG = _Kind("true or false", lambda value: type(value) is bool)
_SECONDS = _Kind(
    "null or a number of seconds above 0",
    lambda value: value is None or (type(value) in (int, float) and 0 < value < 2**63),
)
_KINDS = {
    "variant": _TEXT,
    "max_nodes": _count_from(1),
    "time_limit": _SECONDS,
    "shorten": _count_from(0),
    "bound": _FLAG,
    "solver": _TEXT,
    "proofs": _FLAG,
}
# What later versions may add is passed on, but not as deep as somebody likes.
_LATER = _Kind(
    "null, true, false, a number or a text",
    lambda value: value is None or type(value) in (bool, int, float, str),
)


def read_settings(text: bytes) -> dict[str, Any]:
    """The settings in the metadata of a part, by name; each is of its kind and in its range.

    Raises:
        SettingsError: they are not.
    """
    if len(text) > _MOST_BYTES:
        raise SettingsError(f"its settings have more than {_MOST_BYTES:,} bytes")
    try:
        settings = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise SettingsError("its settings are not JSON") from None
    if not isinstance(settings, dict):
        raise SettingsError("its settings are not a JSON object")
    settings = {"proofs": False, **settings}
    for name in (*_KINDS, *settings):
        if name not in settings:
            raise SettingsError(f"its settings lack {name}")
        kind = _KINDS.get(name, _LATER)
        if not kind.is_right(settings[name]):
            raise SettingsError(
                f"its setting {quoted(name, 20)} is {_json_text(settings[name])}, not {kind.words}"
            )
    return settings


def _refuse(constant: str) -> NoReturn:
    """Refuse NaN and Infinity, which are no JSON."""
    raise ValueError(constant)


def _json_text(value: Any) -> str:
    """A value as JSON, as much of it as fits in a message."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return one_line(json.dumps(value), 40)


class Difference(NamedTuple):
    """A setting that differs between a set and a run."""

    name: str
    there: Any
    here: Any

    def __str__(self) -> str:
        name = one_line(self.name, 40)
        return f"{name} {_text(self.there)} there, {_text(self.here)} here"

    @property
    def adjustable(self) -> bool:
        """Whether an option of ``spider-solve`` makes a run on its deals agree with the set."""
        return self.name in ("max_nodes", "time_limit", "shorten", "bound", "proofs")

    @property
    def option(self) -> str:
        """That option, with the value of the set."""
        option = f"--{self.name.replace('_', '-')}"
        if not self.there:
            return f"no {option}"
        return option if self.there is True else f"{option} {_text(self.there)}"


def differences(there: dict[str, Any], here: dict[str, Any]) -> list[Difference]:
    """The settings that differ, by name; one that is missing counts as None."""
    names = sorted(there.keys() | here.keys())
    pairs = [Difference(name, there.get(name), here.get(name)) for name in names]
    return [pair for pair in pairs if pair.there != pair.here]


def short_count(count: int) -> str:
    """A count as short as it goes without rounding: ``1M``, ``167k``, ``123456``."""
    for unit, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count and count % unit == 0:
            return f"{count // unit}{letter}"
    return str(count)


def _text(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return short_count(value) if isinstance(value, int) else one_line(f"{value}", 100)
