"""Where everything lies that a plan needs: settings, features, registers, memory.

A *plan* is what a player can work out who sees the face-up cards only: the moves from here up to
the next card that turns up (a *flip*), or up to the next deal. See :mod:`.plans`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.layout import Int32s, Int64s, Records

PRICE_UNIT = 256
"""Integer price of a weight of 1, and integer value of a feature of 1."""

# --- settings of a plan ---------------------------------------------------------------------------
SET_WIDTH = 0  # positions in a layer
SET_LAYERS = 1  # most layers
SET_PATIENCE = 2  # layers without a better position, flip or deal before the plan ends
SET_LEARNED = 3  # layers are chosen by learned score among so many times the width; 0: by cost
SET_FLIPS = 4  # cheapest flips that get a learned score
SET_CLOSER = 5  # best flips that are looked at more closely
SET_GAP = 6  # how far above the best score a flip may be to be looked at, in price units
SET_CLOSER_WIDTH = 7  # the closer look: width and layers of the plan after the flip
SET_CLOSER_LAYERS = 8
SET_WORDS = 9

# --- what a plan ends with ------------------------------------------------------------------------
NOTHING = 0  # no card can be turned up, no row dealt
FLIP = 1
DEAL = 2
WIN = 3

# --- registers ------------------------------------------------------------------------------------
REG_FLIPS = 0  # flips found
REG_LOWEST = 1  # least and greatest cost of a flip
REG_HIGHEST = 2
REG_BEST = 3  # lowest cost of a position, or learned score
REG_BEST_DEAL = 4  # lowest cost before a deal
REG_DEALS = 5  # positions to deal from, while there is no flip
REG_ENTRY = 6  # history entry of the last move of what was chosen
REG_SCORE = 7  # its score
REG_TOTAL = 8  # unseen cards
REG_STAGE = 9  # row of the feature weights
REG_ROWS = 10  # next free row of positions
REG_EMPTIES = 11  # most empty columns of a position met
REG_SINCE = 12  # layers since the last progress
REG_RANKED = 13  # flips at the start of ``ranked`` whose scores are final
REG_WORDS = 16

# --- features of a position after a flip ----------------------------------------------------------
FEATURES = (
    "cost",
    "off_suit",
    "off_suit_rank",
    "broken",
    "broken_rank",
    "broken_upwards",
    "kings_on_cards",
    "hidden",
    "hidden_columns",
    "hidden_roots",
    "clear_columns",
    "an_empty_column",
    "two_empty_columns",
    "three_empty_columns",
    "completed_runs",
    "column_roots",
    "unseen_fits_suit",
    "unseen_fits",
    "unseen_takes_suit",
    "unseen_takes",
    "below_unknown",
    "none_below_unknown",
    "one_below_unknown",
    "nearest_hidden",
    "second_hidden",
    "nearest_empty",
    "open_ranks",
    "aces_on_top",
    "run_joins",
    "run_fits",
    "flip_one_move_away",
    "empty_one_move_away",
    "long_runs",
    "longest_run",
    "king_runs",
    "base_ranks",
    "highest_column",
    "longest_by_suit",
    "one_run_on_hidden",
    "one_run_in_column",
    "flip_two_moves_away",
    "empty_two_moves_away",
    "king_bases",
    "empty_and_one_run",
    "flip_joins",
    "empty_joins",
    "runs_without_hidden",
    "flip_columns",
    "another_flip",
    "two_more_flips",
    "three_more_flips",
    "more_empty_columns",
    "cheapest_flip",
    "second_flip",
)
"""Names of the features, in order; ``docs/playing.md`` says what each means."""

FEATURE_WORDS = len(FEATURES)

(
    COST,
    OFF_SUIT,
    OFF_SUIT_RANK,
    BROKEN,
    BROKEN_RANK,
    BROKEN_UPWARDS,
    KINGS_ON_CARDS,
    HIDDEN,
    HIDDEN_COLUMNS,
    HIDDEN_ROOTS,
    CLEAR_COLUMNS,
    AN_EMPTY_COLUMN,
    TWO_EMPTY_COLUMNS,
    THREE_EMPTY_COLUMNS,
    COMPLETED_RUNS,
    COLUMN_ROOTS,
    UNSEEN_FITS_SUIT,
    UNSEEN_FITS,
    UNSEEN_TAKES_SUIT,
    UNSEEN_TAKES,
    BELOW_UNKNOWN,
    NONE_BELOW_UNKNOWN,
    ONE_BELOW_UNKNOWN,
    NEAREST_HIDDEN,
    SECOND_HIDDEN,
    NEAREST_EMPTY,
    OPEN_RANKS,
    ACES_ON_TOP,
    RUN_JOINS,
    RUN_FITS,
    FLIP_ONE_MOVE_AWAY,
    EMPTY_ONE_MOVE_AWAY,
    LONG_RUNS,
    LONGEST_RUN,
    KING_RUNS,
    BASE_RANKS,
    HIGHEST_COLUMN,
    LONGEST_BY_SUIT,
    ONE_RUN_ON_HIDDEN,
    ONE_RUN_IN_COLUMN,
    FLIP_TWO_MOVES_AWAY,
    EMPTY_TWO_MOVES_AWAY,
    KING_BASES,
    EMPTY_AND_ONE_RUN,
    FLIP_JOINS,
    EMPTY_JOINS,
    RUNS_WITHOUT_HIDDEN,
    FLIP_COLUMNS,
    ANOTHER_FLIP,
    TWO_MORE_FLIPS,
    THREE_MORE_FLIPS,
    MORE_EMPTY_COLUMNS,
    CHEAPEST_FLIP,
    SECOND_FLIP,
) = range(FEATURE_WORDS)

FIRST_CLOSER = FLIP_COLUMNS
"""The features from here on come from a closer look, a small plan after the flip."""

MOST_STAGES = 6  # rows of feature weights: rows of the stock that have been dealt

# --- weights of what a random unseen card meets, in the cost of a flip ----------------------------
MEETS_WORDS = 4  # fits suit, fits, takes suit, takes

# --- what is known of each column while features are counted --------------------------------------
END = 0  # the card that others are moved onto; 0 of an empty column and of an unknown card
HEAD = 16  # the deepest card of the run at the end
RUNS = 32  # runs among the face-up cards
SECOND_HEAD = 48  # the deepest face-up card where there are two runs
BELOW = 64  # face-down cards
LENGTH_OF_SUIT = 80  # longest run of each suit
COLUMN_WORDS = 84


class Plans(NamedTuple):
    """What a plan needs besides a :class:`~spider_solver.kernels.layout.Workspace`."""

    flips: Records  # of layout.CANDIDATE; ``diversity`` holds the column that turns up
    deals: Records  # of layout.CANDIDATE; ``move`` holds the row that is dealt from
    ranked: Records  # of layout.CANDIDATE: positions or flips by learned score
    unseen: Int64s  # [card] how many are unseen
    unseen_ranks: Int64s  # [rank] likewise
    weights: Int64s  # [stage * FEATURE_WORDS + feature] benefit
    meets: Int64s  # weights in the cost of a flip
    roots: Int32s  # [price] square root
    features: Int64s  # of the position looked at
    columns: Int64s  # its columns, field by field
    cheapest: Int64s  # [column] cost of its cheapest flip
    settings: Int64s
    registers: Int64s


MOST_FLIPS = 1 << 17
MOST_DEALS = 1 << 16
_MOST_RANKED = 1 << 15
_MOST_PRICE = 1 << 16


def make_plans() -> Plans:
    """The memory of one player's plans; the weights are still zero."""
    return Plans(
        flips=np.zeros(MOST_FLIPS, layout.CANDIDATE),
        deals=np.zeros(MOST_DEALS, layout.CANDIDATE),
        ranked=np.zeros(_MOST_RANKED, layout.CANDIDATE),
        unseen=np.zeros(layout.CARD_CODES, np.int64),
        unseen_ranks=np.zeros(16, np.int64),
        weights=np.zeros(MOST_STAGES * FEATURE_WORDS, np.int64),
        meets=np.zeros(MEETS_WORDS, np.int64),
        roots=np.rint(np.sqrt(np.arange(_MOST_PRICE) * float(PRICE_UNIT))).astype(np.int32),
        features=np.zeros(FEATURE_WORDS, np.int64),
        columns=np.zeros(COLUMN_WORDS, np.int64),
        cheapest=np.zeros(layout.MAX_COLUMNS, np.int64),
        settings=np.zeros(SET_WORDS, np.int64),
        registers=np.zeros(REG_WORDS, np.int64),
    )
