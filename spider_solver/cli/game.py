"""The game that a command is asked about: a board or a numbered deal, and the moves so far."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from spider_solver.cli.boards import (
    chosen_rules,
    game_of_boards,
    read_board_argument,
    read_line_argument,
    read_view_argument,
)
from spider_solver.cli.common import count
from spider_solver.cli.numbers import found_deal, table_of
from spider_solver.game.deal import FROM_TEXT, Deal
from spider_solver.game.notation import Move
from spider_solver.game.numberings import NUMBERINGS, NumberingError, default_numbering
from spider_solver.game.position import Position
from spider_solver.game.rules import VARIANTS, Rules, spider
from spider_solver.game.words import count_words

if TYPE_CHECKING:
    from spider_solver.formats.detect import RulesOrPreset
    from spider_solver.game.view import View

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Game:
    """A deal, what was played, and the position that it led to.

    Attributes:
        deal: the start, a numbered deal or a board.
        moves: the actions so far, each with its count.
        position: the position after them.
    """

    deal: Deal
    moves: tuple[Move, ...]
    position: Position

    def __str__(self) -> str:
        deal, rules = self.deal, self.position.rules
        name = "board" if deal.numbering == FROM_TEXT else f"{deal.numbering} {deal.seed}"
        text = f"{name}, {rules.name}, {count_words(rules.suits, 'suit')}"
        return f"{text}, after {count_words(len(self.moves), 'action')}" if self.moves else text


@dataclass(frozen=True)
class GameOptions:
    """What the options say about the game."""

    board: str | None
    seed: int | None
    suits: int | None
    numbering: str | None
    variant: str | None
    line: str | None

    def read(self) -> Game:
        """The game.

        Raises:
            ClickException: there is no such board, deal or line.
        """
        return game_of(self._deal(), self.line)

    def find(self) -> Game:
        """The game of a table, once the number of its deal is found.

        Raises:
            ClickException: there is no such board, number or line.
        """
        if self.board is None or self.seed is not None or self.numbering is not None:
            raise click.UsageError("--find looks for the number of a table: give a board alone")
        view = self._view(self.board)
        deal = found_deal(view, self._board_name)
        return game_of(table_of(view, deal, self._board_name), self.line)

    def _deal(self) -> Deal:
        if self.board is None and self.seed is None:
            raise click.UsageError(
                "which game? Give a board (a file, - or a position code) or --seed"
            )
        if self.board is None:
            return self._numbered(chosen_rules(self.variant or "spider", self.suits))
        if self.seed is not None:
            view = self._view(self.board)
            return table_of(view, self._numbered(view.rules), self._board_name)
        if self.numbering is not None:
            raise click.UsageError("--numbering goes with --seed")
        advice = "if it is of a numbered deal, give the number with --seed"
        return read_board_argument(self.board, self._game_of_board, self._board_name, advice)

    def _numbered(self, rules: Rules) -> Deal:
        """The deal with the number of ``--seed``."""
        try:
            return Deal.numbered(self.seed or 0, numbering=self.numbering, rules=rules)
        except NumberingError as error:
            raise click.UsageError(str(error)) from None

    def _view(self, board: str) -> "View":
        """What the board shows."""
        return read_view_argument(board, self._game_of_board, self._board_name)

    @property
    def _game_of_board(self) -> "RulesOrPreset":
        return game_of_boards(self.variant or "spider", self.suits)

    @property
    def _board_name(self) -> str:
        """The name of the board, for messages."""
        from spider_solver.formats.code import is_code

        board = self.board or ""
        return "position code" if is_code(board) else board


def deal_number(text: str) -> int:
    """A number that some program gives a deal, written as counts are; an option's type."""
    return count(text, max(numbering.last for numbering in NUMBERINGS.values()))


def numbering_option(default: str | None = None) -> Callable[[Command], Command]:
    """The option ``--numbering``, by default the usual numbering of a game."""
    whose = " or ".join(f"{numbering.program}'s" for numbering in NUMBERINGS.values())
    usual = "" if default else f"  [default: {default_numbering(spider(4))} for Spider]"
    return click.option(
        "--numbering",
        type=click.Choice([*NUMBERINGS]),
        default=default,
        show_default=default is not None,
        help=f"Whose deal numbers: {whose}.{usual}",
    )


def game_of(deal: Deal, line: str | None) -> Game:
    """The game of a deal and the text of a line, if there is one.

    Raises:
        ClickException: the line is no line or not legal.
    """
    position, moves = deal.position, []
    if line is not None:
        from spider_solver.proofs.check import ProofError, replay

        given = read_line_argument(line, "--line")
        try:
            replay(position, given)
        except ProofError as error:
            raise click.ClickException(f"--line: {error}") from None
        for move in given:
            moves.append(position.resolve(move))
            position = position.play(move)
    return Game(deal, tuple(moves), position)


def game_options(board: str, line: str) -> Callable[[Command], Command]:
    """Options that say which game; the command gets them as ``game``, a GameOptions.

    Args:
        board: what the argument may be, for the help text.
        line: what the moves of ``--line`` are, for the help text.
    """

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(
            board: str | None,
            seed: int | None,
            suits: int | None,
            numbering: str | None,
            variant: str | None,
            line: str | None,
            **rest: Any,
        ) -> Any:
            options = GameOptions(board, seed, suits, numbering, variant, line)
            return command(game=options, **rest)

        decorated: Any = run
        for option in _options(board, line):
            decorated = option(decorated)
        return cast(Command, decorated)

    return decorate


def _options(board: str, line: str) -> list[Any]:
    """The options, the last one of the help text first."""
    return [
        click.option("--line", metavar="MOVES|FILE", help=f'{line}, such as "ac fd3 deal".'),
        click.option("--variant", type=click.Choice([*VARIANTS]), help="Game.  [default: spider]"),
        numbering_option(),
        click.option(
            "--suits", type=click.IntRange(1, 4), help="Suits.  [default: 4; those of a board]"
        ),
        click.option("--seed", type=deal_number, metavar="N", help="A deal's number."),
        click.argument("board", metavar=f"[{board}]", required=False),
    ]
