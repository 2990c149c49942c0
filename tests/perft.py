"""Perft: how many lines and positions there are after each number of actions from fixed starts.

The counts are data (data/perft.json), for any engine to be tested with.
"""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from spider_solver.game.position import Position
from spider_solver.game.rules import Rules

FILE = Path(__file__).parent / "data" / "perft.json"


@dataclass(frozen=True)
class Perft:
    """The counts from one start.

    Attributes:
        name: the rules and where the start comes from.
        start: the position that it counts from.
        lines: legal lines of 0, 1, 2, ... actions.
        positions: different positions at the ends of those lines.
    """

    name: str
    start: Position
    lines: list[int]
    positions: list[int]


def read_perft() -> list[Perft]:
    entries = json.loads(FILE.read_text(encoding="utf-8"))["counts"]
    return [
        Perft(
            entry["name"],
            Position.from_code(entry["code"], _rules(entry["rules"])),
            entry["lines"],
            entry["positions"],
        )
        for entry in entries
    ]


def _rules(fields: dict[str, object]) -> Rules:
    heights = fields["heights"]
    assert isinstance(heights, list)
    return Rules(**(fields | {"heights": tuple(heights)}))  # type: ignore[arg-type]


def count(start: Position, depth: int) -> tuple[list[int], list[int]]:
    """Lines and positions after 0 .. depth actions; positions are told apart exactly."""
    layer = Counter({start: 1})
    lines, positions = [1], [1]
    for _ in range(depth):
        successors: Counter[Position] = Counter()
        for position, ways in layer.items():
            for move in position.legal_moves():
                successors[position.play(move)] += ways
        layer = successors
        lines.append(layer.total())
        positions.append(len(layer))
    return lines, positions
