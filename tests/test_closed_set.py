"""Closed sets as proofs of a loss: true ones pass, every planted hole is found."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from spider_solver.complete import explore
from spider_solver.numbering import numbered
from spider_solver.position import Position
from spider_solver.proof import PROGRESS_POSITIONS, ProofError, check_closed_set
from spider_solver.rules import Rules
from spider_solver.symmetry import in_order
from tests import brute
from tests.case_files import case, relax
from tests.small_games import SMALL_GAMES, SMALL_GAMES_WITH_OPTIONS


def lost_deals(most: int) -> Iterator[tuple[Position, list[str]]]:
    """The first lost deal of each small game, with all that can come about."""
    for rules in SMALL_GAMES:
        for seed in range(1, 100):
            start = numbered("pysol", seed, rules)
            found = explore(start, 10**7)
            if found.status == "lost" and 20 < found.size <= most:
                yield start, [position.code for position in found.positions()]
                break


LOST = list(lost_deals(800))
IDS = [start.rules.name for start, _ in LOST]


def test_there_are_lost_deals() -> None:
    assert len(LOST) >= 9


@pytest.mark.parametrize(("start", "codes"), LOST, ids=IDS)
def test_true_proofs_pass(start: Position, codes: list[str]) -> None:
    assert check_closed_set(start, codes) == len(codes)
    Random(1).shuffle(codes := codes.copy())
    assert check_closed_set(start, codes) == len(codes)


@pytest.mark.parametrize(("start", "codes"), LOST, ids=IDS)
def test_a_position_left_out_is_found(start: Position, codes: list[str]) -> None:
    for place in Random(2).sample(range(1, len(codes)), 6):
        with pytest.raises(ProofError, match="leads out of the set, to") as caught:
            check_closed_set(start, codes[:place] + codes[place + 1 :])
        assert str(caught.value).endswith(f"to {codes[place]}")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("start", "codes"), LOST, ids=IDS)
def test_a_start_left_out_is_found(start: Position, codes: list[str]) -> None:
    with pytest.raises(ProofError, match="the start is not in the closed set"):
        check_closed_set(start, codes[1:])


def test_another_start_is_found() -> None:
    other, _ = LOST[-1]
    for start, codes in LOST[:-1]:
        with pytest.raises(ProofError, match="the start is not in the closed set"):
            check_closed_set(other, codes)
        later = Position.from_code(codes[-1], start.rules)
        assert check_closed_set(later, codes) == len(codes)


@pytest.mark.parametrize(("start", "codes"), LOST, ids=IDS)
def test_a_won_position_is_found(start: Position, codes: list[str]) -> None:
    rules = start.rules
    won = Position.with_rest_completed(rules, ((),) * rules.columns, (0,) * rules.columns, ())
    with pytest.raises(ProofError, match="position 8 of the closed set is won"):
        check_closed_set(start, [*codes[:7], won.code, *codes[7:]])


def test_a_hidden_win_is_found() -> None:
    for rules in SMALL_GAMES:
        for seed in range(1, 10):
            start = numbered("pysol", seed, rules)
            known = brute.explore(start, 400)
            if known is None or known[start] is None:
                continue
            lost = [in_order(position).code for position in known if not position.is_won]
            with pytest.raises(ProofError, match=r"position \d+ of the closed set: \S+ wins"):
                check_closed_set(start, lost)


def test_positions_out_of_order_or_of_another_game_are_found() -> None:
    start, codes = LOST[1]
    swapped = next(
        code
        for text in codes
        if (code := _first_two_swapped(text)) != in_order(_position(code, start)).code
    )
    with pytest.raises(ProofError, match="position 3 of the closed set is not in order"):
        check_closed_set(start, [*codes[:2], swapped, *codes[2:]])
    for text in ("nonsense", "AS/2S - -", codes[2].replace("2", "3", 1), codes[2].lower()):
        with pytest.raises(ProofError, match="position 2 of the closed set: ") as caught:
            check_closed_set(start, [codes[0], text, *codes[1:]])
        assert "\n" not in str(caught.value)


def _first_two_swapped(code: str) -> str:
    table, *rest = code.split(" ")
    first, second, *others = table.split("/")
    return " ".join(["/".join([second, first, *others]), *rest])


def _position(code: str, start: Position) -> Position:
    return Position.from_code(code, start.rules)


def test_columns_with_different_lanes_are_not_alike() -> None:
    # A set that is closed only if any columns may swap places proves nothing.
    start, codes = LOST[2]
    assert start.stock
    table, *rest = in_order(start).code.split(" ")
    wrong = " ".join(["/".join(sorted(table.split("/"), reverse=True)), *rest])
    assert wrong not in codes
    with pytest.raises(ProofError, match="the start is not in the closed set"):
        check_closed_set(start, [wrong, *codes[1:]])


@pytest.mark.parametrize("rules", SMALL_GAMES_WITH_OPTIONS, ids=lambda rules: rules.name)
def test_sets_of_brute_force_pass_under_every_option(rules: Rules) -> None:
    for seed in range(1, 4):
        start = numbered("pysol", seed, rules)
        known = brute.explore(start, 300)
        if known is not None and known[start] is None:
            codes = [in_order(position).code for position in known]
            assert check_closed_set(start, codes) == len(codes)


def test_other_rules_make_another_proof() -> None:
    start = case("209")
    codes = [position.code for position in explore(start, 10**7).positions()]
    with pytest.raises(ProofError, match="deal leads out of the set"):
        check_closed_set(replace(start, rules=relax(start.rules)), codes)


def test_progress_is_told() -> None:
    start, codes = LOST[1]
    codes = codes * (2 * PROGRESS_POSITIONS // len(codes) + 1)
    told: list[tuple[int, int]] = []
    check_closed_set(start, codes, lambda done, total: told.append((done, total)))
    assert [done for done, _ in told] == [PROGRESS_POSITIONS, 2 * PROGRESS_POSITIONS]
    assert all(done <= total for done, total in told)


def test_an_iterator_is_refused() -> None:
    start, codes = LOST[0]
    with pytest.raises(TypeError, match="read twice"):
        check_closed_set(start, iter(codes))
    with pytest.raises(TypeError, match="read twice"):
        check_closed_set(start, (code for code in codes))


class Changing:
    """Codes that are others when they are read again."""

    def __init__(self, *readings: list[str]) -> None:
        self.readings = list(readings)

    def __iter__(self) -> Iterator[str]:
        return iter(self.readings.pop(0))


def test_codes_that_change_are_found() -> None:
    start, codes = LOST[0]
    assert check_closed_set(start, Changing([], codes, codes)) == len(codes)
    for second in ([], codes[:-1]):
        with pytest.raises(ProofError, match=rf"{len(codes)} positions at first reading, then"):
            check_closed_set(start, Changing([], codes, second))
    with pytest.raises(ProofError, match="position 1 was another one at first reading"):
        check_closed_set(start, Changing([], codes, LOST[1][1]))
