"""A line of play, step by step: what each action does, and what comes of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from spider_solver.game.notation import Move
from spider_solver.game.position import Position
from spider_solver.game.words import count_words, move_words
from spider_solver.proofs.check import replay
from spider_solver.proofs.table import START_SCORE


@dataclass(frozen=True, slots=True)
class Step:
    """A position of a game, and the action that led to it.

    Attributes:
        position: the position.
        move: the action before it, with its count; None at the start.
        words: the action in words; empty at the start.
        score: the score so far.
    """

    position: Position
    move: Move | None
    words: str
    score: int


def steps(start: Position, line: Iterable[Move]) -> Iterator[Step]:
    """The start and the position after each action of a line.

    Raises:
        ProofError: an action is illegal.
    """
    moves = list(line)
    replay(start, moves)  # for its message, if a move is illegal
    position, score = start, START_SCORE
    yield Step(position, None, "", score)
    for move in moves:
        resolved = position.resolve(move)
        words = move_words(position, resolved)
        played = replay(position, (resolved,))
        score = max(score + played.score - START_SCORE, 0)
        position = played.final
        yield Step(position, resolved, words, score)


def result_words(played: Sequence[Step]) -> str:
    """What came of a game: ``won in 125 actions, score 1,175``."""
    actions = count_words(len(played) - 1, "action")
    result = f"won in {actions}" if played[-1].position.is_won else f"not won after {actions}"
    return f"{result}, score {played[-1].score:,}"
