"""Lines replayed, scored and refused; whole games as text that a person can follow."""

from pathlib import Path

import pytest

from spider_solver.formats.board import write_board
from spider_solver.game.notation import DEAL, Move, format_line, parse_line
from spider_solver.game.numberings import numbered
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules, spider, tiny
from spider_solver.proofs.check import (
    ProofError,
    check_too_few_cards,
    is_short_of_cards,
    replay,
    verify_line,
)
from tests.case_files import case
from tests.strategies import SHORT_ROW, SHORT_ROW_OPTIONAL_REMOVAL

GOLDEN = Path(__file__).parents[1] / "golden"


def playthrough(rules: Rules, seed: int, line: str) -> str:
    """A game of PySol's numbering as text: each action, the board after it and the score."""
    position = numbered("pysol", seed, rules)
    moves = parse_line(line)
    parts = [f"# {rules.name}, pysol {seed}\n\n{_snapshot(position, [])}"]
    for number, move in enumerate(moves, start=1):
        state = replay(position, moves[:number])
        heading = f"# action {number}: {move}, score {state.score}\n\n"
        parts.append(heading + _snapshot(state.final, state.final.legal_moves()))
    return "\n".join(parts)


def _snapshot(position: Position, legal: list[Move]) -> str:
    text = f"{write_board(position)}\n# code: {position.code}\n"
    return text + (f"# legal: {format_line(legal)}\n" if legal else "")


@pytest.mark.parametrize(
    ("name", "rules", "line"),
    [
        (
            "short-row",
            SHORT_ROW,
            "ca1 deal cb1 bc3 ac3 ac1 deal deal ac1 ab2 ba3 bc1 ba1",
        ),
        (
            "short-row-optional-removal",
            SHORT_ROW_OPTIONAL_REMOVAL,
            "ca1 deal cb1 bc3 c* ac3 c* ac1 deal deal ac1 ab2 ba3 bc1 ba1 a* c*",
        ),
    ],
)
def test_whole_game_as_in_the_golden_file(name: str, rules: Rules, line: str) -> None:
    golden = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert playthrough(rules, 180, line) == golden
    assert verify_line(numbered("pysol", 180, rules), parse_line(line)).final.is_won


def test_two_suits_kpat_1_is_won_by_the_golden_line() -> None:
    line = parse_line((GOLDEN / "kpat-1-two-suits-line.txt").read_text(encoding="utf-8"))
    result = verify_line(numbered("kpat", 1, spider(2)), line)
    assert (result.actions, result.score) == (len(line), 500 - len(line) + 8 * 100)
    middle = replay(numbered("kpat", 1, spider(2)), line[:134])
    board = (GOLDEN / "kpat-1-two-suits-after-134.txt").read_text(encoding="utf-8")
    assert write_board(middle.final) == board
    assert middle.score == 500 - 134 + 2 * 100


def test_runs_complete_at_the_start_earn_nothing() -> None:
    result = verify_line(case("217"), parse_line("ba6"))
    assert (result.actions, result.score) == (1, 500 - 1 + 100)
    assert replay(case("224"), []).score == 500


def test_a_deal_that_completes_two_runs_scores_both() -> None:
    assert replay(case("201"), [DEAL]).score == 500 - 1 + 200


def test_the_score_is_never_below_zero() -> None:
    idle = parse_line("ab1" + " bc1 cb1" * 300)
    assert replay(case("206"), idle).score == 0
    assert verify_line(case("206"), [*idle, *parse_line("ab1 ba2")]).score == 99


def test_counts_may_be_left_out() -> None:
    assert verify_line(case("203"), parse_line("ba ac dc")).actions == 3


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "after 0 actions 7 of 8 runs are complete"),
        ("ab1 ab1", "after 2 actions 7 of 8 runs are complete"),
        ("ab1 deal ba2", "action 2 (deal): illegal deal: the stock is empty"),
        (
            "ab1 ab1 ba3",
            "action 3 (ba3): illegal move ba3: only 2 ending in AS could go on 3S",
        ),
        ("ab1 ab1 ba2 ab1", "action 4 (ab1): illegal move ab1: column a is empty"),
    ],
)
def test_a_line_that_does_not_win_is_refused(line: str, message: str) -> None:
    with pytest.raises(ProofError) as caught:
        verify_line(case("206"), parse_line(line))
    assert str(caught.value) == message


def test_too_few_cards_to_deal() -> None:
    for number, cards in (("209", 3), ("213", 3), ("210", 6)):
        position = case(number)
        assert sum(map(len, position.columns)) == cards
        assert is_short_of_cards(position)
        check_too_few_cards(position)
        relaxed = case(number, relaxed=True)
        assert not is_short_of_cards(relaxed)
        with pytest.raises(ProofError, match=r"deal a row: a row may be dealt over empty columns$"):
            check_too_few_cards(relaxed)
    with pytest.raises(ProofError, match="too few cards to deal a row: the stock is empty"):
        check_too_few_cards(case("161"))
    with pytest.raises(ProofError, match="deal a row: 54 cards for 10 columns"):
        check_too_few_cards(numbered("kpat", 1, spider(4)))


def test_as_many_cards_as_columns_are_enough() -> None:
    rules = tiny(columns=4, ranks=3, suits=1, copies=4, hidden=0, rows=2)
    for table, stock in (("3S2S/3SAS//", "3SAS2S2S3SAS2SAS"), ("3S/3S/AS/2S", "3SAS2S2S3SAS2SAS")):
        enough = Position.from_code(f"{table} {stock} -", rules)
        assert not is_short_of_cards(enough)
        with pytest.raises(ProofError, match="deal a row: 4 cards for 4 columns"):
            check_too_few_cards(enough)
    short = Position.from_code("3S/// 3SAS2S2S3SAS2SAS S", rules)
    assert is_short_of_cards(short)
    check_too_few_cards(short)
