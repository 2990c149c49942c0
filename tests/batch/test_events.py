import errno
import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from spider_solver.batch import events
from spider_solver.batch.events import MANIFEST, Manifest, RunLog
from spider_solver.store.reading import StoreError


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def runs(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / MANIFEST).read_text())["runs"]
    return found


def test_a_log_is_json_lines_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for number in range(2):
        with RunLog(path) as log:
            log("start", run=number)
            log("chunk", deals=3, worker="a:1")
    found = lines(path)
    assert [(line["event"], line.get("run"), line.get("deals")) for line in found] == [
        ("start", 0, None),
        ("chunk", None, 3),
        ("start", 1, None),
        ("chunk", None, 3),
    ]
    for line in found:
        assert datetime.fromisoformat(line["time"]).utcoffset() is not None
        assert line["elapsed"] >= 0


def test_no_log(tmp_path: Path) -> None:
    with RunLog(None) as log:
        log("start")
    assert not list(tmp_path.iterdir())


def test_a_log_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        pytest.raises(StoreError, match="log: No such file or directory"),
        RunLog(tmp_path / "none" / "log"),
    ):
        pass
    if Path("/dev/full").exists():
        with (
            pytest.raises(StoreError, match="/dev/full: No space left on device"),
            RunLog(Path("/dev/full")) as log,
        ):
            log("start")


def test_a_manifest_tells_of_all_runs(tmp_path: Path) -> None:
    first = Manifest(tmp_path, asked=5)
    first.start()
    (run,) = runs(tmp_path)
    assert (run["state"], run["asked"]) == ("running", 5)
    assert set(run["versions"]) == {"python", "numba", "numpy", "pyarrow"}
    assert run["machine"]["cores"] >= 1
    second = Manifest(tmp_path, asked=5)  # the first was killed
    second.start()
    second.end("done", won=4, open=1)
    third = Manifest(tmp_path)
    third.end("stopped")
    found = runs(tmp_path)
    assert [run["state"] for run in found] == ["killed", "done", "stopped"]
    assert found[1]["won"] == 4
    assert found[1]["seconds"] >= 0
    assert [path.name for path in tmp_path.iterdir()] == [MANIFEST]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"runs": 3}', '{"runs": [3]}', "\udcff"])
def test_a_manifest_that_is_none_is_replaced(tmp_path: Path, text: str) -> None:
    (tmp_path / MANIFEST).write_bytes(text.encode(errors="surrogateescape"))
    Manifest(tmp_path).end("done")
    assert [run["state"] for run in runs(tmp_path)] == ["done"]


def test_a_manifest_keeps_the_newest_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MOST_RUNS", 3)
    for number in range(5):
        Manifest(tmp_path, number=number).end("done")
    assert [run["number"] for run in runs(tmp_path)] == [2, 3, 4]


def test_a_clock_that_goes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(f"2030-01-01T00:00:0{second}+00:00" for second in (9, 5, 1, 0))
    monkeypatch.setattr(events, "_now", lambda: next(times))
    with RunLog(tmp_path / "log") as log:
        log("start")
        manifest = Manifest(tmp_path)
        manifest.end("done")
        log("end")
    begin, end = lines(tmp_path / "log")
    assert end["time"] < begin["time"]
    assert end["elapsed"] >= begin["elapsed"]
    (run,) = runs(tmp_path)
    assert run["ended"] < run["started"]
    assert run["seconds"] >= 0


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = Manifest(tmp_path)
    manifest.start()

    def fail(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StoreError, match="the disk is full"):
        manifest.end("done")
    manifest.end("failed")  # says nothing: the failure itself has been told
    assert [run["state"] for run in runs(tmp_path)] == ["running"]
    assert [path.name for path in tmp_path.iterdir()] == [MANIFEST]
