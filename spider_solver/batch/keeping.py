"""Keeps the closed sets that prove deals lost."""

from pathlib import Path

from spider_solver.search.result import Result
from spider_solver.store.closed_sets import CLASSES, MOST_CLASSES, write_closed_set


def keep_proof(folder: Path, result: Result) -> str | None:
    """Write the closed set of a result into a data set, if it has one that is not too large.

    Returns:
        The certificate of the row; that of the result if there is nothing to write.

    Raises:
        StoreError: the disk is full or fails.
    """
    if result.exploration is not None:
        codes = (position.code for position in result.exploration.positions())
        return write_closed_set(folder, codes)
    if result.classes is not None and result.classes.size <= MOST_CLASSES:
        return write_closed_set(folder, result.classes.codes(), CLASSES)
    return result.certificate
