from dataclasses import replace

from spider_solver.cli.verdict import verdict_text
from tests.rows import open_row, won_row


def test_won() -> None:
    row = replace(
        won_row(), line="ab1 cd12 deal ef3 deal", actions=5, score=495, nodes=12_345, seconds=0.5
    )
    assert verdict_text(row).splitlines() == [
        "kpat 1, spider, 1 suit: won in 5 actions, score 495 (12,345 nodes, 0.50 s)",
        "  ab1 cd12",
        "  deal ef3",
        "  deal",
    ]
    bounded = verdict_text(replace(row, actions_bound=3))
    assert ": won in 5 actions (no line has fewer than 3), score 495 (" in bounded


def test_long_stages_are_wrapped() -> None:
    row = replace(won_row(), line=" ".join(["ab1"] * 30 + ["deal"] + ["ab1"] * 30))
    lines = verdict_text(row).splitlines()[1:]
    assert all(len(line) <= 78 for line in lines)
    assert [line.split()[0] for line in lines] == ["ab1", "ab1", "deal", "ab1"]
    assert " ".join(" ".join(lines).split()) == row.line


def test_lost() -> None:
    row = replace(open_row(), status="lost", reason=None, proof="blockade", certificate="1,2/0,2")
    assert ": lost, no line can win it (proof: blockade, 1,2/0,2) (" in verdict_text(row)
    row = replace(row, proof="exhausted", certificate=None)
    assert ": lost, no line can win it (proof: exhausted) (" in verdict_text(row)
    text = verdict_text(replace(row, proof="too-few-cards"))
    assert ": lost, no line can win it (proof: too few cards to deal again) (" in text


def test_open() -> None:
    row = replace(open_row(), runs_completed=3, rows_dealt=5)
    assert "open, stopped by nodes; at most 3 runs completed, 5 rows dealt (" in verdict_text(row)
    row = replace(row, runs_completed=1, rows_dealt=1, nodes=1)
    assert "; at most 1 run completed, 1 row dealt (1 node, " in verdict_text(row)
    row = replace(row, reason="crash", runs_completed=None, rows_dealt=None)
    assert ": open, stopped by crash (" in verdict_text(row)
