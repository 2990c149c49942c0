"""The list of KPatience's lost deals in data/, and what docs/lost-deals.md says of it."""

import csv
import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chisquare

from benchmarks.scan_kernels import new_scan, scan_range
from spider_solver.game.cards import rank
from spider_solver.game.numberings import MAX_KPAT_SEED, numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import spider
from spider_solver.proofs.blockade import find_blockade, stages
from spider_solver.proofs.check import ProofError, check_blockade
from tests.proofs.staged import staged_blockade

ROOT = Path(__file__).parents[1]
ALL_SUITS = (1, 2, 3, 4)


class Lost(NamedTuple):
    """A line of the table."""

    fewest_suits: int
    certificate: str

    @property
    def suits(self) -> range:
        """With how many suits the deal is called lost."""
        return range(self.fewest_suits, 5)


def read_table() -> dict[int, Lost]:
    with (ROOT / "data" / "lost-kpat.csv").open(encoding="ascii", newline="") as file:
        return {
            int(row["seed"]): Lost(int(row["suits"]), row["certificate"])
            for row in csv.DictReader(file)
        }


LOST = read_table()
NOTE = (ROOT / "docs" / "lost-deals.md").read_text("utf-8")
SAMPLE = sorted(Random(4).sample(sorted(LOST), 200))


def test_the_list_is_in_order() -> None:
    seeds = list(LOST)
    assert len(seeds) == 8394
    assert seeds == sorted(seeds)
    assert (seeds[0], seeds[-1]) == (1009003, 2147243997)
    assert seeds[-1] <= MAX_KPAT_SEED


def check_certificates(seeds: Iterable[int]) -> None:
    for seed in seeds:
        for suits in ALL_SUITS:
            found = find_blockade(numbered("kpat", seed, spider(suits)))
            assert found == (LOST[seed].certificate if suits in LOST[seed].suits else None)


def test_a_sample_of_certificates() -> None:
    check_certificates(SAMPLE)


@pytest.mark.full
def test_all_certificates() -> None:
    check_certificates(LOST)


def test_a_certificate_proves_its_own_deal_only() -> None:
    refused = 0
    for seed, other in pairwise(SAMPLE[:51]):
        position, certificate = numbered("kpat", seed, spider(4)), LOST[other].certificate
        if claims_more(certificate, LOST[seed].certificate):
            with pytest.raises(ProofError, match="but the blockade is"):
                check_blockade(position, certificate)
            refused += 1
        else:  # all that it says is true here, too
            check_blockade(position, certificate)
        with pytest.raises(ProofError, match="is not blockaded"):
            check_blockade(numbered("kpat", seed + 1, spider(4)), certificate)
    assert refused >= 45


def claims_more(certificate: str, other: str) -> bool:
    """Whether a certificate has a larger count than another one in some place."""
    counts = (map(int, re.findall(r"\d+", text)) for text in (certificate, other))
    return any(one > two for one, two in zip(*counts, strict=True))


def test_certificates_of_version_0_1_hold() -> None:
    checked = 0
    for seed in SAMPLE:
        position = numbered("kpat", seed, spider(4))
        staged = staged_blockade(position)
        if staged is not None:
            check_blockade(position, "/".join(",".join(map(str, counts)) for counts in staged))
            checked += 1
    assert checked > 100


def test_the_scan_finds_each_of_them() -> None:
    scan, found = new_scan(), np.zeros(1, np.int64)
    assert all(scan_range(scan, seed, seed, found) == 1 for seed in LOST)


def ranks(position: Position) -> tuple[list[list[int]], list[int]]:
    """The ranks on the table and in the stock."""
    table = [[rank(card) for card in column] for column in position.columns]
    return table, [rank(card) for card in position.stock]


@given(st.integers(1, MAX_KPAT_SEED))
def test_ranks_lie_the_same_with_any_number_of_suits(seed: int) -> None:
    four = ranks(numbered("kpat", seed, spider(4)))
    assert sum(map(len, four[0])) + len(four[1]) == 104
    for suits in ALL_SUITS:
        assert ranks(numbered("kpat", seed, spider(suits))) == four


def hidden_ranks(seed: int) -> set[int]:
    """The ranks that never come to light in a lost deal."""
    final = stages(numbered("kpat", seed, spider(4)))[-1]
    return set(range(1, 14)) - {rank(card) for card in final.face_up}


def test_suits_do_not_matter_where_a_rank_stays_hidden() -> None:
    assert all(LOST[seed].fewest_suits == 1 for seed in SAMPLE if hidden_ranks(seed))


@pytest.mark.full
def test_how_many_ranks_stay_hidden() -> None:
    hidden = [hidden_ranks(seed) for seed in LOST]
    count = Counter(map(len, hidden))
    none = f", none in {count[0]:,}" if count[0] else ""
    assert f"one rank in {count[1]:,} deals, two in {count[2]:,}{none}; always" in NOTE
    assert [ranks for ranks in hidden if 1 in ranks] == [{1, 11}]
    assert set().union(*hidden) == set(range(1, 13))


def test_the_figures_of_the_note() -> None:
    interval = binomtest(len(LOST), MAX_KPAT_SEED).proportion_ci(0.95, "exact")
    assert f"{len(LOST):,} of KPatience's {MAX_KPAT_SEED:,} deals" in NOTE
    assert f"{len(LOST):,}: {1e6 * len(LOST) / MAX_KPAT_SEED:.3f} in a million" in NOTE
    assert f"{1e6 * interval.low:.3f} to {1e6 * interval.high:.3f} in a million" in NOTE
    assert f"one in {round(MAX_KPAT_SEED / len(LOST), -3):,.0f}" in NOTE
    assert f"at most {100 - 100 * len(LOST) / MAX_KPAT_SEED:.5f}%" in NOTE
    for suits, won, deals in ((4, 99_974, 100_000), (2, 99_996, 100_000), (1, 99_999, 100_000)):
        floor = binomtest(won, deals).proportion_ci(0.95, "exact").low
        ceiling = 1 - sum(suits in lost.suits for lost in LOST.values()) / MAX_KPAT_SEED
        row = rf"\| {won:,} of {deals:,} at .* \| {100 * floor:.3f}% \| {100 * ceiling:.5f}% \|"
        assert re.search(row, NOTE)
    scatter = chisquare(np.bincount(np.array(list(LOST)) >> 24, minlength=128))
    assert f"chi-squared {scatter.statistic:.1f} with 127 degrees" in NOTE
    assert 0.01 < scatter.pvalue < 0.99
    assert f"expect {32000 * len(LOST) / MAX_KPAT_SEED:.2f}" in NOTE
    assert f'"{LOST[1009003].certificate}"' in NOTE.replace('/"\n    "', "/")
