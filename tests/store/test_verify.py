from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spider_solver.game.deal import Deal
from spider_solver.game.outcomes import Reason
from spider_solver.game.position import Position
from spider_solver.proofs.blockade import find_blockade
from spider_solver.proofs.bounds import actions_bound
from spider_solver.store.reading import StoreError, part_paths
from spider_solver.store.row import Row, unsolved_row
from spider_solver.store.verify import (
    RowError,
    Verdict,
    check_row,
    check_slice,
    is_proof_kept,
    repeated,
    survey,
)
from spider_solver.store.writing import SetWriter
from spider_solver.text.quoting import quoted
from tests.case_files import case, checked_lines
from tests.rows import SETTINGS, open_row, place_of_data, real_rows, won_row

HERE = Path()


def lost_row(**changes: Any) -> Row:
    """The famous deal that is lost, with its proof."""
    deal = Deal.numbered(14934, numbering="pysol")
    row = unsolved_row(deal, Reason.NODES, SETTINGS.solver)
    row = replace(row, status="lost", reason=None, proof="blockade")
    return replace(replace(row, certificate=find_blockade(deal.position)), **changes)


def exhausted_row(certificate: str | None) -> Row:
    return lost_row(proof="exhausted", certificate=certificate)


def check(row: Row, folder: Path = HERE, **settings: Any) -> Verdict:
    return check_row(row, {**SETTINGS.as_dict(), **settings}, folder)


def test_rows_that_are_right() -> None:
    verdicts = [check(row) for row in real_rows()]
    assert verdicts == [Verdict.WON_VERIFIED] * 3 + [Verdict.OPEN]
    assert check(lost_row()) == Verdict.LOST_VERIFIED
    assert check(unsolved_row(Deal.numbered(5), Reason.CRASH, SETTINGS.solver)) == Verdict.OPEN
    assert check(replace(open_row(), reason="time"), time_limit=2.0) == Verdict.OPEN
    bound = actions_bound(Position.from_code(won_row().deal))
    assert check(replace(won_row(), actions_bound=bound), bound=True) == Verdict.WON_VERIFIED
    assert check(replace(won_row(), shorten_nodes=5), shorten=10) == Verdict.WON_VERIFIED


def test_boards_that_are_won() -> None:
    for found in checked_lines():
        if not found.relaxed:
            deal = Deal(case(found.case), "board", 1)
            row = unsolved_row(deal, Reason.NODES, SETTINGS.solver)
            won = replace(row, status="won", reason=None, proof="line", line=found.line)
            with pytest.raises(RowError, match="actions missing: won"):
                check(won)
            actions = len(found.line.split())
            score = 500 - actions + 100 * (8 - len(deal.position.completed))
            assert check(replace(won, actions=actions, score=score)) == Verdict.WON_VERIFIED


def drop_action(row: Row, place: int) -> Row:
    tokens = (row.line or "").split()
    del tokens[place]
    return replace(row, line=" ".join(tokens))


def other_deal(row: Row) -> str:
    return Deal.numbered(row.seed + 1, suits=row.suits).position.code


FAULTS: list[tuple[str, Callable[[Row], Row], str]] = [
    ("corrupted line", lambda row: drop_action(row, 5), "line: action"),
    ("line cut short", lambda row: drop_action(row, -1), "line: after .* runs are complete"),
    ("line that is none", lambda row: replace(row, line="ab1 nonsense"), "line: move 2"),
    ("wrong deal", lambda row: replace(row, deal=other_deal(row)), "deal: not the one that kpat"),
    ("wrong number", lambda row: replace(row, seed=row.seed + 1), "deal: not the one that kpat"),
    ("other numbering", lambda row: replace(row, numbering="pysol"), "not the one that pysol"),
    ("unknown numbering", lambda row: replace(row, numbering="ms"), "unknown numbering 'ms'"),
    ("impossible number", lambda row: replace(row, seed=0), "seed 0"),
    ("no board number", lambda row: replace(row, numbering="board", seed=0), "seed 0"),
    ("deal that is none", lambda row: replace(row, deal="4s"), "deal: a position code"),
    (
        "missing card",
        lambda row: replace(row, deal=row.deal.replace("ks", "", 1)),
        "deal: KS is missing",
    ),
    ("other suits", lambda row: replace(row, suits=4), "deal: "),
    ("no such suits", lambda row: replace(row, suits=9), "deal: Spider has 1 to 4 suits"),
    ("variant", lambda row: replace(row, variant="klondike"), "unknown variant 'klondike'"),
    ("solver", lambda row: replace(row, solver="0.0.1"), "solver '0.0.1' in a set of"),
    ("wrong score", lambda row: replace(row, score=(row.score or 0) + 1), "score .* line's is"),
    ("wrong actions", lambda row: replace(row, actions=7), "actions 7, but the line's is"),
    ("no line", lambda row: replace(row, line=None), "line missing: won"),
    ("no score", lambda row: replace(row, score=None), "score missing: won"),
    ("no proof", lambda row: replace(row, proof=None), "proof None, .* do not go together"),
    ("proof", lambda row: replace(row, proof="faith"), "proof faith, .* do not go together"),
    ("status", lambda row: replace(row, status="drawn"), "status drawn, .* do not go together"),
    ("open with a line", lambda row: replace(row, status="open"), "do not go together"),
    ("reason", lambda row: replace(row, reason="nodes"), "reason nodes do not go together"),
    ("certificate", lambda row: replace(row, certificate="1,2"), "certificate given: won"),
    ("runs_completed", lambda row: replace(row, runs_completed=8), "runs_completed given: won"),
    ("bound", lambda row: replace(row, actions_bound=50), "actions_bound given: won"),
    ("shortening", lambda row: replace(row, shorten_nodes=9), "in a set without shortening"),
    ("over budget", lambda row: replace(row, nodes=1_000_001), "nodes 1000001 of at most 1000000"),
    (
        "a space after the deal",
        lambda row: replace(row, deal=f"{row.deal} "),
        "^deal: not as its position's code is written$",
    ),
    (
        "no time",
        lambda row: replace(row, seconds=float("nan")),
        "^seconds nan is not a valid time$",
    ),
    (
        "endless",
        lambda row: replace(row, seconds=float("inf")),
        "^seconds inf is not a valid time$",
    ),
    ("negative time", lambda row: replace(row, seconds=-1.0), "^seconds -1.0 is negative$"),
    ("negative", lambda row: replace(row, expanded=-1), "expanded -1 is negative"),
]


@pytest.mark.parametrize(("change", "words"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_faults_of_a_won_row(change: Callable[[Row], Row], words: str) -> None:
    with pytest.raises(RowError, match=words):
        check(change(won_row()))


def test_a_bound_is_computed_anew() -> None:
    with pytest.raises(RowError, match="actions_bound missing: won"):
        check(won_row(), bound=True)
    with pytest.raises(RowError, match="actions_bound 50, not "):
        check(replace(won_row(), actions_bound=50), bound=True)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"reason": None}, "do not go together"),
        ({"reason": "boredom"}, "do not go together"),
        ({"reason": "time"}, "reason time in a set without a time limit"),
        ({"line": "ab1"}, "line given: open"),
        ({"certificate": "0"}, "certificate given: open"),
        ({"rows_dealt": 6}, "rows_dealt 6: at most 5"),
        ({"runs_completed": -1}, "runs_completed -1: at most 8"),
        ({"runs_completed": None}, "^runs_completed missing: reason nodes$"),
        ({"rows_dealt": None}, "^rows_dealt missing: reason nodes$"),
    ],
)
def test_faults_of_an_open_row(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(RowError, match=words):
        check(replace(open_row(), **changes))


@pytest.mark.parametrize("certificate", [None, "", "nonsense", "1,2/3", "0,0,0,0,0,0,0,0,0,0"])
def test_a_blockade_that_is_none(certificate: str | None) -> None:
    with pytest.raises(RowError, match="certificate: "):
        check(lost_row(certificate=certificate))


def test_a_blockade_of_another_deal() -> None:
    winnable = open_row()
    row = replace(lost_row(), deal=winnable.deal, seed=winnable.seed, numbering="kpat")
    with pytest.raises(RowError, match="certificate: "):
        check(row)


def test_a_deal_with_a_complete_run_on_the_table() -> None:
    position = Position.from_code("KSQSJSTS9S8S7S6S5S4S3S2S/AS//////// - CCDDHHS")
    code = "KSQSJSTS9S8S7S6S5S4S3S2SAS///////// - CCDDHHS"
    row = unsolved_row(Deal(position, "board", 1), Reason.NODES, SETTINGS.solver)
    with pytest.raises(RowError, match=r"^deal: a complete run lies on the table$"):
        check(replace(row, deal=code))


def short_row(position: Position) -> Row:
    """A board that is said to be lost for want of cards to deal."""
    row = unsolved_row(Deal(position, "board", 1), Reason.NODES, SETTINGS.solver)
    return replace(row, status="lost", reason=None, proof="too-few-cards")


@pytest.mark.parametrize("number", ["209", "210", "213"])
def test_too_few_cards_are_counted(number: str) -> None:
    row = short_row(case(number))
    assert check(row) == Verdict.LOST_VERIFIED
    assert is_proof_kept(row, case(number), HERE)
    with pytest.raises(RowError, match=r"^certificate given: too-few-cards$"):
        check(replace(row, certificate="3"))
    with pytest.raises(RowError, match=r"^checked given: proof too-few-cards$"):
        check(replace(row, checked=1))
    with pytest.raises(RowError, match="do not go together"):
        check(replace(row, status="won"))
    relaxed = case(number, relaxed=True)
    forged = replace(row, variant="relaxed")
    with pytest.raises(RowError, match=r"^proof: .*: a row may be dealt over empty columns$"):
        check_row(forged, {**SETTINGS.as_dict(), "variant": "relaxed"}, HERE)
    with pytest.raises(RowError, match=r"^proof: "):
        is_proof_kept(forged, relaxed, HERE)


def test_enough_cards_are_no_loss() -> None:
    row = short_row(Deal.numbered(14934, numbering="pysol").position)
    with pytest.raises(RowError, match=r"^proof: there are not .*: 54 cards for 10 columns$"):
        check(row)
    with pytest.raises(RowError, match=r"^proof: there are not .*: the stock is empty$"):
        check(short_row(case("161")))


def test_an_exhausted_search_without_its_closed_set() -> None:
    assert check(exhausted_row(None)) == Verdict.LOST_CLAIMED
    searched = replace(exhausted_row(None), nodes=49_999, checked=50_000)
    assert check(searched) == Verdict.LOST_CLAIMED
    for wrong in (0, 50_001):
        with pytest.raises(RowError, match=rf"^checked {wrong}: at least 1, at most 50000$"):
            check(replace(searched, checked=wrong))
    with pytest.raises(RowError, match=r"^checked given: proof blockade$"):
        check(replace(lost_row(), checked=1))


@pytest.mark.parametrize("certificate", ["../secret", "", "115EA9" + "0" * 58, "0" * 63])
def test_a_certificate_that_names_no_closed_set(certificate: str) -> None:
    with pytest.raises(RowError) as caught:
        check(exhausted_row(certificate))
    assert str(caught.value) == (
        f"certificate {quoted(certificate)} is not a SHA-256: "
        "64 digits from 0-9 and a-f, lower case"
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = real_rows()
    with SetWriter(tmp_path / "set", SETTINGS, part_rows=2) as writer:
        writer.add(rows[:2])
        writer.add(rows[2:])
    return tmp_path / "set"


def faults_of(folder: Path) -> tuple[Counter[Verdict], list[str]]:
    slices, faults = survey(folder)
    counts: Counter[Verdict] = Counter()
    for report in map(check_slice, slices):
        counts += report.counts
        faults += report.faults
    return counts, faults + repeated(slices)


def add(folder: Path, *rows: Row) -> Path:
    before = set(part_paths(folder))
    with SetWriter(folder, SETTINGS, part_rows=1) as writer:
        writer.add(rows)
    (path,) = set(part_paths(folder)) - before
    return path


def test_a_set_that_is_right(folder: Path) -> None:
    assert faults_of(folder) == (Counter({Verdict.WON_VERIFIED: 3, Verdict.OPEN: 1}), [])


def test_every_bad_row_is_named(folder: Path) -> None:
    bad = [replace(won_row(), seed=7), replace(open_row(), seed=8), lost_row(certificate="0")]
    path = add(folder, bad[0], lost_row(numbering="kpat"), *bad[1:])
    counts, faults = faults_of(folder)
    assert counts[Verdict.BAD] == 4
    assert [fault.split(": ")[:2] for fault in faults] == [
        [str(path), name]
        for name in (
            "kpat 7 (spider, suits 1)",
            "kpat 14934 (spider, suits 4)",
            "kpat 8 (spider, suits 4)",
            "pysol 14934 (spider, suits 4)",
        )
    ]


def test_deals_that_come_twice_are_named(folder: Path) -> None:
    add(folder, won_row())
    assert faults_of(folder)[1] == ["kpat 1 (spider, suits 1) has 2 rows"]


def test_files_that_are_wrong_are_named(folder: Path, tmp_path: Path) -> None:
    path = add(folder, replace(won_row(), seed=2))
    path.write_bytes(path.read_bytes()[:-20])
    (folder / "notes.txt").write_text("")
    with SetWriter(tmp_path / "other", replace(SETTINGS, max_nodes=2_000_000)):
        pass
    for other in part_paths(tmp_path / "other"):
        other.rename(folder / "part-zz.parquet")
    counts, faults = faults_of(folder)
    assert counts.total() == 4
    assert len(faults) == 3
    assert faults[0] == f"{folder / 'notes.txt'} is not part of a data set"
    assert any(fault.startswith(f"{path} cannot be read") for fault in faults)
    assert any("part-zz.parquet was made with other max_nodes than" in fault for fault in faults)


def test_data_that_rotted_is_named(folder: Path) -> None:
    path = max(part_paths(folder), key=lambda path: path.stat().st_size)
    data = bytearray(path.read_bytes())
    data[place_of_data(path)] ^= 1
    path.write_bytes(data)
    _, faults = faults_of(folder)
    assert [fault for fault in faults if fault.startswith(f"{path} cannot be read")]


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="No such file"):
        survey(tmp_path / "nowhere")
