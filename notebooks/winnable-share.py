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
# # How many deals of Spider can be won?
#
# **Question.** If all cards are known, for what share of the deals is there a line of play that
# wins? Players believe anything from a third to nearly all.
#
# **Data.** KPatience's deals 1 to 1000 with one, two and four suits, each with a line that wins
# or a proof that none does, as `spider-solve --seeds 1-1000` made them. They ship with the
# project in [`data/`](../data/README.md); `spider-verify data/kpat-1-1000` replays every line
# under the plain rules. No deal is left out.

# %%
# %matplotlib inline
# %config InlineBackend.figure_format = "retina"
from pathlib import Path

import numpy as np
from IPython.display import Markdown

from spider_solver.analysis.plots import INK, SUIT_COLOURS, styled, winnable_shares
from spider_solver.analysis.samples import read_samples
from spider_solver.analysis.share import GameShare
from spider_solver.analysis.statistics import share_between, share_of
from spider_solver.analysis.tables import Table, number, percent, percent_range

samples = read_samples([Path("../data/kpat-1-1000")])

# %% [markdown]
# ## What was found

# %%
shares = [GameShare.of(sample) for sample in samples]
Markdown(
    Table(
        ["game", "deals", "won", "lost", "open", "proved", "95% interval"],
        [
            [
                str(share.sample.game),
                *map(number, share.counts.values()),
                percent(share.winnable.value),
                percent_range(share.winnable),
            ]
            for share in shares
        ],
    ).markdown()
)

# %%
winnable_shares(samples)

# %% [markdown]
# **What it means.** Every one of these deals can be won, with one, two and four suits alike. More
# suits make the game harder, not unwinnable: at least 99.6% of all deals can be won with any of
# them.
#
# The interval is not 100% to 100%, for a thousand deals cannot show what happens in one of ten
# thousand. Larger samples narrow it:

# %%
pysol = read_samples([Path("../data/pysol-1-32000")])[0]
won, lost = int(pysol.won.sum()), int(pysol.lost.sum())
rows = [
    [
        "PySolFC 1 to 32,000, four suits",
        number(won),
        number(lost),
        percent_range(share_of(won, pysol.deals)),
    ],
]
Markdown(Table(["deals, all of them decided", "won", "lost", "95% interval"], rows).markdown())

# %% [markdown]
# Their proofs ship in `data/pysol-1-32000`. And there are lost deals: the scan of *all*
# 2,147,483,647 numbers of KPatience ([how many deals are lost](../docs/lost-deals.md)) proves 8,394
# of them lost, one in 256,000. So the winnable share of four suits lies between 99.98% (with 95%
# confidence) and 99.99961%.
#
# ## Why open deals count against both ends
#
# A search that stops early leaves deals open. To leave these out, or to take them for lost, would
# bend the answer: they are the hard ones. Here they count as lost at the lower end and as won at
# the upper end. The figure shows what that does: the same thousand four-suit deals, as if the
# search had been cut at smaller node budgets (a node is a successor position that the search
# computes).

# %%
four = next(sample for sample in samples if sample.game.suits == 4)
budgets = np.unique(np.geomspace(5_000, four.budget, 200).astype(int))
ends = []
for budget in budgets:
    won = int(four.won_within(budget).sum())
    lost = int((four.lost & (four.nodes <= budget)).sum())
    ends.append(share_between(won, four.deals - lost, four.deals))
figure, axes = styled()
axes.fill_between(
    budgets, [e.low for e in ends], [e.high for e in ends], color=SUIT_COLOURS[4], alpha=0.25
)
axes.plot(budgets, [e.value for e in ends], color=SUIT_COLOURS[4])
axes.annotate(
    "proved to be winnable",
    (40_000, 0.6),
    xytext=(12, -4),
    textcoords="offset points",
    color=SUIT_COLOURS[4],
    fontweight="bold",
)
axes.annotate("not known", (12_000, 0.62), color=INK, ha="center", fontweight="bold")
axes.set_xscale("log")
axes.set_xlim(budgets[0], budgets[-1])
axes.set_ylim(0, 1.02)
axes.set_xticks([10_000, 100_000, 1_000_000, 10_000_000], ["10k", "100k", "1M", "10M"])
axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"])
axes.set_title("What is known of the winnable share", loc="left", fontweight="bold", fontsize=13)
axes.set_xlabel("node budget of a deal (four suits; band: 95% interval)")
figure

# %%
rows = []
for budget in (10_000, 50_000, 167_000, 1_000_000):
    won = int(four.won_within(budget).sum())
    known = share_between(won, four.deals, four.deals)
    rows.append([number(budget), number(won), number(four.deals - won), percent_range(known)])
Markdown(Table(["nodes a deal", "won", "open", "winnable, 95%"], rows, left=0).markdown())

# %% [markdown]
# **What it means.** The interval closes from below as the search is given more. A solver that
# wins 45% of the deals has shown that at least 45% can be won and nothing about the other 55%.
# Published "win rates" of solvers are lower ends of this kind.
#
# **What it doesn't mean.**
#
# - Nobody wins nearly all games by playing well: a player does not see the cards that lie face
#   down.
# - The interval is for all deals that KPatience's numbers could deal. It holds for shuffled cards
#   as far as these numbers are as good as random ([methods](../docs/methods.md)).
# - "Winnable" is meant under the standard rules: no deal over an empty column.
#
# The same from the command line: `spider-report share data/kpat-1-1000`.
