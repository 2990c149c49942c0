"""Diversity: at most so many positions of a layer may share one class.

The class of a position is a sum over its columns of a random number for the column's face-down
count, so positions that have dug up the same cards are of one class.  Without a cap near copies of
the best position crowd out all others.
"""

from __future__ import annotations

import numpy as np

from spider_solver.kernels import layout
from spider_solver.kernels.jit import inlined, internal
from spider_solver.kernels.layout import Evaluation, Int64s, Workspace

_CLASS_MULTIPLIER = np.int64(0x9E3779B1)


@internal
def class_of_start(evaluation: Evaluation, columns: int, face_down: Int64s) -> int:
    """The class of a table with so many cards face down in each column."""
    diversity = 0
    for column in range(columns):
        diversity += evaluation.diversity[column * layout.MOST_HIDDEN + face_down[column]]
    return diversity


@inlined
def class_slot(workspace: Workspace, value: int, classes: int) -> int:
    """The counter of a diversity class; classes that share one share their cap too."""
    return (((value & 0xFFFFFFFF) * _CLASS_MULTIPLIER) >> 16) & (classes - 1)


@internal
def clear_classes(workspace: Workspace, width: int) -> int:
    """Reset the counters of as many classes as suit a beam of ``width``; gives their number."""
    classes = 256
    while classes < 8 * width and classes < workspace.classes.size:
        classes *= 2
    workspace.classes[:classes] = 0
    return classes
