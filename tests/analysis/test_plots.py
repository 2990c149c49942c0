from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from spider_solver.analysis import plots
from spider_solver.analysis.samples import read_samples
from tests.analysis.sets import small_set, still_open, won, write


def words(figure: Figure) -> str:
    """All that is written in a figure."""
    (axes,) = figure.axes
    texts = [axes.get_title(loc="left"), axes.get_xlabel(), figure.get_supxlabel()]
    return "\n".join([*texts, *(text.get_text() for text in axes.texts)])


def xy(line: Line2D) -> tuple[list[float], list[float]]:
    """The points of a line."""
    return np.asarray(line.get_xdata()).tolist(), np.asarray(line.get_ydata()).tolist()


def test_curves_end_at_the_share_won_and_are_labelled(tmp_path: Path) -> None:
    figure = plots.share_by_budget(read_samples([small_set(tmp_path / "set")]))
    two, four, *markers = figure.axes[0].lines
    assert xy(two)[1][-1] == 1
    assert [values[-1] for values in xy(four)] == [1_000_000, 0.7]
    places = [xy(marker) for marker in markers]
    assert places == [([167_000], [0.8]), ([1_000_000], [0.92]), ([1_000_000], [0.45])]
    written = words(figure)
    assert "2 suits" in written
    assert written.count("another solver,") == 3
    assert "its own count of positions" in written.replace("\n", " ")


def test_one_suit_has_no_published_figure(tmp_path: Path) -> None:
    samples = read_samples([write(tmp_path / "set", [won(1, 500, suits=1)])])
    assert "another solver" not in words(plots.share_by_budget(samples))


def test_boards_have_no_published_figure(tmp_path: Path) -> None:
    samples = read_samples([write(tmp_path / "set", [won(1, 500, suits=2, numbering="board")])])
    assert "another solver" not in words(plots.share_by_budget(samples))


def test_the_winnable_share_is_a_bar_with_a_dot(tmp_path: Path) -> None:
    figure = plots.winnable_shares(read_samples([small_set(tmp_path / "set")]))
    bar, dot = figure.axes[0].lines[2:4]
    assert xy(dot)[0] == [0.7]
    low, high = xy(bar)[0]
    assert low < 0.4 < 0.98 < high
    assert "4 suits, 10 deals: 39.68-98.21%" in words(figure)


def test_several_numberings_are_told_apart(tmp_path: Path) -> None:
    rows = [won(1, 500), won(1, 700, numbering="pysol")]
    figure = plots.node_distribution(read_samples([write(tmp_path / "set", rows)]))
    assert "4 suits, kpat: median 500" in words(figure)
    assert "4 suits, pysol: median 700" in words(figure)


def test_files(tmp_path: Path) -> None:
    samples = read_samples([small_set(tmp_path / "set")])
    paths = plots.save_plots(samples, tmp_path / "new" / "figures")
    names = ["winnable.png", "share-by-budget.png", "nodes.png", "actions.png"]
    assert [path.name for path in paths] == names
    for path in paths:
        assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "draw", [plots.winnable_shares, plots.share_by_budget, plots.node_distribution]
)
def test_nothing_won_is_drawn_too(tmp_path: Path, draw: object) -> None:
    samples = read_samples([write(tmp_path / "set", [still_open(1)])])
    assert callable(draw)
    draw(samples).savefig(tmp_path / "figure.png")
