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
# # How the share of deals won grows with the search
#
# **Question.** How much search does it take to win a deal, how does that depend on the number of
# suits, and where do published figures of another solver stand beside it?
#
# **Data.** KPatience's deals 1 to 1000 with one, two and four suits
# ([`data/kpat-1-1000`](../data/README.md)). The column `nodes` of a won deal is the *least*
# budget that wins it, because a budget cuts one fixed sequence of searches. So one run at the
# largest budget tells the share at every smaller one.

# %%
# %matplotlib inline
# %config InlineBackend.figure_format = "retina"
from pathlib import Path

import numpy as np
from IPython.display import Markdown

from spider_solver.analysis.compare import compare
from spider_solver.analysis.curves import shares_by_budget
from spider_solver.analysis.plots import (
    SUIT_COLOURS,
    node_distribution,
    share_by_budget,
    styled,
)
from spider_solver.analysis.published import NOTE, PUBLISHED, WHOSE
from spider_solver.analysis.samples import read_samples
from spider_solver.analysis.tables import Table, number, percent, percent_range, ratio

samples = read_samples([Path("../data/kpat-1-1000")])
by_suits = {sample.game.suits: sample for sample in samples}

# %%
share_by_budget(samples)

# %%
budgets = (10_000, 100_000, 167_000, 1_000_000, 10_000_000)
rows = [
    [number(budget)]
    + [
        f"{percent(found.share.value)} ({percent_range(found.share)})"
        for sample in samples
        for found in shares_by_budget(sample, budgets=[budget])
    ]
    for budget in budgets
]
Markdown(Table(["nodes", *(str(s.game) for s in samples)], rows, left=0).markdown())

# %% [markdown]
# **What it means.** Half of the four-suit deals fall within some 7,000 nodes, a few thousandths
# of a second; ninety-nine in a hundred within 200,000. The last few in a thousand take ten times
# as much and more. Two suits need a fifth of the search, one suit a ninth.
#
# ## Beside the published figures

# %%
rows = []
for published in PUBLISHED:
    sample = by_suits[published.suits]
    (ours,) = shares_by_budget(sample, budgets=[published.positions])
    rows.append(
        [
            f"{published.suits} suits",
            number(published.positions),
            published.text,
            f"{percent(ours.share.value)} ({percent_range(ours.share)})",
        ]
    )
table = Table(["game", "positions", WHOSE, "here, nodes"], rows)
Markdown(f"{table.markdown()}\n\n*{NOTE}*")

# %% [markdown]
# **What it means.** At the same number the share here is well above, and the difference is far
# larger than chance. **What it doesn't:** a position there and a node here are not the same unit,
# and the deals are not the same. Ours counts a successor each time it comes up, but no move that
# the search leaves out unseen.
#
# ## How steep is the end?
#
# Of the deals still open at a budget, how many does twice the budget win? If the search were
# hopeless for the rest, the curve would fall to nothing.

# %%
figure, axes = styled()
for suits, sample in by_suits.items():
    points = []
    for budget in np.geomspace(1_000, 2_000_000, 23).astype(int):
        before, after = sample.won_within(budget), sample.won_within(2 * budget)
        left = int((~before).sum())
        if left >= 20:
            points.append((budget, (after.sum() - before.sum()) / left))
    colour = SUIT_COLOURS[suits]
    axes.plot(*zip(*points, strict=True), "o-", color=colour, markersize=5)
    axes.annotate(
        f"{suits} suit{'s' * (suits > 1)}",
        points[-1],
        xytext=(8, 0),
        textcoords="offset points",
        va="center",
        color=colour,
        fontweight="bold",
    )
axes.set_xscale("log")
axes.set_xlim(700, 1_500_000)
axes.set_xticks([1_000, 10_000, 100_000, 1_000_000], ["1k", "10k", "100k", "1M"])
axes.set_ylim(0, 1)
axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"])
axes.set_title("Open deals that twice the budget wins", loc="left", fontweight="bold", fontsize=13)
axes.set_xlabel("node budget (while 20 deals or more are open)")
figure

# %% [markdown]
# **What it means.** Doubling goes on paying: with four suits each doubling wins more than half of
# what is left, from 10,000 nodes down to the last twenty deals. That is why all of a thousand are
# decided in the end.
#
# ## Suits, deal by deal
#
# The same number deals the same ranks into the same places with any number of suits, so suits can
# be compared on the same deals.

# %%
rows = []
for a, b in ((4, 2), (2, 1), (4, 1)):
    found = compare(by_suits[a], by_suits[b], 100_000)
    rows.append(
        [
            f"{a} against {b}",
            number(found.only_a),
            number(found.only_b),
            f"{found.p_value:.1g}",
            ratio(compare(by_suits[a], by_suits[b]).nodes),
        ]
    )
head = ["suits A against B", "won in A only", "in B only", "p (McNemar)", "nodes B/A (95%)"]
Markdown(Table(head, rows).markdown())

# %%
node_distribution(samples)

# %% [markdown]
# **What it means.** Two suits take a fifth of the nodes of four on the same deal, one suit takes
# two thirds of those of two. Next to no deal is won with four suits and not with two within
# 100,000 nodes.
#
# **What it doesn't mean.**
#
# - These are curves of one solver. Another one, or another version of this, has other curves; the
#   winnable share is the same ([how many deals can be won](winnable-share.ipynb)).
# - Nodes of a single deal hold much luck: another sequence of searches takes another number.
#   Difficulty needs more than one ([difficulty](difficulty.ipynb)).
# - A deal that is easy for a search is not therefore easy for a person.
#
# The same from the command line: `spider-report share --plot figures data/kpat-1-1000` and
# `spider-report compare data/kpat-1-1000 --suits 4,2 --budget 100k`.
