"""Disks that are full, folders that cannot be written to, clocks that go backwards."""

import json
import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from spider_solver.batch import events
from spider_solver.cli.hint import hint
from spider_solver.cli.show import show
from spider_solver.cli.solve import solve
from spider_solver.search.solver import warm_up
from spider_solver.store.reading import StoreError, read_table
from spider_solver.store.row import COLUMNS, Row
from spider_solver.store.writing import SetWriter
from tests.cli.commands import Ended, run
from tests.faults import slow_run
from tests.rows import SETTINGS, won_row

DEALS = 400
REPRODUCIBLE = [name for name in COLUMNS if name not in ("seconds", "solver")]
TOO_SMALL = 30_000  # bytes: for the rows of all deals
TMPFS = "400k"


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The rows of a run that nothing disturbs."""
    folder = tmp_path_factory.mktemp("calm")
    slow_run.run(folder, 1, DEALS)
    return read_table(folder, REPRODUCIBLE)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with little room."""
    yield from mounted(tmp_path / "disk", f"size={TMPFS}")


@pytest.fixture
def read_only_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system that cannot be written to, by root neither."""
    yield from mounted(tmp_path / "disk", "size=100k,ro")


def mounted(place: Path, options: str) -> Iterator[Path]:
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    if os.geteuid() or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("may not mount a file system here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Let no file that this process writes grow larger."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def run_solve(capsys: pytest.CaptureFixture[str], folder: Path) -> Ended:
    options = ["--suits", 1, "--seeds", f"1-{DEALS}", "--max-nodes", "20k", "--workers", 1]
    return run(capsys, solve, *options, "--out", folder)


def assert_one_line(ended: Ended, words: str) -> None:
    assert ended.code == 1
    (line,) = [line for line in ended.err.splitlines() if "deals/s" not in line]
    assert line.startswith("Error: ")
    assert words in line
    assert line.endswith("and run the same command again")


def test_files_that_may_grow_no_more(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, calm: Any
) -> None:
    warm_up()  # the kernels are compiled into files, too
    folder = tmp_path / "set"
    with files_of_at_most(TOO_SMALL):
        ended = run_solve(capsys, folder)
    assert_one_line(ended, "File too large; the last")
    assert read_table(folder, REPRODUCIBLE).num_rows < DEALS
    assert run_solve(capsys, folder).code == 0
    assert read_table(folder, REPRODUCIBLE).equals(calm)


def test_a_full_disk(capsys: pytest.CaptureFixture[str], small_disk: Path, calm: Any) -> None:
    filler = small_disk / "filler"
    filler.write_bytes(bytes(370_000))
    ended = run_solve(capsys, small_disk / "set")
    assert_one_line(ended, "the disk is full; the last")
    assert read_table(small_disk / "set", REPRODUCIBLE).num_rows < DEALS
    filler.unlink()
    assert run_solve(capsys, small_disk / "set").code == 0
    assert read_table(small_disk / "set", REPRODUCIBLE).equals(calm)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with room to spare for a small set."""
    yield from mounted(tmp_path / "disk", "size=20m")


def test_a_disk_that_fills_up_keeps_all_finished_deals(disk: Path) -> None:
    rows = [replace(won_row(), seed=seed) for seed in range(1, 2001)]
    writer = SetWriter(disk / "set", SETTINGS)
    with pytest.raises(StoreError, match="the disk is full; all finished deals are kept; "):
        fill_up_and_write(writer, disk / "filler", rows)
    assert read_table(disk / "set")["seed"].to_pylist() == list(range(1, 2001))
    assert sorted(path.name for path in disk.iterdir()) == ["filler", "set"]


def fill_up_and_write(writer: SetWriter, filler: Path, rows: list[Row]) -> None:
    with writer:
        writer.add(rows[:1000])
        writer.flush()
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(4096)):
                pass
        writer.add(rows[1000:])


def refused(capsys: pytest.CaptureFixture[str], *command: Any) -> Ended:
    ended = run(capsys, *command)
    assert ended.code in (1, 2)
    assert ended.err.splitlines()[-1].startswith("Error: ")
    assert "Traceback" not in ended.err
    return ended


def commands_that_write(place: Path) -> list[list[Any]]:
    return [
        [solve, "--suits", 1, "--seeds", "1-3", "--workers", 1, "--out", place / "set"],
        [solve, "--seeds", "1-3", "--workers", 1, "--out", "mine", "--log", place / "log"],
        [hint, "--seed", 1, "--suits", 1, "--line-out", place / "line"],
        [hint, "--seed", 1, "--suits", 1, "--follow", place / "lines"],
        [show, "--seed", 1, "--suits", 1, "--line", "", "--out", place / "page.html"],
    ]


def test_a_file_where_a_folder_should_be(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    for command in commands_that_write(tmp_path / "file"):
        assert "Not a directory" in refused(capsys, *command).err


def test_a_folder_that_takes_no_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in commands_that_write(Path("/proc/self")):
        refused(capsys, *command)


def test_a_read_only_disk(
    capsys: pytest.CaptureFixture[str], read_only_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(read_only_disk.parent)
    for command in commands_that_write(read_only_disk):
        assert "Read-only file system" in refused(capsys, *command).err


def test_a_read_only_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not os.geteuid():
        pytest.skip("root may write to any folder")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shut").mkdir(0o555)
    for command in commands_that_write(tmp_path / "shut"):
        assert "Permission denied" in refused(capsys, *command).err


def test_a_clock_that_goes_backwards(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    calm: Any,
) -> None:
    now = datetime(2030, 1, 1, tzinfo=UTC)

    class Backwards(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> "Backwards":
            nonlocal now
            now -= timedelta(hours=1)
            return cls.fromtimestamp(now.timestamp(), tz)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(events, "datetime", Backwards)
    monkeypatch.setattr("time.time", lambda: Backwards.now(UTC).timestamp())
    options = ["--suits", 1, "--seeds", f"1-{DEALS}", "--max-nodes", "20k", "--workers", 1]
    ended = run(capsys, solve, *options, "--out", "set", "--log", "log")
    assert ended.code == 0, ended.err
    rows = read_table(tmp_path / "set")
    assert rows.select(read_table(tmp_path / "set", REPRODUCIBLE).column_names).equals(calm)
    assert min(rows["seconds"].to_pylist()) >= 0
    lines = [json.loads(line) for line in Path("log").read_text().splitlines()]
    elapsed = [line["elapsed"] for line in lines]
    assert elapsed == sorted(elapsed)
    (told,) = json.loads(Path("set/_run.json").read_text())["runs"]
    assert told["state"] == "done"
    assert told["seconds"] >= 0
    assert told["ended"] < told["started"]
