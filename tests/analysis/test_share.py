from pathlib import Path

import pytest

from spider_solver.analysis.curves import budgets_of, shares_by_budget, spreads
from spider_solver.analysis.samples import Sample, read_samples
from spider_solver.analysis.share import GameShare, report
from spider_solver.analysis.statistics import share_of
from spider_solver.analysis.tables import Section, Table, percent, render
from spider_solver.store.row import Row
from tests.analysis.sets import BUDGET, small_set, still_open, won, write


@pytest.fixture
def four_suits(tmp_path: Path) -> Sample:
    return read_samples([small_set(tmp_path / "set")])[1]


def test_open_deals_count_against_both_ends(four_suits: Sample) -> None:
    found = GameShare.of(four_suits)
    assert found.counts == {"deals": 10, "won": 7, "lost": 1, "open": 2}
    assert found.winnable.value == 0.7
    assert found.winnable.low == share_of(7, 10).low
    assert found.winnable.high == share_of(9, 10).high


def test_shares_by_budget(four_suits: Sample) -> None:
    assert budgets_of(four_suits) == [10_000, 100_000, 167_000, BUDGET]
    # The seven are won with 2, 16, 54, 128, 250, 432 and 686 thousand nodes.
    shares = shares_by_budget(four_suits)
    assert [share.won for share in shares] == [1, 3, 4, 7]
    assert [share.lost for share in shares] == [1, 1, 1, 1]
    assert [share.share for share in shares] == [share_of(won, 10) for won in (1, 3, 4, 7)]
    (exactly,) = shares_by_budget(four_suits, budgets=[16_000])
    assert exactly.won == 2


def test_deals_that_a_clock_stopped_are_unknown(tmp_path: Path) -> None:
    rows = [won(1, 50), still_open(2, reason="time", nodes=20_000), still_open(3)]
    (sample,) = read_samples([write(tmp_path / "set", rows)])
    shares = shares_by_budget(sample)
    assert [share.unknown for share in shares] == [0, 1, 1, 1]
    assert shares[0].share == share_of(1, 3)
    assert shares[1].share.low == share_of(1, 3).low
    assert shares[1].share.high == share_of(2, 3).high


def test_quantiles_place_open_deals_above_all_others(four_suits: Sample) -> None:
    nodes, seconds, actions = spreads(four_suits)
    # Sorted: lost with 0, the seven, two open ones.
    assert [*nodes.quantiles] == [0, 16_000, 128_000, 686_000, None, None, None]
    assert nodes.mean is None
    assert seconds.quantiles[2] == 0.128
    assert actions.deals == 7
    assert [*actions.quantiles] == [151, 152, 154, 156, 157, 157, 157]
    assert actions.mean == 154


def test_no_deal_is_won(tmp_path: Path) -> None:
    (sample,) = read_samples([write(tmp_path / "set", [still_open(1)])])
    found = GameShare.of(sample)
    assert found.winnable[::2] == (0, 1)
    assert found.spreads[2].deals == 0


def test_shares_are_not_rounded_to_nothing_or_all() -> None:
    assert percent(0.99999) == "99.999%"
    assert percent(2.3e-6) == "0.0002%"
    assert (percent(0), percent(0.5), percent(1)) == ("0.00%", "50.00%", "100.00%")


def test_boards_are_of_no_numbering(tmp_path: Path) -> None:
    numbered, boards = (
        [won(seed, 10, suits=2, numbering=numbering) for seed in (1, 2)]
        for numbering in ("kpat", "board")
    )

    def said(name: str, *rows: Row) -> str:
        samples = read_samples([write(tmp_path / name, rows)])
        return render(report([GameShare.of(sample) for sample in samples]), markdown=True)

    alone = said("boards", *boards)
    assert "The interval's lower end counts open deals as lost, its upper end as won." in alone
    assert "only if these were dealt at random" in alone
    assert "numbering could deal" not in alone
    assert "another solver" not in alone
    both = said("both", *boards, *numbered)
    assert "is for all deals that the numbering could deal" in both
    assert "only if these were dealt at random" in both
    assert "| kpat, spider, 2 suits | 167,000 | 80 of 100 |" in both
    assert "| board, spider, 2 suits | 167,000 |" not in both
    assert "dealt at random" not in said("numbered", *numbered)


def test_tables() -> None:
    table = Table(["a", "b"], [["long", "1"], ["x", "22"]])
    assert table.text() == "a      b\nlong   1\nx     22"
    assert table.markdown() == "| a | b |\n| --- | --: |\n| long | 1 |\n| x | 22 |"
    section = Section("All", [table], ["so it is"])
    assert render([section], markdown=True) == f"### All\n\n{table.markdown()}\n\n- so it is"
    assert render([section, section], markdown=False).count(table.text()) == 2
