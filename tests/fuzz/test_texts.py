"""Damaged boards, lines, codes, seeds and certificates: each is read, or refused in one line."""

import json
from collections.abc import Callable
from functools import partial
from itertools import pairwise

import click
import pytest
from hypothesis import strategies as st

from spider_solver.cli.common import count
from spider_solver.formats.deals import read_boards
from spider_solver.formats.detect import FORMATS, read_position
from spider_solver.formats.format import Format
from spider_solver.formats.solvitaire import write_solvitaire
from spider_solver.formats.unchecked import BoardError
from spider_solver.game.deal import Deal
from spider_solver.game.notation import NotationError, format_line, parse_line
from spider_solver.game.numberings import NumberingError, numbered, parse_seeds
from spider_solver.game.position import Position, PositionError
from spider_solver.game.rules import Rules, spider
from spider_solver.proofs.blockade import find_blockade
from spider_solver.proofs.check import ProofError, check_blockade, replay
from spider_solver.proofs.class_set import check_class_set
from spider_solver.proofs.closed_set import check_closed_set
from spider_solver.search.complete import explore
from spider_solver.search.first_run import explore_classes
from tests.case_files import case, case_names, case_text, checked_lines
from tests.first_phase import small_game
from tests.fuzz.fuzzing import Target, corpus, fuzz, outcome
from tests.fuzz.mutation import damaged_texts
from tests.small_games import SMALL_GAMES
from tests.strategies import SHORT_ROW

DEAL = Deal.numbered(1).position
POSITIONS = (
    DEAL,
    *(Deal.numbered(2, suits=suits).position for suits in (1, 2, 3)),
    *(case(number) for number in ("100", "202", "208", "222")),
)
CODES = [position.code for position in POSITIONS]
GAMES = (None, spider(1), spider(4), SHORT_ROW)
LINES = [checked.line for checked in checked_lines()]
BLOCKADED = Deal.numbered(14934, numbering="pysol").position
OTHER_BLOCKADED = Deal.numbered(1748, numbering="pysol").position
CERTIFICATES = [find_blockade(position) or "" for position in (BLOCKADED, OTHER_BLOCKADED)]
LOST = numbered("pysol", 1, SMALL_GAMES[1])
CLOSED_SET = "\n".join(position.code for position in explore(LOST, 10**6).positions())

WITHOUT_RUN = Position.from_code(
    "3s6sAS/5s5h6H/3h5h6S/ah4h3S 4S3H2S4H4S5S2HAS2S6HAH2H -",
    small_game(columns=4, ranks=6, suits=2, copies=2, rows=3),
)
CLASS_SET = "\n".join(explore_classes(WITHOUT_RUN, 10**5).codes())


def texts(*good: str) -> st.SearchStrategy[str]:
    return damaged_texts(good)


def board_texts(form: Format) -> list[str]:
    cases = [case_text(name[:3]) for name in case_names()] if form.name == "board" else []
    return [*map(form.write, POSITIONS), *cases]


def read_as(form: Format, text: str) -> None:
    """Read a board under several rules; what is read is written and read again."""
    errors = []
    for rules in GAMES:
        try:
            position = form.read(text, rules)
        except BoardError as error:
            errors.append(error)
        else:
            position.check()
            assert form.read(form.write(position), position.rules) == position
    if len(errors) == len(GAMES):
        raise max(errors, key=lambda error: len(str(error)))


def read_any(text: str) -> None:
    position = read_position(text)
    assert read_position(position.code, position.rules) == position


def read_many(text: str) -> None:
    deals = read_boards(text)
    assert [deal.seed for deal in deals] == list(range(1, len(deals) + 1)) != []


def read_code(text: str, rules: Rules | None = None) -> None:
    position = Position.from_code(text, rules)
    assert Position.from_code(position.code, position.rules) == position


def read_line(text: str) -> None:
    moves = parse_line(text)
    assert parse_line(format_line(moves)) == moves
    replay(DEAL, moves)


def read_seeds(text: str) -> None:
    ranges = parse_seeds(text)
    assert all(a.stop < b.start for a, b in pairwise(ranges))
    for numbering in ("kpat", "pysol"):
        numbered(numbering, ranges[-1].stop - 1, spider(4))


def read_count(text: str) -> None:
    assert 1 <= count(text) < 2**63


def read_certificate(text: str) -> None:
    check_blockade(BLOCKADED, text)


def read_closed_set(text: str) -> None:
    check_closed_set(LOST, text.split("\n"))


def read_class_set(text: str) -> None:
    check_class_set(WITHOUT_RUN, text.split("\n"))


MANY = ["".join(map(form.write, POSITIONS)) for form in FORMATS] + [
    json.dumps([json.loads(write_solvitaire(position)) for position in POSITIONS])
]

TARGETS: tuple[Target[str], ...] = (
    *(
        Target(form.name, partial(read_as, form), (BoardError,), texts(*board_texts(form)))
        for form in FORMATS
    ),
    Target(
        "any",
        read_any,
        (BoardError,),
        texts(*(text for form in FORMATS for text in board_texts(form))),
    ),
    Target("boards", read_many, (BoardError,), texts(*MANY)),
    Target("from-code", read_code, (NotationError, PositionError), texts(*CODES)),
    Target("line", read_line, (NotationError, ProofError), texts(*LINES)),
    Target(
        "seeds",
        read_seeds,
        (NumberingError,),
        texts("17", "1-1000,1000,5000-5010", "1-10000000", "3, 1-2 ,2"),
    ),
    Target("count", read_count, (click.BadParameter,), texts("500000", "1e6", "167k", "1_0,0M")),
    Target("certificate", read_certificate, (ProofError,), texts(*CERTIFICATES)),
    Target("closed-set", read_closed_set, (ProofError,), texts(CLOSED_SET, "\n".join(CODES))),
    Target("class-set", read_class_set, (ProofError,), texts(CLASS_SET)),
)
BY_NAME = {target.name: target for target in TARGETS}


@pytest.mark.parametrize("name", BY_NAME)
def test_damaged_inputs(name: str) -> None:
    assert fuzz(BY_NAME[name], 60)


@pytest.mark.parametrize("name", BY_NAME)
def test_kept_inputs(name: str) -> None:
    for kept in corpus(name):
        outcome(BY_NAME[name], kept.decode("utf-8", "surrogatepass"))


@pytest.mark.full
@pytest.mark.parametrize("name", BY_NAME)
def test_many_damaged_inputs(name: str, tell: Callable[[str], None]) -> None:
    outcomes = fuzz(BY_NAME[name], 2000, seeded=False)
    tell(f"{name}: {outcomes.total():,} inputs, {dict(outcomes)}")
