import pytest

from tests.perft import Perft, count, read_perft

PERFT = read_perft()


@pytest.mark.parametrize("perft", PERFT, ids=lambda perft: perft.name)
def test_perft(perft: Perft) -> None:
    assert count(perft.start, len(perft.lines) - 1) == (perft.lines, perft.positions)


def test_every_option_of_the_rules_is_counted() -> None:
    rules = [perft.start.rules for perft in PERFT]
    for option in ("deal_over_empty", "group_moves", "optional_removal"):
        assert any(getattr(each, option) for each in rules)
        assert any(not getattr(each, option) for each in rules)
    assert any(each.stock_size % each.columns for each in rules)
