import json
import sys
from pathlib import Path

import pytest

from spider_solver.cli.report import report
from spider_solver.game.numberings import numbered
from spider_solver.game.rules import spider
from tests.analysis.inversion import interval
from tests.analysis.sets import blockaded, small_set, won, write
from tests.cli.commands import run

GOLDEN = Path(__file__).parents[1] / "golden"
SHIPPED = Path(__file__).parents[2] / "data" / "kpat-1-1000"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_set(tmp_path / "set")


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_share_of_a_small_set(capsys: pytest.CaptureFixture[str], folder: Path, form: str) -> None:
    options = ["--markdown"] if form == "markdown" else []
    ended = run(capsys, report, "share", folder, *options)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (GOLDEN / f"report-share-{form}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(("level", "method"), [(0.95, "wilson"), (0.9, "exact")])
def test_intervals_of_the_shipped_set_by_another_route(
    capsys: pytest.CaptureFixture[str], level: float, method: str
) -> None:
    ended = run(capsys, report, "share", SHIPPED, "--json", "--level", level, "--method", method)
    games = json.loads(ended.out)["games"]
    assert [(game["suits"], game["deals"], game["open"]) for game in games] == [
        (1, 1000, 0),
        (2, 1000, 0),
        (4, 1000, 0),
    ]
    for game in games:
        ends = game["winnable_low"], game["winnable_high"]
        assert ends == pytest.approx(interval(game["won"], 1000, level, method), abs=1e-9)
        for entry in game["by_budget"]:
            ends = entry["share"]["low"], entry["share"]["high"]
            assert ends == pytest.approx(interval(entry["won"], 1000, level, method), abs=1e-9)


def test_plots(capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    ended = run(capsys, report, "share", folder, "--json", "--plot", tmp_path / "figures")
    plots = json.loads(ended.out)["plots"]
    assert len(plots) == 4
    assert all(Path(plot).is_file() for plot in plots)


def test_without_matplotlib(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "spider_solver.analysis.plots", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    ended = run(capsys, report, "share", folder, "--plot", "figures")
    assert ended.code == 1
    assert ended.err == "Error: --plot needs matplotlib: pip install 'spider-solver[plot]'\n"


def test_wrong_usage(capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    ended = run(capsys, report, "share", folder, "--json", "--markdown")
    assert (ended.code, "exclude each other" in ended.err) == (2, True)
    ended = run(capsys, report, "share", tmp_path / "nothing")
    assert ended.code == 1
    assert "No such file" in ended.err
    ended = run(capsys, report, "share", write(tmp_path / "empty", []))
    assert (ended.code, ended.err) == (1, f"Error: {tmp_path / 'empty'}: no deals yet\n")


def test_compare_suits_of_the_shipped_set(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--suits", "4,2", "--budget", "20k")
    (found,) = json.loads(run(capsys, report, "compare", SHIPPED, *options, "--json").out)
    assert (found["a"]["suits"], found["b"]["suits"], found["pairs"]) == (4, 2, 1000)
    assert found["only_b"] > 10 * found["only_a"]
    assert found["p_value"] < 1e-9
    assert found["nodes"]["high"] < 0.5
    text = run(capsys, report, "compare", SHIPPED, *options).out
    assert "kpat, spider, 4 suits / 2 suits  20,000  1,000" in text
    assert "Open and lost deals count as not won" in text


def test_compare_two_sets(capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "other", [won(seed, 10) for seed in range(1, 11)])
    ended = run(capsys, report, "compare", folder, other, "--markdown")
    assert ended.code == 0
    row = next(line for line in ended.out.splitlines() if line.startswith("| kpat"))
    assert row.startswith("| kpat, spider, 4 suits | 1,000,000 | 10 | 0 | 7 | 0 | 3 | 0 | 70.00% |")
    assert row.endswith("| 0.25 |")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "one data set: say what to compare, such as --suits 4,2"),
        (["--suits", "4,2,1"], "--suits '4,2,1': one for both sides, or two"),
        (["--suits", "4,3"], "suits 3, variant any: there is kpat, spider, 2 suits; kpat"),
        (["--suits", "4,2", "--level", "nan"], "'--level': nan is not in the range 0<x<1."),
        (["--suits", ""], "--suits '': one for both sides, or two"),
        (["--suits", "4,2", "--budget", "x"], "'x' is not a whole number"),
    ],
)
def test_compare_what_is_not_there(
    capsys: pytest.CaptureFixture[str], folder: Path, options: list[str], message: str
) -> None:
    ended = run(capsys, report, "compare", folder, *options)
    assert ended.code == 2
    assert message in ended.err


def test_lost_deals_are_explained(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = write(tmp_path / "lost", [blockaded(14934), blockaded(1748)])
    ended = run(capsys, report, "lost", folder)
    assert "pysol 1748 (spider, suits 4): lost, blockade\n  no 6 can ever be" in ended.out
    assert "\n\npysol 1" in ended.out
    answer = json.loads(run(capsys, report, "lost", folder, "--json").out)
    assert {loss["seed"] for loss in answer} == {14934, 1748}
    empty = write(tmp_path / "empty", [])
    assert run(capsys, report, "lost", empty).out == "no lost deal\n"


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    path = tmp_path / "boards.txt"
    codes = [numbered("kpat", seed, spider(2)).code for seed in range(1, 31)]
    path.write_text("\n".join(codes), encoding="utf-8")
    return path


def test_fairness_of_fair_boards(capsys: pytest.CaptureFixture[str], boards: Path) -> None:
    ended = run(capsys, report, "fairness", boards, "--simulations", 500)
    assert ended.code == 0
    assert ended.out.startswith("30 deals of spider, 2 suits, beside 500 files")
    assert "nothing speaks against fair shuffles at 5%" in ended.out
    answer = json.loads(run(capsys, report, "fairness", boards, "--json").out)
    assert (answer["fair"], answer["simulations"], answer["deals"]) == (True, 1999, 30)


def test_fairness_of_a_deal_that_comes_again(
    capsys: pytest.CaptureFixture[str], boards: Path
) -> None:
    text = boards.read_text(encoding="utf-8")
    boards.write_text(f"{text}\n{text.splitlines()[7]}\n", encoding="utf-8")
    answer = json.loads(run(capsys, report, "fairness", boards, "--json").out)
    assert answer["fair"] is False


def test_fairness_of_what_cannot_be_tested(
    capsys: pytest.CaptureFixture[str], boards: Path, tmp_path: Path
) -> None:
    ended = run(capsys, report, "fairness", boards, "--simulations", 100)
    assert (ended.code, "below --simulations 480" in ended.err) == (2, True)
    ended = run(capsys, report, "fairness", boards, "--seed", -1)
    assert ended.code == 2
    assert "Invalid value for '--seed': -1 is not in the range x>=0" in ended.err
    ended = run(capsys, report, "fairness", tmp_path / "nothing")
    assert ended.code == 2
    boards.write_text("AS KS", encoding="utf-8")
    assert run(capsys, report, "fairness", boards).code == 1
