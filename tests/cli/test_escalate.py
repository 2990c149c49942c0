"""spider-solve --escalate: the open deals of a set with a larger budget."""

import json
import os
import shutil
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spider_solver.cli.solve import solve
from spider_solver.search.solver import SOLVER
from spider_solver.store.reading import ESCALATION, part_paths, read_rows, read_table, set_settings
from spider_solver.store.row import COLUMNS, Key, Row
from spider_solver.store.settings import Settings
from spider_solver.store.writing import SetWriter
from tests.cli.commands import run
from tests.rows import SETTINGS, open_row

SMALL, LARGE = "8k", "30k"
KILLED = 9

CASES = (  # with what a set is made, and of which deals
    ((), (("--suits", 4, "--seeds", "1-14"), ("--suits", 1, "--seeds", "3-9"))),
    (("--shorten", "3k", "--bound"), (("--suits", 2, "--numbering", "pysol", "--seeds", "1-9"),)),
    (("--variant", "spiderette", "--proofs"), (("--suits", 4, "--seeds", "1-12"),)),
)


def rows_of(folder: Path) -> dict[Key, Row]:
    """The rows of a set by key; none comes twice."""
    rows = [row for path in part_paths(folder) for row in read_rows(path)]
    found = {row.key: replace(row, seconds=0.0) for row in rows}
    assert len(found) == len(rows)
    return found


def in_small_parts(folder: Path) -> None:
    """Spread a set over parts of few rows."""
    rows = [row for path in part_paths(folder) for row in read_rows(path)]
    settings = Settings.from_dict(set_settings(folder) or {})
    for path in part_paths(folder):
        path.unlink()
    with SetWriter(folder, settings, wait_rows=1, part_rows=3) as writer:
        for row in rows:
            writer.add([row])


def make(capsys: pytest.CaptureFixture[str], folder: Path, *options: object) -> None:
    ended = run(capsys, solve, "--out", folder, "--workers", 1, *options)
    assert ended.code == 0, ended.err


def escalate(capsys: pytest.CaptureFixture[str], folder: Path, nodes: str) -> Any:
    ended = run(capsys, solve, "--out", folder, "--workers", 1, "--escalate", nodes, "--json")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


@pytest.mark.parametrize(("options", "deals"), CASES)
def test_it_makes_the_set_that_the_larger_budget_makes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: Any, deals: Any
) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    for some in deals:
        make(capsys, small, "--max-nodes", SMALL, *options, *some)
        make(capsys, large, "--max-nodes", LARGE, *options, *some)
    in_small_parts(small)
    opened = [key for key, row in rows_of(small).items() if row.status == "open"]
    assert 0 < len(opened) < len(rows_of(small))
    order = [row.key for path in part_paths(small) for row in read_rows(path)]

    found = escalate(capsys, small, LARGE)
    assert found["solved_now"] == len(opened)
    assert rows_of(small) == rows_of(large)
    assert set_settings(small) == set_settings(large)
    assert [row.key for path in part_paths(small) for row in read_rows(path)] == order
    assert not list(small.glob("_escalation*"))

    before = {path: path.read_bytes() for path in part_paths(small)}
    assert escalate(capsys, small, LARGE)["solved_now"] == 0  # nothing is left to do
    assert {path: path.read_bytes() for path in part_paths(small)} == before
    make(capsys, small, "--max-nodes", LARGE, *options, *deals[0])  # the set goes on as such
    assert rows_of(small) == rows_of(large)


def test_by_steps(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    deals = ("--suits", 4, "--seeds", "1-12")
    make(capsys, tmp_path / "small", "--max-nodes", "2k", *deals)
    make(capsys, tmp_path / "large", "--max-nodes", LARGE, *deals)
    for nodes in ("6k", "12k", LARGE):
        escalate(capsys, tmp_path / "small", nodes)
    assert rows_of(tmp_path / "small") == rows_of(tmp_path / "large")


class Faults:
    """Ends the process before or after one of the steps that files take to their places."""

    def __init__(self, fatal: int, end: Callable[[], None]) -> None:
        self.steps = 0
        self._fatal, self._end = fatal, end

    def _step(self) -> None:
        if self.steps == self._fatal:
            self._end()
        self.steps += 1

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for owner, name in ((Path, "replace"), (Path, "rename"), (shutil, "rmtree")):
            self._watch(monkeypatch, owner, name)

    def _watch(self, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
        function = getattr(owner, name)

        def watched(*arguments: Any, **named: Any) -> Any:
            self._step()
            result = function(*arguments, **named)
            self._step()
            return result

        monkeypatch.setattr(owner, name, watched)


def test_a_kill_at_any_step_costs_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deals = ("--suits", 4, "--seeds", "1-10")
    make(capsys, tmp_path / "small", "--max-nodes", SMALL, *deals)
    make(capsys, tmp_path / "large", "--max-nodes", LARGE, *deals)
    in_small_parts(tmp_path / "small")
    small, large = (rows_of(tmp_path / name) for name in ("small", "large"))
    assert len(part_paths(tmp_path / "small")) > 2

    def killed_at(step: int) -> int:
        """Escalate in a process that ends at a step; gives its exit code."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads, from Python 3.12 on
            child = os.fork()
        if child:
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with monkeypatch.context() as patch:
            Faults(step, lambda: os._exit(KILLED)).watch(patch)
            try:
                escalate(capsys, tmp_path / "set", LARGE)
            except BaseException:
                os._exit(1)
            os._exit(0)

    seen, mixed = 0, 0
    for step in range(200):
        shutil.rmtree(tmp_path / "set", ignore_errors=True)
        shutil.copytree(tmp_path / "small", tmp_path / "set")
        code = killed_at(step)
        found = rows_of(tmp_path / "set")
        assert found.keys() == small.keys()
        assert all(row in (small[key], large[key]) for key, row in found.items())
        mixed += found not in (small, large)
        if code == 0:
            assert found == large
            break
        assert code == KILLED
        seen += 1
        escalate(capsys, tmp_path / "set", LARGE)
        assert rows_of(tmp_path / "set") == large
        assert not list((tmp_path / "set").glob("_escalation*"))
        assert not list(tmp_path.glob(".*.tmp"))
    assert seen > 15
    assert mixed > 0


def cut_off(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """Leave a set half-way to LARGE, with some of its parts replaced."""
    make(capsys, folder, "--max-nodes", SMALL, "--suits", 4, "--seeds", "1-6")
    in_small_parts(folder)
    side = folder.parent / "side"
    make(capsys, side, "--max-nodes", LARGE, "--suits", 4, "--seeds", "1-6")
    (part,) = part_paths(side)
    shutil.copytree(side, folder / ESCALATION)
    rows = read_rows(part_paths(folder)[0])
    part_paths(folder)[0].unlink()
    with SetWriter(side.parent / "half", Settings.from_dict(set_settings(side) or {})) as writer:
        writer.add(row for row in read_rows(part) if row.key in {row.key for row in rows})
    shutil.copy(part_paths(side.parent / "half")[0], folder)


def test_what_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "set"

    def error(*options: object) -> str:
        ended = run(capsys, solve, "--out", folder, "--workers", 1, *options)
        assert ended.code == 1
        assert ended.err.count("\n") == 1
        return ended.err.removeprefix("Error: ").strip()

    assert error("--escalate", LARGE) == f"{folder}: No such file or directory"
    folder.mkdir()
    assert error("--escalate", LARGE) == f"{folder} holds no data set"
    cut_off(capsys, folder)
    before = read_table(folder, COLUMNS)
    assert error("--max-nodes", SMALL, "--seeds", 1) == (
        f"{folder}: an escalation was interrupted; resume it with --escalate 30k --out {folder}"
    )
    assert error("--escalate", "50k") == f"{folder} is on its way to 30k nodes: --escalate 30k"
    assert read_table(folder, COLUMNS).equals(before)
    escalate(capsys, folder, LARGE)
    assert error("--escalate", SMALL) == f"{folder} was made with 30k nodes: --escalate needs more"

    shutil.rmtree(folder)
    with SetWriter(folder, SETTINGS) as writer:
        writer.add([open_row()])
        assert error("--escalate", "9M") == f"{folder}: another run is writing to it"
    assert error("--escalate", "9M") == (
        f"{folder} was made by solver {SETTINGS.solver}, this is {SOLVER}: "
        "only the one that made a set can take it further"
    )


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--out", "x", "--seeds", 1),
        ("--out", "x", "--max-nodes", "1M"),
        ("--out", "x", "--suits", 1),
        ("--out", "x", "--proofs"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], options: Any) -> None:
    ended = run(capsys, solve, "--escalate", "1M", *options)
    assert ended.code == 2
    assert "--escalate takes a set, --out DIR, as it was made otherwise" in ended.err
