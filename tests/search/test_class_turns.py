"""The turns of the search of classes, and the losses that it proves."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from spider_solver.analysis.lost import losses
from spider_solver.answers.explain import explain_result
from spider_solver.batch import keeping
from spider_solver.batch.runner import DealNumber, Job, solve_chunk
from spider_solver.cli.show import show
from spider_solver.cli.solve import solve
from spider_solver.cli.verify import verify
from spider_solver.game.deal import Deal
from spider_solver.game.outcomes import Ended, Proof, Reason, Status
from spider_solver.game.rules import VARIANTS, Rules, group_moves, spider
from spider_solver.proofs.closed_set import OutOfTime
from spider_solver.search import first_run
from spider_solver.search.portfolio import ClassTurn, Portfolio
from spider_solver.search.result import Limits
from spider_solver.search.solver import Solver
from spider_solver.store.closed_sets import ClosedSet, closed_set_path, write_closed_set
from spider_solver.store.reading import part_paths, read_rows
from spider_solver.store.row import Row
from spider_solver.store.verify import RowError, Verdict, check_row
from tests.cli.commands import run
from tests.rows import SETTINGS

SOLVER = Solver()
LOST = 36116661
LARGE = 1269226838
"""Lost by a million classes."""


@pytest.mark.parametrize("name", ["spider", "relaxed", "optional-removal"])
@pytest.mark.parametrize("suits", [1, 2, 4])
def test_a_deal_that_no_blockade_sees_is_lost(name: str, suits: int) -> None:
    start = Deal.numbered(LOST, rules=VARIANTS[name](suits)).position
    result = SOLVER.solve(start, Limits(1_000_000))
    assert (result.status, result.proof, result.checked) == (Status.LOST, Proof.NO_FIRST_RUN, 3)
    assert result.classes is not None
    assert (result.classes.size, result.exploration) == (3, None)
    *beams, last = result.searches
    assert last == result.classes.record
    assert (last.of_classes, last.ended, last.nodes) == (True, Ended.LOST, 11)
    assert not any(search.of_classes or search.runs_completed for search in beams)
    spent = sum(search.nodes for search in beams)
    assert sum(search.nodes for search in beams[:-1]) < 300_000 <= spent == result.nodes - 11
    if name == "spider" and suits == 2:
        same = SOLVER.solve(start, Limits(result.nodes))
        assert (same.status, same.nodes) == (Status.LOST, result.nodes)
        less = SOLVER.solve(start, Limits(result.nodes - 1))
        assert (less.status, less.reason, less.nodes) == ("open", Reason.NODES, result.nodes - 1)
        assert (less.runs_completed, less.searches[-1].nodes) == (0, 10)


def test_turns_end_with_their_nodes() -> None:
    turns = (ClassTurn(0, 100), ClassTurn(200, 300))
    start = Deal.numbered(LARGE).position
    result = Solver(Portfolio(class_turns=turns)).solve(start, Limits(20_000))
    of_classes = [search for search in result.searches if search.of_classes]
    assert [(search.nodes, search.ended) for search in of_classes] == [
        (100, "nodes"),
        (300, "nodes"),
    ]
    assert (result.status, result.nodes) == (Status.OPEN, 20_000)
    assert result.attempts == len(result.searches) > 4
    assert sum(search.nodes for search in result.searches) == result.nodes


def test_an_event_ends_the_turns() -> None:
    turns = (ClassTurn(0, 100_000), ClassTurn(0, 100_000))
    result = Solver(Portfolio(starts=(1, 1, 1, 1), class_turns=turns)).solve(
        Deal.numbered(2).position
    )
    of_classes = [search for search in result.searches if search.of_classes]
    assert [search.ended for search in of_classes] == [Ended.NO_PROOF]
    assert result.status is Status.WON


@pytest.mark.parametrize("rules", [spider(4), group_moves(4)])
def test_other_games_have_no_turns(rules: Rules) -> None:
    start = Deal.numbered(LOST, rules=rules).position
    if not rules.group_moves:
        start = start.play(start.legal_moves()[0])
    result = Solver(Portfolio(class_turns=(ClassTurn(0, 1000),))).solve(start, Limits(20_000))
    assert not any(search.of_classes for search in result.searches)


def test_time_ends_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> int:
        raise OutOfTime

    monkeypatch.setattr(first_run, "check_classes", late)
    result = SOLVER.solve(Deal.numbered(LOST).position, Limits(1_000_000))
    assert (result.status, result.reason, result.proof) == (Status.OPEN, Reason.TIME, None)
    assert (result.classes, result.searches[-1].ended) == (None, Ended.TIME)


def test_it_is_explained() -> None:
    result = SOLVER.solve(Deal.numbered(LOST, suits=2).position, Limits(1_000_000))
    found = explain_result(result, reach_nodes=1000)
    assert found.words.startswith(
        "no column can ever be emptied and no run completed:\n"
        "3 classes of positions can come about before, and none of them leads there\n\nsearches"
    )
    assert "search of classes" in found.words
    assert "saw all classes, no column is emptied and no run completed" in found.words
    facts = json.loads(json.dumps(found.as_dict()))
    assert (facts["proof"], facts["searches"][-1]["search"]) == ("no-first-run", "classes")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set with the lost deal and its proof."""
    place = tmp_path_factory.mktemp("classes") / "set"
    arguments = ["--seeds", f"{LOST}", "--suits", "1", "--proofs", "--out", str(place)]
    assert solve.main([*arguments, "--workers", "1"], standalone_mode=False) == 0
    return place


def only_row(folder: Path) -> Row:
    (row,) = [row for path in part_paths(folder) for row in read_rows(path)]
    return row


def test_its_set_is_kept_and_verified(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = only_row(folder)
    assert (row.status, row.proof, row.checked) == ("lost", "no-first-run", 3)
    path = closed_set_path(folder, row.certificate or "")
    assert list(ClosedSet(path, "class")) == [
        "6/6/6/6/5/5/5/5/5/5 -",
        "6/6/6/6/5/4/5/5/5/5 -",
        "6/6/6/6/5/3/5/5/5/5 -",
    ]
    assert "lost verified          1" in run(capsys, verify, folder).out
    page = folder.parent / "page.html"
    shown = run(capsys, show, folder, "--seed", LOST, "--suits", 1, "--out", page)
    assert "lost: proved (no first run can be completed), no line of play wins" in shown.out
    (loss,) = losses(folder)
    assert loss.words[0].startswith("every class of positions before the first empty column or ")
    assert loss.words[1].endswith(": spider-verify checks it")


def test_a_set_that_does_not_prove_it(folder: Path) -> None:
    row = only_row(folder)
    settings = SETTINGS.as_dict() | {"solver": row.solver, "max_nodes": None}
    codes = list(ClosedSet(closed_set_path(folder, row.certificate or ""), "class"))
    assert check_row(row, settings, folder) == Verdict.LOST_VERIFIED
    for wrong, column, message in (
        (codes[:2], "class", f"certificate: class 2 of the set: {codes[2]} may follow, "),
        ([row.deal], "position", "is not a closed set: it must hold one column, class$"),
    ):
        changed = replace(row, certificate=write_closed_set(folder, wrong, column))
        with pytest.raises(RowError, match=message):
            check_row(changed, settings, folder)
        closed_set_path(folder, changed.certificate or "").unlink()
    with pytest.raises(RowError, match=r"it must hold one column, position$"):
        check_row(replace(row, proof="exhausted"), settings, folder)
    with pytest.raises(RowError, match=r"^checked 4: the closed set holds 3$"):
        check_row(replace(row, checked=4), settings, folder)
    claimed = replace(row, certificate=None)
    assert check_row(claimed, settings, folder) == Verdict.LOST_CLAIMED


def test_a_set_that_is_too_large_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "MOST_CLASSES", 2)
    job = Job(Limits(1_000_000), proofs=tmp_path)
    solved = solve_chunk(job, [DealNumber(LOST, "kpat", spider(1))])
    (row,) = solved.rows
    assert (row.status, row.proof, row.certificate) == ("lost", "no-first-run", None)
    assert (solved.failures, list(tmp_path.iterdir())) == ([], [])
