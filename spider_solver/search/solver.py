"""Decides a position: won, with a line that was replayed; lost, with a proof; or open, and why.

A budget is counted in nodes, generated successors, and cuts one fixed sequence of attempts
(:mod:`spider_solver.search.portfolio`): the nodes of a won position are the least budget that wins
it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from spider_solver import __version__
from spider_solver.game.deal import Deal
from spider_solver.game.notation import Move
from spider_solver.game.outcomes import Ended, Proof, Reason, Status
from spider_solver.game.position import Position
from spider_solver.kernels import layout
from spider_solver.kernels.entries import begin_beam, run_beam, turn_to_numba
from spider_solver.kernels.evaluation import evaluation_of
from spider_solver.kernels.jit import cache_folder, is_warm, mark_warm
from spider_solver.kernels.workspace import make_workspace
from spider_solver.proofs.blockade import find_blockade
from spider_solver.proofs.bounds import actions_bound
from spider_solver.proofs.check import ProofError, check_blockade, is_short_of_cards, verify_line
from spider_solver.proofs.closed_set import OutOfTime
from spider_solver.proofs.first_run import has_first_phase
from spider_solver.search.clock import PAUSE_NODES, deadline_after, is_past
from spider_solver.search.fingerprint import fingerprint, remembered
from spider_solver.search.packing import (
    REASONS,
    PackedPosition,
    is_blockaded,
    pack,
    pack_removing,
    read_best,
    read_win,
    remove_runs,
    with_removals,
)
from spider_solver.search.portfolio import ORDERS, Attempt, ClassTurn, Order, Portfolio
from spider_solver.search.result import Limits, Result, Search
from spider_solver.search.shorten import Shortened, Shortening, shorten_line

if TYPE_CHECKING:
    from spider_solver.search.complete import Exploration

_PACKAGE = Path(__file__).parents[1]


def _fingerprint() -> str:
    """The name of all the code that a result depends on."""
    return remembered(lambda: fingerprint(__name__, _PACKAGE), _PACKAGE, cache_folder())


SOLVER = f"{__version__}+{_fingerprint()}"
"""What a result row names as its solver: version and hash of kernels, portfolio and settings."""

BEST_FOUND_NODES = 100_000
"""Node budget of the one beam that looks for a way to go on where nothing is proved."""

_NO_LIMIT = 1 << 62


class Solver:
    """Decides positions one after another, in memory that is made once.

    Not for several threads at a time: make one a worker.

    Attributes:
        portfolio: the attempts that it makes; another may take its place between two calls.
        shortening: the settings of shortening, likewise.
    """

    def __init__(
        self, portfolio: Portfolio = Portfolio(), shortening: Shortening = Shortening()
    ) -> None:
        self.portfolio = portfolio
        self.shortening = shortening
        self._workspace = make_workspace()

    def solve(self, position: Position, limits: Limits = Limits()) -> Result:
        """Decide ``position``, an immutable table under any rules that the kernels know.

        A limit of time does not count the loading of kernels.

        Raises:
            PositionError: the position is not settled (``position.settled()``).
            ProofError: a proof does not hold (an internal error).
            UnsupportedRules: the game is too large for the kernels.
        """
        deadline = start_clock(limits.time)
        began = time.perf_counter()
        packed = pack(position)
        registers = self._workspace.registers
        registers[:] = 0
        registers[layout.REG_MAX_NODES] = limits.max_nodes
        cleared, removals = remove_runs(position)
        if cleared.is_won:
            result = self._won(position, removals, [], limits, deadline)
        elif is_short_of_cards(position):
            result = Result(position, Status.LOST, proof=Proof.TOO_FEW_CARDS)
        elif is_blockaded(packed):
            result = self._blockaded(position)
        else:
            result = self._search(position, packed, limits, deadline)
        return replace(result, seconds=time.perf_counter() - began)

    def shorten(
        self,
        position: Position,
        line: Sequence[Move],
        max_nodes: int,
        deadline: float | None = None,
    ) -> Shortened:
        """Look for a shorter win than ``line``, which wins ``position``; never a longer one.

        It ends with the budget, or at a deadline (:mod:`spider_solver.search.clock`).

        Raises:
            ProofError: ``line`` does not win.
            UnsupportedRules: the game is too large for the kernels.
        """
        return shorten_line(self._workspace, position, line, max_nodes, deadline, self.shortening)

    def best_found(self, position: Position) -> tuple[Move, ...]:
        """A line to the best position that one narrow beam ends with; it proves nothing.

        Raises:
            UnsupportedRules: the game is too large for the kernels.
        """
        packed = pack_removing(position)
        registers = self._workspace.registers
        registers[:] = 0
        registers[layout.REG_MAX_NODES] = BEST_FOUND_NODES
        if self._try(packed, self.portfolio.attempt(0, position.rules), None) == layout.WON:
            return with_removals(position, read_win(self._workspace))
        return with_removals(position, read_best(self._workspace))

    def count_wins(self, position: Position, trials: Iterable[Attempt]) -> tuple[int, int]:
        """How many of these beams win, each by itself, and the nodes of all: a statistic.

        Raises:
            UnsupportedRules: the game is too large for the kernels.
        """
        packed = pack_removing(position)
        registers = self._workspace.registers
        registers[:] = 0
        registers[layout.REG_MAX_NODES] = _NO_LIMIT
        wins = sum(self._try(packed, trial, None) == layout.WON for trial in trials)
        return wins, int(registers[layout.REG_NODES])

    def _search(
        self,
        position: Position,
        keeping: PackedPosition,
        limits: Limits,
        deadline: float | None,
    ) -> Result:
        """Run the attempts, one after another, until one decides or the budget is spent."""
        rules, portfolio = position.rules, self.portfolio
        optional = rules.optional_removal
        # Where complete runs may stay, every other beam keeps them and plays by these rules.
        removing = pack_removing(position) if optional else keeping
        turns = list(portfolio.complete_turns(rules))
        class_turns = list(portfolio.class_turns) if has_first_phase(position) else []
        registers = self._workspace.registers
        searches: list[Search] = []
        number = 0
        trial = portfolio.attempt(number, rules)
        too_large = False  # for the complete search's memory
        while True:
            registers[layout.REG_CUT] = 0
            before = int(registers[layout.REG_NODES])
            keeps = optional and len(searches) % 2 == 1
            ended = self._try(keeping if keeps else removing, trial, deadline)
            searches.append(self._beam_search(trial, ended, before))
            if ended == layout.WON:
                line = read_win(self._workspace)
                line = line if keeps else with_removals(position, line)
                return self._won(position, line, searches, limits, deadline)
            if ended not in (layout.FAILED, layout.OUT_OF_MEMORY):
                return self._open(position, REASONS[ended], searches)
            # a beam that left out nothing has seen all that its moves lead to: if these are all
            # moves, the game is small
            all_seen = ended == layout.FAILED and not registers[layout.REG_CUT]
            if all_seen and trial.moves != layout.EVERY_MOVE:
                trial = replace(trial, moves=layout.EVERY_MOVE)
                continue
            decided = self._search_classes(position, class_turns, searches, limits, deadline)
            if decided is not None:
                return decided
            small = all_seen and keeps == optional and not too_large
            number += 1
            trial = portfolio.attempt(number, rules)
            turn = turns.pop(0) if turns and trial.width >= turns[0].width else None
            if not small and turn is None:
                continue
            left = limits.max_nodes - int(registers[layout.REG_NODES])
            share = left if small or turn is None else min(left, turn.nodes)
            from spider_solver.search.complete import MOST_POSITIONS, PROVED_LOST, explore
            from spider_solver.search.exhausted import check_exhausted

            room = MOST_POSITIONS
            if not small:
                room = max(room, share // portfolio.nodes_a_position)
            order = None if small or turn is None else turn.order
            found = explore(position, share, room, deadline, PROVED_LOST, order)
            searches.append(_complete_search(found, order))
            registers[layout.REG_NODES] += found.nodes
            registers[layout.REG_EXPANDED] += found.expanded
            if found.line is not None:
                return self._won(position, found.line, searches, limits, deadline)
            if found.status is Status.LOST:
                check = partial(check_exhausted, found, deadline)
                proof = Proof.EXHAUSTED
                return self._lost(position, check, searches, proof=proof, exploration=found)
            if found.reason is Reason.MEMORY:
                too_large = True
            elif share == left or found.reason is Reason.TIME:
                return self._open(position, found.reason or Reason.NODES, searches)
            del found  # its memory is as large as that of the attempts

    def _search_classes(
        self,
        position: Position,
        turns: list[ClassTurn],
        searches: list[Search],
        limits: Limits,
        deadline: float | None,
    ) -> Result | None:
        """Let the search of classes have its turn, if one is due; the result if that ends it."""
        registers = self._workspace.registers
        spent = int(registers[layout.REG_NODES])
        if not turns or spent < turns[0].after or any(done.runs_completed for done in searches):
            return None
        from spider_solver.search.first_run import check_classes, explore_classes

        left = limits.max_nodes - spent
        share = min(left, turns.pop(0).nodes)
        found = explore_classes(position, share, deadline)
        searches.append(found.record)
        registers[layout.REG_NODES] += found.nodes
        registers[layout.REG_EXPANDED] += found.expanded
        if found.ended is Ended.LOST:
            check = partial(check_classes, found, deadline)
            return self._lost(position, check, searches, proof=Proof.NO_FIRST_RUN, classes=found)
        if found.ended in (Ended.NO_PROOF, Ended.MEMORY):
            turns.clear()
        elif found.ended is Ended.TIME or share == left:
            return self._open(position, Reason(found.ended), searches)
        return None

    def _beam_search(self, trial: Attempt, ended: int, nodes_before: int) -> Search:
        """The record of a beam that has just ended."""
        registers = self._workspace.registers
        return Search(
            settings=trial,
            ended=_ENDS[ended],
            nodes=int(registers[layout.REG_NODES]) - nodes_before,
            runs_completed=int(registers[layout.REG_MOST_RUNS]),
            rows_dealt=int(registers[layout.REG_MOST_ROWS]),
        )

    def _try(self, packed: PackedPosition, trial: Attempt, deadline: float | None) -> int:
        """Run one attempt; gives how it ended, PAUSED if time is up."""
        workspace = self._workspace
        registers = workspace.registers
        evaluation = evaluation_of(trial.weights, int(packed.rules[layout.RULE_RANKS]), trial.keyed)
        settings = trial.words()
        if not any(packed.face_down.tolist()):  # then all positions are of one class
            settings[layout.SET_CLASS_CAP] = trial.width
        registers[layout.REG_MOST_RUNS] = 0
        registers[layout.REG_MOST_ROWS] = 0
        begin_beam(workspace, evaluation, *packed)
        while True:
            registers[layout.REG_PAUSE_AT] = registers[layout.REG_NODES] + PAUSE_NODES
            ended = int(
                run_beam(workspace, evaluation, packed.rules, settings, np.uint64(trial.seed))
            )
            if ended in (layout.WON, layout.OUT_OF_NODES):
                return ended
            if is_past(deadline):  # also after a beam that failed: many do so in no time
                return layout.PAUSED
            if ended != layout.PAUSED:
                return ended

    def _won(
        self,
        position: Position,
        line: tuple[Move, ...],
        searches: list[Search],
        limits: Limits,
        deadline: float | None,
    ) -> Result:
        checked = verify_line(position, line)
        spent = self._spent(searches)  # before shortening, which counts anew
        shorten_nodes = 0
        if limits.shorten > 0 and line:
            line, shorten_nodes = self.shorten(position, line, limits.shorten, deadline)
            checked = verify_line(position, line)
        return Result(
            position,
            Status.WON,
            proof=Proof.LINE,
            line=line,
            actions=checked.actions,
            score=checked.score,
            actions_bound=actions_bound(position) if limits.bound else None,
            shorten_nodes=shorten_nodes,
            **spent,
        )

    def _blockaded(self, position: Position) -> Result:
        certificate = find_blockade(position)
        if certificate is None:
            raise ProofError("the kernel claims a blockade that the plain test does not find")
        check_blockade(position, certificate)
        return Result(position, Status.LOST, proof=Proof.BLOCKADE, certificate=certificate)

    def _lost(
        self, position: Position, check: Callable[[], int], searches: list[Search], **proof: Any
    ) -> Result:
        """A loss by a search, once its proof is checked; ``check`` gives how much was."""
        try:
            checked = check()
        except OutOfTime:
            searches[-1] = replace(searches[-1], ended=Ended.TIME)
            return self._open(position, Reason.TIME, searches)
        spent = self._spent(searches)
        return Result(position, Status.LOST, checked=checked, **proof, **spent)

    def _open(self, position: Position, reason: Reason, searches: list[Search]) -> Result:
        return Result(
            position,
            Status.OPEN,
            reason=reason,
            runs_completed=max(search.runs_completed for search in searches),
            rows_dealt=max(search.rows_dealt for search in searches),
            **self._spent(searches),
        )

    def _spent(self, searches: list[Search]) -> dict[str, Any]:
        """What the attempts have cost, as a result says it."""
        registers = self._workspace.registers
        return {
            "nodes": int(registers[layout.REG_NODES]),
            "expanded": int(registers[layout.REG_EXPANDED]),
            "attempts": len(searches),
            "searches": tuple(searches),
        }


_ENDS = {layout.WON: Ended.WON, layout.FAILED: Ended.FAILED} | {
    code: Ended(reason) for code, reason in REASONS.items()
}


def _complete_search(found: Exploration, order: Order | None) -> Search:
    """The record of a complete search."""
    return Search(
        settings=None,
        ended=Ended(found.reason or found.status),
        nodes=found.nodes,
        runs_completed=found.runs_completed,
        rows_dealt=max(0, len(found.by_rows_dealt) - 1),
        order=order,
    )


def solve(position: Position | Deal, limits: Limits = Limits()) -> Result:
    """Decide one position or deal; for many, keep a :class:`Solver`.

    Raises:
        UnsupportedRules: the game is too large for the kernels.
    """
    return Solver().solve(position.position if isinstance(position, Deal) else position, limits)


_LOST = 36116661  # by three classes
_ONE_MOVE_FROM_WON = "KSQSJSTS9S8S7S6S5S4S3S2S/AS//////// - CCDDHHS"


def warm_up() -> bool:
    """Compile all kernels if this machine has not yet; True if it had to."""
    if is_warm():
        return False
    load_kernels()
    mark_warm()
    return True


@cache
def load_kernels() -> None:
    """Load all kernels into this process, which takes about half a second, or compile them."""
    from spider_solver.search.complete import PROVED_LOST, DeadEnds, explore
    from spider_solver.search.first_run import check_classes, explore_classes

    turn_to_numba()
    Solver().solve(Deal.numbered(1).position, Limits(shorten=1))
    won = Position.from_code(_ONE_MOVE_FROM_WON)
    explore(won, 1000)
    explore(won, 1000, skip=DeadEnds.BLOCKADED)
    explore(won, 1000, skip=PROVED_LOST, order=ORDERS[0])
    check_classes(explore_classes(Deal.numbered(_LOST).position, 1000))


def start_clock(seconds: float | None) -> float | None:
    """The deadline so many seconds from now, None for no limit; first all kernels are loaded."""
    if seconds is not None:
        load_kernels()
    return deadline_after(seconds)
