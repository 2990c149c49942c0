"""From spider-solve --boards --proofs to spider-verify: boards with a covered complete run.

``pytest -m full tests/batch/test_covered_runs.py --log-cli-level=info`` logs what became of 600
boards of each variant.
"""

import json
import logging
from collections import Counter
from pathlib import Path

import pytest

from spider_solver.cli.solve import solve
from spider_solver.cli.verify import verify
from spider_solver.game.rules import VARIANTS
from spider_solver.store.reading import part_paths, read_rows
from tests.boards import covered_board
from tests.cli.commands import run

LOG = logging.getLogger(__name__)


def check_rows(
    capsys: pytest.CaptureFixture[str], folder: Path, variant: str, seeds: range, nodes: int
) -> Counter[str]:
    """Solve boards to a data set and verify it; counts how they were decided."""
    boards = [covered_board(variant, seed) for seed in seeds]
    text = folder / "boards.txt"
    text.write_text("".join(f"{position.code}\n" for position in boards))
    out = folder / "set"
    chosen = ("--boards", text, "--variant", variant, "--max-nodes", nodes)
    ended = run(capsys, solve, *chosen, "--proofs", "--out", out, "--workers", 1)
    assert ended.code == 0, ended.err
    rows = sorted(
        (row for path in part_paths(out) for row in read_rows(path)), key=lambda r: r.seed
    )
    assert [row.deal for row in rows] == [position.code for position in boards]
    assert {row.reason for row in rows} <= {None, "nodes"}
    ended = run(capsys, verify, "--json", out, "--workers", 1)
    answer = json.loads(ended.out)
    assert (ended.code, answer["faults"]) == (0, [])
    statuses = Counter(row.status for row in rows)
    assert (answer["rows"], answer["lost_verified"]) == (len(boards), statuses["lost"])
    assert answer["lost_claimed"] == 0
    return Counter(f"{row.status}, {row.proof or row.reason}" for row in rows)


@pytest.mark.parametrize("variant", VARIANTS)
def test_rows_of_boards_with_covered_runs_are_verified(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, variant: str
) -> None:
    counts = check_rows(capsys, tmp_path, variant, range(60), 5000)
    LOG.info("%s: %s", variant, dict(counts))
    assert counts["won, line"] >= 30


@pytest.mark.full
@pytest.mark.parametrize("variant", VARIANTS)
def test_600_rows_of_boards_with_covered_runs_are_verified(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, variant: str
) -> None:
    counts = check_rows(capsys, tmp_path, variant, range(1000, 1600), 50_000)
    LOG.info("%s: %s", variant, dict(counts))
    assert counts["won, line"] >= 300
