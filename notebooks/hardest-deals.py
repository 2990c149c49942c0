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
# # Anatomy of the hardest deals
#
# **Question.** What do the deals look like that resist longest, and those that are lost? Can one
# see it at the start?
#
# **Data.** KPatience's deals 1 to 1000 ([`data/kpat-1-1000`](../data/README.md)), the list of all
# of KPatience's blockaded deals ([`data/lost-kpat.csv`](../data/README.md)), and the two lost
# ones of PySolFC's first 32,000.

# %%
# %matplotlib inline
# %config InlineBackend.figure_format = "retina"
import csv
from pathlib import Path

import numpy as np
from IPython.display import SVG, Markdown
from scipy.stats import rankdata

from spider_solver import Deal
from spider_solver.analysis.plots import SUIT_COLOURS, styled
from spider_solver.analysis.samples import read_samples
from spider_solver.analysis.shuffles import measure, read_starts, statistics_of
from spider_solver.analysis.statistics import bootstrap
from spider_solver.analysis.tables import Table, number
from spider_solver.proofs.blockade import explain_blockade
from spider_solver.show.svg import position_svg
from spider_solver.store.difficulties import read_difficulties

FOLDER = Path("../data/kpat-1-1000")


def correlation(a, b):
    """Pearson's, of ranks: Spearman's."""
    a, b = (x - x.mean(axis=-1, keepdims=True) for x in (a, b))
    return (a * b).sum(axis=-1) / np.sqrt((a**2).sum(axis=-1) * (b**2).sum(axis=-1))


samples = {sample.game.suits: sample for sample in read_samples([FOLDER])}
four = samples[4]
measured = read_difficulties(FOLDER).to_pandas().sort_values("seed")
scores = {suits: measured[measured.suits == suits].score.to_numpy() for suits in samples}

# %% [markdown]
# ## The ten hardest
#
# By the difficulty score with four suits: about how many doublings a beam of width 1 needs to
# win. Beside it the nodes that the solver took and the actions of its line.

# %%
order = np.argsort(-scores[4], kind="stable")[:10]
rows = [
    [
        str(four.seeds[place]),
        f"{scores[4][place]:.1f}",
        number(four.nodes[place]),
        number(four.actions[place]),
        *(f"{scores[suits][place]:.1f}" for suits in (2, 1)),
    ]
    for place in order
]
middle = [np.median(values) for values in (scores[4], four.nodes, four.actions)]
middle += [np.median(scores[suits]) for suits in (2, 1)]
kinds = (".1f", ",.0f", ",.0f", ".1f", ".1f")
rows.append(["median of all", *map(format, middle, kinds)])
head = ["deal", "score, 4 suits", "nodes", "actions", "score, 2 suits", "score, 1 suit"]
Markdown(Table(head, rows).markdown())

# %% [markdown]
# **What it means.** Such deals want beams hundreds of positions wide, and the solver a hundred
# times its usual nodes, unless it is lucky. Their lines are no longer than others'. The same
# ranks with two suits or one are mostly hard for their kind, too: a good part of what makes a
# deal hard is where the ranks lie.
#
# This is the start of the hardest one, with the cards under the backs shown pale:

# %%
hardest = Deal.numbered(int(four.seeds[order[0]]))
SVG(position_svg(hardest.position, look_under=True))

# %% [markdown]
# ## Can one see it at the start?
#
# For each deal, the rank correlation (Spearman's) of its difficulty with what can be counted on
# its starting table and stock; bars are 95% intervals, bootstrapped over deals.

# %%
SHOWN = {
    "moves at the start (ends that fit on other ends)": "moves at the start",
    "different ranks at the ends": "different ranks\nat the ends",
    "cards lying on the next higher rank": "cards on the\nnext higher rank",
    "the same, in suit": "the same,\nin suit",
    "cards lying on the next lower rank": "cards on the\nnext lower rank",
    "stock cards dealt onto the next higher rank": "stock cards dealt\nonto the next rank",
}

starts = [Deal.numbered(seed).position for seed in four.seeds.tolist()]
layout, cards = read_starts(starts)
names = [statistic.name for statistic in statistics_of(layout)]
counts = measure(layout, cards[:, None])  # each deal as a file of its own
found = [
    bootstrap(correlation, rankdata(counts[:, names.index(name)]), rankdata(scores[4]))
    for name in SHOWN
]
figure, axes = styled()
for place, interval in enumerate(reversed(found)):
    axes.plot([interval.low, interval.high], [place, place], color=SUIT_COLOURS[4], linewidth=3)
    axes.plot(interval.value, place, "o", color=SUIT_COLOURS[4], markersize=8)
axes.axvline(0, color="#222222", linewidth=1)
axes.set_yticks(range(len(found)), reversed([*SHOWN.values()]))
axes.set_xlim(-0.5, 0.5)
axes.set_title("What goes with hard deals", loc="left", fontweight="bold", fontsize=13)
axes.set_xlabel("rank correlation with difficulty (four suits)")
figure

# %%
best = max(found, key=lambda interval: abs(interval.value))
Markdown(
    f"The strongest of these correlations is {best.value:+.2f} ({best.low:+.2f} to "
    f"{best.high:+.2f}): it explains about {100 * best.value**2:.0f}% of the order of the deals."
)

# %% [markdown]
# **What it means.** What a player can count at the start says little about how hard a deal is.
# Hardness sits deeper, in what blocks what.
#
# ## Lost deals: what blocks what
#
# In a few deals nothing can ever come loose. PySolFC's deal 14934 was called unwinnable for
# twenty years; here is why, column by column:

# %%
lost = Deal.numbered(14934, numbering="pysol")
print(explain_blockade(lost.position))

# %%
SVG(position_svg(lost.position, look_under=True))

# %% [markdown]
# All eight 3s lie face down. The 2s can go only on a 3, the kings on nothing; between them they
# hold all ten columns, and the 3s lie under them. In 1748 it is the 6s:

# %%
SVG(position_svg(Deal.numbered(1748, numbering="pysol").position, look_under=True))

# %% [markdown]
# Which rank is it that stays buried? KPatience has 8,394 such deals among 2,147,483,647; of 300
# of them, spread evenly over the list:

# %%
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
with Path("../data/lost-kpat.csv").open(encoding="utf-8") as file:
    seeds = [int(row["seed"]) for row in csv.DictReader(file)]
sampled = seeds[:: len(seeds) // 300][:300]
buried = dict.fromkeys(RANKS, 0)
for seed in sampled:
    first = explain_blockade(Deal.numbered(seed).position).splitlines()[0]
    for part in first.removesuffix(" can ever be uncovered:").split(", "):
        if part.startswith("no "):  # in some deals a rank comes up, but too few cards of it
            buried[part.removeprefix("no ")] += 1
figure, axes = styled(3.4)
bars = axes.bar(RANKS, [buried[rank] for rank in RANKS], color=SUIT_COLOURS[4])
axes.bar_label(bars, fontsize=10)
axes.set_yticks([])
axes.spines["left"].set_visible(False)
axes.grid(visible=False)
title = f"The rank that stays buried ({len(sampled)} lost deals)"
axes.set_title(title, loc="left", fontweight="bold", fontsize=13)
figure

# %% [markdown]
# **What it means.** One rank that never comes to light is enough. The eight cards of the rank
# below it have nowhere to go; together with the eight kings they can hold all ten columns, with
# the buried rank under them. Any rank from 2 to queen does it about as often. Kings
# never do: with them buried the eight queens would have to hold ten columns.
#
# **What it doesn't mean.** These are the losses with a short proof. Others exist, as brute force
# shows in small games, and nobody knows how many at full size ([how many deals are
# lost](../docs/lost-deals.md)). And hard means hard for programs: nobody has measured people.
