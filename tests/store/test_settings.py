import json
from dataclasses import replace
from typing import Any

import pytest

from spider_solver.search.result import Limits
from spider_solver.store.settings import (
    Settings,
    SettingsError,
    differences,
    read_settings,
    short_count,
)
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


def changed(**changes: Any) -> bytes:
    return json.dumps({**SETTINGS.as_dict(), **changes}).encode()


def test_settings_are_read_as_they_were_written() -> None:
    assert read_settings(SETTINGS.to_json().encode()) == SETTINGS.as_dict()
    right: list[dict[str, Any]] = [
        {"max_nodes": 1},
        {"max_nodes": 2**63 - 1},
        {"time_limit": 1},
        {"time_limit": 0.5},
        {"shorten": 0},
        {"bound": True},
        {"solver": "x" * 100},
        {"later": 7},
        {"later": None},
    ]
    for changes in right:
        assert read_settings(changed(**changes)) == {**SETTINGS.as_dict(), **changes}
    without = {name: value for name, value in SETTINGS.as_dict().items() if name != "proofs"}
    assert read_settings(json.dumps(without).encode()) == SETTINGS.as_dict()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "its settings are not JSON"),
        (b"\xff", "its settings are not JSON"),
        (b"null", "its settings are not a JSON object"),
        (b"[]", "its settings are not a JSON object"),
        (b"[" * 9000, "its settings are not JSON"),
        (b" " * 10_001, "its settings have more than 10,000 bytes"),
        (b"{}", "its settings lack variant"),
        (b'{"later": NaN}', "its settings are not JSON"),
        (changed(max_nodes=None), "its setting 'max_nodes' is null, not a whole number from 1"),
        (changed(max_nodes=0), "its setting 'max_nodes' is 0, not a whole number from 1"),
        (changed(max_nodes=2**63), f"is {2**63}, not a whole number from 1"),
        (changed(max_nodes=True), "is true, not a whole number from 1"),
        (changed(max_nodes=1e6), "is 1000000.0, not a whole number from 1"),
        (changed(shorten=-1), "its setting 'shorten' is -1, not a whole number from 0"),
        (changed(time_limit=0), "is 0, not null or a number of seconds above 0"),
        (changed(time_limit=10**400), "..., not null or a number of seconds above 0"),
        (changed(time_limit=7).replace(b"7", b"1e999"), "is Infinity, not null or a number of"),
        (changed(bound=1), "its setting 'bound' is 1, not true or false"),
        (changed(proofs=None), "its setting 'proofs' is null, not true or false"),
        (changed(variant=""), 'is "", not 1 to 100 printable characters'),
        (changed(solver="x" * 101), "not 1 to 100 printable characters"),
        (changed(solver="\x1b[31m"), 'is "\\u001b[31m", not 1 to 100 printable characters'),
        (changed(later=[]), "its setting 'later' is a list, not null, true, false, a number or"),
        (changed(later={}), "its setting 'later' is an object, not null, true, false, a number"),
    ],
)
def test_settings_that_are_none(text: bytes, words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_settings(text)
    assert words in str(caught.value)
    assert str(caught.value).isprintable()
