"""The kernels' plain engine as a table that a test can play on and look at."""

from functools import lru_cache

import numpy as np

from spider_solver.game.notation import DEAL, Move
from spider_solver.game.position import Position
from spider_solver.kernels import layout
from spider_solver.kernels.beam import _expand_layer
from spider_solver.kernels.columns import load_position
from spider_solver.kernels.evaluation import Weights, evaluation_of
from spider_solver.kernels.jit import kernel
from spider_solver.kernels.layout import Evaluation, Int64s, Workspace
from spider_solver.kernels.workspace import make_workspace
from spider_solver.search.packing import pack, unpack_move
from tests.kernels import plain


@lru_cache(maxsize=1)
def workspace() -> Workspace:
    return make_workspace()


@kernel
def expand_layer(
    workspace: Workspace, evaluation: Evaluation, rules: Int64s, settings: Int64s, seed: np.uint64
) -> int:
    """Expand the layer that a beam stands before."""
    return _expand_layer(workspace, evaluation, rules, settings, seed)


class Table:
    """A position in the kernels' form, at row 0 of the layer."""

    def __init__(self, position: Position):
        self.start = position
        self.packed = pack(position)
        self.work = workspace()
        self.evaluation = evaluation_of(Weights(), position.rules.ranks)
        self.work.registers[:] = 0
        load_position(self.work, self.evaluation, *self.packed[:-1])
        self.work.layer[layout.TALLY] = self.packed.runs

    def legal_moves(self) -> list[Move]:
        codes = np.zeros(1024, np.int32)  # at most 6 * 7 * 13 moves to empty columns, and others
        count = plain.legal_moves(self.work, self.packed.rules, self.work.layer, 0, codes)
        return [unpack_move(int(code)) for code in codes[:count]]

    def play(self, move: Move) -> None:
        code = layout.DEAL_MOVE
        if move != DEAL:
            assert move.count is not None
            target = move.source if move.is_removal else move.target
            code = move.source * layout.MOVE_SOURCE + target * layout.MOVE_TARGET + move.count
        plain.play(self.work, self.evaluation, self.packed.rules, self.work.layer, 0, code)

    def columns(self) -> tuple[tuple[int, ...], ...]:
        """All cards, the face-down ones as the start has them."""
        cards = np.zeros(layout.MAX_CARDS, np.int32)
        result = []
        for column in range(self.start.rules.columns):
            node = int(self.work.layer[column])
            count = plain.read_cards(self.work, node, cards)
            hidden = self.start.columns[column][: self.face_down()[column]]
            result.append((*hidden, *map(int, cards[:count][::-1])))
        return tuple(result)

    def face_down(self) -> tuple[int, ...]:
        nodes = self.work.layer[: self.start.rules.columns]
        return tuple(int(plain.hidden_cards(self.work, int(node))) for node in nodes)

    @property
    def runs(self) -> int:
        return int(self.work.layer[layout.TALLY]) % layout.TALLY_ACTION

    def perft(self, depth: int) -> int:
        codes = np.zeros(512 * (depth + 1), np.int32)
        return int(plain.perft(self.work, self.evaluation, self.packed.rules, depth, codes))
