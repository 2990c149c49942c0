"""Pictures of samples, readable on a page as narrow as a phone.

Needs matplotlib (``pip install 'spider-solver[plot]'``). Colours are Okabe and Ito's (2008), which
colour-blind people can tell apart; curves are labelled where they end, not in a box.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter, PercentFormatter

from spider_solver.analysis.curves import shares_by_budget
from spider_solver.analysis.published import PUBLISHED, WHOSE, stands_beside
from spider_solver.analysis.samples import Sample
from spider_solver.analysis.share import GameShare
from spider_solver.analysis.statistics import LEVEL
from spider_solver.analysis.tables import percent_range
from spider_solver.game.words import count_words
from spider_solver.store.atomic import new_file
from spider_solver.store.settings import short_count

SUIT_COLOURS = {1: "#009E73", 2: "#D55E00", 3: "#CC79A7", 4: "#0072B2"}
INK, FAINT = "#222222", "#777777"

_LINES = ("-", "--", ":", "-.")  # of the numberings and variants, where there are several
_STYLE: dict[Any, Any] = {
    "font.size": 12,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
    "lines.linewidth": 2,
}
_WIDTH, _HEIGHT = 5.0, 4.4  # inches: at 12 points the words stay readable on a phone
_DPI = 200
_LABEL_HEIGHTS = (0.5, 0.62, 0.45, 0.28, 0.8)  # along the curves, one after the other
_POINTS = 240  # of a curve
_BINS = 60


def save_plots(samples: Sequence[Sample], folder: Path, level: float = LEVEL) -> list[Path]:
    """Draw all pictures of samples as PNG files.

    Args:
        samples: the deals.
        folder: where to; made if it does not exist.
        level: confidence of the bands.

    Returns:
        The files.

    Raises:
        OSError: they cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    figures = {
        "winnable": winnable_shares(samples, level),
        "share-by-budget": share_by_budget(samples, level),
        "nodes": node_distribution(samples),
        "actions": line_lengths(samples),
    }
    paths = []
    for name, figure in figures.items():
        paths.append(folder / f"{name}.png")
        with new_file(paths[-1]) as file:
            figure.savefig(file, format="png", dpi=_DPI)
    return paths


def styled(height: float = _HEIGHT) -> tuple[Figure, Axes]:
    """An empty figure of the width and in the style of all the others."""
    from matplotlib import rc_context

    with rc_context(_STYLE):
        figure = Figure((_WIDTH, height), layout="constrained")
        return figure, figure.add_subplot()


def share_by_budget(samples: Sequence[Sample], level: float = LEVEL) -> Figure:
    """Share of deals won by node budget, with bands, and what another solver is said to reach.

    Args:
        samples: the deals.
        level: confidence of the bands, which hold budget by budget.
    """
    figure, axes = styled(5.4)
    least = min(_first_win(sample) for sample in samples)
    most = max(sample.budget for sample in samples)
    marked = [p for p in PUBLISHED if any(stands_beside(p.suits, s.game) for s in samples)]
    most = max([most, *(2 * published.positions for published in marked)])
    for place, (label, line, sample) in enumerate(_labelled(samples)):
        budgets = np.unique(np.geomspace(least, sample.budget, _POINTS).astype(np.int64))
        shares = shares_by_budget(sample, level, budgets=budgets.tolist())
        colour = SUIT_COLOURS[sample.game.suits]
        values = [share.share.value for share in shares]
        low, high = [s.share.low for s in shares], [s.share.high for s in shares]
        axes.fill_between(budgets, low, high, color=colour, alpha=0.18, linewidth=0)
        axes.plot(budgets, values, line, color=colour)
        _label_curve(axes, budgets, np.array(values), label, place)
    for published in marked:
        colour = SUIT_COLOURS[published.suits]
        point = published.positions, published.share
        axes.plot(*point, "D", color="white", markeredgecolor=colour, markeredgewidth=2)
        axes.annotate(
            f"{WHOSE},\n{count_words(published.suits, 'suit')}: {published.text}",
            point,
            xytext=(9, -3),
            textcoords="offset points",
            va="top",
            color=colour,
            fontsize=10,
        )
    _count_axis(axes, least, most)
    axes.set_ylim(0, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    _set_title(axes, "Deals won by node budget")
    axes.set_xlabel("nodes a deal")
    note = f"Bands: {100 * level:g}% intervals."
    if marked:
        note += (
            f" ◇ {WHOSE}: a public game site's own words,\nfor its own deals and its own count "
            "of positions;\nour nodes are all successors computed, repeated ones too."
        )
    figure.supxlabel(note, fontsize=9.5, color=INK, linespacing=1.35)
    return figure


def winnable_shares(samples: Sequence[Sample], level: float = LEVEL) -> Figure:
    """The winnable share of each game, an interval that counts open deals against both ends."""
    figure, axes = styled(1.5 + 0.75 * len(samples))
    least = 1.0
    for place, (label, _, sample) in enumerate(_labelled(samples)):
        share = GameShare.of(sample, level).winnable
        least = min(least, share.low)
        colour = SUIT_COLOURS[sample.game.suits]
        axes.plot([share.low, share.high], [-place, -place], color=colour, linewidth=7, alpha=0.4)
        axes.plot(share.value, -place, "o", color=colour, markersize=8, clip_on=False)
        axes.text(
            1.0,
            -place + 0.2,
            f"{label}, {sample.deals:,} deals: {percent_range(share)}",
            color=colour,
            ha="right",
            va="bottom",
            fontweight="bold",
            fontsize=11,
            transform=axes.get_yaxis_transform(),
        )
    axes.set_xlim(least - 0.1 * (1 - least) - 1e-4, 1)
    axes.set_ylim(-len(samples) + 0.6, 0.8)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.6g}%"))
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    _set_title(axes, "Share of deals that can be won")
    axes.set_xlabel(f"dots: proved; bars: {100 * level:g}% intervals")
    return figure


def node_distribution(samples: Sequence[Sample]) -> Figure:
    """How many nodes deals take to be won: deals by nodes, with the medians."""
    return _distribution(
        samples,
        "Nodes to win a deal",
        "nodes",
        lambda sample: sample.nodes[sample.won],
        logarithmic=True,
    )


def line_lengths(samples: Sequence[Sample]) -> Figure:
    """How long the winning lines are: deals by actions, with the medians."""
    return _distribution(
        samples,
        "Length of the winning lines",
        "actions",
        lambda sample: sample.actions[sample.won],
        logarithmic=False,
    )


def _distribution(
    samples: Sequence[Sample],
    title: str,
    unit: str,
    values_of: Callable[[Sample], Any],
    logarithmic: bool,
) -> Figure:
    """Histograms one below the other, on one scale."""
    shown = [(label, line, s, values_of(s)) for label, line, s in _labelled(samples) if s.won.any()]
    figure, axes = styled(1.3 + 1.05 * max(len(shown), 1))
    if not shown:
        _set_title(axes, f"{title}: no deal is won")
        return figure
    everything = np.concatenate([values for *_, values in shown])
    low, high = max(everything.min(), 1), everything.max() + 1
    space = np.geomspace if logarithmic else np.linspace
    bins = space(low, high, _BINS + 1)
    for place, (label, _, sample, values) in enumerate(reversed(shown)):
        colour = SUIT_COLOURS[sample.game.suits]
        heights, _ = np.histogram(values, bins)
        heights = place + 0.82 * heights / max(heights.max(), 1)
        axes.stairs(heights, bins, baseline=place, fill=True, color=colour, alpha=0.75)
        axes.axhline(place, color=FAINT, linewidth=0.8)
        median = float(np.quantile(values, 0.5, method="inverted_cdf"))
        axes.plot([median, median], [place, place + 0.82], color=INK, linewidth=1.5)
        axes.text(
            0.99,
            place + 0.86,
            f"{label}: median {median:,.0f}",
            color=colour,
            ha="right",
            va="top",
            fontweight="bold",
            transform=axes.get_yaxis_transform(),
        )
    if logarithmic:
        _count_axis(axes, low, high)
    axes.set_ylim(0, len(shown))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    _set_title(axes, title)
    axes.set_xlabel(f"{unit} (won deals; heights are each to its own scale)")
    return figure


def _labelled(samples: Sequence[Sample]) -> Iterable[tuple[str, str, Sample]]:
    """The samples with what tells them apart in words and by the style of a line."""
    games = [sample.game for sample in samples]
    several = [len({game[field] for game in games}) > 1 for field in (0, 1)]
    kinds = list(dict.fromkeys(game[:2] for game in games))
    for sample in samples:
        game = sample.game
        names = [str(game[field]) for field in (0, 1) if several[field]]
        label = ", ".join([count_words(game.suits, "suit"), *names])
        yield label, _LINES[kinds.index(game[:2]) % len(_LINES)], sample


def _first_win(sample: Sample) -> int:
    """Somewhat fewer nodes than any deal of a sample is won with."""
    return max(int(sample.nodes[sample.won].min() * 0.5), 1) if sample.won.any() else 1000


def _set_title(axes: Axes, title: str) -> None:
    axes.set_title(title, loc="left", fontweight="bold", fontsize=13)


def _label_curve(axes: Axes, budgets: Any, values: Any, label: str, place: int) -> None:
    """A label beside the curve that was drawn last; the first one to its left.

    Args:
        axes: where the curve is.
        budgets: its x.
        values: its y, ascending.
        label: the words.
        place: which curve it is; each has its label at another height.
    """
    height = values[-1] * _LABEL_HEIGHTS[place % len(_LABEL_HEIGHTS)]
    at = min(int(np.searchsorted(values, height)), len(budgets) - 1)
    axes.annotate(
        label,
        (budgets[at], values[at]),
        xytext=(6, -5) if place else (-6, 5),
        textcoords="offset points",
        va="top" if place else "bottom",
        ha="left" if place else "right",
        color=axes.lines[-1].get_color(),
        fontweight="bold",
    )


def _count_axis(axes: Axes, least: float, most: float) -> None:
    """A logarithmic axis of counts, written ``10k``, ``1M``."""
    axes.set_xscale("log")
    axes.set_xlim(least, most)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short_count(round(value))))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(visible=False, which="minor")
