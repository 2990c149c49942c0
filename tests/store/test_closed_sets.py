from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from spider_solver.store import closed_sets
from spider_solver.store.closed_sets import (
    ClosedSet,
    check_room_for_proofs,
    clear_unfinished,
    closed_set_path,
    hash_of,
    write_closed_set,
)
from spider_solver.store.reading import StoreError

CODES = [f"AS/2S - {number}" for number in range(2500)]


def test_what_is_written_is_read_as_often_as_one_likes(tmp_path: Path) -> None:
    certificate = write_closed_set(tmp_path, iter(CODES))
    path = closed_set_path(tmp_path, certificate)
    assert hash_of(path) == certificate
    found = ClosedSet(path)
    assert list(found) == list(found) == CODES
    assert [file.name for file in (tmp_path / "_proofs").iterdir()] == [f"{certificate}.parquet"]


def test_the_same_positions_make_the_same_file(tmp_path: Path) -> None:
    first = write_closed_set(tmp_path, CODES)
    assert write_closed_set(tmp_path, CODES) == first
    assert write_closed_set(tmp_path, CODES[::-1]) != first
    assert write_closed_set(tmp_path, []) != first


def test_only_a_part_is_held_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closed_sets, "_GROUP_POSITIONS", 100)
    path = closed_set_path(tmp_path, write_closed_set(tmp_path, CODES))
    assert pq.read_metadata(path).num_row_groups == 25
    assert list(ClosedSet(path)) == CODES


def test_what_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[str]:
        yield from CODES
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_closed_set(tmp_path, broken())
    assert list((tmp_path / "_proofs").iterdir()) == []


def test_unfinished_files_are_cleared(tmp_path: Path) -> None:
    clear_unfinished(tmp_path)  # there is no folder yet
    certificate = write_closed_set(tmp_path, CODES)
    (tmp_path / "_proofs" / ".0123456789abcdef.tmp").write_bytes(b"")
    (tmp_path / "_proofs" / ".mine.tmp").write_bytes(b"")
    clear_unfinished(tmp_path)
    names = {path.name for path in (tmp_path / "_proofs").iterdir()}
    assert names == {".mine.tmp", f"{certificate}.parquet"}


def test_room_for_proofs(tmp_path: Path) -> None:
    for _ in range(2):
        check_room_for_proofs(tmp_path)
        assert list(tmp_path.rglob("*")) == [tmp_path / "_proofs"]


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "_proofs").write_text("in the way")
    with pytest.raises(StoreError, match="_proofs: ") as caught:
        write_closed_set(tmp_path, CODES)
    assert "\n" not in str(caught.value)
    advice = "; no proof can be kept, put it right and run the same command again"
    with pytest.raises(StoreError) as caught:
        check_room_for_proofs(tmp_path)
    assert str(caught.value) == f"{tmp_path}/_proofs: not a folder{advice}"
    with pytest.raises(StoreError) as caught:
        check_room_for_proofs(tmp_path / "nowhere")
    assert str(caught.value) == f"{tmp_path}/nowhere/_proofs: No such file or directory{advice}"
    with pytest.raises(StoreError, match="cannot be read"):
        ClosedSet(tmp_path / "nowhere.parquet")
