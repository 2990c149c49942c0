"""``spider-hint``: the next move of a proven line, or how far a game was won."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spider_solver.cli.boards import UnknownTable
from spider_solver.cli.common import (
    HELP,
    Named,
    count,
    draw,
    echo,
    file_or_stream,
    run_command,
    say,
    seconds,
    version_option,
)
from spider_solver.cli.compiling import warm_up
from spider_solver.cli.game import Game, GameOptions, game_options
from spider_solver.cli.unknown import hint_without_all_cards
from spider_solver.game.notation import format_line, format_move
from spider_solver.game.words import count_words
from spider_solver.text.quoting import one_line

if TYPE_CHECKING:
    from spider_solver.answers.hints import Hint
    from spider_solver.answers.review import Review
    from spider_solver.search.result import Limits

EXAMPLES = """\b
Examples:
  spider-hint table.txt                               what to play next ("-": standard input)
  spider-hint --seed 17 --line "jc1 dj1"              the same for a numbered deal
  spider-hint table.txt --seed 44                     a table of deal 44: hidden cards may be ??
  spider-hint table.txt --find                        look for the number of its deal
  spider-hint --seed 17 --count 5 --line-out won.txt  the next five moves; save the line
  spider-hint --seed 17 --line "jc1" --follow game17  remember the line, and keep to it
  spider-hint --seed 17 --line played.txt --review    where did I go wrong?
"""


@click.command(context_settings=HELP, epilog=EXAMPLES)
@version_option
@game_options("FILE|-|CODE", "The moves so far")
@click.option(
    "--find",
    is_flag=True,
    help="Look for the number of the table's deal, which tells the cards written ??.",
)
@click.option(
    "--count",
    "ahead",
    type=click.IntRange(min=1),
    default=1,
    metavar="K",
    help="Show the next K moves.",
)
@click.option(
    "--line-out", type=file_or_stream, metavar="FILE|-", help="Write the whole winning line."
)
@click.option(
    "--follow",
    type=Named(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Remember the line in this file, and keep to it from hint to hint.",
)
@click.option(
    "--review",
    is_flag=True,
    help="Say how long the game was won, and from where on it is lost. Needs --line.",
)
@click.option(
    "--effort",
    type=click.Choice(["quick", "normal", "deep"]),
    help="Node budget per position: 1M, 30M or 1G.  [default: 2M]",
)
@click.option("--max-nodes", type=count, help="Node budget per position, instead of --effort.")
@click.option(
    "--time-limit",
    type=seconds,
    metavar="SECONDS",
    help="Time limit per position.  [default: none]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def hint(
    game: GameOptions,
    find: bool,
    ahead: int,
    line_out: str | None,
    follow: Path | None,
    review: bool,
    effort: str | None,
    max_nodes: int | None,
    time_limit: float | None,
    as_json: bool,
) -> int:
    """Say what to play next, and how certain that is.

    The game is a board (a file in any format, "-", or a position code) or a numbered deal, with
    the moves so far. Hidden cards of a board may be left out, as ??. If the number of its deal is
    given or found, they are filled in; if not, the unseen cards are laid out in all ways, or in
    100 drawn at random, and the move is the one that wins most often.

    "won": the move is the first of a line that was replayed to the end. "lost": it is proved that
    no line wins. "open": neither was proved, and the move is a guess.
    """
    if effort is not None and max_nodes is not None:
        raise click.UsageError("--effort and --max-nodes exclude each other")
    if review and (follow or line_out or ahead > 1):
        raise click.UsageError("--review goes with none of --count, --line-out and --follow")
    if as_json and line_out == "-":
        raise click.UsageError("--json has the line already: leave out --line-out -")
    if review and game.line is None:
        raise click.UsageError("--review needs the moves of the game: --line")
    limits = _limits(effort, max_nodes, time_limit)
    try:
        asked = game.find() if find else game.read()
    except UnknownTable as table:
        if game.line is not None or follow or line_out or ahead > 1:
            raise
        table.view.check()
        own = limits if effort or max_nodes or time_limit else None
        hint_without_all_cards(table.view, own, as_json)
        return 0
    if review:
        return _review(asked, limits, as_json)
    given = _hint(asked, limits, follow)
    if as_json:
        echo(json.dumps(_answer(given, ahead)))
    else:
        draw(_text(asked, given, ahead))
    if line_out is not None:
        _write_line(given, line_out)
    return 0


def _limits(effort: str | None, max_nodes: int | None, time_limit: float | None) -> "Limits":
    from spider_solver.answers.hints import HINT_LIMITS
    from spider_solver.search.result import EFFORTS

    nodes = max_nodes or (EFFORTS[effort] if effort else HINT_LIMITS.max_nodes)
    return replace(HINT_LIMITS, max_nodes=nodes, time=time_limit)


def _hint(game: Game, limits: "Limits", follow: Path | None) -> "Hint":
    """The hint, from the file of ``--follow`` if the position is on a line there."""
    from spider_solver.answers.hints import Hinter
    from spider_solver.cli.following import load_lines, save_line

    hinter = Hinter(limits)
    if follow is not None:
        load_lines(follow, game.position.rules, hinter)
    if not hinter.knows(game.position):
        warm_up()
    given = hinter.hint(game.position)
    if follow is not None and given.nodes:
        save_line(follow, given)
    return given


def _text(game: Game, given: "Hint", ahead: int) -> str:
    """The answer for people: the table, then what to play and how sure it is."""
    from spider_solver.show.text import position_text, use_colour

    picture = position_text(given.position, colour=use_colour(sys.stdout), mark=given.move)
    lines = [str(game), "", picture, "", given.words, given.certainty]
    if ahead > 1 and given.line:
        lines += ["", *_moves_ahead(given, ahead)]
    return "\n".join(lines)


def _moves_ahead(given: "Hint", ahead: int) -> list[str]:
    rows = [(format_move(move), words) for move, words in given.upcoming(ahead)]
    width = max(len(move) for move, _ in rows)
    return [f"{place:>3}  {move:<{width}}  {words}" for place, (move, words) in enumerate(rows, 1)]


def _answer(given: "Hint", ahead: int) -> dict[str, Any]:
    moves = [{"move": format_move(move), "words": words} for move, words in given.upcoming(ahead)]
    return given.as_dict() | {"next": moves}


def _write_line(given: "Hint", target: str) -> None:
    """Write the winning line to a file, or to standard output for ``-``."""
    if given.actions is None:
        say(f"no line is written: the position is {given.status}")
    elif target == "-":
        echo(format_line(given.line))
    else:
        try:
            Path(target).write_text(format_line(given.line) + "\n", encoding="utf-8")
        except OSError as error:
            raise click.ClickException(f"{target}: {error.strerror}") from None
        say(f"{count_words(given.actions, 'action')} written to {one_line(target)}")


def _review(game: Game, limits: "Limits", as_json: bool) -> int:
    """Find out how far the game was won and from where on it is lost, and print it."""
    from spider_solver.answers.review import review

    warm_up()
    from tqdm import tqdm

    with tqdm(unit=" positions", leave=False, dynamic_ncols=True, disable=None) as bar:

        def show(at: int, last: int) -> None:
            bar.total = last + 1
            bar.update(last - at - bar.n)

        found = review(game.deal.position, game.moves, limits, progress=show)
    draw(json.dumps(found.as_dict()) if as_json else _review_text(game, found))
    return 0


def _review_text(game: Game, found: "Review") -> str:
    """The review for people, with the table as it was when the game was last won.

    Marked is the action that gave the game away or, where none is proved to, the one that wins.
    """
    from spider_solver.show.text import position_text, use_colour

    played, won = len(game.moves), found.won_until
    if won is None or won == played:
        return "\n".join([str(game), "", found.words])
    position = found.position(won)
    mark = found.given_away or found.line[0]
    picture = position_text(position, colour=use_colour(sys.stdout), mark=mark)
    title = f"{replace(game, moves=())}, after {won} of {count_words(played, 'action')}"
    return "\n".join([title, "", picture, "", found.words])


def main() -> None:
    """Run the command."""
    run_command(hint)


if __name__ == "__main__":
    main()
