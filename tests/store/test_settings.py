from dataclasses import replace

import pytest

from spider_solver.store.settings import Settings, differences, short_count
from tests.rows import SETTINGS


def test_json_is_canonical() -> None:
    assert SETTINGS.to_json() == (
        '{"max_nodes":1000000,"solver":"0.1.0+test","time_limit":null,"variant":"spider"}'
    )


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (SETTINGS, "spider-1M-0.1.0-test"),
        (replace(SETTINGS, time_limit=2.5), "spider-1M-2.5s-0.1.0-test"),
        (replace(SETTINGS, max_nodes=167_000, time_limit=10.0), "spider-167k-10s-0.1.0-test"),
        (Settings("relaxed", 123_456, None, "1+a/b"), "relaxed-123456-1-a-b"),
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


def test_differences() -> None:
    there = SETTINGS.as_dict()
    assert differences(there, there) == []
    here = {**there, "max_nodes": 500, "shorten": 7}
    assert [str(difference) for difference in differences(there, here)] == [
        "max_nodes 1M there, 500 here",
        "shorten none there, 7 here",
    ]
    assert [difference.adjustable for difference in differences(there, here)] == [True, False]
