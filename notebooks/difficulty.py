# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # How hard is a deal?
#
# **Question.** Nearly every deal can be won with all cards known, so "winnable" does not tell
# deals apart. What does, and is it a property of the deal or the luck of one search?
#
# **Data.** KPatience's deals 1 to 1000 with one, two and four suits
# ([`data/kpat-1-1000`](../data/README.md)), each measured with many narrow beams; the
# measurements lie beside the deals, in `_difficulty/difficulty.parquet`.
#
# **The score.** A beam is a player that keeps a few positions in mind, its width. Beams of width
# 1, 2, 4, ... try the deal, several of each with other noise, and the score is the sum of the
# shares that lose. A score of 3 says that the deal asks for about three doublings of a beam of
# width 1. It is one scale for any number of suits ([its page](../docs/difficulty.md)).

# %%
# %matplotlib inline
# %config InlineBackend.figure_format = "retina"
from pathlib import Path

import numpy as np
from IPython.display import Markdown
from scipy.stats import rankdata

from spider_solver.analysis.difficulty import Band, beams_at, reference
from spider_solver.analysis.plots import INK, SUIT_COLOURS, styled
from spider_solver.analysis.samples import read_samples
from spider_solver.analysis.statistics import bootstrap
from spider_solver.analysis.tables import Table, number
from spider_solver.store.difficulties import read_difficulties

FOLDER = Path("../data/kpat-1-1000")
measured = read_difficulties(FOLDER).to_pandas()
samples = {sample.game.suits: sample for sample in read_samples([FOLDER])}
scores = {
    suits: measured[measured.suits == suits].sort_values("seed").score.to_numpy()
    for suits in (1, 2, 4)
}


def correlation(a, b):
    """Pearson's, of ranks: Spearman's."""
    a, b = (x - x.mean(axis=-1, keepdims=True) for x in (a, b))
    return (a * b).sum(axis=-1) / np.sqrt((a**2).sum(axis=-1) * (b**2).sum(axis=-1))


def correlated(a, b):
    """The rank correlation of two measures of the same deals, with its interval."""
    found = bootstrap(correlation, rankdata(a), rankdata(b))
    return f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})"


# %% [markdown]
# ## What the beams make of a deal
#
# Four-suit deals at the tenth, fiftieth, ninetieth and ninety-ninth place of a hundred: the share
# of beams that lose, by width. The score is the sum of the heights.

# %%
four = measured[measured.suits == 4].sort_values(["score", "seed"]).reset_index(drop=True)
figure, axes = styled()
for hundredth, line in ((10, ":"), (50, "-."), (90, "--"), (99, "-")):
    deal = four.loc[len(four) * hundredth // 100]
    widths = [2**power for power in range(len(deal.beams_lost))]
    shares = [lost / beams_at(w, 4) for w, lost in zip(widths, deal.beams_lost, strict=True)]
    axes.plot(widths, shares, "o" + line, color=SUIT_COLOURS[4], markersize=5)
    axes.annotate(
        f"{hundredth}th: {deal.score:.1f}",
        (widths[-1], shares[-1]),
        xytext=(4, 7),
        textcoords="offset points",
        fontsize=11,
    )
axes.set_xscale("log", base=2)
ticks = [2**power for power in range(0, 11, 2)]
axes.set_xticks(ticks, map(str, ticks))
axes.set_xlim(0.9, 2**12)
axes.set_ylim(0, 1.05)
axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"])
axes.set_title("Beams that lose, by width", loc="left", fontweight="bold", fontsize=13)
axes.set_xlabel("width of the beam (labels: place of a hundred, score)")
figure

# %% [markdown]
# ## The bands
#
# Easy, medium, hard and expert are the first 40, the next 35, the next 15 and the last 10 of a
# hundred fresh deals of the same number of suits.

# %%
BANDS = {Band.EASY: 0.25, Band.MEDIUM: 0.5, Band.HARD: 0.75, Band.EXPERT: 1.0}
figure, axes = styled(4.8)
bins = np.arange(-0.125, 11.5, 0.25)
for place, suits in enumerate((4, 2, 1)):
    known, heights = reference(suits), None
    counts, _ = np.histogram(scores[suits], bins)
    for band, strength in BANDS.items():
        low, high = known.limits(band)
        chosen = scores[suits][(scores[suits] > low) & (scores[suits] <= high)]
        part, _ = np.histogram(chosen, bins)
        bottom = np.full(part.shape, float(place)) if heights is None else heights
        heights = bottom + 0.8 * part / counts.max()
        axes.stairs(
            heights, bins, baseline=bottom, fill=True, color=SUIT_COLOURS[suits], alpha=strength
        )
    axes.axhline(place, color=INK, linewidth=0.8)
    axes.text(
        0.99,
        place + 0.8,
        f"{suits} suit{'s' * (suits > 1)}: median {np.median(scores[suits]):.1f}",
        transform=axes.get_yaxis_transform(),
        ha="right",
        va="top",
        color=SUIT_COLOURS[suits],
        fontweight="bold",
    )
axes.set_xlim(-0.2, 10)
axes.set_ylim(0, 3)
axes.set_yticks([])
axes.spines["left"].set_visible(False)
axes.set_title("Deals by difficulty", loc="left", fontweight="bold", fontsize=13)
axes.set_xlabel("score (darker: easy, medium, hard, expert)")
figure

# %%
rows = []
for suits in (1, 2, 4):
    known = reference(suits)
    row = [f"{suits} suit{'s' * (suits > 1)}"]
    for band in BANDS:
        low, high = known.limits(band)
        inside = (scores[suits] > low) & (scores[suits] <= high)
        edge = "above" if np.isinf(high) else "to"
        row.append(f"{edge} {low if np.isinf(high) else high:.2f}")
        row.append(number(np.median(samples[suits].nodes[inside])))
    rows.append(row)
head = ["score; nodes to win, median"]
head += [name for band in BANDS for name in (band.value, "nodes")]
Markdown(Table(head, rows).markdown())

# %% [markdown]
# **What it means.** With every suit more the scale moves up; the hardest one-suit deals are as
# hard as easy ones of four suits. The solver's own nodes, of which the score knows nothing, rise
# ninefold from the easy to the expert band with four suits and nearly threefold with two. With
# one suit they hardly do: there nearly every search wins at once.
#
# ## Deal or luck?
#
# The nodes of one search hold much luck. How much of the score is luck can be told from the beams
# themselves: each is an independent trial, so a second measurement is simulated by drawing each
# beam again with the losing shares that were found, and a third likewise; the table has the rank
# correlation between them.


# %%
def measured_again(row, generator):
    """The score that other noise would give, if the losing shares were as found."""
    total = 0.0
    for power, lost in enumerate(row.beams_lost):
        beams = beams_at(2**power, row.suits)
        total += generator.binomial(beams, (lost + 0.5) / (beams + 1)) / beams
    return total


generator = np.random.default_rng(1)
rows = []
for suits in (1, 2, 4):
    deals = measured[measured.suits == suits].sort_values("seed")
    twice = [[measured_again(row, generator) for row in deals.itertuples()] for _ in range(2)]
    rows.append(
        [
            f"{suits} suit{'s' * (suits > 1)}",
            number(deals.difficulty_nodes.mean()),
            correlated(*twice),
            correlated(scores[suits], samples[suits].nodes),
            correlated(scores[suits], samples[suits].actions),
        ]
    )
head = ["rank correlation (95%)", "nodes a score", "simulated retest", "with nodes", "with actions"]
Markdown(Table(head, rows).markdown())

# %% [markdown]
# **What it means.** Measured again, the deals come out in nearly the same order: the score
# belongs to the deal. On 300 fresh deals that were measured twice in truth, the correlations are
# 0.95, 0.96 and 0.97 for one, two and four suits ([how far it can be
# trusted](../docs/difficulty.md)). The nodes of one search agree with it fairly with four suits
# and poorly with fewer: they are luck in good part. Lines of harder deals are, if anything,
# shorter. Length is another matter than difficulty.
#
# ## The same deal with other suits

# %%
rows = [
    [f"{a} and {b} suits", correlated(scores[a], scores[b])] for a, b in ((4, 2), (4, 1), (2, 1))
]
Markdown(Table(["scores with", "rank correlation (95%)"], rows).markdown())

# %% [markdown]
# **What it means.** A number deals the same ranks into the same places whatever the suits. So a
# good part of what makes a deal hard lies in where its ranks lie, and is there with one suit
# already; the rest is how the suits fall.
#
# **What it doesn't mean.** This is difficulty for programs that see all cards. Weaker programs,
# one of which does not see the hidden cards, agree with it in part (`benchmarks.difficulty`);
# nobody has measured people. A deal in the expert band is one that machines find hard.
#
# Deals by difficulty from the command line: `spider-deals --suits 2 --difficulty hard --count
# 10`.
