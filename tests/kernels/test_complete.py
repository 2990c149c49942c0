"""Columns and rows of the complete search: equal numbers if and only if equal cards."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spider_solver.game.notation import DEAL, Move
from spider_solver.game.position import Position
from spider_solver.game.symmetry import in_order
from spider_solver.kernels import catalogues, complete, layout
from spider_solver.kernels.catalogues import Catalogue
from spider_solver.search import complete as complete_search
from spider_solver.search.packing import pack, unpack_move
from tests.case_files import case
from tests.small_games import SMALL_GAMES_WITH_OPTIONS
from tests.strategies import positions

Run = tuple[int, int, int]  # first card, last card, face-down cards below


def catalogue_of(position: Position, hash_mask: int = -1) -> tuple[Catalogue, layout.Int64s]:
    packed = pack(position)
    catalogue = complete_search.make_catalogue(1000)
    catalogue.registers[catalogues.SEARCH_HASH_MASK] = hash_mask
    catalogue.registers[catalogues.SEARCH_MAX_NODES] = 10**9
    catalogue.registers[catalogues.SEARCH_PAUSE_AT] = 10**9
    complete.begin_complete(catalogue, *packed)
    return catalogue, packed.rules


runs = st.tuples(st.integers(1, 13), st.integers(1, 13), st.integers(0, 5))


@given(st.lists(st.lists(runs, max_size=4), max_size=60), st.sampled_from([-1, 7, 0]))
def test_equal_columns_have_equal_numbers(columns: list[list[Run]], hash_mask: int) -> None:
    catalogue, _ = catalogue_of(case("214"), hash_mask)
    numbers: dict[tuple[Run, ...], int] = {}
    for column in columns:
        node = layout.EMPTY
        for number, run in enumerate(column, start=1):
            node = catalogues.intern(catalogue, node, *run)
            assert numbers.setdefault(tuple(column[:number]), node) == node
    assert len(set(numbers.values())) == len(numbers)


def test_no_room_for_another_column() -> None:
    catalogue, _ = catalogue_of(case("214"))
    room = catalogue.nodes.size
    nodes = [catalogues.intern(catalogue, parent, 3, 1, 0) for parent in range(100, 100 + room)]
    made = nodes.index(-1)
    assert set(nodes[made:]) == {-1}
    assert len(set(nodes[:made])) == made > 900


@given(positions(st.sampled_from(SMALL_GAMES_WITH_OPTIONS)))
def test_a_start_is_read_back(position: Position) -> None:
    catalogue, _ = catalogue_of(position)
    cards = np.zeros(256, np.int32)
    read = []
    for place in range(position.rules.columns):
        node = int(catalogue.rows[place])
        count = catalogues.read_column(catalogue, node, cards)
        down = int(catalogue.nodes["hidden"][node])
        read.append((tuple(cards[:count][::-1].tolist()), down & layout.HIDDEN_MASK))
    order = catalogue.order[catalogues.ORDER_START :][: position.rules.columns]
    assert read == [(position.columns[column], position.face_down[column]) for column in order]
    assert catalogue.rows[catalogues.ROW_STAGE] == len(position.completed) * catalogues.ONE_RUN


@given(positions(st.sampled_from(SMALL_GAMES_WITH_OPTIONS)))
def test_successors_are_those_of_the_rules(position: Position) -> None:
    if position.is_won:
        return
    catalogue, rules = catalogue_of(position)
    catalogue.registers[catalogues.SEARCH_PAUSE_AT] = 0  # stops after the first expansion
    complete.run_complete(catalogue, rules)
    count = int(catalogue.registers[catalogues.SEARCH_POSITIONS])
    found = set()
    for row in range(1, count):
        at = row * catalogues.ROW_WORDS
        assert catalogue.rows[at + catalogues.ROW_BEFORE] == 0
        move = unpack_move(int(catalogue.rows[at + catalogues.ROW_MOVE]))
        order = catalogue.order[catalogues.ORDER_START :]
        if move.is_removal:
            move = Move(int(order[move.source]), -1, move.count)
        elif move != DEAL:
            move = Move(int(order[move.source]), int(order[move.target]), move.count)
        found.add(in_order(position.play(move)))
    assert len(found) == count - 1
    expected = {in_order(position.play(move)) for move in position.legal_moves()}
    if catalogue.registers[catalogues.SEARCH_WIN] == 0:  # else it stopped at the win
        assert found == expected - {in_order(position)}
    else:
        assert found <= expected


@pytest.mark.parametrize("room", [0, 8])
def test_a_line_longer_than_its_room_is_refused(room: int) -> None:
    found = complete_search.explore(case("161"), 10**6)
    assert found.line is not None
    assert len(found.line) == 9
    packed = pack(case("161"))
    catalogue = complete_search.make_catalogue(10_000)
    catalogue.registers[catalogues.SEARCH_HASH_MASK] = -1
    catalogue.registers[catalogues.SEARCH_MAX_NODES] = 10**9
    catalogue.registers[catalogues.SEARCH_PAUSE_AT] = 10**9
    complete.begin_complete(catalogue, *packed)
    assert complete.run_complete(catalogue, packed.rules) == layout.WON
    win = catalogue.registers[catalogues.SEARCH_WIN]
    moves, chain = np.zeros(room, np.int32), np.zeros(room, np.int64)
    assert complete.trace_line(catalogue, packed.rules, win, chain, moves) == -1
