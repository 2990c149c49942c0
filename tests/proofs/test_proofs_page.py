"""docs/proofs.md shows what the code says."""

from pathlib import Path

import pytest

from spider_solver.game.deal import Deal
from spider_solver.proofs.blockade import explain_blockade

PAGE = Path(__file__).parents[2] / "docs" / "proofs.md"


@pytest.mark.parametrize("seed", [14934, 1748])
def test_explanations_are_as_printed(seed: int) -> None:
    explanation = explain_blockade(Deal.numbered(seed, numbering="pysol").position)
    assert f"```\n{explanation}\n```" in PAGE.read_text(encoding="utf-8")
