"""From spider-solve --proofs to spider-verify: lost games whose closed sets are kept.

``pytest -m full tests/batch/test_proofs.py --log-cli-level=info`` logs how large such proofs are
and how fast they are checked.
"""

import json
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from spider_solver.batch import keeping
from spider_solver.batch.runner import Job, solve_chunk
from spider_solver.cli.solve import solve
from spider_solver.cli.verify import verify
from spider_solver.game.deal import Deal
from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.symmetry import in_order
from spider_solver.proofs import closed_set
from spider_solver.proofs.blockade import find_blockade
from spider_solver.proofs.closed_set import check_closed_set
from spider_solver.search.complete import PROVED_LOST, explore
from spider_solver.search.result import Limits
from spider_solver.store.closed_sets import ClosedSet, closed_set_path, hash_of, write_closed_set
from spider_solver.store.reading import StoreError, part_paths, read_rows
from spider_solver.store.row import Row
from spider_solver.store.verify import RowError, Verdict, check_row, check_slice, survey
from tests.case_files import case
from tests.cli.commands import run
from tests.small_games import LARGER_GAMES, SMALL_GAMES
from tests.stuck import late_positions, stuck_deal

LOG = logging.getLogger(__name__)

LARGEST = 1000


def lost_positions() -> list[Position]:
    """Late positions and whole deals of four suits that few moves lead on from."""
    late = late_positions(range(1, 80), suits=4)
    found = [stuck_deal(0, seed) for seed in (108, 56, 88, 120, 158)]
    for position in late:
        if find_blockade(position) is not None:
            continue
        search = explore(position, 20_000)
        if search.status == "lost" and search.size <= LARGEST:
            found.append(position)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of lost boards with their proofs."""
    place = tmp_path_factory.mktemp("proofs")
    boards = place / "lost.txt"
    boards.write_text("".join(f"{position.code}\n" for position in lost_positions()))
    arguments = ["--boards", str(boards), "--proofs", "--out", str(place / "set"), "--workers", "1"]
    assert solve.main(arguments, standalone_mode=False) == 0
    return place / "set"


def rows_of(folder: Path) -> list[Row]:
    return [row for path in part_paths(folder) for row in read_rows(path)]


def settings_of(folder: Path) -> dict[str, Any]:
    slices, faults = survey(folder)
    assert not faults
    return slices[0].settings


def largest_row(folder: Path) -> Row:
    return max(
        (row for row in rows_of(folder) if row.certificate),
        key=lambda row: closed_set_path(folder, row.certificate or "").stat().st_size,
    )


def test_lost_boards_are_verified(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    rows = rows_of(folder)
    assert len(rows) >= 19
    assert {(row.status, row.proof) for row in rows} == {("lost", "exhausted")}
    for row in rows:
        codes = list(ClosedSet(closed_set_path(folder, row.certificate or "")))
        start = Position.from_code(row.deal)
        found = explore(start, 10**7, skip=PROVED_LOST)
        assert codes == [position.code for position in found.positions()]
    for workers in (1, 2):
        ended = run(capsys, verify, "--json", folder, "--workers", workers)
        assert ended.code == 0
        answer = json.loads(ended.out)
        assert (answer["rows"], answer["lost_verified"]) == (len(rows), len(rows))
        assert (answer["lost_claimed"], answer["faults"]) == (0, [])


def test_rows_without_a_proof_are_claimed(folder: Path) -> None:
    row = replace(largest_row(folder), certificate=None)
    assert check_row(row, settings_of(folder), folder) == Verdict.LOST_CLAIMED


def test_more_was_checked_than_is_there(folder: Path) -> None:
    row, settings = largest_row(folder), settings_of(folder)
    held = len(ClosedSet(closed_set_path(folder, row.certificate or "")))
    assert row.checked == held
    forged = replace(row, checked=held + 1)
    with pytest.raises(RowError, match=rf"^checked {held + 1}: the closed set holds {held}$"):
        check_row(forged, settings, folder)


def test_progress_within_a_proof(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closed_set, "PROGRESS_POSITIONS", 300)
    told: list[tuple[int, int]] = []
    deal = Deal(case("209"), "board", 1)
    codes = [position.code for position in explore(deal.position, 10**6).positions()] * 2
    row = replace(largest_row(folder), seed=1, deal=deal.position.code)
    row = replace(row, suits=deal.position.rules.suits)
    row = replace(row, certificate=write_closed_set(folder, codes))
    settings = settings_of(folder)
    verdict = check_row(row, settings, folder, lambda done, of: told.append((done, of)))
    assert verdict == Verdict.LOST_VERIFIED
    assert told == [(300, 910), (600, 910), (900, 910)]
    closed_set_path(folder, row.certificate or "").unlink()


def _won(row: Row) -> str:
    rules = Position.from_code(row.deal).rules
    return Position.with_rest_completed(rules, [()] * 10, [0] * 10, ()).code


HOLES: list[tuple[str, Callable[[list[str], Row], list[str]], str]] = [
    ("left out", lambda codes, row: codes[:-1], "leads out of the set, to"),
    ("left out", lambda codes, row: codes[:5] + codes[6:], "leads out of the set, to"),
    ("no start", lambda codes, row: codes[1:], "the start is not in the closed set"),
    ("nothing", lambda codes, row: [], "the start is not in the closed set"),
    ("start alone", lambda codes, row: codes[:1], "leads out of the set, to"),
    ("won", lambda codes, row: [*codes, _won(row)], "of the closed set is won"),
    ("no code", lambda codes, row: [*codes, "nonsense"], "a position code has three parts"),
]


@pytest.mark.parametrize(("change", "words"), [hole[1:] for hole in HOLES], ids=range(len(HOLES)))
def test_holes_are_found(
    folder: Path, change: Callable[[list[str], Row], list[str]], words: str
) -> None:
    row = largest_row(folder)
    codes = list(ClosedSet(closed_set_path(folder, row.certificate or "")))
    changed = replace(row, certificate=write_closed_set(folder, change(codes, row)))
    with pytest.raises(RowError, match=f"certificate: .*{words}") as caught:
        check_row(changed, settings_of(folder), folder)
    assert "\n" not in str(caught.value)
    closed_set_path(folder, changed.certificate or "").unlink()


def test_a_proof_of_another_deal_is_found(folder: Path) -> None:
    *_, first, second = rows_of(folder)
    with pytest.raises(RowError, match="the start is not in the closed set"):
        check_row(replace(first, certificate=second.certificate), settings_of(folder), folder)


def test_damaged_files_are_found(folder: Path, tmp_path: Path) -> None:
    row = largest_row(folder)
    data = closed_set_path(folder, row.certificate or "").read_bytes()
    (tmp_path / "_proofs").mkdir()
    path = closed_set_path(tmp_path, row.certificate or "")
    settings = settings_of(folder)
    with pytest.raises(RowError, match=r"certificate: .*parquet: No such file"):
        check_row(row, settings, tmp_path)
    middle = len(data) // 2
    flipped = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
    for damaged in (data[:-1], data[: len(data) // 2], b"", data + b"x", flipped):
        path.write_bytes(damaged)
        with pytest.raises(RowError, match=r"certificate: .* has SHA-256 "):
            check_row(row, settings, tmp_path)
        named = replace(row, certificate=hash_of(path))
        path.rename(closed_set_path(tmp_path, named.certificate or ""))
        with pytest.raises(RowError, match=r"certificate: .*parquet cannot be read"):
            check_row(named, settings, tmp_path)
    path.write_bytes(data)
    assert check_row(row, settings, tmp_path) == Verdict.LOST_VERIFIED


def test_a_file_of_another_kind_is_found(folder: Path) -> None:
    row = largest_row(folder)
    path = folder / "_proofs" / "other.parquet"
    pq.write_table(pa.table({"deal": [row.deal]}), path)
    named = replace(row, certificate=hash_of(path))
    path.rename(closed_set_path(folder, named.certificate or ""))
    with pytest.raises(RowError, match="is not a closed set: it must hold one column, position"):
        check_row(named, settings_of(folder), folder)
    closed_set_path(folder, named.certificate or "").unlink()


def test_the_set_itself_is_still_right(folder: Path) -> None:
    slices, faults = survey(folder)
    reports = [check_slice(piece) for piece in slices]
    assert [*faults, *(fault for report in reports for fault in report.faults)] == []
    assert all(piece.stop - piece.start == 1 for piece in slices)  # a proof is a slice of its own


def test_a_proof_that_cannot_be_written_leaves_a_claim(tmp_path: Path) -> None:
    (tmp_path / "_proofs").write_text("in the way")
    solved = solve_chunk(
        Job(Limits(10_000), proofs=tmp_path), [Deal(stuck_deal(0, 108), "board", 1)]
    )
    (row,) = solved.rows
    assert (row.status, row.proof, row.certificate) == ("lost", "exhausted", None)
    (failure,) = solved.failures
    assert failure.startswith("board 1: lost, but its proof is not kept: ")


def test_a_folder_that_takes_no_proofs_is_refused_at_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    boards, folder = tmp_path / "lost.txt", tmp_path / "set"
    boards.write_text(stuck_deal(0, 108).code)
    command = ("--boards", boards, "--proofs", "--out", folder, "--workers", 1)
    folder.mkdir()
    (folder / "_proofs").write_text("in the way")
    ended = run(capsys, solve, *command)
    assert ended.code == 1
    assert ended.err == (
        f"Error: {folder}/_proofs: not a folder; no proof can be kept, "
        "put it right and run the same command again\n"
    )
    assert rows_of(folder) == []
    (folder / "_proofs").unlink()
    assert run(capsys, solve, *command).code == 0
    (row,) = rows_of(folder)
    assert closed_set_path(folder, row.certificate or "").exists()


@pytest.mark.parametrize(
    ("failing", "words"),
    [
        ([2], "1 lost deal without a proof in set/_proofs (board 2)"),
        (
            [*range(1, 10)],
            "9 lost deals without a proof in set/_proofs "
            "(board 1, board 2, board 3, board 4, board 5, board 6, board 7, board 8, ...)",
        ),
    ],
)
def test_proofs_that_are_missing_at_the_end_are_named(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    failing: list[int],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    codes = [position.code for position in lost_positions()[-10:]]
    without = {in_order(Position.from_code(codes[number - 1])).code for number in failing}

    def write(folder: Path, codes: Iterable[str]) -> str:
        start, *others = codes
        if start in without:
            raise StoreError("the disk is full")
        return write_closed_set(folder, [start, *others])

    monkeypatch.setattr(keeping, "write_closed_set", write)
    Path("lost.txt").write_text("\n".join(codes))
    command = ("--boards", "lost.txt", "--proofs", "--out", "set", "--workers", 1)
    for _ in range(2):  # the second time nothing is left to do, and nothing is better
        ended = run(capsys, solve, *command)
        assert ended.code == 1
        assert ended.err.splitlines()[-1] == f"Error: {words}: solve again with another --out"
        rows = rows_of(Path("set"))
        assert len(rows) == 10
        assert sorted(row.seed for row in rows if row.certificate is None) == failing


def test_an_escalation_names_missing_proofs_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(folder: Path, codes: object) -> str:
        raise StoreError("the disk is full")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(keeping, "write_closed_set", write)
    Path("lost.txt").write_text(
        "//7h4hKSQSJSTS9S8S7S6S5S4S3S2SAS9H//jc5h3hjh6h8c8h4cqh3c7c5c9C2HAH/THAC6CQCTC2CKCKH/ - D"
    )
    few = ("--variant", "spiderette", "--max-nodes", 50, "--workers", 1)
    assert run(capsys, solve, "--boards", "lost.txt", *few, "--proofs", "--out", "set").code == 0
    assert [row.status for row in rows_of(Path("set"))] == ["open"]
    ended = run(capsys, solve, "--escalate", "100k", "--out", "set", "--workers", 1)
    assert ended.code == 1
    assert "Error: 1 lost deal without a proof in set/_proofs (board 1): " in ended.err
    assert [row.status for row in rows_of(Path("set"))] == ["lost"]


def test_the_same_command_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    boards = tmp_path / "lost.txt"
    codes = [position.code for position in lost_positions()[-3:]]
    boards.write_text("\n".join(codes[:1]))
    command = ("--boards", boards, "--proofs", "--out", tmp_path / "set", "--workers", 1)
    assert run(capsys, solve, *command).code == 0
    (first,) = (tmp_path / "set" / "_proofs").iterdir()
    unfinished = first.with_name(f".{'0' * 16}.tmp")
    unfinished.write_bytes(b"half")
    boards.write_text("\n".join(codes))
    assert run(capsys, solve, *command).code == 0
    kept = set((tmp_path / "set" / "_proofs").iterdir())
    assert first in kept
    assert unfinished not in kept
    assert kept == {
        closed_set_path(tmp_path / "set", row.certificate or "")
        for row in rows_of(tmp_path / "set")
    }
    ended = run(capsys, solve, *[part for part in command if part != "--proofs"])
    assert ended.code == 1
    assert "proofs yes there, no here" in ended.err
    assert "use --proofs, or give another --out" in ended.err


def test_proofs_need_a_data_set(capsys: pytest.CaptureFixture[str]) -> None:
    ended = run(capsys, solve, "--board", stuck_deal(0, 108).code, "--proofs")
    assert ended.code == 2
    assert "--board prints one answer; --proofs goes with --boards" in ended.err


def test_a_pattern_is_what_polars_needs(folder: Path) -> None:
    import polars as pl

    rows = len(rows_of(folder))
    assert pl.read_parquet(folder / "*.parquet").height == rows
    assert pl.scan_parquet(folder / "part-*.parquet").collect().height == rows
    with pytest.raises(pl.exceptions.PolarsError):  # it refuses, rather than mix in the positions
        pl.read_parquet(folder)


MEASURED = {
    "three columns, ranks to 5, two suits (pysol 22)": numbered("pysol", 22, SMALL_GAMES[2]),
    "four columns, ranks to 6, two suits (pysol 8)": numbered("pysol", 8, LARGER_GAMES[2]),
    "case 209, the last column of Spider": case("209"),
    "Spider built to be stuck, 22": stuck_deal(0, 22),
    "Spider built to be stuck, 39": stuck_deal(0, 39),
}


@pytest.mark.full
@pytest.mark.parametrize("name", MEASURED)
def test_size_and_speed(name: str, tmp_path: Path) -> None:
    start = MEASURED[name]
    found = explore(start, 10**7)
    codes = (position.code for position in found.positions())
    path = closed_set_path(tmp_path, write_closed_set(tmp_path, codes))
    began = time.process_time()
    assert check_closed_set(start, ClosedSet(path)) == found.size
    rate = found.size / (time.process_time() - began)
    size = path.stat().st_size
    LOG.info(
        "%s: %d positions, %.1f successors each; %d bytes, %.1f a position; %.0f checked a second",
        name,
        found.size,
        found.nodes / found.size,
        size,
        size / found.size,
        rate,
    )
