"""How often the honest player wins, by its settings, on the same deals."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from tqdm import tqdm

from benchmarks.deals import Numbered
from benchmarks.options import HELP, deal_options, save_option, workers_option
from benchmarks.report import publish, table
from spider_solver.analysis.statistics import mcnemar, share_difference, share_of
from spider_solver.analysis.tables import percent, points
from spider_solver.batch.executors import make_executor, map_in_order
from spider_solver.game.deal import Deal
from spider_solver.play.game import Game, play_game
from spider_solver.play.player import STRENGTHS, Player, PlayerSettings

HIDDEN_BANDS = (20, 24, 28, 32, 36, 40, 45)
"""Upper ends (exclusive) of the bands of face-down cards before the first deal."""

NOTE = """\
Shares won with Wilson's 95% interval; the difference from the first setting on the same deals with
Agresti and Min's, in points, and how many deals only one of the two wins. Time is CPU time."""


class Played(NamedTuple):
    """What came of one game."""

    won: bool
    actions: int
    hidden: int
    hidden_before_deals: tuple[int, ...]
    seconds: float


def parse_player(text: str) -> PlayerSettings:
    """A player from text: a strength, then changes such as ``width=400 learned=0``.

    Fields are those of ``PlayerSettings`` and of its ``PlanSettings``.
    """
    name, _, rest = text.partition(" ")
    if "=" in name:
        name, rest = "normal", text
    if name not in STRENGTHS:
        raise click.BadParameter(f"unknown player {name!r}: {', '.join(STRENGTHS)}")
    settings = STRENGTHS[name]
    for change in rest.split():
        field, _, value = change.partition("=")
        settings = _changed(settings, field, value)
    return settings


def _changed(settings: PlayerSettings, field: str, value: str) -> PlayerSettings:
    for part, holder in (("plan", settings.plan), ("", settings)):
        types = {one.name: type(getattr(holder, one.name)) for one in fields(holder)}
        if types.get(field) in (int, float):
            changed: Any = replace(holder, **{field: types[field](value)})
            return replace(settings, **{part: changed}) if part else changed
    raise click.BadParameter(f"unknown setting {field!r}")


@lru_cache(maxsize=8)
def _player(text: str) -> Player:
    return Player(parse_player(text))


def _play(deals: Numbered, players: Sequence[str], seed: int) -> list[Played]:
    start = Deal.numbered(seed, deals.suits, deals.numbering).position
    return [_timed(text, start) for text in players]


def _timed(text: str, start: Any) -> Played:
    player = _player(text)
    began = time.thread_time()
    game: Game = play_game(start, player)
    seconds = time.thread_time() - began
    return Played(game.won, len(game.line), game.hidden, game.hidden_before_deals, seconds)


def play_all(deals: Numbered, players: Sequence[str], workers: int) -> Iterator[list[Played]]:
    """The games of all players, deal by deal."""
    with make_executor(workers) as executor:
        yield from map_in_order(executor, workers, partial(_play, deals, players), deals.seeds)


@click.command(context_settings=HELP)
@click.argument("players", nargs=-1, required=True)
@deal_options("1-1000", 300)
@workers_option
@save_option
def main(players: tuple[str, ...], deals: Numbered, workers: int, save: Path | None) -> None:
    r"""Let PLAYERS play the same deals without seeing the hidden cards.

    \b
    A player is a strength, or changes of one:
      python -m benchmarks.honest normal fast --suits 4 --seeds 1-300
      python -m benchmarks.honest normal "normal width=400" "normal learned=0 width=1200"
    """
    for text in players:
        parse_player(text)
    _play(deals, players, deals.seeds[0])  # compiles
    games = list(
        tqdm(
            play_all(deals, players, workers),
            total=len(deals.seeds),
            unit="deal",
            leave=False,
            disable=None,
        )
    )
    title = f"{deals.numbering} {deals.seeds[0]} to {deals.seeds[-1]}, {len(deals.seeds)} deals"
    publish(f"{title}, suits: {deals.suits}\n\n{report(players, games)}", save)


def report(players: Sequence[str], games: Sequence[Sequence[Played]]) -> str:
    """The tables of all players, and of the first by hidden cards before the first deal."""
    return "\n\n".join([_shares(players, games), _by_hidden([row[0] for row in games]), NOTE])


def _interval(wins: int, games: int) -> str:
    share = share_of(wins, games)
    return f"{percent(share.value)} [{percent(share.low)}, {percent(share.high)}]"


def _shares(players: Sequence[str], games: Sequence[Sequence[Played]]) -> str:
    first = np.array([row[0].won for row in games])
    rows = []
    for place, name in enumerate(players):
        won = np.array([row[place].won for row in games])
        seconds = [row[place].seconds for row in games]
        gained, lost = int(np.sum(won & ~first)), int(np.sum(first & ~won))
        apart = [points(share_difference(first, won)), f"{gained}:{lost}"]
        apart.append(f"{mcnemar(lost, gained):.2f}")
        rows.append(
            [
                name,
                f"{int(won.sum())}",
                _interval(int(won.sum()), len(games)),
                *(apart if place else ["", "", ""]),
                f"{np.mean(seconds):.2f}",
                f"{max(seconds):.1f}",
            ]
        )
    head = ["player", "won", "share", "difference", "only", "p", "s a game", "most"]
    return table(head, rows)


def _by_hidden(games: Sequence[Played]) -> str:
    rows = []
    low = 0
    for high in HIDDEN_BANDS:
        band = [
            g for g in games if g.hidden_before_deals and low <= g.hidden_before_deals[0] < high
        ]
        if band:
            wins = sum(game.won for game in band)
            rows.append([f"{low}-{high - 1}", f"{len(band)}", f"{wins}"])
        low = high
    return table(["hidden before the first deal", "games", "won"], rows)


if __name__ == "__main__":
    main()
