"""Files that are written and locked never through a link, whatever its name."""

import errno
import os
from pathlib import Path

import pytest

from spider_solver.store.atomic import new_file, open_lock, own_folder, require_plain
from spider_solver.store.closed_sets import check_room_for_proofs, clear_unfinished
from spider_solver.store.difficulties import add_difficulties
from spider_solver.store.files import reserved
from spider_solver.store.reading import StoreError
from spider_solver.store.writing import SetWriter
from tests.rows import SETTINGS, real_rows


@pytest.fixture
def precious(tmp_path: Path) -> Path:
    path = tmp_path / "precious"
    path.write_text("precious")
    return path


def test_a_new_file_takes_the_place_of_a_link(tmp_path: Path, precious: Path) -> None:
    path = tmp_path / "file"
    path.symlink_to(precious)
    with new_file(path) as file:
        file.write(b"new")
    assert (path.is_symlink(), path.read_bytes()) == (False, b"new")
    assert precious.read_text() == "precious"


def test_a_file_that_fails_leaves_nothing(tmp_path: Path, precious: Path) -> None:
    def fail() -> None:
        with new_file(precious) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert [path.read_text() for path in tmp_path.iterdir()] == ["precious"]


def test_a_lock_is_no_link_and_nothing_else(tmp_path: Path, precious: Path) -> None:
    (tmp_path / "link").symlink_to(precious)
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    faults = {"link": errno.ELOOP, "dangling": errno.ELOOP, "pipe": errno.EINVAL}
    for name, number in {**faults, "folder": errno.EISDIR}.items():
        with pytest.raises(OSError, match=r".") as caught:
            open_lock(tmp_path / name)
        assert caught.value.errno == number
    with open_lock(precious):
        pass
    assert precious.read_text() == "precious"
    assert not (tmp_path / "nothing").exists()


def test_a_set_whose_lock_is_a_link_is_refused(tmp_path: Path, precious: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / ".lock").symlink_to(precious)
    with (
        pytest.raises(StoreError, match=r"set/\.lock: a symbolic link, which may lead anywhere"),
        SetWriter(tmp_path / "set", SETTINGS),
    ):
        pass
    assert precious.read_text() == "precious"


def test_the_reserve_has_no_name(tmp_path: Path) -> None:
    with SetWriter(tmp_path / "set", SETTINGS) as writer:
        writer.add(real_rows())
        assert [path.name for path in tmp_path.iterdir()] == ["set"]
    with reserved(tmp_path, 100_000) as let_go:
        let_go()
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


def test_folders_in_a_set_are_no_links(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    theirs = tmp_path / "outside" / f".{'0' * 16}.tmp"
    theirs.write_text("precious")
    (tmp_path / "set").mkdir()
    for name in ("_proofs", "_difficulty"):
        (tmp_path / "set" / name).symlink_to(tmp_path / "outside")
    clear_unfinished(tmp_path / "set")
    with pytest.raises(StoreError, match="_proofs: a symbolic link, which may lead anywhere"):
        check_room_for_proofs(tmp_path / "set")
    with pytest.raises(StoreError, match="a symbolic link, which may lead anywhere"):
        add_difficulties(tmp_path / "set", [])
    with pytest.raises(OSError, match="a symbolic link"):
        own_folder(tmp_path / "set" / "_proofs")
    assert [path.name for path in (tmp_path / "outside").iterdir()] == [theirs.name]


def test_what_has_no_end_is_no_plain_file(tmp_path: Path, precious: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(OSError, match="not a plain file"):
            require_plain(path)
    require_plain(precious)
