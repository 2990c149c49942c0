"""Honest games: the rules are kept, and nothing is known that could not be seen."""

from dataclasses import replace
from random import Random

import pytest

from spider_solver.game.deal import Deal
from spider_solver.game.notation import Move
from spider_solver.game.position import Position
from spider_solver.game.view import View
from spider_solver.play.game import Game, play_game
from spider_solver.play.planner import PlanSettings
from spider_solver.play.player import Player, PlayerSettings

NARROW = PlanSettings(width=30, layers=20, patience=8, flips=60, closer=6, closer_width=8)
PLAYER = Player(PlayerSettings(NARROW, patient=replace(NARROW, width=60), end_nodes=3000))


def check_game(game: Game) -> None:
    """Play the line of a game again under the plain rules."""
    position = game.start
    before_deals = []
    for move in game.line:
        if move.is_deal:
            before_deals.append(position.hidden)
        position = position.play(move)
    assert position.is_won == game.won
    assert position.hidden == game.hidden
    assert tuple(before_deals) == game.hidden_before_deals


def with_unseen_shuffled(start: Position, now: Position, chance: Random) -> Position:
    """Another start from which the same moves lead to what is to be seen now."""
    view = View.of(now)
    cards = list(view.unseen.elements())
    chance.shuffle(cards)
    other = view.filled(cards)
    columns = tuple(
        shuffled[:down] + dealt[down:]
        for shuffled, down, dealt in zip(other.columns, now.face_down, start.columns, strict=True)
    )
    seen = len(start.stock) - len(now.stock)
    return replace(start, columns=columns, stock=start.stock[:seen] + other.stock)


def check_blindness(actions: int, first: int) -> None:
    """Compare so many actions of games with those of games in which the unseen cards differ."""
    chance = Random(first)
    compared = 0
    seed = first
    while compared < actions:
        start = Deal.numbered(seed, chance.choice((1, 2, 4))).position
        seed += 1
        game = play_game(start, PLAYER)
        check_game(game)
        moments = chance.sample(range(len(game.line)), min(3, len(game.line)))
        for moment in moments:
            now = start
            for move in game.line[:moment]:
                now = now.play(move)
            other = with_unseen_shuffled(start, now, chance)
            assert play_game(other, Until(moment)).line[:moment] == game.line[:moment]
            compared += moment


class Until:
    """The player, who gives up after so many actions."""

    def __init__(self, actions: int) -> None:
        self.left = actions

    def decide(self, view: View) -> tuple[Move, ...]:
        if self.left <= 0:
            return ()
        moves = PLAYER.decide(view)
        self.left -= len(moves)
        return moves


def test_the_player_is_blind() -> None:
    check_blindness(1000, first=1)


@pytest.mark.full
def test_the_player_is_blind_in_10_000_actions() -> None:
    check_blindness(10_000, first=101)


def test_blindness_is_tested() -> None:
    """A player who looks under the cards would be found out."""
    start = Deal.numbered(1).position
    other = with_unseen_shuffled(start, start, Random(1))
    assert View.of(other) == View.of(start)
    assert other.columns != start.columns
    assert other.stock != start.stock
    assert sorted(other.stock + sum(other.columns, ())) == sorted(
        start.stock + sum(start.columns, ())
    )


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_a_game_is_the_same_again(suits: int) -> None:
    start = Deal.numbered(7, suits).position
    game = play_game(start, PLAYER)
    check_game(game)
    assert play_game(start, PLAYER) == game


@pytest.mark.parametrize(
    ("suits", "played"), [(1, (True, 152, 0)), (2, (True, 325, 0)), (4, (False, 248, 8))]
)
def test_a_game_is_the_same_on_any_machine(suits: int, played: tuple[bool, int, int]) -> None:
    game = play_game(Deal.numbered(12, suits).position, PLAYER)
    assert (game.won, len(game.line), game.hidden) == played
