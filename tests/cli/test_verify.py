import json
from dataclasses import replace
from pathlib import Path

import pytest

from spider_solver.cli.solve import solve
from spider_solver.cli.verify import verify
from spider_solver.store.reading import part_paths
from spider_solver.store.writing import SetWriter
from tests.cli.commands import run
from tests.rows import SETTINGS, real_rows, won_row


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with SetWriter(tmp_path / "set", SETTINGS) as writer:
        writer.add(real_rows())
    return tmp_path / "set"


def test_a_set_that_is_right(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    ended = run(capsys, verify, folder)
    assert ended.code == 0
    assert ended.out.splitlines() == [
        "rows                   4",
        "won verified           3",
        "lost verified          0",
        "lost claimed           0",
        "open                   1",
        "bad                    0",
        "faults                 0",
    ]


def test_faults(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    line = (won_row().line or "").rsplit(" ", 1)[0]
    with SetWriter(folder, SETTINGS) as writer:
        writer.add([replace(won_row(), numbering="board", line=line)])
    ended = run(capsys, verify, folder)
    assert ended.code == 1
    fault, *table = ended.out.splitlines()
    assert "board 1 (spider, suits 1): line: after " in fault
    assert "bad                    1" in table
    assert table[-1] == "faults                 1"


def test_several_sets_as_json(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    # The same deals in two sets are no fault.
    with SetWriter(tmp_path / "other", replace(SETTINGS, max_nodes=5_000_000)) as writer:
        writer.add(real_rows()[:2])
    path = max(part_paths(folder), key=lambda path: path.stat().st_size)
    ended = run(capsys, verify, "--json", folder, tmp_path / "other")
    assert ended.code == 0
    answer = json.loads(ended.out)
    assert (answer["rows"], answer["won_verified"], answer["faults"]) == (6, 5, [])
    path.write_bytes(path.read_bytes()[:-1])
    ended = run(capsys, verify, "--json", folder, tmp_path / "other")
    assert ended.code == 1
    (fault,) = json.loads(ended.out)["faults"]
    assert fault.startswith(f"{path} cannot be read")


def test_what_spider_solve_writes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "set"
    batch = ("--seeds", "1-210", "--suits", 1, "--max-nodes", "20k", "--out", folder)
    assert run(capsys, solve, *batch, "--workers", 1).code == 0
    batch = ("--seeds", "1-6", "--suits", 4, "--max-nodes", "20k", "--out", folder)
    assert run(capsys, solve, *batch, "--workers", 1).code == 0
    for workers in (1, 2):  # two slices or more: more than one worker is of use
        ended = run(capsys, verify, folder, "--workers", workers)
        assert ended.code == 0
        assert "rows                 216" in ended.out


def test_wrong_usage(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(capsys, verify).code == 2
    ended = run(capsys, verify, tmp_path / "nowhere")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"Error: {tmp_path / 'nowhere'}: No such file or directory\n"


def test_a_set_that_is_given_twice(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    ended = run(capsys, verify, folder, folder / ".." / folder.name)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.endswith("Error: the same set is given twice\n")


def test_an_empty_set(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with SetWriter(tmp_path / "set", SETTINGS):
        pass
    ended = run(capsys, verify, tmp_path / "set")
    assert ended.code == 0
    assert "rows                   0" in ended.out


def test_an_empty_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ended = run(capsys, verify, tmp_path)
    assert (ended.code, ended.err) == (1, f"Error: {tmp_path} holds no data set\n")
