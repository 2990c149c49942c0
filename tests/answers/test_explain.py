"""Explanations in words, as golden text, and for programs."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from spider_solver.answers.explain import Explanation, explain, explain_result
from spider_solver.game.deal import Deal
from spider_solver.game.notation import parse_line
from spider_solver.game.numberings import numbered
from spider_solver.game.outcomes import Proof
from spider_solver.game.position import Position
from spider_solver.game.rules import Rules, spiderette, tiny
from spider_solver.proofs.check import verify_line
from spider_solver.search.complete import DeadEnds, explore
from spider_solver.search.result import Limits, Result, Status
from tests.case_files import case
from tests.small_games import SMALL_GAMES
from tests.stuck import stuck_deal

GOLDEN = Path(__file__).parents[1] / "golden"


# Lost by exhaustive search: a few hundred positions.
LATE_SPIDERETTE = Position.from_code(
    "//7h4hKSQSJSTS9S8S7S6S5S4S3S2SAS9H//jc5h3hjh6h8c8h4cqh3c7c5c9C2HAH/THAC6CQCTC2CKCKH/ - D",
    spiderette(),
)


def pysol(seed: int) -> Explanation:
    return explain(Deal.numbered(seed, numbering="pysol"), reach_nodes=200_000)


EXPLAINED: dict[str, Callable[[], Explanation]] = {
    "pysol-14934": lambda: pysol(14934),
    "pysol-1748": lambda: pysol(1748),
    "stuck-open": lambda: explain(stuck_deal(0, 33), Limits(2_000), reach_nodes=20_000),
    "spiderette-lost": lambda: explain(LATE_SPIDERETTE),
    "case-161": lambda: explain(case("161")),
}


@pytest.mark.parametrize("name", EXPLAINED)
def test_words(name: str) -> None:
    golden = (GOLDEN / f"{name}-explained.txt").read_text(encoding="utf-8")
    assert EXPLAINED[name]().words + "\n" == golden


def small_game(status: str, rules: Rules = SMALL_GAMES[2]) -> Explanation:
    """An explanation of a deal that no search was spent on, but counting sees all of."""
    starts = (numbered("pysol", seed, rules) for seed in range(1, 100))
    return explain(
        next(start for start in starts if explore(start, 10**6).status == status), Limits(0)
    )


def test_what_counting_proves_is_said() -> None:
    lost = small_game("lost")
    assert (lost.result.status, lost.reach and lost.reach.reason) == ("open", None)
    assert "counting saw all positions that can be reached and none is won" in lost.words
    won = small_game("won")
    assert "counting met a won position, so this is won, in " in won.words
    line = won.as_dict()["reach"]["line"]
    verify_line(won.result.position, parse_line(line))
    assert won.words.endswith(f"  {line}")


def test_for_programs() -> None:
    found = pysol(14934)
    facts = json.loads(json.dumps(found.as_dict()))
    assert (facts["status"], facts["proof"], facts["searches"]) == ("lost", "blockade", [])
    assert facts["blockade"].startswith("no 3 can ever be uncovered:")
    stages = facts["reach"]["stages"]
    assert [stage["positions"] for stage in stages[:2]] == [7, 94]
    assert [stage["exact"] for stage in stages] == [True, True, False]
    assert stages[0]["never_turned_up"][8] == ["JS", "8H", "6C", "QC"]
    assert facts["words"] == found.words
    opened = EXPLAINED["stuck-open"]().as_dict()
    assert sum(search["nodes"] for search in opened["searches"]) == 2_000
    assert opened["searches"][0]["search"] == "beam"
    assert opened["blockade"] is None
    exhausted = EXPLAINED["spiderette-lost"]().as_dict()
    searches = exhausted["searches"]
    assert [search["search"] for search in searches] == ["beam", "complete"]
    assert [search["moves"] for search in searches] == ["every move", None]
    assert searches[1]["width"] is None
    assert exhausted["reach"]["stages"][0]["positions"] == 88
    assert EXPLAINED["case-161"]().as_dict()["reach"] is None


def test_too_few_cards() -> None:
    found = explain_result(Result(case("210"), Status.LOST, proof=Proof.TOO_FEW_CARDS))
    assert found.words.splitlines() == WORDS_210
    assert found.reach is None
    facts = found.as_dict()
    assert (facts["proof"], facts["blockade"], facts["reach"]) == ("too-few-cards", None, None)


WORDS_210 = [
    "6 cards lie on the table, too few for 10 columns, and only a deal adds cards:",
    "a row can be dealt only when every column holds a card, so none ever will be;",
    "20 cards stay in the stock, and at most 6 of 8 runs can ever be complete, 6 are",
]


def test_positions_that_a_search_did_not_go_on_from() -> None:
    start = Position.from_code("AD/2H/AS2D2SAH ADASAH2H2S2D CC", tiny(3, 2, 4, 2, hidden=0, rows=2))
    found = explore(start, 10**6, skip=DeadEnds.SHORT_OF_CARDS)
    result = Result(start, Status.LOST, proof=Proof.EXHAUSTED, exploration=found)
    words = explain_result(result).words
    assert words.startswith(
        "50 positions looked at: none is won; 4 with too few cards on the table to deal again, "
        "which are lost, lead on to others that were not\n\npositions that can be reached"
    )
