import pytest
from hypothesis import given
from hypothesis import strategies as st

from spider_solver.game.cards import make_card, parse_card
from spider_solver.game.notation import (
    DEAL,
    Move,
    NotationError,
    PositionParts,
    column_letter,
    format_code,
    format_line,
    format_move,
    parse_code,
    parse_line,
    parse_move,
    parse_suits,
)

MOVES = st.one_of(
    st.just(DEAL),
    st.builds(Move, st.integers(0, 25), st.just(-1)),
    st.builds(
        Move, st.integers(0, 25), st.integers(0, 25), st.one_of(st.none(), st.integers(1, 99))
    ),
)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("ac3", Move(0, 2, 3)),
        ("ac", Move(0, 2, None)),
        ("jb12", Move(9, 1, 12)),
        ("deal", DEAL),
        ("a*", Move(0, -1, None)),
    ],
)
def test_move_text(text: str, move: Move) -> None:
    assert parse_move(text) == move
    assert parse_move(text.upper()) == move
    assert format_move(move) == str(move) == text


def test_a_removal_is_written_without_its_count() -> None:
    assert format_move(Move(3, -1, 13)) == "d*"


def test_the_kinds_of_action() -> None:
    assert (DEAL.is_deal, DEAL.is_removal) == (True, False)
    assert (Move(0, -1).is_deal, Move(0, -1).is_removal) == (False, True)
    assert (Move(0, 1).is_deal, Move(0, 1).is_removal) == (False, False)


@given(st.lists(MOVES))
def test_a_line_round_trips(moves: list[Move]) -> None:
    assert parse_line(format_line(moves)) == moves


def test_a_line_is_read_over_any_white_space() -> None:
    assert parse_line("  ac3\tdeal\n a*  ") == [Move(0, 2, 3), DEAL, Move(0, -1)]
    assert parse_line("") == []


@pytest.mark.parametrize(
    "text",
    ["", "a", "a3", "ac0", "ac03", "ac100", "3ac", "a-c", "deals", "a**", "ac*", "ac 3", "éa"],
)
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is no move"):
        parse_move(text)


def test_a_bad_line_names_the_move() -> None:
    with pytest.raises(NotationError, match=r"^move 3: 'x1' is no move"):
        parse_line("ab1 deal x1 cd2")


def test_columns_are_letters() -> None:
    assert [column_letter(column) for column in (0, 9, 25)] == ["a", "j", "z"]


CARDS = st.builds(make_card, st.integers(1, 13), st.integers(0, 3))


@st.composite
def tables(draw: st.DrawFn) -> PositionParts:
    columns = draw(st.lists(st.lists(CARDS, max_size=8).map(tuple), min_size=1, max_size=12))
    face_down = tuple(draw(st.integers(0, len(cards))) for cards in columns)
    stock = tuple(draw(st.lists(CARDS, max_size=12)))
    completed = tuple(sorted(draw(st.lists(st.integers(0, 3), max_size=8))))
    return PositionParts(tuple(columns), face_down, stock, completed)


@given(tables())
def test_position_code_round_trips(table: PositionParts) -> None:
    assert parse_code(format_code(*table)) == table


def test_position_code() -> None:
    kc, th, ad = map(parse_card, ("KC", "TH", "AD"))
    code = format_code(((kc, th), (), (ad,)), (1, 0, 0), (ad, kc), (3, 1))
    assert code == "kcTH//AD ADKC DS"
    assert format_code(((), ()), (0, 0), (), ()) == "/ - -"
    assert parse_code(code + "\n") == PositionParts(
        ((kc, th), (), (ad,)), (1, 0, 0), (ad, kc), (1, 3)
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a position code has three parts with spaces between, not 1"),
        ("KS -", "three parts"),
        ("KS - - -", "three parts"),
        ("KS/KX - -", "column b: unknown card 'KX'"),
        ("KS/QSK - -", "column b: unknown card 'K'"),
        ("KSqs - -", "column a: the face-up KS lies under a face-down card"),
        ("kSQS - -", "column a: 'kS' is in mixed case"),
        ("KS QX -", "stock: unknown card 'QX'"),
        ("KS - SX", "unknown suit 'X'"),
    ],
)
def test_what_is_no_position_code_is_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_code(text)
    assert message in str(caught.value)


def test_suit_letters() -> None:
    assert parse_suits("SchD") == (0, 1, 2, 3)
    assert parse_suits("") == ()
