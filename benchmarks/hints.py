"""What hints say of fresh deals, untouched and after random play, and whether they keep their word.

Each deal is asked about with 0, 20 and 50 actions of random legal play before. Where the answer is
won, the game is played to its end hint by hint; it must be won in no more actions than promised.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import process_time

import click
import numpy as np

from benchmarks.deals import Numbered
from benchmarks.options import HELP, count, deal_options, save_option
from benchmarks.report import publish, table
from spider_solver import Deal, Limits, Position, Solver, Status
from spider_solver.analysis.tables import number
from spider_solver.answers.hints import HINT_LIMITS, Hinter
from spider_solver.search.solver import warm_up

_QUANTILES = (0.5, 0.9, 0.99, 1.0)


@dataclass
class Answers:
    """What came of the hints for one number of random actions."""

    actions_before: int
    statuses: Counter[Status] = field(default_factory=Counter)
    kept: int = 0  # games that hint after hint won as promised
    seconds: list[float] = field(default_factory=list)  # processor time of each first hint
    follow_seconds: list[float] = field(default_factory=list)  # of each hint after it
    promised: list[int] = field(default_factory=list)


@click.command(context_settings=HELP)
@deal_options("2000000-2000199", None)
@click.option("--before", default="0,20,50", show_default=True, help="Random actions first.")
@click.option("--max-nodes", type=count, help="Node budget.  [default: that of hints]")
@save_option
def main(deals: Numbered, before: str, max_nodes: int | None, save: Path | None) -> None:
    """Hints for fresh deals, untouched and after random play."""
    limits = replace(HINT_LIMITS, max_nodes=max_nodes or HINT_LIMITS.max_nodes)
    warm_up()
    solver = Solver()
    answers = [ask(deals, int(actions), limits, solver) for actions in before.split(",")]
    publish(report(answers), save)


def ask(deals: Numbered, actions: int, limits: Limits, solver: Solver) -> Answers:
    """Ask for hints after so many random actions, and follow those that promise a win."""
    answers = Answers(actions)
    for seed in deals.seeds:
        start = Deal.numbered(seed, suits=deals.suits, numbering=deals.numbering).position
        position = play_at_random(start, actions, random.Random(f"{seed} {actions}"))
        hinter = Hinter(limits, solver)
        began = process_time()
        first = hinter.hint(position)
        answers.seconds.append(process_time() - began)
        answers.statuses[first.status] += 1
        if first.actions is not None:
            answers.promised.append(first.actions)
            played = follow(hinter, position, answers.follow_seconds)
            answers.kept += played is not None and played <= first.actions
    return answers


def play_at_random(position: Position, actions: int, chance: random.Random) -> Position:
    """Play legal actions at random, as many as there are."""
    for _ in range(actions):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(chance.choice(moves))
    return position


def follow(hinter: Hinter, position: Position, seconds: list[float]) -> int | None:
    """Play hint after hint; gives the actions to the win, or None if it does not come."""
    played = 0
    while not position.is_won:
        began = process_time()
        move = hinter.hint(position).move
        seconds.append(process_time() - began)
        if move is None or played > 2000:
            return None
        position = position.play(move)
        played += 1
    return played


def report(answers: Sequence[Answers]) -> str:
    """The tables."""
    head = ["random actions", "won", "lost", "open", "followed to a win"]
    rows = [
        [
            str(answer.actions_before),
            *(number(answer.statuses[status]) for status in Status),
            f"{answer.kept} of {answer.statuses[Status.WON]}",
        ]
        for answer in answers
    ]
    return "\n\n".join([table(head, rows), _times(answers)])


def _times(answers: Sequence[Answers]) -> str:
    head = ["", *(f"{q:.0%}" for q in _QUANTILES)]
    rows = []
    for answer in answers:
        after = f"after {answer.actions_before}" if answer.actions_before else "untouched"
        rows.append([f"first hint, s ({after})", *_quantiles(answer.seconds, 1, ".3f")])
    follows = [second for answer in answers for second in answer.follow_seconds]
    rows.append(["follow-ups, ms", *_quantiles(follows, 1e3, ".2f")])
    promised = [actions for answer in answers for actions in answer.promised]
    rows.append(["actions promised", *_quantiles(promised, 1, ".0f")])
    return table(head, rows)


def _quantiles(values: Sequence[float], unit: float, form: str) -> list[str]:
    if not values:
        return ["-"] * len(_QUANTILES)
    return [
        f"{unit * value:{form}}" for value in np.quantile(values, _QUANTILES, method="inverted_cdf")
    ]


if __name__ == "__main__":
    main()
