from dataclasses import replace

import pytest

from spider_solver.solver import Limits
from spider_solver.store.settings import Settings, differences, short_count
from tests.rows import SETTINGS


def test_json_is_canonical() -> None:
    assert SETTINGS.to_json() == (
        '{"bound":false,"max_nodes":1000000,"proofs":false,"shorten":0,"solver":"0.1.0+test",'
        '"time_limit":null,"variant":"spider"}'
    )


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (SETTINGS, "spider-1M-0.1.0-test"),
        (replace(SETTINGS, time_limit=2.5), "spider-1M-2.5s-0.1.0-test"),
        (replace(SETTINGS, max_nodes=167_000, time_limit=10.0), "spider-167k-10s-0.1.0-test"),
        (Settings("relaxed", 123_456, None, 0, False, "1+a/b"), "relaxed-123456-1-a-b"),
        (
            replace(SETTINGS, time_limit=1.0, shorten=7_000_000, bound=True, proofs=True),
            "spider-1M-1s-shorten7M-bound-proofs-0.1.0-test",
        ),
    ],
)
def test_folder_name(settings: Settings, name: str) -> None:
    assert settings.folder_name == name


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (1, "1"),
        (999, "999"),
        (1000, "1k"),
        (1500, "1500"),
        (167_000, "167k"),
        (10**6, "1M"),
        (10**7, "10M"),
        (2 * 10**9, "2G"),
        (10**12, "1000G"),
    ],
)
def test_short_count(count: int, text: str) -> None:
    assert short_count(count) == text


def test_settings_of_limits() -> None:
    limits = Limits(max_nodes=5, time=2.0, shorten=7, bound=True)
    assert Settings.of("spider", limits, "x") == Settings("spider", 5, 2.0, 7, True, "x")


def test_differences() -> None:
    there = {**SETTINGS.as_dict(), "bound": True, "later": 7}
    assert differences(there, there) == []
    here = replace(SETTINGS, max_nodes=500, time_limit=3.0, shorten=7).as_dict()
    found = differences(there, here)
    assert [str(difference) for difference in found] == [
        "bound yes there, no here",
        "later 7 there, none here",
        "max_nodes 1M there, 500 here",
        "shorten 0 there, 7 here",
        "time_limit none there, 3.0 here",
    ]
    assert [difference.option for difference in found if difference.adjustable] == [
        "--bound",
        "--max-nodes 1M",
        "no --shorten",
        "no --time-limit",
    ]
