"""The blockade: certificates, words, and what it says nothing about."""

from dataclasses import replace
from pathlib import Path

import pytest

from spider_solver.game.cards import parse_card, rank
from spider_solver.game.notation import DEAL
from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules, spider, tiny
from spider_solver.proofs.blockade import explain_blockade, find_blockade, stages
from spider_solver.proofs.check import ProofError, check_blockade
from spider_solver.text.quoting import quoted
from tests.case_files import case
from tests.strategies import with_options

GOLDEN = Path(__file__).parents[1] / "golden"

CERTIFICATES = {
    14934: "4,4,4,5,4,4,5,4,4,4/4,4,4,5,4,4,5,4,4,4/4,4,4,5,3,4,5,4,4,4"
    "/4,4,4,5,3,4,5,4,4,4/4,4,4,5,3,4,5,4,4,4/2,4,4,5,3,4,5,4,4,4",
    1748: "4,3,2,5,4,3,5,4,4,4/4,3,2,5,4,3,5,4,4,4/4,3,2,5,4,3,5,4,4,4"
    "/4,3,2,1,4,3,5,2,4,4/4,3,2,1,4,3,5,2,4,4/4,3,2,1,4,3,5,2,4,4",
}

OLDER_CERTIFICATES = {
    14934: "4,4,4,5,4,4,5,4,4,4/4,4,4,5,4,4,5,4,4,4/4,4,4,5,3,4,5,4,4,4"
    "/2,4,4,5,3,4,5,4,4,4/2,4,4,5,3,4,5,4,4,4/2,4,4,5,3,4,5,4,4,4",
    1748: "4,3,2,5,4,3,5,4,4,4/4,3,2,5,4,3,5,2,4,4/4,3,2,5,4,3,5,2,4,4"
    "/4,3,2,1,4,3,5,2,4,4/4,3,2,1,4,3,5,2,4,4/4,3,2,1,4,3,5,2,4,4",
}
"""Those of version 0.1, which claim less."""


def lost(seed: int, suits: int = 4) -> Position:
    return numbered("pysol", seed, spider(suits))


@pytest.mark.parametrize("seed", CERTIFICATES)
@pytest.mark.parametrize("suits", [1, 2, 4])
def test_the_two_lost_deals_of_pysol_with_any_number_of_suits(seed: int, suits: int) -> None:
    assert find_blockade(lost(seed, suits)) == CERTIFICATES[seed]
    check_blockade(lost(seed, suits), CERTIFICATES[seed])
    check_blockade(lost(seed, suits), OLDER_CERTIFICATES[seed])


def test_case_010_is_lost_under_every_option() -> None:
    for rules in with_options(spider(4)):
        assert find_blockade(replace(case("010"), rules=rules)) == CERTIFICATES[14934]


@pytest.mark.parametrize("seed", CERTIFICATES)
def test_words(seed: int) -> None:
    golden = (GOLDEN / f"pysol-{seed}-blockade.txt").read_text(encoding="utf-8")
    assert explain_blockade(lost(seed)) + "\n" == golden


@pytest.mark.parametrize(("seed", "missing"), [(14934, 3), (1748, 6)])
def test_one_rank_never_comes_to_light(seed: int, missing: int) -> None:
    for stage in stages(lost(seed)):
        assert missing not in {rank(card) for card in stage.face_up}
    assert {rank(card) for card in stages(lost(seed))[-1].face_up} == {*range(1, 14)} - {missing}


def test_other_deals_of_pysol_are_not_called_lost() -> None:
    assert [seed for seed in range(1, 2001) if find_blockade(lost(seed))] == [1748]


@pytest.mark.full
def test_no_other_deal_of_all_32000() -> None:
    assert [seed for seed in range(1, 32001) if find_blockade(lost(seed))] == [1748, 14934]


@pytest.mark.parametrize("name", ["161", "200", "207", "217", "220", "223", "224"])
def test_won_cases_are_not_called_lost(name: str) -> None:
    assert find_blockade(case(name)) is None


def test_stays_true_inside_the_game() -> None:
    """Every position that a blockaded one leads to is blockaded too."""
    layer = {lost(14934)}
    for actions, expected in enumerate([1, 5, 14, 42, 171]):
        assert len(layer) == expected, actions
        assert all(find_blockade(position) for position in layer)
        layer = {position.play(move) for position in layer for move in position.legal_moves()}


# Small positions. Ranks of the first go to 3, of the second to 2.

TWO_COLUMNS = tiny(columns=2, ranks=3, suits=1, copies=2, hidden=1, rows=1)
THREE_COLUMNS = Rules(name="three columns", pack="CDHS", packs=1, ranks=2, heights=(3, 3, 2))


def test_a_dealt_card_holds_its_column_too() -> None:
    position = Position.from_code("as2S/as2S 3S3S -", TWO_COLUMNS)
    assert find_blockade(position) == "1,1/1,1"
    assert explain_blockade(position) == (
        "no A can ever be uncovered:\n"
        "column a is held by 2S, without a 3 to go on until deal 1, then by 3S, "
        "which goes on nothing, over AS\n"
        "column b is held by 2S, without a 3 to go on until deal 1, then by 3S, "
        "which goes on nothing, over AS\n"
        "so no column can ever be emptied and no run completed"
    )


def test_a_dealt_card_may_be_what_a_column_waits_for() -> None:
    position = Position.from_code("as2S/3s2S AS3S -", TWO_COLUMNS)
    assert [stage.covered for stage in stages(position)] == [(1, 1)]
    assert find_blockade(position) is None


def test_a_run_may_be_made_by_a_deal_alone() -> None:
    rules = Rules(name="two columns", pack="HS", packs=1, ranks=2, heights=(1, 1))
    position = Position.from_code("2S/2H ASAH -", rules)
    assert position.play(DEAL).is_won
    assert [stage.covered for stage in stages(position)] == [(0, 0)]
    assert find_blockade(position) is None


def test_a_covered_card_that_lies_face_up_counts() -> None:
    """All ranks can be seen, but those of no suit: the column of 2D and AC is held by 2D."""
    position = Position.from_code("ah2c2S/asad2H/2DAC - -", THREE_COLUMNS)
    assert find_blockade(position) == "2,2,0"
    assert stages(position)[0].face_up == set(map(parse_card, ("2S", "2H", "2D", "AC")))
    assert explain_blockade(position) == (
        "no 2C, no AD, no AH, no AS can ever be uncovered:\n"
        "column a is held by 2S, which goes on nothing, over AH 2C\n"
        "column b is held by 2H, which goes on nothing, over AS AD\n"
        "column c is held by 2D, which goes on nothing\n"
        "so no column can ever be emptied and no run completed"
    )
    face_down = Position.from_code("ah2c2S/asad2H/2dAC - -", THREE_COLUMNS)
    assert find_blockade(face_down) == "2,2,0"
    assert explain_blockade(face_down).splitlines()[3] == (
        "column c is held by 2D, which goes on nothing"
    )


def test_nothing_is_said_with_an_empty_column() -> None:
    position = Position.from_code("asAC2S/ahad2H2D2C/ - -", THREE_COLUMNS)
    assert (stages(position), find_blockade(position)) == ([], None)


def test_nothing_is_said_of_a_won_game() -> None:
    assert find_blockade(Position.from_code("// - CDHS", THREE_COLUMNS)) is None


def test_words_are_for_blockaded_positions_only() -> None:
    with pytest.raises(ValueError, match="the position is not blockaded"):
        explain_blockade(lost(1))


# The checker


@pytest.mark.parametrize(
    "certificate",
    [
        "",
        "blocked",
        CERTIFICATES[1748],
        CERTIFICATES[14934].replace("/", " / "),
        CERTIFICATES[14934].rpartition("/")[0],
        CERTIFICATES[14934] + "/2,4,4,5,3,4,5,4,4,4",
        CERTIFICATES[14934].replace(",", "/"),
        CERTIFICATES[14934].replace("4", "04", 1),
        CERTIFICATES[14934].replace("4", "-4", 1),
        CERTIFICATES[14934].replace("4", "\u0664", 1),
        CERTIFICATES[14934].replace("4", "4444", 1),
        CERTIFICATES[14934].replace("4", "", 1),
        CERTIFICATES[14934].replace("3", "4", 1),
        CERTIFICATES[14934][:-1] + "5",
    ],
)
def test_another_certificate_is_refused(certificate: str) -> None:
    with pytest.raises(ProofError) as caught:
        check_blockade(lost(14934), certificate)
    assert str(caught.value) == (
        f"certificate {quoted(certificate, 150)}, but the blockade is {CERTIFICATES[14934]}"
    )


@pytest.mark.parametrize("old", ["4", "5", "3"])
def test_a_certificate_may_claim_less(old: str) -> None:
    check_blockade(lost(14934), CERTIFICATES[14934].replace(old, "2", 1))
    check_blockade(lost(14934), CERTIFICATES[14934].replace(old, "0"))


def test_a_deal_that_is_not_blockaded_is_refused() -> None:
    with pytest.raises(ProofError, match=r"^the position is not blockaded$"):
        check_blockade(lost(1), CERTIFICATES[14934])
