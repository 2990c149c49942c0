"""``spider-deals``."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from spider_solver import Deal, parse_line
from spider_solver.cli import deals as module
from spider_solver.cli.common import Stop
from spider_solver.cli.deals import deals
from spider_solver.formats.deals import read_boards
from spider_solver.game.position import Position
from spider_solver.game.rules import spider
from spider_solver.proofs.check import verify_line
from spider_solver.store.difficulties import read_difficulties
from spider_solver.store.reading import read_table
from spider_solver.store.verify import Verdict, check_slice, survey
from tests.cli.commands import Ended, run

SHIPPED = read_difficulties(Path(__file__).parents[2] / "data" / "kpat-1-1000").to_pylist()
HARD = [row for row in SHIPPED if row["suits"] == 1 and row["band"] == "hard"][:3]
SEEDS = [row["seed"] for row in HARD]

Capsys = pytest.CaptureFixture[str]


def hard(capsys: Capsys, *arguments: object) -> Ended:
    """The first three hard one-suit deals, as asked."""
    options = ("--suits", 1, "--difficulty", "hard", "--count", 3, "--workers", 1)
    return run(capsys, deals, *options, *arguments)


def test_numbers(capsys: Capsys) -> None:
    ended = hard(capsys)
    assert ended.code == 0
    assert ended.out.split() == [str(seed) for seed in SEEDS]
    seen = SEEDS[-1]
    share = f"{3 / seen:.1%} of {seen} candidates were in the class"
    assert f"3 hard deals, kpat 1 to {seen}: {share}\n" in ended.err


def test_boards_read_back(capsys: Capsys) -> None:
    out = hard(capsys, "--format", "board").out
    assert [deal.position for deal in read_boards(out)] == [
        Deal.numbered(seed, suits=1).position for seed in SEEDS
    ]
    comments = [line for line in out.splitlines() if line.startswith("#")]
    score, easier = HARD[0]["score"], HARD[0]["easier"]
    name = f"# kpat {SEEDS[0]}, 1 suit: hard, difficulty {score:.2f}"
    assert comments[0] == f"{name}, harder than {easier} of 100 deals"
    line = parse_line(comments[1].partition(": ")[2])
    verify_line(Deal.numbered(SEEDS[0], suits=1).position, line)


def test_json(capsys: Capsys) -> None:
    answers = json.loads(hard(capsys, "--format", "json").out)
    assert [answer["seed"] for answer in answers] == SEEDS
    for answer, shipped in zip(answers, HARD, strict=True):
        position = Position.from_code(answer["deal"], spider(1))
        checked = verify_line(position, parse_line(answer["line"]))
        assert (answer["actions"], answer["score"]) == (checked.actions, checked.score)
        assert answer["difficulty"] == {
            "score": shipped["score"],
            "easier": shipped["easier"],
            "band": "hard",
            "beams_lost": shipped["beams_lost"],
            "nodes": shipped["difficulty_nodes"],
        }


def test_a_data_set_is_verified_and_goes_on(capsys: Capsys, tmp_path: Path) -> None:
    folder = tmp_path / "hard"
    options = ("--format", "parquet", "--out", folder)
    assert hard(capsys, *options).out == ""
    assert hard(capsys, *options).code == 0  # again: nothing is written twice
    more = hard(capsys, *options, "--start", SEEDS[-1] + 1, "--count", 1)
    assert more.code == 0
    slices, faults = survey(folder)
    assert faults == []
    reports = [check_slice(piece) for piece in slices]
    assert [report.faults for report in reports] == [[]] * len(reports)
    assert sum(report.counts[Verdict.WON_VERIFIED] for report in reports) == 4
    seeds = read_table(folder, [])["seed"].to_pylist()
    assert seeds[:3] == SEEDS
    difficulties = read_difficulties(folder)
    assert difficulties["seed"].to_pylist() == seeds
    assert difficulties.slice(0, 3).to_pylist() == HARD
    assert (folder / "_difficulty/difficulty.parquet").exists()


def test_a_new_file_and_no_old_one(capsys: Capsys, tmp_path: Path) -> None:
    path = tmp_path / "hard.txt"
    assert hard(capsys, "--out", path).out == ""
    assert path.read_text().split() == [str(seed) for seed in SEEDS]
    ended = hard(capsys, "--out", path)
    assert ended.code == 1
    assert f"{path} exists: give another --out" in ended.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "parquet"], "--format parquet needs --out DIR"),
        (["--start", "3G"], "kpat numbers its deals from 1 to 2147483647"),
        (["--start", f"{10**20 + 1}"], "must be at most 100000000000000000000"),
        (
            ["--numbering", "pysol", "--start", f"{2**63}", "--format", "parquet", "--out", "set"],
            "--start 9223372036854775808: a data set holds numbers up to 9223372036854775807; "
            "choose another --format",
        ),
        (["--difficulty", "mild"], "'mild' is not one of"),
        (["--count", "0"], "'0': must be at least 1"),
    ],
)
def test_usage_errors(capsys: Capsys, arguments: list[str], message: str) -> None:
    ended = run(capsys, deals, *arguments)
    assert ended.code == 2
    assert message in ended.err


def test_one_deal(capsys: Capsys) -> None:
    ended = run(capsys, deals, "--suits", 1, "--count", 1, "--workers", 1)
    assert ended.out == "1\n"
    assert "1 deal, kpat 1 to 1: 100.0% of 1 candidate were in the class\n" in ended.err


def test_numbers_that_run_out(capsys: Capsys) -> None:
    ended = hard(capsys, "--difficulty", "any", "--start", 2**31 - 2)
    assert ended.code == 0
    assert ended.out.split() == [str(2**31 - 2), str(2**31 - 1)]
    words = "2 of 3: the numbers have come to their end, those of kpat at 2147483647"
    assert ended.err.splitlines()[-1] == words


def test_numbers_that_only_pysolfc_has(capsys: Capsys) -> None:
    last = 10**20
    game = ("--numbering", "pysol", "--suits", 1, "--workers", 1)
    ended = run(capsys, deals, *game, "--start", last - 1, "--count", 5, "--format", "json")
    assert [row["seed"] for row in json.loads(ended.out)] == [last - 1, last]
    assert f"2 deals, pysol {last - 1} to {last}: 100.0% of 2 candidates" in ended.err


def test_stopped_it_keeps_what_there_is_and_says_how_to_go_on(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Soon(Stop):
        """A signal that comes once it was looked at a few times."""

        looks = 0

        def __call__(self) -> bool:
            self.looks += 1
            if self.looks == 2:
                self.code = 130
            return super().__call__()

    @contextmanager
    def soon() -> Iterator[Stop]:
        yield Soon()

    monkeypatch.setattr(module, "stop_on_signal", soon)
    monkeypatch.setattr("sys.argv", ["spider-deals", "--suits", "1", "--count=9", "--start", "1"])
    ended = run(capsys, deals, "--suits", 1, "--count", 9, "--workers", 1)
    assert ended.code == 130
    assert ended.out.split() == ["1", "2", "3", "4"]
    assert "stopped with 5 to go" in ended.err
    assert "resume with: spider-deals --suits 1 --start 5 --count 5\n" in ended.err
