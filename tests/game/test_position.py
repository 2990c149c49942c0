"""What holds in every position of random play, and what the errors say."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spider_solver.formats.board import read_board, write_board
from spider_solver.game.cards import parse_card
from spider_solver.game.notation import DEAL, Move, parse_move
from spider_solver.game.position import IllegalMove, Position, PositionError, ends_in_run
from spider_solver.game.rules import Rules, spider, tiny
from tests.strategies import ALL_RULES, positions

SMALL = Rules(name="small", pack="HS", packs=1, ranks=4, heights=(1, 1, 1))


def small(code: str, **options: bool) -> Position:
    """A position of a game with three columns and eight cards, A to 4 of hearts and spades.

    Five cards start in the stock: a row of three and a short one of two.
    """
    return Position.from_code(code, replace(SMALL, **options))  # type: ignore[arg-type]


@given(positions())
def test_it_is_a_position_of_its_game(position: Position) -> None:
    position.check()
    assert position.settled() == position


@given(positions())
def test_its_code_and_its_board_round_trip(position: Position) -> None:
    assert Position.from_code(position.code, position.rules) == position
    assert read_board(write_board(position), position.rules) == position
    assert read_board(str(position), position.rules) == position


@given(positions(st.sampled_from([rules for rules in ALL_RULES if rules.name == "spider"])))
def test_a_standard_game_is_known_by_its_suits(position: Position) -> None:
    assert Position.from_code(position.code) == position
    assert read_board(write_board(position)) == position


@given(positions())
def test_no_complete_run_stays_unless_removal_is_optional(position: Position) -> None:
    complete = [
        column
        for column, cards in enumerate(position.columns)
        if ends_in_run(cards, position.face_down[column], position.rules.ranks)
    ]
    removals = [move for move in position.legal_moves() if move.is_removal]
    if position.rules.optional_removal:
        assert [move.source for move in removals] == complete
    else:
        assert not complete
        assert not removals


@given(positions())
def test_exactly_the_listed_moves_are_legal(position: Position) -> None:
    listed = position.legal_moves()
    assert len(set(listed)) == len(listed)
    columns, ranks = range(position.rules.columns), position.rules.ranks
    candidates = [DEAL, *(Move(column, -1, ranks) for column in columns)]
    candidates += [Move(a, b, n) for a in columns for b in columns for n in range(ranks + 2)]
    for move in candidates:
        if move in listed:
            assert position.resolve(move) == move
        else:
            with pytest.raises(IllegalMove):
                position.resolve(move)


@given(positions())
def test_a_move_without_a_count_takes_what_fits(position: Position) -> None:
    most: dict[tuple[int, int], Move] = {}
    for move in position.legal_moves():
        most[move.source, move.target] = move
    for (source, target), move in most.items():
        if not move.is_deal:
            assert position.resolve(Move(source, target)) == move


@given(positions())
def test_a_move_takes_cards_and_a_deal_a_row(position: Position) -> None:
    for move in position.legal_moves():
        after = position.play(move)
        dealt = len(position.stock) - len(after.stock)
        assert dealt == (min(position.rules.columns, len(position.stock)) if move.is_deal else 0)
        assert after.hidden <= position.hidden
        assert len(after.completed) >= len(position.completed)


def test_what_there_is_to_see() -> None:
    position = small("4s3H//as3S2SAH 4H2H -")
    assert position.hidden == 2
    assert position.empty_columns == [1]
    assert position.rows_left == 1
    assert not position.is_won
    assert not position.can_deal
    assert position.movable(1) == 0


def test_a_short_last_row_goes_to_the_first_columns() -> None:
    position = small("3H/AS/2H 4S3S2S4HAH -").play(DEAL)
    assert position.code == "3H4S/AS3S/2H2S 4HAH -"
    position = position.play(DEAL)
    assert position.code == "3H4S4H/AS3SAH/2H2S - -"
    assert not position.can_deal


def test_group_moves_take_any_suits() -> None:
    code = "3H2S/4S/4HAHAS3S2H - -"
    assert small(code).movable(0) == 1
    assert small(code, group_moves=True).movable(0) == 2
    assert small(code, group_moves=True).play(parse_move("ab")).code.startswith("/4S3H2S/")


def test_optional_removal_waits_for_the_player() -> None:
    code = "2s4H3H2HAH//4S3SAS - -"
    assert small(code).code == "2S//4S3SAS - H"
    kept = small(code, optional_removal=True)
    assert kept.code == code
    assert kept.play(parse_move("ab2")).code == "2s4H3H/2HAH/4S3SAS - -"
    removed = kept.play(parse_move("a*"))
    assert removed.code == "2S//4S3SAS - H"
    assert not removed.is_won


def test_one_removal_may_lay_bare_another_run() -> None:
    assert small("4S3S2SAS4H3H2HAH// - -").is_won
    assert small("3h4S3S2SAS//4HAH2H - -").code == "3H//4HAH2H - S"


def test_relaxed_deals_over_empty_columns() -> None:
    code = "4S3S2SAH/4HAS/ 3H2H -"
    with pytest.raises(IllegalMove, match=r"illegal deal: empty columns \(c\)"):
        small(code).play(DEAL)
    assert small(code, deal_over_empty=True).play(DEAL).code == "4S3S2SAH3H/4HAS2H/ - -"


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("deal", "illegal deal: the stock is empty"),
        ("az1", "illegal move az1: there are 3 columns"),
        ("za1", "illegal move za1: there are 3 columns"),
        ("aa1", "illegal move aa1: the columns are the same"),
        ("ba1", "illegal move ba1: column b is empty"),
        ("ac", "illegal move ac: nothing that ends in 2S goes on 2H"),
        ("ca2", "illegal move ca2: nothing that ends in 2H goes on 2S"),
        ("ab3", "illegal move ab3: of column a at most 2 move as one piece, not 3"),
        ("a*", "illegal move a*: complete runs leave by themselves"),
    ],
)
def test_an_illegal_move_says_why(move: str, message: str) -> None:
    position = small("4s3S2S//AS4HAH3H2H - -")
    with pytest.raises(IllegalMove) as caught:
        position.play(parse_move(move))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("a*", "illegal move a*: column a ends in no complete run"),
        ("b*", "illegal move b*: column b ends in no complete run"),
        ("z*", "illegal move z*: there are 3 columns"),
    ],
)
def test_an_illegal_removal_says_why(move: str, message: str) -> None:
    position = small("4s3S2SAS//4HAH3H2H - -", optional_removal=True)
    with pytest.raises(IllegalMove) as caught:
        position.play(parse_move(move))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("4S3S2SAS/4H3H2H/ - -", "AH is missing: 0 of 1 are there"),
        ("4S3S2SAS/4H3H2HAHAH/ - -", "2 copies of AH where the deck has 1"),
        ("4S3S2SAS/4H3H2HAC/ - -", "AC is not in the deck"),
        ("4S3S2SAS/4H3H2HAH/5S - -", "5S is not in the deck"),
        ("4S3S2SAS/4H3H2HAH/ - S", "2 copies of 4S where the deck has 1"),
        ("4S3S2SAS/4H3H2HAH - -", "2 columns where the game has 3"),
        ("4S3S2SAS/4h3h2hah/ - -", "the last card of column b is face down"),
        ("4S3S2S/4H3H2H/AH AS -", "1 card in the stock, which in rows of 3 holds 5, 2, 0"),
        ("4S/3S/ 2SAS4H3H2HAH -", "6 cards in the stock, which in rows of 3 holds 5, 2, 0"),
    ],
)
def test_cards_of_no_position_are_refused(code: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        small(code)
    assert str(caught.value) == message


def test_a_code_with_suits_of_no_standard_game_is_refused() -> None:
    with pytest.raises(PositionError, match="suits C: Spider is played with"):
        Position.from_code("KC///////// - -")


def test_a_complete_run_is_face_up_of_one_suit_and_ends_in_an_ace() -> None:
    def column(text: str) -> list[int]:
        return list(map(parse_card, text.split()))

    assert ends_in_run(column("KH 3S 2S AS"), 1, 3)
    assert not ends_in_run(column("KH 3S 2S AS"), 2, 3)
    assert not ends_in_run(column("3S 2H AS"), 0, 3)
    assert not ends_in_run(column("4S 3S 2S"), 0, 3)
    assert not ends_in_run(column("2S AS"), 0, 3)
    assert not ends_in_run([], 0, 3)


def test_positions_are_values() -> None:
    code = "4S3S/2SAS/4HAH 3H2H -"
    assert small(code) == small(code)
    assert len({small(code), small(code), small(code, group_moves=True)}) == 2


def test_the_printed_position_is_its_board() -> None:
    rules = tiny(columns=2, ranks=3, suits=1, copies=2, hidden=1, rows=1)
    position = Position.from_code("2sAS/3s3S 2SAS -", rules)
    assert str(position) == "Talon: 2S AS\n<2S> AS\n<3S> 3S"


def test_standard_rules_are_the_default() -> None:
    won = Position.from_code("///////// - CCDDHHSS")
    assert won.rules == spider(4)
    assert won.is_won
    assert won.legal_moves() == []
