import pytest

from spider_solver.game.deal import Deal
from spider_solver.game.numberings import NumberingError, numbered
from spider_solver.game.rules import relaxed, spider, spiderette


def test_a_deal_knows_where_it_came_from() -> None:
    deal = Deal.numbered(7)
    assert deal == Deal(numbered("kpat", 7, spider(4)), "kpat", 7)


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_suits_choose_the_standard_game(suits: int) -> None:
    assert Deal.numbered(7, suits).position.rules == spider(suits)


def test_the_numbering_may_be_chosen() -> None:
    deal = Deal.numbered(14934, numbering="pysol")
    assert deal == Deal(numbered("pysol", 14934, spider(4)), "pysol", 14934)


def test_other_games_are_numbered_as_usual_for_them() -> None:
    assert Deal.numbered(1, rules=spiderette()).numbering == "pysol"
    assert Deal.numbered(1, rules=relaxed(2)).numbering == "kpat"


def test_an_impossible_number_is_refused() -> None:
    with pytest.raises(NumberingError, match="those of spiderette are numbered by pysol"):
        Deal.numbered(1, numbering="kpat", rules=spiderette())
    with pytest.raises(NumberingError, match="seed 0"):
        Deal.numbered(0)
