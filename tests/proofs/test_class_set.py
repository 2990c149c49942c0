"""Sets of classes that prove a loss, and what is wrong with others."""

import time
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import cycle
from random import Random

import pytest

from spider_solver.game.cards import SUITS, Card, make_card, rank
from spider_solver.game.deal import Deal
from spider_solver.game.notation import DEAL
from spider_solver.game.position import Position
from spider_solver.proofs import class_set
from spider_solver.proofs.check import ProofError
from spider_solver.proofs.class_set import ClassSet, check_class_set, format_class
from spider_solver.proofs.closed_set import OutOfTime
from spider_solver.proofs.first_run import has_first_phase
from tests.first_phase import random_deal, reaches_event, search_classes, small_game
from tests.strategies import SHORT_ROW, with_options

STUCK = 36116661
"""A kpat number that no blockade proves lost; its set has three classes."""

RULES = small_game(columns=4, ranks=6, suits=2, copies=2, rows=3)


@cache
def lost_deal() -> tuple[Position, list[str]]:
    """A small deal with a set of some dozens of classes."""
    generator = Random(3)
    while True:
        start = random_deal(RULES, generator)
        found = search_classes(start, 60)
        if found is not None and len(found) >= 30:
            return start, [format_class(each) for each in found]


def refuse(start: Position, codes: list[str], message: str) -> None:
    with pytest.raises(ProofError, match=message):
        check_class_set(start, codes)


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_three_classes_prove_a_full_deal_lost(suits: int) -> None:
    start = Deal.numbered(STUCK, suits=suits).position
    codes = [
        "6/6/6/6/5/5/5/5/5/5 -",
        "6/6/6/6/5/4/5/5/5/5 -",
        "6/6/6/6/5/3/5/5/5/5 -",
    ]
    found = search_classes(start, 10)
    assert found is not None
    assert [format_class(each) for each in found] == codes
    assert check_class_set(start, codes) == check_class_set(start, codes[::-1] + codes) == 3
    for place in (1, 2):
        message = f"^class {place} of the set: {codes[place]} may follow, which is not in the set$"
        refuse(start, codes[:place] + codes[place + 1 :], message)
    refuse(start, codes[1:], "^the start is not in the set of classes: 6/6/6/6/5/5/5/5/5/5 -$")


def test_a_set_found_with_one_suit_proves_a_deal_lost_with_any() -> None:
    generator = Random(3)
    sizes = Counter[str]()
    for _ in range(60):
        start = random_deal(small_game(columns=3, ranks=5, suits=2, copies=2, rows=2), generator)
        found = search_classes(in_suits(start, "SSSS"), 1000)
        if found is None:
            continue
        codes = [format_class(each) for each in found]
        for pack in ("SSSS", "HSHS", "CDHS"):
            other = in_suits(start, pack)
            assert check_class_set(other, codes) == len(codes)
            sizes[pack] += len(search_classes(other, 1000) or ())
    assert sizes["SSSS"] >= sizes["HSHS"] >= sizes["CDHS"] > 30


def in_suits(start: Position, pack: str) -> Position:
    """The same ranks in the same places, in the suits of a pack as they come."""
    drawn = {value: cycle(map(SUITS.index, pack)) for value in range(1, start.rules.ranks + 1)}

    def recoloured(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(make_card(rank(card), next(drawn[rank(card)])) for card in cards)

    return replace(
        start,
        rules=replace(start.rules, pack=pack, packs=1),
        columns=tuple(map(recoloured, start.columns)),
        stock=recoloured(start.stock),
    )


def test_every_class_is_needed() -> None:
    start, codes = lost_deal()
    assert check_class_set(start, codes) == len(codes)
    for place in range(1, len(codes)):
        refuse(start, codes[:place] + codes[place + 1 :], "may follow, which is not in the set$")


def test_no_set_proves_another_deal_lost() -> None:
    _, codes = lost_deal()
    generator = Random(11)
    for _ in range(50):
        other = random_deal(RULES, generator)
        if reaches_event(other, 2000):
            refuse(other, codes, "of the set: ")


@pytest.mark.parametrize(
    "code",
    [
        "",
        " ",
        "-",
        "6/6/6/6/5/5/5/5/5/5",
        "6/6/6/6/5/5/5/5/5/5  -",
        "6/6/6/6/5/5/5/5/5/5 - -",
        "6/6/6/6/5/5/5/5/5/5 -\n",
        "6/6/6/6/5/5/5/5/5 -",
        "6/6/6/6/5/5/5/5/5/5/5 -",
        "7/6/6/6/5/5/5/5/5/5 -",
        "0/6/6/6/5/5/5/5/5/5 -",
        "-1/6/6/6/5/5/5/5/5/5 -",
        "06/6/6/6/5/5/5/5/5/5 -",
        "6a/6/6/6/5/5/5/5/5/5 -",
        "6a/6/6/6/5/5/5/5/5/5 ",
        "6a/6/6/6/5/5/5/5/5/5 KK",
        "6aa/6/6/6/5/5/5/5/5/5 K",
        "6ba/6/6/6/5/5/5/5/5/5 K/K",
        "6a/6a/6/6/5/5/5/5/5/5 K2",
        "6a/6/6/6/5/5/5/5/5/5 Z",
        "6abcdef/6/6/6/5/5/5/5/5/5 K/K/K/K/K/K",
        "\N{SUPERSCRIPT TWO}/6/6/6/5/5/5/5/5/5 -",
        "6/" * 5000,
    ],
)
def test_what_is_no_class(code: str) -> None:
    start = Deal.numbered(STUCK).position
    refuse(start, ["6/6/6/6/5/5/5/5/5/5 -", code], "^class 2 of the set: .* is none$")


def test_a_class_that_leads_to_an_event() -> None:
    start = Deal.numbered(STUCK).position
    codes = ["1/1/1/1/1/1/1/1/1/1 -", "6/6/6/6/5/5/5/5/5/5 -"]
    refuse(start, codes, "^class 1 of the set: a column may be emptied or a run completed$")


@pytest.mark.parametrize(
    ("ranks", "suits", "code"),
    [
        (5, 2, "4hah2s4s2H/as5h5h2s3H/5s5s3s4S 2HAS3SAH4H3H -"),
        (6, 1, "3sAS/6s4S/5s6S 2S4SAS2S3S5S -"),
        (5, 2, "3has3sAS/5h5h4hAH/5s2h4s4H/ah2h5s2S 3H2S3S4S -"),
    ],
)
def test_cards_that_fit_where_they_are_dealt_are_decided_on_at_once(
    ranks: int, suits: int, code: str
) -> None:
    """To decide only when what lies under them moves calls these deals lost, and others."""
    columns = code.count("/") + 1
    rows = len(code.split()[1]) // (2 * columns)
    start = Position.from_code(code, small_game(columns, ranks, suits, 2, rows))
    assert has_first_phase(start)
    assert reaches_event(start, 1500)
    assert search_classes(start, 1500) is None


def test_what_the_proof_is_for() -> None:
    fresh = Deal.numbered(STUCK).position
    assert has_first_phase(fresh)
    plain, relaxed, group_moves, optional_removal, every_option = with_options(fresh.rules)
    for rules in (plain, relaxed, optional_removal):
        assert has_first_phase(replace(fresh, rules=rules))
    others = [replace(fresh, rules=group_moves), replace(fresh, rules=every_option)]
    others += [fresh.play(fresh.legal_moves()[0]), fresh.play(DEAL)]
    others += [Deal.numbered(1, rules=SHORT_ROW).position]
    for position in others:
        assert not has_first_phase(position)
        refuse(position, [], "^no proof of this kind: it takes a fresh deal, one card of each ")


def test_progress_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_set, "PROGRESS_POSITIONS", 10)
    start, codes = lost_deal()
    told: list[tuple[int, int]] = []
    check_class_set(start, codes, lambda done, total: told.append((done, total)))
    assert told == [(done, len(codes)) for done in range(10, len(codes) + 1, 10)]
    classes = ClassSet(start)
    for number, code in enumerate(codes, start=1):
        classes.add(code, number)
    with pytest.raises(OutOfTime):
        classes.check(deadline=time.perf_counter() - 1)
