"""Every position of tests/cases with its stated outcome, through Position."""

from dataclasses import replace

import pytest

from spider_solver.formats.board import read_board
from spider_solver.formats.unchecked import BoardError
from spider_solver.game.cards import SUITS, card_text
from spider_solver.game.notation import DEAL, Move, format_move, parse_line, parse_move
from spider_solver.game.numberings import numbered
from spider_solver.game.position import IllegalMove, Position
from spider_solver.game.rules import spider
from spider_solver.proofs.check import verify_line
from tests.case_files import (
    REFUSED,
    CheckedLine,
    Unwinnable,
    case,
    case_names,
    case_text,
    checked_lines,
    unwinnable_cases,
)


def play(position: Position, *moves: str) -> Position:
    for move in moves:
        position = position.play(parse_move(move))
    return position


def column_text(position: Position, column: int) -> str:
    return " ".join(map(card_text, position.columns[column]))


def runs(position: Position) -> str:
    return "".join(SUITS[suit] for suit in position.completed)


def moves_from(position: Position, source: int, target: int | None = None) -> list[str]:
    return [
        format_move(move)
        for move in position.legal_moves()
        if move.source == source and target in (None, move.target)
    ]


@pytest.mark.parametrize("name", [name for name in case_names() if name[:3] not in REFUSED])
def test_suits_are_as_stated(name: str) -> None:
    position = case(name[:3])
    assert f"# suits: {position.rules.suits}\n" in case_text(name[:3])


@pytest.mark.parametrize("checked", checked_lines(), ids=lambda c: f"{c.case}-{c.relaxed}")
def test_checked_line_wins(checked: CheckedLine) -> None:
    moves = parse_line(checked.line)
    result = verify_line(case(checked.case, relaxed=checked.relaxed), moves)
    assert result.actions == (checked.actions or len(moves))


def test_all_checked_lines_are_found() -> None:
    assert len(checked_lines()) == sum(
        case_text(name[:3]).count("winnable; a line") + case_text(name[:3]).count("winnable: ")
        for name in case_names()
    )
    assert len(checked_lines()) > 30


@pytest.mark.parametrize(
    "unwinnable",
    [
        pytest.param(
            unwinnable,
            id=f"{unwinnable.case}-{unwinnable.relaxed}",
            marks=pytest.mark.full if unwinnable.states > 10_000 else (),
        )
        for unwinnable in unwinnable_cases()
    ],
)
def test_complete_search_finds_no_win(unwinnable: Unwinnable) -> None:
    start = case(unwinnable.case, relaxed=unwinnable.relaxed)
    seen, stack = {start}, [start]
    while stack:
        position = stack.pop()
        assert not position.is_won
        new = {position.play(move) for move in position.legal_moves()} - seen
        seen |= new
        stack.extend(new)
    assert len(seen) == unwinnable.states


def test_010_is_deal_14934_of_pysol() -> None:
    assert case("010") == numbered("pysol", 14934, spider(4))


def test_100_is_a_whole_deal() -> None:
    position = case("100")
    assert (position.hidden, position.rows_left, runs(position)) == (44, 5, "")


def test_161_one_suit_without_a_stock() -> None:
    position = case("161")
    assert runs(position) == "SSSSSSS"
    assert not position.stock
    assert not position.can_deal


def test_200_a_deal_completes_a_run() -> None:
    after = play(case("200"), "deal")
    assert after.columns[0] == ()
    assert runs(after) == "CCDDHS"
    assert after.rows_left == 0


def test_201_a_deal_completes_two_runs() -> None:
    after = play(case("201"), "deal")
    assert after.empty_columns == [0, 1]
    assert runs(after) == "CDHHSS"


def test_202_a_face_down_king_is_part_of_no_run() -> None:
    start = case("202")
    after = play(start, "ba1")
    assert runs(after) == runs(start)
    assert len(after.columns[0]) == 13
    assert after.face_down[0] == 1
    away = play(after, "ab12")
    assert (column_text(away, 0), away.face_down[0]) == ("KS", 0)
    assert play(away, "ba12").is_won


def test_203_a_removal_turns_up_the_card_under_it() -> None:
    after = play(case("203"), "ba1")
    assert runs(after) == "CCDDHSS"
    assert (column_text(after, 0), after.face_down[0]) == ("5H", 0)


def test_204_the_position_before_a_removal_stays_as_it_was() -> None:
    start = case("204")
    assert play(start, "ba1") != start
    assert start == case("204")
    assert (start.face_down[0], column_text(start, 1), runs(start)) == (1, "AS", "CCDDHS")


def test_205_part_of_a_run_moves() -> None:
    start = case("205")
    assert moves_from(start, 4, 3) == ["ed3"]
    for count in (1, 2, 4, 5):
        with pytest.raises(IllegalMove, match="only 3 ending in 7H could go on TS"):
            start.play(Move(4, 3, count))


def test_206_any_card_goes_to_an_empty_column() -> None:
    start = case("206")
    assert moves_from(start, 0) == [f"a{letter}1" for letter in "bcdefghij"]
    assert play(start, "ab1", "ab1", "ba2").is_won


def test_207_no_deal_over_an_empty_column() -> None:
    start = case("207")
    assert not start.can_deal
    assert DEAL not in start.legal_moves()
    with pytest.raises(IllegalMove, match=r"illegal deal: empty columns \(j\)"):
        start.play(DEAL)
    assert start == case("207")


def test_207_relaxed_deals_over_an_empty_column() -> None:
    relaxed = case("207", relaxed=True)
    assert DEAL in relaxed.legal_moves()
    assert column_text(relaxed.play(DEAL), 9) == "AS"


def test_208_runs_are_split_to_fill_the_columns() -> None:
    start = case("208")
    assert not start.can_deal
    assert moves_from(start, 0, 2) == [f"ac{count}" for count in range(1, 9)]
    filled = play(start, "ac1", "ad1", "ae1", "af1", "bg1", "bh1", "bi1", "bj1")
    assert filled.can_deal


@pytest.mark.parametrize("number", ["209", "210"])
def test_209_210_too_few_cards_to_deal_again(number: str) -> None:
    start = case(number)
    assert sum(map(len, start.columns)) < 10
    assert not start.can_deal
    assert case(number, relaxed=True).can_deal


def test_212_a_run_completed_too_early() -> None:
    after = play(case("212"), "ba1")
    assert after == case("213")
    assert not after.can_deal


def test_213_relaxed_wins() -> None:
    assert case("213", relaxed=True).can_deal


def test_214_nothing_goes_on_an_ace() -> None:
    start = case("214")
    assert start.legal_moves() == []
    assert not start.is_won
    with pytest.raises(IllegalMove, match="nothing that ends in KS goes on AS"):
        play(start, "ca1")


def test_215_thirteen_cards_of_mixed_suits_are_no_run() -> None:
    start = case("215")
    assert [len(cards) for cards in start.columns[:2]] == [13, 13]
    assert runs(start) == "CCDDHS"
    assert not play(start, "ac6", "ba6").is_won


def test_217_the_last_merge_wins() -> None:
    start = case("217")
    assert not start.is_won
    won = play(start, "ba6")
    assert won.is_won
    assert won.columns == ((),) * 10
    assert runs(won) == "CCDDHHSS"
    assert won.legal_moves() == []


def test_220_a_mixed_sequence_does_not_move_as_one() -> None:
    start = case("220")
    assert moves_from(start, 0) == ["ad1", "aj1"]
    with pytest.raises(IllegalMove, match="of column a at most 1 move as one piece, not 3"):
        play(start, "aj3")
    with pytest.raises(IllegalMove, match="only 3 ending in 7S could go on TD"):
        play(start, "ab2")
    with pytest.raises(IllegalMove, match="of column a at most 1 move as one piece, not 3"):
        play(start, "ab3")


def test_220_group_moves_move_it() -> None:
    start = case("220")
    group = replace(start, rules=replace(start.rules, group_moves=True))
    assert "ab3" in moves_from(group, 0)
    assert column_text(play(group, "ab"), 1) == "TD 9S 8H 7S"


def test_222_a_run_completed_by_a_deal_blocks_the_next_deal() -> None:
    after = play(case("222"), "deal")
    assert after.columns[0] == ()
    assert runs(after) == "CCDDS"
    assert after.rows_left == 1
    with pytest.raises(IllegalMove, match=r"empty columns \(a\)"):
        after.play(DEAL)


def test_223_a_run_on_a_seven_of_its_suit_moves_with_it() -> None:
    start = case("223")
    assert moves_from(start, 0) == ["ab3", "ac3"]
    joined = play(start, "ab3")
    assert column_text(play(joined, "bd4"), 3) == "8D 7H 6H 5H 4H"


def test_223_on_another_suit_it_locks_the_seven() -> None:
    locked = play(case("223"), "ac3")
    with pytest.raises(IllegalMove, match="of column c at most 3 move as one piece, not 4"):
        play(locked, "cd4")
    assert moves_from(locked, 2) == ["ca1", "ca2", "ca3", "cb3"]


def test_224_a_run_complete_on_loading_is_removed() -> None:
    start = case("224")
    assert start.columns[0] == ()
    assert runs(start) == "CCDDHSS"
    assert play(start, "cb12").is_won


def test_225_removed_on_loading_unless_removal_is_optional() -> None:
    start = case("225")
    assert start.columns[0] == ()
    optional = replace(start.rules, optional_removal=True)
    kept = read_board(case_text("225"), optional)
    assert len(kept.columns[0]) == 13
    assert "a*" in map(format_move, kept.legal_moves())
    assert play(kept, "a*") == replace(start, rules=optional)


def test_225_with_optional_removal_the_run_may_be_split() -> None:
    kept = read_board(case_text("225"), replace(spider(4), optional_removal=True))
    dealt = play(kept, "ae1", "af1", "ag1", "ah1", "ai1", "aj1", "deal")
    assert dealt.rows_left == 0
    line = "ba1 ca1 cb1 da1 db1 ab4 eb1 ei1 fb1 fh1 gb1 gb1 hb1 ib1 ih1 jh1 ij1 ja2 bc3 hb3 ch3 ha4"
    end = play(dealt, *line.split())
    assert not end.is_won
    removals = [format_move(move) for move in end.legal_moves() if move.is_removal]
    assert len(removals) == 2
    assert play(end, *removals).is_won


def test_230_three_copies_of_a_card_are_refused() -> None:
    with pytest.raises(BoardError, match="lines 5, 7, 8, 9: 5 copies of KS where the deck has 2"):
        case("230")


def test_231_a_short_row_is_refused() -> None:
    with pytest.raises(
        BoardError, match="line 6: 7 cards in the stock, which in rows of 10 holds 50, 40,"
    ):
        case("231")
