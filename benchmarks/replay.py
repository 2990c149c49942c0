"""How fast winning lines are checked: the table of proofs against ``Position``, in turns."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

import click

from benchmarks.deals import choose
from benchmarks.options import HELP, count, save_option
from benchmarks.report import publish, table
from spider_solver.game.notation import format_line, format_move, parse_line, parse_move
from spider_solver.game.numberings import numbered
from spider_solver.game.position import IllegalMove, Position
from spider_solver.game.rules import spider
from spider_solver.proofs.check import ProofError, Replay, verify_line
from spider_solver.proofs.table import RUN_SCORE, START_SCORE
from spider_solver.search.result import Limits
from spider_solver.search.solver import Solver

NOTE = """\
CPU time in microseconds a line, which is read from text, played and scored: the median over turns,
and the median ratio of turns."""


class Game(NamedTuple):
    """A start and the text of a line that wins it."""

    start: Position
    line: str


def replay_plainly(position: Position, line: str) -> Replay:
    """Play the text of a line with a ``Position`` for each action.

    Raises:
        NotationError: it is no line.
        ProofError: an action is illegal.
    """
    actions, score = 0, START_SCORE
    for move in [parse_move(token) for token in line.split()]:
        try:
            after = position.play(move)
        except IllegalMove as error:
            raise ProofError(f"action {actions + 1} ({format_move(move)}): {error}") from None
        actions += 1
        runs = len(after.completed) - len(position.completed)
        score = max(score - 1 + RUN_SCORE * runs, 0)
        position = after
    return Replay(actions, score, position)


def replay_as_proof(position: Position, line: str) -> Replay:
    """Play the text of a line as verification does."""
    return verify_line(position, parse_line(line))


def won_games(solver: Solver, suits: int, deals: int) -> list[Game]:
    """Training deals of so many suits that are won at once, with their lines."""
    chosen = choose("training", suits, deals)
    starts = [numbered(chosen.numbering, seed, spider(suits)) for seed in chosen.seeds]
    results = [solver.solve(start, Limits(1_000_000)) for start in starts]
    return [Game(won.position, format_line(won.line)) for won in results if won.line]


def microseconds(replay: Callable[[Position, str], Replay], games: Sequence[Game]) -> float:
    """The CPU time of a game."""
    began = time.process_time_ns()
    for game in games:
        replay(*game)
    return (time.process_time_ns() - began) / 1000 / len(games)


def measure(games: Sequence[Game], turns: int) -> tuple[float, float, float]:
    """Microseconds a line, plainly and as a proof, and how often the one holds the other."""
    for game in games:
        if replay_plainly(*game) != replay_as_proof(*game):
            raise click.ClickException(f"replayed in two ways: {game.start.code} {game.line}")
    both: list[tuple[float, float]] = []
    for turn in range(turns):
        if turn % 2:
            fast, plain = microseconds(replay_as_proof, games), microseconds(replay_plainly, games)
        else:
            plain, fast = microseconds(replay_plainly, games), microseconds(replay_as_proof, games)
        both.append((plain, fast))
    plain_times, fast_times = zip(*both, strict=True)
    return median(plain_times), median(fast_times), median(plain / fast for plain, fast in both)


@click.command(context_settings=HELP)
@click.option("--deals", type=count, default="100", show_default=True, help="Of each suits.")
@click.option("--turns", type=click.IntRange(min=1), default=11, show_default=True)
@save_option
def main(deals: int, turns: int, save: Path | None) -> None:
    """Measure how much faster lines are replayed than by playing them with ``Position``."""
    solver, rows = Solver(), []
    for suits in (4, 2, 1):
        games = won_games(solver, suits, deals)
        plain, fast, ratio = measure(games, turns)
        rows.append([f"{suits}", f"{len(games)}", f"{plain:.0f}", f"{fast:.0f}", f"{ratio:.1f}"])
    head = ["suits", "lines", "Position", "table", "ratio"]
    publish(f"{table(head, rows)}\n\n{NOTE}", save)


if __name__ == "__main__":
    main()
