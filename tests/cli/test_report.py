import json
import sys
from pathlib import Path

import pytest

from spider_solver.cli.report import report
from tests.analysis.inversion import interval
from tests.analysis.sets import small_set, write
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
    assert len(plots) == 3
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
