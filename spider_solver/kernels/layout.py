"""Where everything lies: field numbers of the flat arrays that the kernels share.

A table is ten numbers.  Each column is a *persistent stack of runs*: a column node holds the top
run of the column and the number of the node that is left when that run is taken away (with the
face-down card under it, if there is one, turned up).  Playing a move makes at most two new nodes
and copies one 64-byte row, and columns shared by thousands of positions are stored once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# --- a card: suit * 16 + rank, as in cards.py; 0 is no card ---------------------------------------
CARD_RANK = 15  # mask
CARD_CODES = 64  # numbers that a card may have: tables by card have so many entries

# --- what the arrays have room for; packing.check_rules refuses larger games ----------------------
MAX_COLUMNS = 13  # column nodes in the words 0..12 of a position
MAX_STAGES = 16  # numbers of rows dealt: tables by stage have so many entries
MAX_ROWS = MAX_STAGES - 1  # of the stock
MAX_CARDS = 208  # of the deck, four packs: they may all lie in one column
MAX_STOCK = MAX_COLUMNS * MAX_ROWS  # the last row filled up
MOST_HIDDEN = MAX_CARDS  # tables by face-down cards of a column: the last card is face up

# --- a column node: the top run of a column, and the node below it --------------------------------
NODE = np.dtype(
    [
        ("key", np.uint64),  # hash of the column's whole content
        ("parent", np.int32),  # node left when the top run is taken away, a card turned up
        ("junctions", np.int32),  # summed price of the column's junctions, before the curve
        ("cost", np.int32),  # price of the column
        ("head", np.int32),  # deepest card of the top run
        ("end", np.int32),  # last card of the top run, the card that others are moved onto
        ("hidden", np.int32),  # face-down cards below (low byte), and BARE
    ],
    align=True,
)
HIDDEN_MASK = 0xFF
BARE = 0x100  # flag: the top run lies directly on a face-down card

EMPTY = 0  # the node of an empty column

# --- a position: sixteen 32-bit words, one cache line ---------------------------------------------
STATE_WORDS = 16
HISTORY = 13  # how the position was reached
DIVERSITY = 14  # sum over columns of a random number for the column's face-down count
TALLY = 15  # completed runs (low byte) and actions so far (above)
TALLY_RUNS = 0xFF  # mask
TALLY_ACTION = 0x100

# --- a candidate, or a proposal in the pool -------------------------------------------------------
CANDIDATE = np.dtype(
    [
        ("score", np.int64),
        ("key", np.uint64),
        ("move", np.int64),  # parent * 4096 + source * 256 + target * 16 + count; a pool row
        ("diversity", np.int64),  # diversity key of the position that results
    ],
    align=True,
)

MOVE_PARENT = 4096
MOVE_SOURCE = 256
MOVE_TARGET = 16
DEAL_MOVE = 0xFFF  # the move code of a deal: no column has the number 15
# A move code whose source is its target is the removal of a run.
MOST_CANDIDATES = 512  # of one position: under group moves up to 13 * 12 and 13 * 13

# --- history: how a position was reached ----------------------------------------------------------
ACTION = np.dtype(
    [("before", np.int32), ("move", np.int32)],  # the entry before, and the move code
    align=True,
)
TURNED_UP = 0x1000  # flag with a move code: the move has turned a card up

# --- the rules, as numbers ------------------------------------------------------------------------
RULE_COLUMNS = 0
RULE_RANKS = 1
RULE_RUNS = 2  # runs to complete
RULE_ROWS = 3  # stock rows left at the start of the search
RULE_DEAL_OVER_EMPTY = 4  # 1: a row may be dealt while a column is empty
RULE_GROUP_MOVES = 5  # 1: a descending sequence of any suits moves as one piece
RULE_OPTIONAL_REMOVAL = 6  # 1: a complete run stays until it is removed by an action
RULE_LEAVING = 7  # cards of a run that leaves at once; NEVER under optional removal
RULE_IN_PLAY = 8  # cards on the table at the start of the search and in completed runs; or PLENTY
RULE_WORDS = 9
NEVER = 99
PLENTY = 1 << 30  # where no number of cards on the table keeps a row from being dealt

# --- settings of one attempt ----------------------------------------------------------------------
SET_WIDTH = 0
SET_CLASS_CAP = 1  # positions of one diversity class in a layer or a pool
SET_NOISE = 2  # width of the noise, in price units
SET_PATIENCE = 3  # layers without progress before a stage ends
SET_PATIENCE_LAST = 4  # the same after the last deal
SET_LENGTH = 5  # price of an action, in the pool
SET_POOL = 6  # positions kept of the pool
SET_PROPOSING = 7  # how much of a layer, the best first, proposes deals, in 1024ths
SET_SIBLINGS = 8  # 1: moves that commute are left to elder siblings
SET_MOVES = 9  # which moves positions are expanded by:
EVERY_MOVE = 0
PURPOSEFUL = 1  # none that can wait; see purpose.py
JOINS_FIRST = 2  # and where a run can join its own suit, nothing else
SET_WORDS = 10

# --- settings of one cell beam (WIDTH, NOISE, SIBLINGS and MOVES as above) ------------------------
SET_MOST_ACTIONS = 3  # a win must have at most as many actions, those before the start included
SET_SLACK = 4  # how far above the best forecast a position may be, in price units
SET_CELL_CAP = 5  # positions of one diversity class in a cell
SET_FORECAST = 10  # for each number of rows left: price of a score unit / 1024, and a constant
FORECAST_WORDS = 2
CELL_SET_WORDS = SET_FORECAST + MAX_STAGES * FORECAST_WORDS

# --- registers: the state of a search between calls -----------------------------------------------
REG_NODES = 0  # generated successors
REG_EXPANDED = 1
REG_MAX_NODES = 2
REG_PAUSE_AT = 3  # nodes after which the search hands control back
REG_STAGE = 4  # rows dealt since the start of the search
REG_LAYER = 5  # positions in the layer
REG_SINCE = 6  # layers since the last progress
REG_BEST = 7  # best score of the stage
REG_BEST_POOL = 8
REG_POOL = 9  # entries of the pool
REG_THRESHOLD = 10  # score above which a proposal is of no use
REG_NODE_TOP = 11  # next free column node
REG_NODE_FLOOR = 12  # nodes below belong to the start and stay
REG_HISTORY_TOP = 13
REG_TABLE_BITS = 14
REG_TABLE_COUNT = 15
REG_WIN = 16  # history entry of the win
REG_CANDIDATES = 17
REG_LOWEST = 18  # least and greatest score among the candidates
REG_HIGHEST = 19
REG_MOST_RUNS = 20  # the furthest that the search came
REG_MOST_ROWS = 21
REG_COST_SUM = 22  # of the position in the scratch columns
REG_EMPTIES = 23
REG_FIRST_EMPTY = 24
REG_CUT = 25  # 1 once the beam has left out any position for want of width or patience
REG_ACTIONS = 26  # of the cells being expanded
REG_PARITY = 27  # which half of the layer they stand in
REG_ROW = 28  # of the layer, whose pieces are being moved, and the width of the noise
REG_NOISE = 29
REG_WORDS = 32

GROUP_NODES = 15  # column nodes that a move makes at most under group moves

# --- the cells of a cell beam: numbers for each count of rows dealt -------------------------------
CELL_ROWS = 0  # positions in the cell
CELL_FIRST = MAX_STAGES  # where its successors begin among the candidates
CELL_COUNT = 2 * MAX_STAGES  # and how many there are
CELL_LOWEST = 3 * MAX_STAGES
CELL_HIGHEST = 4 * MAX_STAGES
CELL_PROPOSALS = 5 * MAX_STAGES  # deals that are due, RING numbers of MAX_STAGES each
RING = 4  # a deal is due 1 + (columns to fill) actions later; one with more to fill is left out
CELL_WORDS = CELL_PROPOSALS + RING * MAX_STAGES

# --- the list of rows whose column nodes stay when others are dropped -----------------------------
LIVE_WHERE = 0
LIVE_FIRST = 1
LIVE_LAST = 2
LIVE_WORDS = 3
IN_LAYER = 0
IN_POOL = 1
MOST_LIVE = MAX_STAGES * (1 + RING)

# --- how a call ends ------------------------------------------------------------------------------
WON = 1
FAILED = 2
OUT_OF_NODES = 3
OUT_OF_MEMORY = 4
PAUSED = 5
GOES_ON = 0

INFINITE = 1 << 40
NO_ROW = -1

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
UInt64s = NDArray[np.uint64]
Records = NDArray[np.void]  # of a dtype with named fields


class Workspace(NamedTuple):
    """All the memory of one worker, made once; pages that no deal needs are never touched."""

    nodes: Records  # column nodes
    spare_nodes: Records  # where live nodes are gathered when a stage ends
    layer: Int32s  # the positions of this layer
    next_layer: Int32s
    candidates: Records
    pool: Int32s  # positions about to be dealt to
    proposals: Records  # their scores
    order: Int32s  # candidates from best to worst
    buckets: Int32s
    classes: Int32s  # how often each diversity class was taken
    table: UInt64s  # keys of positions seen
    history: Records
    scratch: Int64s  # the columns of the position being expanded, field by field
    scratch_keys: UInt64s
    card_columns: Int64s  # for each card, the set of columns that end in it
    rank_columns: Int64s  # for each rank, likewise
    run_columns: Int64s  # for each card, the set of columns whose top run it heads
    stock: Int64s  # stock rows left, row by row, 0 where a short row has no card
    coming: Int32s  # [place in the stock * CARD_CODES + card] price of the deal onto that card
    cells: Int64s
    youngest_child: Int32s  # of each position of the layer, its last child in the next one
    elder_sibling: Int32s  # of each position of the layer, the child before it
    left_out: Int64s  # for each source, the targets that are left to an elder sibling
    live: Int64s  # ranges of rows whose column nodes stay
    registers: Int64s


# --- scratch: MAX_SCRATCH numbers a field ---------------------------------------------------------
MAX_SCRATCH = 16
COLUMN_NODE = 0
COLUMN_PARENT = 16
COLUMN_COST = 32
COLUMN_HEAD = 48
COLUMN_END = 64
FILLED = 80  # the columns while empty ones are filled before a deal
SCRATCH_WORDS = 96

# --- scratch keys: those of the columns, and of the position being expanded -----------------------
KEY_SUM = MAX_COLUMNS
SEED = MAX_COLUMNS + 1  # of the noise
SCRATCH_KEYS = MAX_SCRATCH


COMPLETED_RUN = 0
COMING = 1


class Evaluation(NamedTuple):
    """The evaluation as integer tables; see :mod:`spider_solver.kernels.evaluation`."""

    junction: Int32s  # [below * CARD_CODES + above] price of two neighbours
    base: Int32s  # [card] price of a column's deepest card
    hidden: Int32s  # [face-down cards] price
    curve: Int32s  # [price] price of a column
    empties: Int32s  # [empty columns] price
    constants: Int64s  # gain of a COMPLETED_RUN; part of the price of what is COMING
    diversity: Int32s  # [column * MOST_HIDDEN + face-down cards] random numbers
