import pytest

from benchmarks.ablation import settings
from benchmarks.measure import worker_solver
from benchmarks.setting import Setting, SettingError, parse_setting
from spider_solver.search.portfolio import Portfolio
from spider_solver.search.shorten import Shortening


def test_a_setting_is_read_and_written() -> None:
    assert parse_setting("default") == parse_setting("") == Setting()
    text = "noise=0 patience*=2 off_suit=0.7 DOUBLING=3 seed+=2 shorten.alike=0.5"
    assert str(parse_setting(text)) == text
    assert parse_setting("noise=0, patience*=2").changes == parse_setting(text).changes[:2]


@pytest.mark.parametrize(
    "text", ["speed=2", "noise", "noise=+-", "shorten.width=1", "noise/=2", "PURPOSEFUL=0"]
)
def test_what_the_solver_does_not_have_is_refused(text: str) -> None:
    with pytest.raises(SettingError):
        parse_setting(text)


def test_a_setting_changes_the_solver_that_takes_it() -> None:
    shipped = [Portfolio().attempt(number) for number in range(3)]
    text = "noise*=0.5 patience=7 hidden=9 DOUBLING=3 seed+=2 shorten.base=3 shorten.noise*=2"
    text += " shorten.IDLE_NODES*=2"
    cells = Shortening().cells
    solver = worker_solver(parse_setting(text))
    changed = [solver.portfolio.attempt(number) for number in range(3)]
    assert [settings.weights.base for settings in solver.shortening.cells.values()] == [3] * 4
    assert solver.shortening.cells[2].noise == 2 * cells[2].noise
    assert solver.shortening.idle_nodes == 2 * Shortening().idle_nodes
    later = solver.portfolio.attempt(30)
    assert later.width == 1024 * Portfolio().attempt(0).width != Portfolio().attempt(30).width
    for before, after in zip(shipped, changed, strict=True):
        assert (after.noise, after.seed) == (before.noise / 2, before.seed + 2)
        assert (after.patience, after.weights.hidden) == (7, 9.0)
        assert after.weights.base == before.weights.base
    assert worker_solver() is solver
    assert [solver.portfolio.attempt(number) for number in range(3)] == shipped
    assert solver.shortening == Shortening()
    assert cells[2].weights.base != 3


def test_every_ablation_names_something_of_the_solver() -> None:
    chosen = list(settings().values())
    assert chosen[0] == Setting()
    assert len(set(chosen)) == len(chosen) > 10
