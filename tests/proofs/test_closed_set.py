"""Closed sets as proofs of a loss: true ones pass, every planted hole is found."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules, tiny
from spider_solver.game.symmetry import in_order
from spider_solver.proofs import closed_set
from spider_solver.proofs.check import ProofError, is_short_of_cards
from spider_solver.proofs.closed_set import check_closed_set
from spider_solver.search.complete import DeadEnds, explore
from spider_solver.search.exhausted import check_exhausted
from tests import brute
from tests.case_files import case, relax
from tests.small_games import SMALL_GAMES, SMALL_GAMES_WITH_OPTIONS

Change = Callable[[list[str], str, str], tuple[list[str], str, str]]
"""Changes the columns, the stock and the completed runs of a position code."""


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

# Lost positions, how many can come about, and how many of them are short of cards.
WITH_DEAD_ENDS = [
    (tiny(3, 2, 4, 2, 0, 2), "AD/2H/AS2D2SAH ADASAH2H2S2D CC", 50, 4),
    (tiny(3, 2, 4, 2, 0, 2), "AC2H2D/2H2C2SAH/AHADAS ASACAD2S2C2D -", 43, 2),
    (tiny(3, 4, 2, 2, 0, 3), "AH/4H/2H 2H3H2S4H4SAH3HAS3S S", 201, 4),
    (tiny(3, 5, 2, 2, 0, 1), "/4S2S3H2H4H/5HAH 3S5SAS HS", 63, 1),
    (tiny(3, 2, 4, 2, 0, 2), "/AH/2H2HAD ASASAH2S2D2S CCD", 18, 2),
]
IDS = [start.rules.name for start, _ in LOST]


@pytest.fixture
def nothing_is_buried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the check ask for all that follows on buried positions."""
    monkeypatch.setattr(closed_set, "is_buried", lambda position: False)


def test_there_are_lost_deals() -> None:
    assert len(LOST) >= 9


@pytest.mark.parametrize(("start", "codes"), LOST, ids=IDS)
def test_true_proofs_pass(start: Position, codes: list[str]) -> None:
    assert check_closed_set(start, codes) == len(codes)
    Random(1).shuffle(codes := codes.copy())
    assert check_closed_set(start, codes) == len(codes)


@pytest.mark.usefixtures("nothing_is_buried")
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
        with pytest.raises(ProofError, match="position 1 of the closed set: "):
            check_closed_set(other, codes)  # another game
        with pytest.raises(ProofError, match="the start is not in the closed set"):
            check_closed_set(numbered("pysol", 1234, start.rules), codes)
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


def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closed_set, "PROGRESS_POSITIONS", 10)
    start, codes = max(LOST, key=lambda lost: len(lost[1]))
    told: list[tuple[int, int]] = []
    check_closed_set(start, codes * 3, lambda done, total: told.append((done, total)))
    assert told == [(10 * tens, len(codes)) for tens in range(1, len(codes) // 10 + 1)]
    assert len(told) == 11


def test_codes_are_read_once() -> None:
    start, codes = LOST[0]
    assert check_closed_set(start, iter(codes)) == len(codes)
    assert check_closed_set(start, codes + codes) == len(codes)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda table, stock, done: (table[:-1], stock, done), "2 columns where the game has 3"),
        (lambda table, stock, done: ([*table[:-1], table[-1] + "KS"], stock, done), "KS is not"),
        (lambda table, stock, done: (table, stock[:-2], done), "is missing: 1 of 2"),
        (lambda table, stock, done: (table, "-", done), "is missing: "),
        (lambda table, stock, done: (table, stock, "H"), "copies of .H where the deck has 2"),
        (
            lambda table, stock, done: (table, stock, "SHH" * 99),
            "copies of .S where the deck has 2",
        ),
        (lambda table, stock, done: ([table[0] * 200, *table[1:]], stock, done), "face-up|copies"),
        (
            lambda table, stock, done: ([t.upper() for t in table], stock, done),
            "not in order|leads",
        ),
        (lambda table, stock, done: (table, stock.lower(), done), "is not in order"),
        (lambda table, stock, done: (table, stock, done + "\n"), "is not in order"),
        (lambda table, stock, done: (table, stock, done + " "), "is not in order"),
    ],
)
def test_codes_of_no_position_are_found(change: Change, words: str) -> None:
    start, codes = LOST[2]
    table, stock, done = codes[0].split(" ")
    assert (len(table.split("/")), done) == (3, "-")
    columns, stock, done = change(table.split("/"), stock, done)
    changed = f"{'/'.join(columns)} {stock} {done}"
    with pytest.raises(ProofError, match=words) as caught:
        check_closed_set(start, [*codes, changed])
    assert str(caught.value).startswith(f"position {len(codes) + 1} of the closed set")
    assert "\n" not in str(caught.value)


def test_a_complete_run_that_stays_on_the_table_is_found() -> None:
    rules = tiny(columns=3, ranks=3, suits=1, copies=2, hidden=0, rows=0)
    start = Position.from_code("3S2S/3S2S/ASAS - -", rules)
    kept = "/2S/3S2SAS3SAS - -"  # the run in the last column is covered: it stays
    with pytest.raises(ProofError, match=r"position 1 of the closed set: .* leads out of the set"):
        check_closed_set(Position.from_code(kept, rules), [kept])
    with pytest.raises(ProofError, match="position 2 of the closed set is not in order"):
        check_closed_set(start, [in_order(start).code, "/2S/3SAS3S2SAS - -"])


def test_positions_short_of_cards_need_no_successors() -> None:
    start = case("209")
    assert check_closed_set(start, [in_order(start).code]) == 1
    relaxed = replace(start, rules=relax(start.rules))
    with pytest.raises(ProofError, match="leads out of the set"):
        check_closed_set(relaxed, [in_order(relaxed).code])


@pytest.mark.usefixtures("nothing_is_buried")
@pytest.mark.parametrize(("rules", "code", "size", "short"), WITH_DEAD_ENDS)
def test_only_positions_short_of_cards_need_no_successors(
    rules: Rules, code: str, size: int, short: int
) -> None:
    start = Position.from_code(code, rules)
    found = explore(start, 10**6, skip=DeadEnds.SHORT_OF_CARDS)
    assert (found.status, found.size, found.dead_ends) == (
        "lost",
        size,
        {DeadEnds.SHORT_OF_CARDS: short},
    )
    positions = list(found.positions())
    codes = [position.code for position in positions]
    assert sum(map(is_short_of_cards, positions)) == short
    assert check_closed_set(start, codes) == check_exhausted(found) == size
    for position in positions[1:]:
        rest = [code for code in codes if code != position.code]
        with pytest.raises(ProofError, match="leads out of the set"):
            check_closed_set(start, rest)
    relaxed = replace(start, rules=relax(rules))
    with pytest.raises(ProofError, match="leads out of the set"):
        check_closed_set(relaxed, codes)
