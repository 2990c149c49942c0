"""Options that several benchmarks share."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from benchmarks.deals import PRESETS, Numbered, choose
from benchmarks.setting import Setting, SettingError, parse_setting
from spider_solver.analysis.difficulty import DEFAULT_MEASURE, MEASURES
from spider_solver.cli.common import HELP, count
from spider_solver.game.numberings import NUMBERINGS, NumberingError

__all__ = [
    "HELP",
    "count",
    "deal_options",
    "measure_option",
    "save_option",
    "setting",
    "workers_option",
]

Command = TypeVar("Command", bound=Callable[..., Any])


def setting(text: str) -> Setting:
    """A solver setting; an argument's type."""
    try:
        return parse_setting(text)
    except SettingError as error:
        raise click.BadParameter(str(error)) from None


measure_option = click.option(
    "--measure",
    type=click.Choice(list(MEASURES)),
    default=DEFAULT_MEASURE,
    show_default=True,
    help="Measure of difficulty.",
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes; times are told with one only.",
)

save_option = click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the table in a file, under the command that made it.",
)


def deal_options(seeds: str, deals: int | None) -> Callable[[Command], Command]:
    """The options that choose deals, with defaults, as one argument ``deals`` of the command."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(
            seeds: str, deals: int | None, skip: int, suits: int, numbering: str, **rest: Any
        ) -> Any:
            try:
                chosen: Numbered = choose(seeds, suits, deals, skip, numbering)
            except NumberingError as error:
                raise click.UsageError(str(error)) from None
            return command(deals=chosen, **rest)

        decorated: Any = run
        for option in _deal_options(seeds, deals):
            decorated = option(decorated)
        return cast(Command, decorated)

    return decorate


def _deal_options(seeds: str, deals: int | None) -> list[Any]:
    return [
        click.option(
            "--numbering",
            type=click.Choice([*NUMBERINGS]),
            default="kpat",
            show_default=True,
            help="Whose numbers a list of seeds holds.",
        ),
        click.option(
            "--skip", type=click.IntRange(min=0), default=0, help="Leave out as many deals first."
        ),
        click.option(
            "--deals",
            type=count,
            default=deals and str(deals),
            show_default=str(deals or "1000 of a set, all of a list"),
            help="How many.",
        ),
        click.option(
            "--seeds",
            default=seeds,
            show_default=True,
            metavar="SET",
            help=f"{', '.join(PRESETS)}, or a list such as 1-100,200.",
        ),
        click.option(
            "--suits", type=click.IntRange(1, 4), default=4, show_default=True, help="Suits."
        ),
    ]
