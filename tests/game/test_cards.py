import pytest

from spider_solver.game.cards import (
    RANKS,
    SUITS,
    CardError,
    card_symbol,
    card_text,
    make_card,
    parse_card,
    rank,
    suit,
)

CARDS = [make_card(r, s) for s in range(4) for r in range(1, 14)]


def test_a_card_is_suit_times_16_plus_rank() -> None:
    assert make_card(13, SUITS.index("S")) == 3 * 16 + 13
    assert len(set(CARDS)) == 52
    assert all(0 < card < 64 for card in CARDS)


@pytest.mark.parametrize("card", CARDS)
def test_rank_suit_and_text_round_trip(card: int) -> None:
    assert make_card(rank(card), suit(card)) == card
    assert card_text(card) == RANKS[rank(card) - 1] + SUITS[suit(card)]
    assert parse_card(card_text(card)) == card
    assert parse_card(card_text(card).lower()) == card


@pytest.mark.parametrize("text", ["TH", "th", "10H", "10h", "tH"])
def test_a_ten_is_read_either_way(text: str) -> None:
    assert card_text(parse_card(text)) == "TH"


def test_symbols_for_people() -> None:
    assert card_symbol(parse_card("TH")) == "10♥"
    assert card_symbol(parse_card("KS")) == "K♠"


@pytest.mark.parametrize("text", ["", "K", "KX", "1S", "11S", "SK", "KSS", "0H", "K♠", " KS", "T0"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(CardError, match="unknown card"):
        parse_card(text)
