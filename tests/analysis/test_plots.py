from pathlib import Path

import pytest
from matplotlib.figure import Figure

from spider_solver.analysis import plots
from spider_solver.analysis.samples import read_samples
from tests.analysis.sets import small_set, still_open, won, write


def words(figure: Figure) -> str:
    """All that is written in a figure."""
    (axes,) = figure.axes
    texts = [axes.get_title(loc="left"), axes.get_xlabel(), figure.get_supxlabel()]
    return "\n".join([*texts, *(text.get_text() for text in axes.texts)])


def test_curves_end_at_the_share_won_and_are_labelled(tmp_path: Path) -> None:
    figure = plots.share_by_budget(read_samples([small_set(tmp_path / "set")]))
    two, four, *markers = figure.axes[0].lines
    assert two.get_ydata()[-1] == 1  # type: ignore[index]
    assert four.get_ydata()[-1] == 0.7  # type: ignore[index]
    assert four.get_xdata()[-1] == 1_000_000  # type: ignore[index]
    places = [(marker.get_xdata()[0], marker.get_ydata()[0]) for marker in markers]  # type: ignore[index]
    assert places == [(167_000, 0.8), (1_000_000, 0.92), (1_000_000, 0.45)]
    written = words(figure)
    assert "2 suits" in written
    assert written.count("another solver,") == 3
    assert "its own count of positions" in written.replace("\n", " ")


def test_one_suit_has_no_published_figure(tmp_path: Path) -> None:
    samples = read_samples([write(tmp_path / "set", [won(1, 500, suits=1)])])
    assert "another solver" not in words(plots.share_by_budget(samples))


def test_several_numberings_are_told_apart(tmp_path: Path) -> None:
    rows = [won(1, 500), won(1, 700, numbering="pysol")]
    figure = plots.node_distribution(read_samples([write(tmp_path / "set", rows)]))
    assert "4 suits, kpat: median 500" in words(figure)
    assert "4 suits, pysol: median 700" in words(figure)


def test_files(tmp_path: Path) -> None:
    samples = read_samples([small_set(tmp_path / "set")])
    paths = plots.save_plots(samples, tmp_path / "new" / "figures")
    assert [path.name for path in paths] == ["share-by-budget.png", "nodes.png", "actions.png"]
    for path in paths:
        assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("draw", [plots.share_by_budget, plots.node_distribution])
def test_nothing_won_is_drawn_too(tmp_path: Path, draw: object) -> None:
    samples = read_samples([write(tmp_path / "set", [still_open(1)])])
    assert callable(draw)
    draw(samples).savefig(tmp_path / "figure.png")
