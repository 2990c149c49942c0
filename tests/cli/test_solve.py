import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from spider_solver.cli.solve import solve
from spider_solver.formats.board import write_board
from spider_solver.game.deal import Deal
from spider_solver.game.notation import parse_line
from spider_solver.game.position import Position
from spider_solver.proofs.check import verify_line
from spider_solver.search.result import EFFORTS, Limits
from spider_solver.search.solver import SOLVER
from spider_solver.store.reading import part_paths, read_table, set_settings
from spider_solver.store.row import COLUMNS
from spider_solver.store.settings import Settings, short_count
from tests.case_files import case
from tests.cli.commands import Ended, piped, run

REPOSITORY = Path(__file__).parents[2]
BUDGET = ("--max-nodes", "100k")
POSITION = Deal.numbered(3, suits=1).position


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def solved(capsys: pytest.CaptureFixture[str], *arguments: object) -> Ended:
    """Run the command, which must end well."""
    ended = run(capsys, solve, *arguments)
    assert ended.code == 0, ended.err
    return ended


def answer(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(solved(capsys, *arguments, "--json").out)
    return found


def rows_without_times(folder: Path | str) -> list[dict[str, Any]]:
    table = read_table(Path(folder), [name for name in COLUMNS if name != "seconds"])
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


# One deal


def test_one_deal_prints_its_verdict_and_line(capsys: pytest.CaptureFixture[str]) -> None:
    out = solved(capsys, "--suits", 1, "--seeds", 3).out
    verdict, *stages = out.splitlines()
    assert verdict.startswith("kpat 3, spider, 1 suit: won in ")
    replay = verify_line(POSITION, parse_line(" ".join(stages)))
    assert f"won in {replay.actions} actions, score {replay.score} (" in verdict
    assert sum(stage.startswith("  deal") for stage in stages) == 5
    assert not list(Path().iterdir())


def test_one_deal_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    row = answer(capsys, "--suits", 2, "--seeds", 5, "--numbering", "pysol")
    assert tuple(row) == COLUMNS
    assert (row["numbering"], row["seed"], row["suits"], row["status"]) == ("pysol", 5, 2, "won")
    position = Position.from_code(row["deal"])
    assert position == Deal.numbered(5, suits=2, numbering="pysol").position
    assert verify_line(position, parse_line(row["line"])).score == row["score"]


def test_one_deal_that_stays_open(capsys: pytest.CaptureFixture[str]) -> None:
    out = solved(capsys, "--seeds", 17, "--max-nodes", 500).out
    assert out.startswith("kpat 17, spider, 4 suits: open, stopped by nodes; at most ")
    assert out.count("\n") == 1


def test_one_deal_with_a_folder_goes_into_it(capsys: pytest.CaptureFixture[str]) -> None:
    out = solved(capsys, "--suits", 1, "--seeds", 3, "--out", "set").out
    assert "won                1  100.00%" in out
    assert [row["seed"] for row in rows_without_times("set")] == [3]


@pytest.mark.parametrize("form", ["file", "stdin", "code", "file of code"])
def test_a_board(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    Path("board.txt").write_text(write_board(POSITION))
    Path("code.txt").write_text(f"{POSITION.code}\n")
    monkeypatch.setattr(sys, "stdin", piped(write_board(POSITION).encode()))
    arguments = {
        "file": "board.txt",
        "stdin": "-",
        "code": POSITION.code,
        "file of code": "code.txt",
    }
    row = answer(capsys, "--board", arguments[form])
    assert (row["numbering"], row["seed"], row["suits"]) == ("board", 1, 1)
    assert row["deal"] == POSITION.code
    assert row["line"] == answer(capsys, "--suits", 1, "--seeds", 3)["line"]


def test_a_board_that_is_won_already(capsys: pytest.CaptureFixture[str]) -> None:
    out = solved(capsys, "--board", "///////// - SSSSSSSS").out
    assert out.startswith("board 1, spider, 1 suit: won in 0 actions, score 500 (0 nodes")


def test_a_lost_deal_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--numbering", "pysol", "--seeds", 14934, "--explain")
    out = solved(capsys, *arguments).out
    assert out.startswith("pysol 14934, spider, 4 suits: lost, no line can win it (proof: blockade")
    assert "\n\nno 3 can ever be uncovered:\ncolumn a is held by JH" in out
    assert "\n  before deal 3            50,709\n" in out
    found = answer(capsys, *arguments)
    assert tuple(found) == (*COLUMNS, "explanation")
    assert out.endswith(f"{found['explanation']['words']}\n")


def test_a_board_that_is_won_needs_no_explanation(capsys: pytest.CaptureFixture[str]) -> None:
    out = solved(capsys, "--board", "///////// - CCDDHHSS", "--explain").out
    assert out == "board 1, spider, 4 suits: won in 0 actions, score 500 (0 nodes, 0.00 s)\n"


def test_one_action_is_no_plural(capsys: pytest.CaptureFixture[str]) -> None:
    code = "KCQCJCTC9C8C7C6C5C4C3C2C/AC//////// - CDDHHSS"
    verdict, line = solved(capsys, "--board", code).out.splitlines()
    assert verdict.startswith("board 1, spider, 4 suits: won in 1 action, score 599 (")
    assert line == "  ba1"


def test_one_deal_is_no_plural(capsys: pytest.CaptureFixture[str]) -> None:
    out = solved(capsys, "--seeds", 3, "--suits", 1, "--out", "set", "--workers", 1).out
    assert " s for 1 deal\n" in out


def test_an_open_deal_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    out = solved(capsys, "--seeds", 17, "--max-nodes", 500, "--explain").out
    assert "\nsearches, and the most that was reached in each:\n   1  beam 12 wide" in out
    assert ", counting stopped after 1,000,000 nodes\n" in out


def test_a_line_is_proved_shortest(capsys: pytest.CaptureFixture[str]) -> None:
    code = case("161").code
    out = solved(capsys, "--board", code, "--shortest").out
    assert "won in 9 actions (no line has fewer than 9), score 591" in out
    assert "\n\nproved shortest: no line has fewer than 9 actions (by " in out
    found = answer(capsys, "--board", code, "--shortest", "20k")
    assert (found["actions"], found["actions_bound"]) == (9, 9)
    assert found["shortest"]["proved"]
    cut = answer(capsys, "--suits", 1, "--seeds", 3, "--shortest", 2000)
    assert (cut["status"], cut["shorten_nodes"], cut["shortest"]["proved"]) == ("won", 2000, False)
    out = solved(capsys, "--suits", 1, "--seeds", 3, "--shortest", 2000).out
    assert "\nnot proved shortest within 2,000 nodes: no line has fewer than " in out


@pytest.mark.parametrize("option", ["--explain", "--shortest"])
def test_what_is_about_one_deal(capsys: pytest.CaptureFixture[str], option: str) -> None:
    for many in (("--seeds", "1-2"), ("--seeds", 1, "--out", "set")):
        ended = run(capsys, solve, *many, option)
        assert ended.code == 2
        assert f"{option} is about one deal: --seeds N or --board, no --out" in ended.err


# Many deals


def test_budgets(capsys: pytest.CaptureFixture[str]) -> None:
    one = ("--suits", 1, "--seeds", 3)
    plain = answer(capsys, *one)
    quick = answer(capsys, *one, "--effort", "quick", "--time-limit", 60)
    assert {**plain, "seconds": 0} == {**quick, "seconds": 0}
    shorter = answer(capsys, *one, "--shorten", "50k", "--bound")
    assert shorter["nodes"] == plain["nodes"]
    assert shorter["actions_bound"] <= shorter["actions"] <= plain["actions"]
    assert shorter["shorten_nodes"] > 0
    batch = (*one, "--shorten", "20k", "--bound", "--out", "set")
    settings = answer(capsys, *batch, "--effort", "deep")["settings"]
    expected = {"max_nodes": EFFORTS["deep"], "time_limit": None, "shorten": 20_000, "bound": True}
    assert settings == {**expected, "variant": "spider", "proofs": False, "solver": SOLVER}


def test_a_batch(capsys: pytest.CaptureFixture[str]) -> None:
    budget = ("--max-nodes", "10k")
    out = solved(capsys, *budget, "--suits", 4, "--seeds", "1-12", "--workers", 1).out
    settings = Settings("spider", 10_000, None, 0, False, SOLVER)
    folder = f"spider-10k-{SOLVER.replace('+', '-')}"
    assert set_settings(Path(folder)) == settings.as_dict()
    rows = rows_without_times(folder)
    assert [row["seed"] for row in rows] == list(range(1, 13))
    won = sum(row["status"] == "won" for row in rows)
    assert 0 < won < 12
    table = {line.split()[0]: line.split()[1:] for line in out.splitlines()}
    assert table["deals"] == ["12"]
    assert table["won"] == [str(won), f"{won / 12:.2%}"]
    assert table["lost"] == ["0", "0.00%"]
    assert table["open"] == [str(12 - won), f"{1 - won / 12:.2%}", f"({12 - won}", "nodes)"]
    assert table["nodes"][1:] == ["median", "per", "deal"]
    assert table["speed"][-3:] == ["for", "12", "deals"]
    assert table["rows"] == [f"{folder}{os.sep}"]
    assert table["next"] == ["spider-verify", folder]


def test_the_same_again_goes_on_and_more_extends(capsys: pytest.CaptureFixture[str]) -> None:
    batch = ("--out", "set", *BUDGET, "--workers", 1)
    first = answer(capsys, *batch, "--seeds", "1-4", "--suits", 1)
    assert (first["deals"], first["asked"], first["solved_now"]) == (4, 4, 4)
    parts = part_paths(Path("set"))
    again = solved(capsys, *batch, "--seeds", "1-4", "--suits", 1).out
    assert "nothing to do, all rows were there" in again
    assert part_paths(Path("set")) == parts
    more = answer(capsys, *batch, "--seeds", "3-6", "--suits", 1)
    assert (more["deals"], more["asked"], more["solved_now"]) == (4, 4, 2)
    other = answer(capsys, *batch, "--seeds", "1,2", "--suits", 2)
    assert (other["deals"], other["solved_now"]) == (2, 2)
    assert [(row["suits"], row["seed"]) for row in rows_without_times("set")] == [
        *((1, seed) for seed in range(1, 7)),
        (2, 1),
        (2, 2),
    ]


def test_rows_of_two_workers_are_those_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    for workers in (1, 2):
        solved(capsys, *BUDGET, "--seeds", "1-20", "--workers", workers, "--out", f"of{workers}")
    assert rows_without_times("of1") == rows_without_times("of2")


def test_the_answer_of_a_batch_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, *BUDGET, "--seeds", "1-3", "--suits", 1, "--workers", 1, "--out", "set")
    assert found["won"] == 3
    assert found["lost"] == found["open"] == 0
    assert found["reasons"] == {}
    assert found["out"] == "set"
    assert found["settings"]["max_nodes"] == 100_000
    assert found["stopped"] is False
    assert found["deals_per_second"] > 0


def test_own_boards(capsys: pytest.CaptureFixture[str]) -> None:
    deals = [Deal.numbered(seed, suits=suits) for seed, suits in ((1, 1), (2, 2), (3, 1))]
    Path("mine.txt").write_text("\n".join(write_board(deal.position) for deal in deals))
    found = answer(capsys, "--boards", "mine.txt", "--workers", 1)
    assert found["out"].endswith("-mine")
    rows = rows_without_times(found["out"])
    assert {(row["seed"], row["suits"], row["deal"]) for row in rows} == {
        (place, deal.position.rules.suits, deal.position.code)
        for place, deal in enumerate(deals, start=1)
    }
    assert {row["numbering"] for row in rows} == {"board"}
    Path("others.txt").write_text(write_board(deals[1].position))
    ended = run(capsys, solve, "--boards", "others.txt", "--out", found["out"])
    assert ended.code == 1
    assert ended.err == f"Error: {found['out']} holds another board 1: give another --out\n"


@pytest.mark.parametrize("seed", [2**63, 27380765364592631808, 10**20])
def test_one_deal_of_any_number_that_pysolfc_has(
    capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    row = answer(capsys, "--numbering", "pysol", "--suits", 1, "--seeds", seed)
    assert (row["numbering"], row["seed"], row["status"]) == ("pysol", seed, "won")
    assert row["deal"] == Deal.numbered(seed, suits=1, numbering="pysol").position.code
    out = solved(capsys, "--numbering", "pysol", "--suits", 1, "--seeds", seed).out
    assert out.startswith(f"pysol {seed}, spider, 1 suit: won in ")
    assert not list(Path().iterdir())


# What goes wrong


TOO_LARGE = (
    "Error: seed {}: a data set holds numbers up to 9223372036854775807; for one deal beyond, "
    "give it alone, --seeds N without --out, --proofs and --log"
)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--seeds", "17-"], "not a number or a range"),
        (["--seeds", "0"], "seeds start at 1"),
        (["--seeds", "1-3000000000"], "kpat numbers its deals from 1 to 2147483647"),
        (["--seeds", f"{10**20 + 1}", "--numbering", "pysol"], "deals from 1 to 100000000000000"),
        (["--seeds", f"1-{10**20}", "--numbering", "pysol"], TOO_LARGE.format(10**20)),
        (["--seeds", f"1,{2**63}", "--numbering", "pysol"], TOO_LARGE.format(2**63)),
        (["--seeds", f"{2**63}", "--numbering", "pysol", "--out", "set"], TOO_LARGE.format(2**63)),
        (["--seeds", f"{2**63}", "--numbering", "pysol", "--proofs"], TOO_LARGE.format(2**63)),
        (["--seeds", "9" * 1000], "99'...: more than 30 digits"),
        (["--suits", "5"], "5 is not in the range"),
        (["--numbering", "ms"], "'ms' is not one of"),
        (["--variant", "klondike"], "'klondike' is not"),
        (["--variant", "mrs-mop", "--suits", "2"], "mrs-mop is played with 4 suits, not 2: leave"),
        (["--variant", "simple-simon", "--numbering", "kpat"], "are numbered by pysol"),
        (["--max-nodes", "none"], "is not a whole number such as"),
        (["--max-nodes", "1M", "--effort", "deep"], "--effort and --max-nodes exclude each other"),
        (["--time-limit", "0"], "'0' is not a number of seconds above 0"),
        (
            ["--time-limit", "nan", "--out", "set"],
            "'nan' is not a number of seconds above 0; for no",
        ),
        (["--time-limit", "inf", "--json"], "for no limit leave the option out"),
        (["--workers", "0"], "0 is not in the range"),
        (["--seeds", "1", "--board", "-"], "--seeds and --board exclude each other"),
        (["--boards", "x", "--board", "y"], "--board and --boards exclude each other"),
        (["--board", "-", "--out", "set"], "--board prints one answer"),
        (["--board", "-", "--numbering", "kpat"], "--numbering goes with --seeds"),
        (["--board", "nowhere.txt"], "nowhere.txt: No such file or directory"),
        (["--board", ""], "the name of the file is empty: give a file, or - for standard input"),
        (["--seeds", ""], "seeds '': not a number or a range such as 1-1000"),
        (["--out", ""], "'--out': the name is empty"),
        (["--log", ""], "'--log': the name is empty"),
        (["--escalate", "2M", "--out", "set", "--variant", "spider"], "--escalate takes a set"),
        (["--boards", ""], "the name of the file is empty"),
        (["--boards", "nowhere.txt"], "nowhere.txt: No such file or directory"),
        (["surplus"], "unexpected extra argument"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    ended = run(capsys, solve, *arguments)
    assert ended.code == 2
    assert ended.out == ""
    assert words in ended.err.splitlines()[-1]
    assert not list(Path().iterdir())


@pytest.mark.parametrize("option", ["--board", "--boards"])
def test_a_board_that_is_wrong(capsys: pytest.CaptureFixture[str], option: str) -> None:
    Path("mine.txt").write_text(write_board(POSITION).replace("<JS>", "<J>", 1))
    ended = run(capsys, solve, option, "mine.txt")
    assert ended.code == 1
    assert ended.err.count("\n") == 1
    assert "line 4: unknown card 'J'" in ended.err
    Path("mine.txt").write_bytes(b"\xff\xfe\x00")
    ended = run(capsys, solve, option, "mine.txt")
    assert (ended.code, ended.err) == (1, "Error: mine.txt: not a text file: byte 1 is not UTF-8\n")


def test_a_set_with_other_settings_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    one = ("--seeds", 1, "--suits", 1, "--out", "set")
    solved(capsys, *one, "--max-nodes", "1M")
    before = sorted(Path("set").iterdir())
    ended = run(capsys, solve, *one, "--max-nodes", "2e6")
    assert ended.code == 1
    assert ended.err == (
        "Error: set was made with other settings (max_nodes 1M there, 2M here): "
        "use --max-nodes 1M, or give another --out\n"
    )
    assert sorted(Path("set").iterdir()) == before


def test_a_part_that_is_broken_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    batch = ("--seeds", "1-3", "--suits", 1, "--out", "set", "--workers", 1)
    solved(capsys, *batch)
    path = max(part_paths(Path("set")), key=lambda path: path.stat().st_size)
    path.write_bytes(path.read_bytes()[:-7])
    ended = run(capsys, solve, *batch)
    assert ended.code == 1
    assert ended.err.startswith(f"Error: {path} cannot be read")
    assert ended.err.count("\n") == 1
    path.unlink()
    assert answer(capsys, *batch)["solved_now"] == 3


def test_a_disk_that_is_full() -> None:
    # A limit on the size of files stands for it: a part of one row fits, one of 60 does not.
    program = (
        "import resource; from spider_solver.cli.solve import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (24000, 24000)); main()"
    )
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}

    def start(seeds: str) -> subprocess.CompletedProcess[str]:
        options = ["--suits", "1", "--workers", "1", "--out", "set", "--seeds", seeds]
        command = [sys.executable, "-c", program, *options]
        return subprocess.run(command, env=environment, text=True, capture_output=True, check=False)

    assert start("1").returncode == 0
    failed = start("1-60")
    assert failed.returncode == 1
    assert failed.stderr.startswith("Error: set: File too large; the last 59 rows could not be")
    assert failed.stderr.count("\n") == 1
    assert [row["seed"] for row in rows_without_times("set")] == [1]
    assert not list(Path().glob(".*.tmp"))


# Help


def test_help_says_what_holds(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, solve, "--help").out
    budgets = [short_count(budget) for budget in EFFORTS.values()]
    assert "|".join(EFFORTS) in out
    assert "Node budget per deal: {}, {} or {}.".format(*budgets) in " ".join(out.split())
    assert EFFORTS["normal"] == Limits().max_nodes
    assert "Examples:" in out


@pytest.mark.parametrize("command", ["solve", "verify"])
def test_help_imports_nothing_slow(command: str) -> None:
    program = (
        f"import sys; from spider_solver.cli.{command} import {command}\n"
        f"{command}(['--help'], standalone_mode=False)\n"
        "sys.exit(' '.join({'numba', 'numpy', 'pyarrow', 'pandas', 'tqdm'} & set(sys.modules)))"
    )
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    command_line = [sys.executable, "-c", program]
    ended = subprocess.run(
        command_line, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.stderr.strip() == ""
