"""What can be said of a position and of a search, as results, rows and JSON spell it."""

from enum import StrEnum


class Status(StrEnum):
    """What is known about a position."""

    WON = "won"
    LOST = "lost"
    OPEN = "open"


class Proof(StrEnum):
    """How a position was decided."""

    LINE = "line"
    BLOCKADE = "blockade"
    TOO_FEW_CARDS = "too-few-cards"
    EXHAUSTED = "exhausted"
    NO_FIRST_RUN = "no-first-run"


class Reason(StrEnum):
    """Why a position is open: what ran out, or that the solver raised an error."""

    NODES = "nodes"
    TIME = "time"
    MEMORY = "memory"
    CRASH = "crash"


class Ended(StrEnum):
    """How a search ended."""

    WON = "won"
    LOST = "lost"  # a complete search that saw all positions, or a search of all classes
    NO_PROOF = "no-proof"  # a search of classes in which a first run may come about
    FAILED = "failed"  # a beam with nothing left
    NODES = "nodes"
    TIME = "time"
    MEMORY = "memory"
