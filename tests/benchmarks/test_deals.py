import pytest

from benchmarks.deals import choose
from spider_solver.game.numberings import NumberingError


def test_training_and_reporting_deals_never_mix() -> None:
    training = choose("training", 4, 5)
    assert (training.numbering, training.seeds) == ("kpat", (10000, 10001, 10002, 10003, 10004))
    reporting = choose("reporting", 4, 3, skip=998)
    assert reporting.seeds == (999, 1000, 1000000)
    assert len(choose("reporting", 4, None).seeds) == 1000
    assert choose("seen", 4, 1, numbering="kpat").numbering == "pysol"
    assert choose("3,5-6", 2, None, numbering="pysol") == ("pysol", 2, (3, 5, 6))
    with pytest.raises(NumberingError):
        choose("1-5", 4, 1, skip=5)
