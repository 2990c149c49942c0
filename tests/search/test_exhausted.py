"""No position is called lost on the strength of a search whose positions do not prove it."""

import time
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from spider_solver.answers import shortest
from spider_solver.answers.shortest import shortest_result
from spider_solver.batch.runner import Job, solve_chunk
from spider_solver.cli.solve import solve as solve_command
from spider_solver.game.deal import Deal
from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import simple_simon, spiderette
from spider_solver.kernels import catalogues
from spider_solver.proofs import closed_set
from spider_solver.proofs.check import ProofError
from spider_solver.proofs.closed_set import OutOfTime
from spider_solver.search import complete, exhausted, solver
from spider_solver.search.complete import DeadEnds, Exploration, explore
from spider_solver.search.exhausted import check_exhausted
from spider_solver.search.result import Limits, Status
from spider_solver.search.solver import Solver
from spider_solver.store.reading import part_paths, read_rows
from tests.cli.commands import run
from tests.stuck import stuck_deal


@pytest.fixture(autouse=True)
def nothing_is_buried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let searches and checks go on from buried positions (``test_buried.py`` is about these)."""
    monkeypatch.setattr(complete, "PROVED_LOST", DeadEnds.SHORT_OF_CARDS)
    for module in (exhausted, closed_set):
        monkeypatch.setattr(module, "is_buried", lambda position: False)


LOST = numbered("pysol", 101, simple_simon())  # 1,814 positions
WITH_STOCK = numbered("pysol", 45, spiderette())  # 14,038 positions


def without(found: Exploration, row: int) -> Exploration:
    """A search that has left out one of its positions."""
    catalogue, words = found.catalogue, catalogues.ROW_WORDS
    registers = catalogue.registers.copy()
    registers[catalogues.SEARCH_POSITIONS] -= 1
    rows = np.delete(catalogue.rows, np.s_[row * words : (row + 1) * words])
    return replace(found, catalogue=catalogue._replace(rows=rows, registers=registers))


def with_changed(found: Exploration, row: int, word: int, value: int) -> Exploration:
    """A search that says something else about one of its positions."""
    rows = found.catalogue.rows.copy()
    rows[row * catalogues.ROW_WORDS + word] = value
    return replace(found, catalogue=found.catalogue._replace(rows=rows))


@pytest.mark.parametrize("start", [LOST, WITH_STOCK], ids=["simple-simon", "spiderette"])
def test_all_positions_up_to_a_number_are_checked(
    monkeypatch: pytest.MonkeyPatch, start: Position
) -> None:
    found = explore(start, 10**6)
    assert check_exhausted(found) == found.size
    monkeypatch.setattr(exhausted, "CHECKED_POSITIONS", found.size)
    assert check_exhausted(found) == found.size
    monkeypatch.setattr(exhausted, "CHECKED_POSITIONS", found.size - 1)
    assert check_exhausted(found) == found.size - 1
    monkeypatch.setattr(exhausted, "CHECKED_POSITIONS", 1)
    assert check_exhausted(found) == 1


@pytest.mark.parametrize("start", [LOST, WITH_STOCK], ids=["simple-simon", "spiderette"])
@pytest.mark.parametrize("sampled", [False, True])
def test_a_position_left_out_is_found(
    monkeypatch: pytest.MonkeyPatch, start: Position, sampled: bool
) -> None:
    found = explore(start, 10**6)
    positions = list(found.positions())
    for row in [*Random(3).sample(range(1, found.size), 5), found.size - 1]:
        hole = without(found, row)
        if sampled:  # all but one of those that are left, which may be the one that leads there
            monkeypatch.setattr(exhausted, "CHECKED_POSITIONS", hole.size - 1)
        with pytest.raises(
            ProofError, match=r"of the closed set: .* leads out of the set, to "
        ) as at:
            check_exhausted(hole)
        assert str(at.value).endswith(f" {positions[row].code}")
        assert "\n" not in str(at.value)


@pytest.mark.parametrize("most", [10**6, 100])
def test_other_faults_are_found(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(exhausted, "CHECKED_POSITIONS", most)
    found = explore(WITH_STOCK, 10**6)
    with pytest.raises(ProofError, match="the start is not in the closed set"):
        check_exhausted(without(found, 0))
    with pytest.raises(ProofError, match="the start is not in the closed set"):
        check_exhausted(replace(found, start=numbered("pysol", 46, spiderette())))
    won = found
    for column in range(7):
        won = with_changed(won, 300, column, 0)
    stage = WITH_STOCK.rows_left + 4 * catalogues.ONE_RUN
    with pytest.raises(ProofError, match="of the closed set is won"):
        check_exhausted(with_changed(won, 300, catalogues.ROW_STAGE, stage))


def test_a_search_that_left_blockaded_positions_alone_is_no_closed_set() -> None:
    start = stuck_deal(1, 43)
    assert check_exhausted(explore(start, 10**6)) == 360
    with pytest.raises(ProofError, match="leads out of the set"):
        check_exhausted(explore(start, 10**6, skip=DeadEnds.BLOCKADED))


def test_a_sample_finds_what_it_comes_upon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the positions, drawn, sees some holes and not others, the same ones each time."""
    monkeypatch.setattr(exhausted, "CHECKED_POSITIONS", 180)
    found = explore(LOST, 10**6)
    seen = []
    for row in range(1, found.size, 60):
        try:
            check_exhausted(without(found, row))
        except ProofError:
            seen.append(row)
    assert seen == [1, 301, 541, 601, 661, 781, 1141, 1381, 1441, 1501, 1561, 1741, 1801]
    assert len(range(1, found.size, 60)) == 31


@pytest.mark.parametrize("most", [10**6, 100])
def test_the_deadline_is_kept(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(exhausted, "CHECKED_POSITIONS", most)
    found = explore(LOST, 10**6)
    with pytest.raises(OutOfTime):
        check_exhausted(found, deadline=time.perf_counter() - 1)
    assert check_exhausted(found, time.perf_counter() + 1000) == min(most, found.size)


def test_out_of_time_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(found: Exploration, deadline: float | None = None) -> int:
        assert deadline is not None
        raise OutOfTime

    monkeypatch.setattr(exhausted, "check_exhausted", late)
    result = Solver().solve(LOST, Limits(time=1000.0))
    assert (result.status, result.reason, result.proof) == (Status.OPEN, "time", None)
    assert (result.checked, result.exploration) == (None, None)
    assert result.searches[-1].ended == "time"
    assert (result.runs_completed, result.rows_dealt) == (0, 0)


def test_results_say_how_many_were_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    result = Solver().solve(LOST)
    assert (result.status, result.proof, result.checked) == (Status.LOST, "exhausted", 1814)
    opened = Solver().solve(LOST, Limits(100))
    assert opened.checked is None
    assert shortest_result(opened)[0].checked == 1814
    monkeypatch.setattr(exhausted, "CHECKED_POSITIONS", 700)
    assert Solver().solve(LOST).checked == 700
    assert shortest_result(opened)[0].checked == 700


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the complete search lose a position when it calls a game lost."""

    def explore_badly(position: Position, *args: object, **kwargs: object) -> Exploration:
        found = explore(position, *args, **kwargs)  # type: ignore[arg-type]
        return without(found, found.size // 2) if found.status == "lost" else found

    for module in (complete, shortest):
        monkeypatch.setattr(module, "explore", explore_badly)


@pytest.mark.usefixtures("faulty")
def test_a_fault_of_the_search_is_no_verdict() -> None:
    with pytest.raises(ProofError, match="leads out of the set"):
        Solver().solve(LOST)
    with pytest.raises(ProofError, match="leads out of the set"):
        shortest_result(solver.solve(LOST, Limits(100)))
    (row,) = solve_chunk(Job(Limits()), [Deal(LOST, "pysol", 101)]).rows
    assert (row.status, row.reason, row.proof, row.checked) == ("open", "crash", None, None)


@pytest.mark.usefixtures("faulty")
def test_a_fault_of_the_search_fails_the_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = ("--variant", "simple-simon")
    ended = run(capsys, solve_command, *game, "--seeds", 101)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("Error: ProofError: position ")
    assert ended.err.count("\n") == 1
    ended = run(capsys, solve_command, "--board", LOST.code, *game)
    assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
    folder = tmp_path / "set"
    command = (*game, "--seeds", "1,101", "--out", folder, "--workers", 1)
    for _ in range(2):  # the second time nothing is left to do, and nothing is better
        ended = run(capsys, solve_command, *command)
        assert ended.code == 1
        assert ended.err.splitlines()[-1] == (
            "Error: 1 deal crashed, an internal error: open, with reason crash"
        )
        rows = [row for path in part_paths(folder) for row in read_rows(path)]
        assert sorted((row.seed, row.status, row.reason) for row in rows) == [
            (1, "won", None),
            (101, "open", "crash"),
        ]
