"""What a batch tells of itself, and what runs it."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from spider_solver.cli.solve import solve
from spider_solver.game.deal import Deal
from spider_solver.game.position import Position
from spider_solver.search.result import Limits, Result
from spider_solver.search.solver import SOLVER, Solver
from spider_solver.store.reading import read_table
from spider_solver.store.row import COLUMNS
from tests.cli.commands import run

REPRODUCIBLE = [name for name in COLUMNS if name != "seconds"]
BATCH = ("--suits", 4, "--seeds", "1-12", "--max-nodes", "20k", "--out", "set", "--workers", 1)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def solved(capsys: pytest.CaptureFixture[str], *options: object) -> Any:
    ended = run(capsys, solve, *options, "--json")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def test_a_log_tells_what_happens(capsys: pytest.CaptureFixture[str]) -> None:
    answer = solved(capsys, *BATCH, "--log", "log")
    lines = [json.loads(line) for line in Path("log").read_text().splitlines()]
    assert lines[0]["event"] == "start"
    assert lines[0]["asked"] == 12
    assert lines[0]["settings"]["solver"] == SOLVER
    assert lines[-1]["event"] == "end"
    assert (lines[-1]["state"], lines[-1]["won"]) == ("done", answer["won"])
    chunks = [line for line in lines if line["event"] == "chunk"]
    assert sum(chunk["deals"] for chunk in chunks) == 12
    table = read_table(Path("set"), ["status", "nodes"]).to_pylist()
    opened = {line["seed"]: line for line in lines if line["event"] == "open"}
    assert set(opened) == {row["seed"] for row in table if row["status"] == "open"} != set()
    assert {line["reason"] for line in opened.values()} == {"nodes"}
    assert len(lines) == 2 + len(chunks) + len(opened)

    solved(capsys, *BATCH, "--log", "set/_log")  # where it does not look like a part
    assert [json.loads(line)["event"] for line in Path("set/_log").read_text().splitlines()] == [
        "start",
        "end",
    ]


def test_a_manifest_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    answer = solved(capsys, *BATCH)
    solved(capsys, "--out", "set", "--escalate", "40k", "--workers", 1)
    first, second = json.loads(Path("set/_run.json").read_text())["runs"]
    assert {run["state"] for run in (first, second)} == {"done"}
    assert first["settings"] == answer["settings"]
    assert second["settings"] == {**first["settings"], "max_nodes": 40_000}
    for name in ("deals", "won", "lost", "open", "reasons", "median_nodes"):
        assert first[name] == answer[name]
    assert (first["solved"], second["solved"]) == (12, answer["open"])
    assert second["deals"] == 12


def test_a_run_that_fails_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from spider_solver.batch import runner

    class Broken:
        def solve(self, position: object, limits: object) -> None:
            raise RuntimeError("no kernels here")

    monkeypatch.setattr(runner, "_solver_here", lambda make: Broken())
    ended = run(capsys, solve, *BATCH, "--log", "log")
    assert ended.code == 1
    message = "10 deals in a row crashed (see above)"
    assert ended.err.splitlines()[-1] == f"Error: {message}"
    (first,) = json.loads(Path("set/_run.json").read_text())["runs"]
    assert (first["state"], first["error"]) == ("failed", message)
    assert json.loads(Path("log").read_text().splitlines()[-1])["state"] == "failed"
    assert read_table(Path("set"), []).num_rows == 0


def test_deals_that_lack_memory_are_tried_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = ("--suits", 1, "--seeds", "1-3", "--out", "few", "--workers", 1)
    real = Solver.solve

    def fail_at(*seeds: int) -> None:
        codes = [Deal.numbered(seed, suits=1).position.code for seed in seeds]

        def short(solver: Solver, position: Position, limits: Limits) -> Result:
            if position.code in codes:
                raise MemoryError
            return real(solver, position, limits)

        monkeypatch.setattr(Solver, "solve", short)

    def statuses() -> list[str]:
        found: list[str] = read_table(Path("few"), ["status"])["status"].to_pylist()
        return found

    fail_at(1, 2, 3)
    ended = run(capsys, solve, *few)
    assert ended.code == 1
    assert ended.err.splitlines()[-1] == (
        "Error: this machine did not have enough memory, threads or open files for 3 deals: "
        "run the same command again"
    )
    assert statuses() == []
    fail_at(2)
    ended = run(capsys, solve, *few, "--log", "log")
    assert ended.code == 1
    assert "for 1 deal: run the same command again" in ended.err
    assert statuses() == ["won", "won"]
    events = [json.loads(line) for line in Path("log").read_text().splitlines()]
    assert [one["seed"] for one in events if one["event"] == "memory"] == [2]
    monkeypatch.setattr(Solver, "solve", real)
    assert run(capsys, solve, *few).code == 0
    assert statuses() == ["won"] * 3


def test_dask_gives_the_same_rows(capsys: pytest.CaptureFixture[str]) -> None:
    solved(capsys, *BATCH)
    ended = run(capsys, solve, *BATCH, "--out", "other", "--executor", "dask")
    assert ended.code == 0
    assert ended.err == ""
    tables = [read_table(Path(name), REPRODUCIBLE) for name in ("set", "other")]
    assert tables[0].equals(tables[1])


def test_dask_that_is_not_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "spider_solver.batch.cluster", raising=False)
    monkeypatch.setitem(sys.modules, "dask", None)
    ended = run(capsys, solve, *BATCH, "--executor", "dask")
    assert ended.code == 1
    assert "--executor dask needs Dask (" in ended.err
    assert ended.err.endswith("): pip install 'spider-solver[dask]'\n")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--scheduler", "tcp://x:1"), "--scheduler goes with --executor dask"),
        (("--executor", "dask", "--scheduler", "tcp://x:1", "--workers", 2), "has its own workers"),
        (("--executor", "slurm"), "'slurm' is not one of"),
        (("--board", "-", "--log", "log"), "--board prints one answer; --log goes with --boards"),
        (("--seeds", "1-9", "--out", "set", "--log", "set/log"), "its name must begin with _"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], options: Any, words: str) -> None:
    ended = run(capsys, solve, *options)
    assert ended.code == 2
    assert words in ended.err.splitlines()[-1]
    assert not list(Path().iterdir())
