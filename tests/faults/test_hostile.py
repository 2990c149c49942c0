"""Every command on every hostile folder: one line, the right exit code, nothing harmed."""

import json
import os
import re
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import click
import pytest

from spider_solver.cli.deals import deals
from spider_solver.cli.hint import hint
from spider_solver.cli.report import report
from spider_solver.cli.show import show
from spider_solver.cli.solve import solve
from spider_solver.cli.verify import verify
from spider_solver.game.deal import Deal
from tests.cli.commands import Ended, run
from tests.faults.hostile import (
    DEEP,
    ESCAPES,
    FILES,
    NAMES,
    ROWS,
    SETTINGS,
    Hostile,
    as_it_was,
    doubled,
)

LONGEST_LINE = 1000
LONGEST_ERROR = 600
MOST_SECONDS = 60  # for one command: those that hang would do so for ever

UNFORESEEN = re.compile(r"^Error: \w*(Error|Exception|Arrow\w+): ", re.MULTILINE)

Capsys = pytest.CaptureFixture[str]


def commands(folder: Path, beside: Path, base: Path) -> dict[str, tuple[click.Command, list[Any]]]:
    """All commands that take a data set, by name; ``beside`` has what else they need."""
    batch = ["--max-nodes", "2k", "--workers", 1, "--out", folder]
    return {
        "solve": (solve, ["--suits", 1, "--seeds", "1-3", *batch]),
        "solve-proofs": (solve, ["--suits", 1, "--seeds", "1-3", "--proofs", *batch]),
        "solve-boards": (solve, ["--boards", beside / "boards", *batch]),
        "solve-json": (solve, ["--suits", 1, "--seeds", "1-2", "--json", *batch]),
        "solve-log": (solve, ["--suits", 1, "--seeds", "1-3", "--log", folder / "_log", *batch]),
        "escalate": (solve, ["--escalate", "3k", "--out", folder, "--workers", 1]),
        "verify": (verify, ["--workers", 1, folder]),
        "verify-json": (verify, ["--workers", 1, "--json", folder]),
        "share": (report, ["share", folder]),
        "share-json": (report, ["share", "--json", folder]),
        "share-markdown": (report, ["share", "--markdown", folder]),
        "lost": (report, ["lost", folder]),
        "compare": (report, ["compare", folder, base]),
        "compare-with": (report, ["compare", "--json", base, folder]),
        "show": (show, [folder, "--seed", 1, "--suits", 1, "--out", beside / "page.html"]),
        "show-terminal": (show, [folder, "--seed", 2, "--suits", 1, "--terminal"]),
        "show-any": (show, [folder, "--seed", 10**20, "--out", "-"]),
        "deals": (deals, ["--format", "parquet", "--workers", 1, "--count", 1, "--out", folder]),
    }


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set with deals won and one open."""
    folder = tmp_path_factory.mktemp("base") / "set"
    for suits in (1, 4):
        arguments: list[object] = ["--suits", suits, "--seeds", "1-2" if suits == 1 else "1-1"]
        arguments += ["--max-nodes", "2k", "--workers", 1, "--out", folder]
        assert solve.main(list(map(str, arguments)), standalone_mode=False) == 0
    return folder


@pytest.fixture(autouse=True)
def _nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


@contextmanager
def in_time() -> Iterator[None]:
    """Fail instead of waiting for the other end of a pipe."""

    def too_long(number: int, frame: FrameType | None) -> NoReturn:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(MOST_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def prepared(place: Path, base: Path, hostile: Hostile) -> Path:
    """A hostile folder; beside it ``outside``, with what must not change, and ``beside``."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    (place / "outside" / "folder").mkdir(parents=True)
    (place / "outside" / "file").write_text("precious")
    (place / "outside" / "folder" / f".{'0' * 16}.tmp").write_text("precious")
    (place / "beside").mkdir()
    (place / "beside" / "boards").write_text(f"{Deal.numbered(7, suits=1).position.code}\n")
    folder = place / hostile.folder
    shutil.copytree(base, folder)
    hostile.change(folder)
    return folder


def state_of(place: Path, but: Path | None) -> dict[str, Any]:
    """All files and links below a place, but those in a folder and in ``beside``."""
    found: dict[str, Any] = {}
    for path in sorted(place.rglob("*")):
        if but in (path, *path.parents) or path.parent.name == "beside":
            continue
        if path.is_symlink():
            found[str(path)] = path.readlink()
        else:
            found[str(path)] = path.read_bytes() if path.is_file() else path.is_dir()
    return found


def faults_of(ended: Ended) -> list[str]:
    """What is wrong with what a command printed, and how it ended."""
    faults = []
    if ended.code not in (0, 1, 2):
        faults.append(f"ends with {ended.code}")
    if "Traceback" in ended.out + ended.err or UNFORESEEN.search(ended.err):
        faults.append(f"not foreseen: {ended.err.splitlines()[-1:]}")
    for line in (ended.out + ended.err).split("\n"):
        if not line.isprintable():
            faults.append(f"not printable: {line[:100]!r}")
    for line in ended.err.split("\n"):
        if len(line) > LONGEST_ERROR:
            faults.append(f"{len(line)} characters: {line[:100]!r}")
    errors = [line for line in ended.err.splitlines() if line.startswith("Error: ")]
    if len(errors) > 1 or (ended.code and not errors and not ended.out):
        faults.append(f"ends with {ended.code}, and says {errors}")
    return faults


READ = ("verify", "share", "lost", "compare", "show")
WRITE = ("solve", "escalate")
TRIED: tuple[tuple[tuple[Hostile, ...], tuple[str, ...]], ...] = (
    (SETTINGS, (*READ, *WRITE)),
    (ROWS, (*READ, "show-terminal", *WRITE)),
    (FILES, (*READ, *WRITE, "solve-proofs", "solve-log", "deals")),
    (NAMES, tuple(commands(Path(), Path(), Path()))),
)
"""Which commands are tried on which folders: all on some, on the others those that may differ."""


def test_hostile_folders(
    capsys: Capsys,
    base: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tell: Callable[[str], None],
) -> None:
    monkeypatch.setattr(os, "fsync", lambda number: None)  # takes long, and no power is lost here
    counts: Counter[object] = Counter()
    faults = []
    place = tmp_path / "place"
    for every, names in TRIED:
        for hostile in every:
            folder = prepared(place, base, hostile)
            for name in names:
                if folder.is_fifo() and name.startswith("show"):
                    continue  # it waits for a board, which may well come through a pipe
                command, arguments = commands(folder, place / "beside", base)[name]
                writes = command in (solve, deals)
                before = state_of(place, folder if writes else None)
                with in_time():
                    ended = run(capsys, command, *arguments)
                found = faults_of(ended)
                if state_of(place, folder if writes else None) != before:
                    found.append("changes what is not its own")
                if name.startswith("verify") and hostile.is_wrong and ended.code != 1:
                    found.append(f"is found right: {ended.out[-200:]}")
                faults += [f"{hostile.name}, {name}: {fault}" for fault in found]
                counts[ended.code] += 1
                if writes:
                    folder = prepared(place, base, hostile)
    assert not faults, "\n".join([f"{len(faults)} faults", *faults])
    folders = sum(len(every) for every, _ in TRIED)
    tell(f"{folders} hostile folders, {counts.total()} commands, by exit code {dict(counts)}")
    assert folders > 200
    assert counts.total() > 2000
    assert counts[1] > 1000


def test_a_folder_that_is_right(capsys: Capsys, base: Path, tmp_path: Path) -> None:
    right = Hostile("right", as_it_was)
    for name in commands(tmp_path, tmp_path, base):
        folder = prepared(tmp_path / "place", base, right)
        command, arguments = commands(folder, tmp_path / "place" / "beside", base)[name]
        ended = run(capsys, command, *arguments)
        assert not faults_of(ended), name
        # Another setting, another solver's settings, and a number that no row can have.
        refused = name in ("solve-proofs", "deals", "show-any")
        assert ended.code == refused, (name, ended.err)


TEXTS = {
    "escapes": ESCAPES,
    "no text": "\x00",
    "null": "null",
    "lines null": '{"lines": null}',
    "lines of numbers": '{"lines": [1, 2]}',
    "deep": DEEP,
    "deep lines": '{"lines": ' + DEEP,
    "infinite suits": '{"lines": [{"variant": "spider", "suits": 1e999}]}',
    "null line": '{"lines": [{"variant": "spider", "suits": 1, "position": null, "line": ""}]}',
    "escapes as a line": json.dumps(
        {"lines": [{"variant": "spider", "suits": 1, "position": ESCAPES, "line": ESCAPES}]}
    ),
    "huge": "x" * 11_000_000,
}


def as_files(place: Path) -> Iterator[tuple[str, Path]]:
    """Hostile files, of any kind, and their names."""
    for name, text in TEXTS.items():
        (place / f"{name}{ESCAPES}").write_text(text)
        yield name, place / f"{name}{ESCAPES}"
    (place / "bytes").write_bytes(b"\xff\xfe\x00")
    (place / "folder").mkdir()
    (place / "loop").symlink_to(place / "loop")
    (place / "device").symlink_to("/dev/full")
    for name in ("bytes", "folder", "loop", "device"):
        yield name, place / name


def test_hostile_files(capsys: Capsys, tmp_path: Path, tell: Callable[[str], None]) -> None:
    place = tmp_path / "files"
    place.mkdir()
    count = 0
    for name, path in as_files(place):
        tried: list[tuple[click.Command, list[Any]]] = [
            (hint, ["--seed", 1, "--suits", 1, "--follow", path]),
            (solve, ["--boards", path, "--out", "set"]),
            (solve, ["--board", path]),
            (show, [path, "--terminal"]),
            (show, ["--seed", 1, "--suits", 1, "--line", path, "--terminal"]),
            (report, ["fairness", path]),
        ]
        for command, arguments in tried:
            if name == "device" and "--follow" not in arguments:
                continue  # endless, as the user asks for it
            with in_time():
                ended = run(capsys, command, *arguments)
            assert not faults_of(ended), (name, arguments)
            assert ended.code in (1, 2), (name, arguments)
            count += 1
    tell(f"{count} commands on hostile files")
    assert count > 80
    assert not list(Path().iterdir())


def test_a_pipe_is_no_file_of_lines(capsys: Capsys, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with in_time():
        ended = run(capsys, hint, "--seed", 1, "--suits", 1, "--follow", tmp_path / "pipe")
    assert (ended.code, ended.err) == (1, f"Error: {tmp_path / 'pipe'}: not a plain file\n")


def test_links_under_foreseen_names_are_replaced(capsys: Capsys, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    Path("spider-kpat-1.html").symlink_to(precious)
    ended = run(capsys, show, "--seed", 1, "--line", "")
    assert ended.code == 0
    assert not Path("spider-kpat-1.html").is_symlink()
    assert precious.read_text() == "precious"


def test_a_log_in_the_set_may_be_no_link(capsys: Capsys, base: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    shutil.copytree(base, folder)
    (folder / "_log").symlink_to(tmp_path / "precious")
    command, arguments = commands(folder, tmp_path, base)["solve-log"]
    ended = run(capsys, command, *arguments)
    assert ended.code == 2
    assert ended.err.endswith("in the folder of the set it may not be a link\n")
    assert not (tmp_path / "precious").exists()


def test_a_deal_that_stands_twice(capsys: Capsys, base: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    shutil.copytree(base, folder)
    doubled(folder)
    words = {
        "solve": "has more than one row of kpat 1 (spider, suits 1): see spider-verify",
        "escalate": "has more than one row of kpat ",
        "share": "more than once in ",
        "compare": "more than once in ",
        "show": "has 2 such rows: ",
    }
    for name, told in words.items():
        command, arguments = commands(folder, tmp_path, base)[name]
        ended = run(capsys, command, *arguments)
        assert ended.code == 1
        assert told in ended.err
    ended = run(capsys, verify, folder)
    assert ended.code == 1
    assert ended.out.count(" has 2 rows\n") == 3
