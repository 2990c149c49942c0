import pytest

from spider_solver.cli import progress
from spider_solver.cli.progress import QUIET_SECONDS, Progress


def test_a_line_now_and_then_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(progress, "monotonic", lambda: now)
    with Progress(1000, 200, "deals", lambda: "won 7, lost 0, open 1") as shown:
        shown.add(5)
        now += QUIET_SECONDS - 1
        shown.add(5)
        assert capsys.readouterr() == ("", "")
        now += 1
        shown.add(20)
        line = "230 of 1000 deals: won 7, lost 0, open 1, 0.5 a second\n"
        assert capsys.readouterr() == ("", line)
        now += 40
        shown.add(0)
        shown.say("by the way")
        shown.note("position 1,000 of 2,000")
        assert capsys.readouterr() == ("", "by the way\n")
        now += 20
        shown.note("position 2,000 of 2,000")
        assert capsys.readouterr() == ("", "230 of 1000 deals, position 2,000 of 2,000\n")
    now += 1000
    assert (shown.added, shown.seconds, shown.rate) == (30, 120.0, 0.25)
