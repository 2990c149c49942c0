"""The packed layout against a plain byte layout: bytes a position, and moves a second."""

import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from tqdm import tqdm

from benchmarks import byte_layout, packed_layout
from benchmarks.beam_run import BeamRun
from benchmarks.options import HELP, count, save_option
from benchmarks.report import publish, table
from spider_solver.analysis.statistics import bootstrap, ratio_of_means
from spider_solver.analysis.tables import ratio
from spider_solver.game.deal import Deal
from spider_solver.kernels.layout import NODE, REG_STAGE, SET_NOISE, STATE_WORDS

MOST_MOVES = 300
"""Moves of a random game; left alone, most would shuffle cards for ever."""

_WORD_BYTES = 4

WIDTH = 200
LAYER = 60
"""Successors are built of this layer of a beam of this width."""

NOTE = f"""\
Random games of at most {MOST_MOVES} moves, and all successors of layer {LAYER} of beams of width
{WIDTH}, on one core and in turns; the same moves in both. The packed layout always works out key
and price of the columns it makes; "rules only" leaves them out of the byte layout. "expanded" is
what a search does with a position: packed, scores and keys of the successors that it looks at,
none built; in bytes, all are built and priced. Ratios are of rates, packed over bytes, in brackets
their 95% intervals over rounds."""


class Rates(NamedTuple):
    """Seconds a move, round by round, of each thing that was run; and what it gave."""

    seconds: dict[str, list[float]]
    nodes_a_successor: float


class _Run:
    """Both layouts with the same deal."""

    def __init__(self) -> None:
        self.beam = BeamRun()
        self.moves = np.zeros(1024, np.int32)
        self.states = np.zeros(WIDTH * byte_layout.STATE_BYTES, np.uint8)
        self.built = np.zeros(512 * byte_layout.STATE_BYTES, np.uint8)

    def load(self, seed: int) -> None:
        """Lay out a deal."""
        self.deal = Deal.numbered(seed)
        position = self.deal.position
        self.random = seed
        self.stock = np.array(position.stock, np.int64)
        self.start = byte_layout.state_of(position.columns, position.face_down, 0)
        self.beam.begin(self.deal, 0, WIDTH)

    def load_layer(self) -> int:
        """Go on to a layer of the beam, in both layouts; gives the number of its positions."""
        self.beam.begin(self.deal, 0, WIDTH)
        positions = [*islice(self.beam.layers(), LAYER)][-1]
        rows = int(self.beam.work.registers[REG_STAGE])
        states = [byte_layout.state_of(*self.beam.columns(row), rows) for row in range(positions)]
        self.states[: positions * byte_layout.STATE_BYTES] = np.concatenate(states)
        return positions

    def packed_games(self, games: int) -> tuple[int, int]:
        beam = self.beam
        return packed_layout.playouts(
            beam.work, beam.evaluation, beam.rules, games, MOST_MOVES, self.moves, self.random
        )

    def byte_games(self, games: int, priced: bool) -> tuple[int, int]:
        played, trace, _ = byte_layout.playouts(
            self.states,
            self.start,
            self.stock,
            self.beam.evaluation,
            games,
            MOST_MOVES,
            self.moves,
            self.random,
            priced,
        )
        return played, trace

    def packed_successors(self, positions: int, rounds: int) -> tuple[int, int]:
        beam = self.beam
        return packed_layout.build_successors(
            beam.work, beam.evaluation, beam.rules, positions, rounds, self.moves
        )

    def byte_successors(self, positions: int, rounds: int, priced: bool) -> tuple[int, int]:
        return byte_layout.build_successors(
            self.states,
            self.built,
            self.stock,
            self.beam.evaluation,
            positions,
            rounds,
            self.moves,
            priced,
        )

    def scored(self, positions: int, rounds: int) -> tuple[int, int]:
        """Score successors; gives the number of positions expanded, and of successors."""
        beam = self.beam
        noise = beam.settings[SET_NOISE]
        nodes = packed_layout.score_successors(
            beam.work, beam.evaluation, beam.rules, positions, rounds, noise, beam.seed
        )
        return positions * rounds, nodes


def check_same(packed: tuple[int, int], plain: tuple[int, int]) -> None:
    """Both layouts must have played the very same games.

    Raises:
        RuntimeError: they have not.
    """
    if packed != plain:
        raise RuntimeError(f"the layouts differ: {packed} and {plain} (moves, trace of moves)")


def measure(rounds: int, games: int) -> Rates:
    """Run everything ``rounds`` times in turns, each on another deal."""
    run = _Run()
    run.load(1)
    _measure_round(run, 1, {})  # compiles, and touches the memory
    seconds: dict[str, list[float]] = {}
    nodes = []
    for seed in tqdm(range(1, rounds + 1), leave=False, disable=None):
        run.load(seed)
        nodes.append(_measure_round(run, games, seconds))
    return Rates(seconds, float(np.mean(nodes)))


def _measure_round(run: _Run, games: int, seconds: dict[str, list[float]]) -> float:
    """Run everything once; gives the new column nodes of a packed successor."""
    packed = _timed(seconds, "packed games", lambda: run.packed_games(games))
    check_same(packed, _timed(seconds, "byte games", lambda: run.byte_games(games, True)))
    _timed(seconds, "byte games, rules only", lambda: run.byte_games(games, False))
    positions = run.load_layer()
    again = max(1, games // 4)

    def build(priced: bool) -> tuple[int, int]:
        return run.byte_successors(positions, again, priced)

    made, new = _timed(
        seconds, "packed successors", lambda: run.packed_successors(positions, again)
    )
    priced = _timed(seconds, "byte successors", lambda: build(True))
    plain = _timed(seconds, "byte successors, rules only", lambda: build(False))
    check_same((made, made), (priced[0], plain[0]))
    _timed(seconds, "packed positions", lambda: run.scored(positions, again))
    successors = made / (positions * again)
    seconds.setdefault("byte positions", []).append(seconds["byte successors"][-1] * successors)
    return new / made


def _timed(
    seconds: dict[str, list[float]], name: str, run: Callable[[], tuple[int, int]]
) -> tuple[int, int]:
    began = time.thread_time()
    result = run()
    seconds.setdefault(name, []).append((time.thread_time() - began) / result[0])
    return result


def report(rates: Rates) -> str:
    """Bytes and rates of both layouts, and their ratios."""
    row = STATE_WORDS * _WORD_BYTES
    packed = row + rates.nodes_a_successor * NODE.itemsize
    plain = byte_layout.STATE_BYTES
    rows = [["bytes a successor", f"{packed:.0f}", f"{plain}", f"{packed / plain:.3f}"]]
    for name, mine, other in (
        ("random games, M moves/s", "packed games", "byte games"),
        ("  rules only", "packed games", "byte games, rules only"),
        ("successors built, M/s", "packed successors", "byte successors"),
        ("  rules only", "packed successors", "byte successors, rules only"),
        ("positions expanded, M/s", "packed positions", "byte positions"),
    ):
        rows.append([name, *_pair(rates.seconds[mine], rates.seconds[other])])
    made = f"A packed successor is {row} bytes and {rates.nodes_a_successor:.2f} new column nodes."
    return f"{table(['', 'packed', 'bytes', 'ratio'], rows)}\n\n{made}\n{NOTE}"


def _pair(packed: list[float], plain: list[float]) -> list[str]:
    mine, other = np.array(packed), np.array(plain)
    ratios = bootstrap(ratio_of_means, mine, other)
    return [f"{1e-6 / mine.mean():.2f}", f"{1e-6 / other.mean():.2f}", ratio(ratios)]


@click.command(context_settings=HELP)
@click.option("--rounds", type=count, default="20", show_default=True, help="Turns, each a deal.")
@click.option("--games", type=count, default="400", show_default=True, help="Games in a turn.")
@save_option
def main(rounds: int, games: int, save: Path | None) -> None:
    """Measure the packed layout against a plain byte layout in one run."""
    publish(report(measure(rounds, games)), save)


if __name__ == "__main__":
    main()
