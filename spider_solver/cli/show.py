"""``spider-show``: a page that replays a line, or the same in the terminal."""

import webbrowser
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spider_solver.cli.boards import names_a
from spider_solver.cli.common import HELP, count, echo, file_or_stream, run_command, version_option
from spider_solver.cli.compiling import warm_up
from spider_solver.cli.game import GameOptions, game_options
from spider_solver.game.cards import SUITS
from spider_solver.game.deal import FROM_TEXT, Deal
from spider_solver.game.notation import Move, parse_line
from spider_solver.game.outcomes import Proof, Status
from spider_solver.game.words import count_words, proof_words
from spider_solver.store.atomic import new_file
from spider_solver.text.quoting import one_line

if TYPE_CHECKING:
    from spider_solver.store.row import Row

SHORTEN = 1_000_000
"""Nodes spent on a shorter line, where a line is looked for."""

EXAMPLES = """\b
Examples:
  spider-show --seed 17                        solve deal 17 and write spider-kpat-17.html
  spider-show results/ --seed 17               the line of a row of a data set
  spider-show table.txt --line "ac fd3 deal"   any line of play
  spider-show --seed 17 --terminal             step through it in the terminal
"""


@click.command(context_settings=HELP, epilog=EXAMPLES)
@version_option
@game_options("FILE|-|CODE|FOLDER", "The line to show")
@click.option(
    "--out",
    type=file_or_stream,
    metavar="FILE|-",
    help="Where to write the page.  [default: named after the game]",
)
@click.option("--open", "open_it", is_flag=True, help="Open the page in the browser.")
@click.option("--terminal", is_flag=True, help="Step through the line in the terminal instead.")
@click.option("--max-nodes", type=count, help="Node budget for finding a line.  [default: 30M]")
def show(
    game: GameOptions,
    out: str | None,
    open_it: bool,
    terminal: bool,
    max_nodes: int | None,
) -> int:
    """Replay a line of play: step by step, with the score, in words and in pictures.

    The game is a board, a numbered deal, or a row of a data set (a folder and --seed, with
    --suits and the like if several rows have that number). Without --line, the line is that of
    the row, or the one that the solver finds. The page is one self-contained file: open it from
    disk, send it or publish it.
    """
    if terminal and (out is not None or open_it):
        raise click.UsageError("--terminal writes no page: leave out --out and --open")
    if open_it and out == "-":
        raise click.UsageError("--open needs a file: leave out --out -")
    shown = _shown(game, max_nodes)
    if terminal:
        from spider_solver.cli.stepping import step_through
        from spider_solver.show.steps import steps

        step_through(shown.title, list(steps(shown.deal.position, shown.line)), shown.note)
        return 0
    _write_page(shown, out, open_it)
    return 0


@dataclass(frozen=True)
class Shown:
    """What is shown: a deal, a line that starts from it, and what is known about it."""

    title: str
    deal: Deal
    line: tuple[Move, ...]
    note: str = ""


def _shown(game: GameOptions, max_nodes: int | None) -> Shown:
    """What the options ask for."""
    if game.board is not None and names_a(Path.is_dir, game.board):
        return _from_row(Path(game.board), game)
    asked = game.read()
    start = replace(asked, moves=(), position=asked.deal.position)
    if game.line is not None:
        return Shown(str(start), asked.deal, asked.moves)
    return _solved(str(start), asked.deal, max_nodes)


def _solved(title: str, deal: Deal, max_nodes: int | None) -> Shown:
    """A deal with the line that the solver finds."""
    from spider_solver.search.result import DEFAULT_MAX_NODES, Limits, Status
    from spider_solver.search.solver import solve

    warm_up()
    result = solve(deal, Limits(max_nodes or DEFAULT_MAX_NODES, shorten=SHORTEN))
    notes = {
        Status.WON: "",
        Status.LOST: f"lost: proved ({proof_words(result.proof)}), no line of play wins",
        Status.OPEN: f"open: nothing is proved within {count_words(result.nodes, 'node')}",
    }
    return Shown(title, deal, result.line or (), notes[result.status])


def _from_row(folder: Path, game: GameOptions) -> Shown:
    """A row of a data set."""
    from spider_solver.cli.rows import find_row

    if game.line is not None:
        raise click.UsageError("a row has its own line: leave out --line")
    if game.seed is None:
        raise click.UsageError(f"which row of {folder}? Give --seed")
    deal, row = find_row(folder, game)
    note = ""
    if row.status == Status.LOST:
        note = _loss_note(folder, deal, row)
    elif row.status == Status.OPEN:
        note = f"open: nothing is proved within {count_words(row.nodes, 'node')}"
    title = one_line(f"{row.numbering} {row.seed}, {row.variant}, {count_words(row.suits, 'suit')}")
    line = tuple(parse_line(row.line or ""))
    return Shown(title, deal, line, note)


def _loss_note(folder: Path, deal: Deal, row: "Row") -> str:
    """How sure it is that the deal of a row is lost."""
    from spider_solver.store.verify import RowError, is_proof_kept

    try:
        kept = is_proof_kept(row, deal.position, folder)
    except RowError as error:
        raise click.ClickException(f"{folder}: {row.key}: {error}: see spider-verify") from None
    if kept:
        return f"lost: proved ({proof_words(row.proof)}), no line of play wins"
    what = "classes" if row.proof == Proof.NO_FIRST_RUN else "positions"
    return f"lost: claimed ({row.proof}), not proved: the {what} that prove it are not kept"


def _write_page(shown: Shown, out: str | None, open_it: bool) -> None:
    """Write the page, say where, and open it if asked to."""
    from spider_solver.proofs.check import ProofError
    from spider_solver.show.page import replay_page

    try:
        page = replay_page(shown.deal.position, shown.line, shown.title, shown.note)
    except ProofError as error:  # in the line of a row
        raise click.ClickException(f"{error}") from None
    if out == "-":
        click.echo(page.encode(), nl=False)  # whatever the terminal's encoding is
        return
    path = Path(out or _default_name(shown.deal))
    try:
        if out is None:  # a name that others can foresee
            with new_file(path) as file:
                file.write(page.encode())
        else:
            path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from None
    echo(one_line(f"{path}: {shown.title}, {count_words(len(shown.line), 'action')}"))
    if shown.note:
        echo(shown.note)
    if open_it:
        webbrowser.open(path.resolve().as_uri())


def _default_name(deal: Deal) -> str:
    """``spider-kpat-17.html``, ``spider-2-suits-kpat-17.html``, ``spider-board.html``."""
    if deal.numbering == FROM_TEXT:
        return "spider-board.html"
    rules = deal.position.rules
    suits = "" if rules.suits == len(SUITS) else f"-{count_words(rules.suits, 'suit')}"
    game = f"{rules.name}{suits}".replace(" ", "-")
    return f"{game}-{deal.numbering}-{deal.seed}.html"


def main() -> None:
    """Run the command."""
    run_command(show)


if __name__ == "__main__":
    main()
