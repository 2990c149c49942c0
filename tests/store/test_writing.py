import errno
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from spider_solver.store import writing
from spider_solver.store.reading import StoreError, part_paths, read_rows, read_table, set_settings
from spider_solver.store.row import Row
from spider_solver.store.writing import SetWriter
from tests.rows import SETTINGS, real_rows, row_of_seed

ROWS = [row_of_seed(seed) for seed in range(1, 11)]


def seeds(folder: Path) -> list[int]:
    found: list[int] = read_table(folder, [])["seed"].to_pylist()
    return found


def rows_of(folder: Path) -> list[Row]:
    return [row for path in part_paths(folder) for row in read_rows(path)]


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {".lock"}


def fail_with(monkeypatch: pytest.MonkeyPatch, error: BaseException, times: int = 9) -> None:
    """Make writing files fail so many times, once they are on the disk."""
    fsync = os.fsync
    failed = 0

    def fail(number: int) -> None:
        nonlocal failed
        fsync(number)
        if failed < times:
            failed += 1
            raise error

    monkeypatch.setattr(os, "fsync", fail)


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    with SetWriter(tmp_path / "set", SETTINGS) as writer:
        writer.add(real_rows())
    assert rows_of(tmp_path / "set") == real_rows()
    assert set_settings(tmp_path / "set") == SETTINGS.as_dict()


def test_a_set_is_there_from_the_first_moment(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "set"
    with SetWriter(folder, SETTINGS):
        assert seeds(folder) == []
        assert set_settings(folder) == SETTINGS.as_dict()
    with (
        pytest.raises(StoreError, match="other settings"),
        SetWriter(folder, replace(SETTINGS, max_nodes=5)),
    ):
        pass


def sizes(folder: Path) -> list[int]:
    return sorted(len(read_rows(path)) for path in part_paths(folder))


def test_rows_are_written_when_enough_wait(tmp_path: Path) -> None:
    with SetWriter(tmp_path, SETTINGS, wait_rows=4) as writer:
        writer.add(ROWS[:3])
        assert seeds(tmp_path) == []
        writer.add(ROWS[3:5])
        assert seeds(tmp_path) == [1, 2, 3, 4, 5]
        writer.add(ROWS[5:6])
        assert seeds(tmp_path) == [1, 2, 3, 4, 5]
    assert seeds(tmp_path) == [1, 2, 3, 4, 5, 6]
    assert sizes(tmp_path) == [6]


def test_rows_are_written_by_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(writing, "monotonic", lambda: now)
    with SetWriter(tmp_path, SETTINGS, wait_seconds=30) as writer:
        writer.add(ROWS[:1])
        now += 29
        writer.add(ROWS[1:2])
        assert seeds(tmp_path) == []
        now += 1  # the oldest row has waited 30 s; no new one is needed
        writer.add()
        assert seeds(tmp_path) == [1, 2]
        now += 100  # nothing waits: nothing is written
        writer.add()
        writer.add(ROWS[2:3])
        assert seeds(tmp_path) == [1, 2]


def test_the_last_part_grows_until_it_is_full(tmp_path: Path) -> None:
    seen = []
    for start in range(0, 30, 3):
        rows = [row_of_seed(seed) for seed in range(start, start + 3)]
        with SetWriter(tmp_path, SETTINGS, part_rows=10) as writer:
            writer.add(rows)
        assert seeds(tmp_path) == [*range(start + 3)]
        seen.append(sizes(tmp_path))
    assert seen[:5] == [[3], [6], [9], [3, 9], [6, 9]]
    assert seen[-1] == [3, 9, 9, 9]
    # in each part the rows stand in the order in which they came
    for path in part_paths(tmp_path):
        part = [row.seed for row in read_rows(path)]
        assert part == [*range(part[0], part[0] + len(part))]


def test_a_part_that_grows_keeps_what_it_was(tmp_path: Path) -> None:
    before = b"PAR1"
    with SetWriter(tmp_path, SETTINGS, wait_rows=1) as writer:
        for row in ROWS:
            writer.add([row])
            (path,) = part_paths(tmp_path)
            data = path.read_bytes()
            assert data.startswith(before)
            before = data
    assert rows_of(tmp_path) == ROWS
    assert pq.read_metadata(path).num_row_groups == len(ROWS)


def test_a_part_with_many_row_groups_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "PART_GROUPS", 4)
    for row in ROWS:
        with SetWriter(tmp_path, SETTINGS) as writer:
            writer.add([row])
    assert sizes(tmp_path) == [2, 4, 4]
    assert seeds(tmp_path) == [row.seed for row in ROWS]


def test_in_a_long_run_rows_may_wait_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(writing, "monotonic", lambda: now)
    with SetWriter(tmp_path, SETTINGS, wait_seconds=30) as writer:
        for began, waits in ((0, 30), (3_000, 30), (6_000, 60), (100_000, 300)):
            now = began
            writer.add(ROWS[:1])
            before = len(seeds(tmp_path))
            now = began + waits - 1
            writer.add()
            assert len(seeds(tmp_path)) == before
            now = began + waits + waits / 99
            writer.add()
            assert len(seeds(tmp_path)) == before + 1


def test_no_part_takes_the_place_of_another(tmp_path: Path) -> None:
    for row in ROWS:
        with SetWriter(tmp_path, SETTINGS, part_rows=1) as writer:
            writer.add([row])
    assert seeds(tmp_path) == [row.seed for row in ROWS]
    assert sizes(tmp_path) == [1] * len(ROWS)


def test_an_error_in_the_run_keeps_the_rows(tmp_path: Path) -> None:
    def run() -> None:
        with SetWriter(tmp_path, SETTINGS) as writer:
            writer.add(ROWS)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run()
    assert len(seeds(tmp_path)) == len(ROWS)


def test_an_interrupt_while_writing_comes_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync = os.fsync

    def interrupted(number: int) -> None:
        signal.raise_signal(signal.SIGINT)
        fsync(number)

    with SetWriter(tmp_path, SETTINGS) as writer:
        writer.add(ROWS)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", interrupted)
            with pytest.raises(KeyboardInterrupt):
                writer.flush()
        assert len(seeds(tmp_path)) == len(ROWS)
        writer.add(ROWS[:1])
    assert len(seeds(tmp_path)) == len(ROWS) + 1


@pytest.mark.parametrize("place", ["beside", "inside"])
def test_leftovers_of_a_killed_run_are_passed_over_and_cleared(tmp_path: Path, place: str) -> None:
    folder = tmp_path / "set"
    with SetWriter(folder, SETTINGS) as writer:
        writer.add(ROWS[:5])
    name = f".set.part-{'0f' * 8}.parquet.{'a1' * 8}.tmp"
    leftover = {"beside": tmp_path, "inside": folder}[place] / name
    leftover.write_bytes(b"PAR1 half a part")
    mine = [folder / "_notes.txt", tmp_path / ".set.part-x.tmp", tmp_path / ".set2.parquet.tmp"]
    for path in mine:
        path.write_text("mine")
    assert seeds(folder) == [1, 2, 3, 4, 5]
    with SetWriter(folder, SETTINGS) as writer:
        assert not leftover.exists()
        assert all(path.exists() for path in mine)
        writer.add(ROWS[5:])
    assert len(seeds(folder)) == 10


def test_parts_are_made_beside_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # polars would read them inside
    fsync = os.fsync
    seen: list[tuple[set[str], set[str]]] = []

    def look(number: int) -> None:
        seen.append((names(tmp_path / "set"), names(tmp_path)))
        fsync(number)

    with SetWriter(tmp_path / "set", SETTINGS) as writer:
        before = names(tmp_path / "set")
        monkeypatch.setattr(os, "fsync", look)
        writer.add(ROWS)
    inside, beside = seen[0]
    assert inside == before
    assert [name for name in beside if name.endswith(".tmp")]


def test_parts_are_made_inside_where_files_cannot_be_moved_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_file = Path.replace

    def replace_within(path: Path, target: Path) -> Path:
        if path.parent != target.parent:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return replace_file(path, target)

    monkeypatch.setattr(Path, "replace", replace_within)
    with SetWriter(tmp_path / "set", SETTINGS) as writer:
        writer.add(ROWS)
    assert len(seeds(tmp_path / "set")) == len(ROWS)
    assert names(tmp_path) == {"set"}


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "the disk is full; the last 5 rows"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), "the disk is full"),
        (OSError(errno.EIO, "Input/output error"), "Input/output error"),
    ],
)
def test_a_full_disk_loses_nothing_that_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, words: str
) -> None:
    with SetWriter(tmp_path, SETTINGS) as writer:
        writer.add(ROWS[:5])
    before = names(tmp_path)
    with SetWriter(tmp_path, SETTINGS) as writer:
        fail_with(monkeypatch, error)
        writer.add(ROWS[5:])
        with pytest.raises(StoreError) as caught:
            writer.flush()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert names(tmp_path) == before
    assert seeds(tmp_path) == [1, 2, 3, 4, 5]
    monkeypatch.undo()
    with SetWriter(tmp_path, SETTINGS) as writer:
        writer.add(ROWS[5:])
    assert len(seeds(tmp_path)) == 10


def test_rows_that_fit_only_by_themselves_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SetWriter(tmp_path, SETTINGS) as writer:
        writer.add(ROWS[:5])
        writer.flush()
        fail_with(monkeypatch, OSError(errno.ENOSPC, "No space left on device"), times=1)
        writer.add(ROWS[5:])
    assert seeds(tmp_path) == [row.seed for row in ROWS]
    assert sizes(tmp_path) == [5, 5]


def test_a_file_system_without_locks_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def flock(file: Any, operation: int) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr("fcntl.flock", flock)
    with SetWriter(tmp_path, SETTINGS) as writer:
        writer.add(ROWS)
    assert len(seeds(tmp_path)) == len(ROWS)
    assert "this file system has no locks" in caplog.text


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(StoreError, match=r"set: Not a directory"),
        SetWriter(tmp_path / "file" / "set", SETTINGS),
    ):
        pass


def test_two_runs_do_not_write_to_one_set(tmp_path: Path) -> None:
    with SetWriter(tmp_path, SETTINGS):
        with (
            pytest.raises(StoreError, match="another run is writing"),
            SetWriter(tmp_path, SETTINGS),
        ):
            pass
        assert seeds(tmp_path) == []
    with SetWriter(tmp_path, SETTINGS):
        pass


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            replace(SETTINGS, max_nodes=167_000),
            "(max_nodes 1M there, 167k here): use --max-nodes 1M, or give another --out",
        ),
        (
            replace(SETTINGS, time_limit=2.0),
            "(time_limit none there, 2.0 here): use no --time-limit, or give another --out",
        ),
        (
            replace(SETTINGS, max_nodes=7, solver="0.2.0+new"),
            "(max_nodes 1M there, 7 here; solver 0.1.0+test there, 0.2.0+new here): "
            "give another --out",
        ),
    ],
)
def test_other_settings_are_refused(tmp_path: Path, settings: Any, words: str) -> None:
    with SetWriter(tmp_path, SETTINGS) as writer:
        writer.add(ROWS)
    before = names(tmp_path)
    with pytest.raises(StoreError) as caught, SetWriter(tmp_path, settings):
        pass
    assert str(caught.value) == f"{tmp_path} was made with other settings {words}"
    assert names(tmp_path) == before


def test_another_game_is_refused(tmp_path: Path) -> None:
    with SetWriter(tmp_path, SETTINGS):
        pass
    settings = replace(SETTINGS, variant="simple-simon", max_nodes=7)
    with pytest.raises(StoreError) as caught, SetWriter(tmp_path, settings):
        pass
    assert str(caught.value) == (
        f"{tmp_path} holds another game (max_nodes 1M there, 7 here; "
        "variant spider there, simple-simon here): give another --out"
    )


def test_a_foreign_folder_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("")
    with (
        pytest.raises(StoreError, match=r"thesis\.tex is not part of a data set"),
        SetWriter(tmp_path, SETTINGS),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
