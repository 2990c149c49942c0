import pytest

from benchmarks.ablation import settings
from benchmarks.setting import Setting, SettingError, applied, parse_setting
from spider_solver.search import cell_beam, schedule, solver


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


def test_a_setting_holds_inside_only() -> None:
    shipped = [schedule.attempt(number) for number in range(3)]
    text = "noise*=0.5 patience=7 hidden=9 DOUBLING=3 seed+=2 shorten.base=3 shorten.noise*=2"
    cells = cell_beam.CELL_SETTINGS
    noise = cells[2].noise
    with applied(parse_setting(text)):
        changed = [solver.attempt(number) for number in range(3)]  # type: ignore[attr-defined]
        assert [settings.weights.base for settings in cell_beam.CELL_SETTINGS.values()] == [3] * 4
        assert cell_beam.CELL_SETTINGS[2].noise == 2 * noise
        later = solver.attempt(30)  # type: ignore[attr-defined]
    assert later.width == 1024 * schedule.attempt(0).width != schedule.attempt(30).width
    for before, after in zip(shipped, changed, strict=True):
        assert (after.noise, after.seed) == (before.noise / 2, before.seed + 2)
        assert (after.patience, after.weights.hidden) == (7, 9.0)
        assert after.weights.base == before.weights.base
    assert [solver.attempt(number) for number in range(3)] == shipped  # type: ignore[attr-defined]
    assert cell_beam.CELL_SETTINGS is cells
    assert cells[2].weights.base != 3


def test_every_ablation_names_something_of_the_solver() -> None:
    chosen = list(settings().values())
    assert chosen[0] == Setting()
    assert len(set(chosen)) == len(chosen) > 10
