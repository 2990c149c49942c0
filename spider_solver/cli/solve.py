"""``spider-solve``: decides one deal, or many deals into a data set."""

import json
import os
import shlex
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from spider_solver.batch.boards import read_boards
from spider_solver.cli.boards import (
    chosen_rules,
    game_of_boards,
    read_board_argument,
    read_text,
)
from spider_solver.cli.common import HELP, Stop, count, failing_on, run_command, say, stop_on_signal
from spider_solver.cli.compiling import warm_up
from spider_solver.deal import Deal
from spider_solver.formats.detect import Game
from spider_solver.formats.table import BoardError
from spider_solver.numbering import (
    NumberingError,
    check_numbering,
    default_numbering,
    numbered,
    parse_seeds,
)
from spider_solver.rules import VARIANTS, Rules

if TYPE_CHECKING:
    from spider_solver.batch.runner import Job
    from spider_solver.batch.sources import Source
    from spider_solver.batch.summary import Summary
    from spider_solver.cli.progress import Progress
    from spider_solver.explain import Explanation
    from spider_solver.shortest import Shortest
    from spider_solver.solver import Limits
    from spider_solver.store.settings import Settings
    from spider_solver.store.writing import SetWriter

DEFAULT_SEEDS = "1-100"
DEALS_A_WORKER = 8  # for fewer, most deals are done before another worker has started

EXAMPLES = """\b
Examples:
  spider-solve --seeds 17                  one deal: the verdict and a line
  spider-solve --suits 2 --seeds 1-1000    a thousand deals into a data set
  spider-solve --suits 2 --seeds 1-5000    four thousand more into the same
  spider-solve --variant spiderette --seeds 1-1000
  spider-solve --max-nodes 167k --out quick
  spider-solve --board table.txt           one board ("-": from standard input)
  spider-solve --boards mydeals.txt        many boards in one file
  spider-solve --numbering pysol --seeds 14934 --explain
  spider-solve --board late.txt --shortest
"""


class Budget(NamedTuple):
    """What may be spent on a deal, as the options say."""

    effort: str | None
    max_nodes: int | None
    time_limit: float | None
    shorten: int | None
    bound: bool
    shortest: int | None = None

    def limits(self) -> "Limits":
        """The same for the solver."""
        from spider_solver.solver import EFFORTS, Limits

        max_nodes = self.max_nodes or EFFORTS[self.effort or "normal"]
        return Limits(max_nodes, self.time_limit, self.shorten or 0, self.bound)


@click.command(context_settings=HELP, epilog=EXAMPLES)
@click.option("--suits", type=click.IntRange(1, 4), help="Suits.  [default: 4; those of a board]")
@click.option("--seeds", metavar="LIST", help=f"Deal numbers.  [default: {DEFAULT_SEEDS}]")
@click.option(
    "--numbering",
    type=click.Choice(["kpat", "pysol"]),
    help="Whose deal numbers: KPatience's or PySolFC's.  [default: kpat for Spider]",
)
@click.option(
    "--variant", type=click.Choice([*VARIANTS]), default="spider", show_default=True, help="Game."
)
@click.option("--board", metavar="FILE|-|CODE", help="A board in any format, or a position code.")
@click.option("--boards", metavar="FILE|-", help="Many boards of one format in a file.")
@click.option(
    "--effort",
    type=click.Choice(["quick", "normal", "deep"]),
    help="Node budget of a deal: 1M, 30M or 1G.  [default: normal]",
)
@click.option("--max-nodes", type=count, help="Node budget of a deal, in place of --effort.")
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Time for a deal; with it, rows depend on the machine.  [default: none]",
)
@click.option("--shorten", type=count, help="Nodes to spend on a shorter line.  [default: none]")
@click.option("--bound", is_flag=True, help="Prove a lower bound on the actions of a line.")
@click.option(
    "--shortest",
    type=count,
    is_flag=False,
    flag_value="30M",
    metavar="[NODES]",
    help="Prove of one deal that its line is shortest, within so many nodes.  [30M if not told]",
)
@click.option("--explain", is_flag=True, help="Say why one deal is lost, or how far it came.")
@click.option("--proofs", is_flag=True, help="Keep all positions of a lost deal, as a proof.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes.  [default: all cores]")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of the data set.  [default: named after the settings]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def solve(
    suits: int | None,
    seeds: str | None,
    numbering: str | None,
    variant: str,
    board: str | None,
    boards: str | None,
    effort: str | None,
    max_nodes: int | None,
    time_limit: float | None,
    shorten: int | None,
    bound: bool,
    shortest: int | None,
    explain: bool,
    proofs: bool,
    workers: int | None,
    out: Path | None,
    as_json: bool,
) -> int:
    """Decide deals of Spider: won with a line, lost with a proof, or open.

    One deal or board prints its verdict and line. Many go into a data set, a folder of Parquet
    files with a row for each deal. The same command again goes on where a run was stopped,
    more seeds extend the set. Ctrl-C keeps all deals that are done.
    """
    choices = {"--seeds": seeds, "--board": board, "--boards": boards}
    given = [name for name, value in choices.items() if value is not None]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)} exclude each other")
    if board is not None and out is not None:
        raise click.UsageError("--board prints one answer; --boards keeps rows in --out")
    if board is not None and proofs:
        raise click.UsageError("--board prints one answer; --boards keeps proofs in a data set")
    if numbering is not None and seeds is None and given:
        raise click.UsageError(f"--numbering goes with --seeds: {given[0]} has no numbers")
    if effort is not None and max_nodes is not None:
        raise click.UsageError("--effort and --max-nodes exclude each other")
    budget = Budget(effort, max_nodes, time_limit, shorten, bound, shortest)
    rules = chosen_rules(variant, suits)
    game = game_of_boards(variant, suits)

    if board is not None:
        deal = read_board_argument(board, game, "--board")
        return _solve_one(deal, budget, explain, as_json)
    if boards is not None:
        deals = _read_boards(boards, game)
    else:
        numbering = numbering or default_numbering(rules)
        ranges = _read_seeds(seeds or DEFAULT_SEEDS, numbering, rules)
        if out is None and not proofs and sum(map(len, ranges)) == 1:
            deal = Deal.numbered(ranges[0].start, numbering=numbering, rules=rules)
            return _solve_one(deal, budget, explain, as_json)
    for option, value in {"--explain": explain, "--shortest": shortest}.items():
        if value:
            raise click.UsageError(f"{option} is about one deal: --seeds N or --board, no --out")

    # From here on numba and pyarrow are needed.
    from spider_solver.batch.runner import Job
    from spider_solver.batch.sources import Boards, Numbers
    from spider_solver.solver import SOLVER
    from spider_solver.store.settings import Settings

    limits = budget.limits()
    settings = Settings.of(variant, limits, SOLVER, proofs)
    source: Source
    if boards is not None:
        source = Boards(deals)
        # A set for each file of boards: all of them number their boards from 1.
        folder = Path(f"{settings.folder_name}-{'stdin' if boards == '-' else Path(boards).stem}")
    else:
        source = Numbers(numbering or "", rules, ranges)
        folder = Path(settings.folder_name)
    folder = out or folder
    job = Job(limits, proofs=folder.absolute() if proofs else None)
    return _solve_many(source, job, settings, folder, workers, as_json)


def _read_seeds(text: str, numbering: str, rules: Rules) -> list[range]:
    """The seeds that a list names, all of them deals of the game."""
    try:
        check_numbering(numbering, rules)
        ranges = parse_seeds(text)
        numbered(numbering, ranges[-1].stop - 1, rules)
    except NumberingError as error:
        raise click.UsageError(str(error)) from None
    return ranges


def _read_boards(argument: str, game: Game) -> list[Deal]:
    """The deals of ``--boards``."""
    try:
        return read_boards(read_text(argument), game)
    except BoardError as error:
        raise click.ClickException(f"{argument}: {error}") from None


def _solve_one(deal: Deal, budget: Budget, explain: bool, as_json: bool) -> int:
    """Decide one deal and print the answer."""
    from spider_solver.cli.verdict import verdict_text
    from spider_solver.solver import SOLVER
    from spider_solver.solver import solve as decide
    from spider_solver.store.row import row_of

    warm_up()
    result = decide(deal, budget.limits())
    facts: dict[str, Explanation | Shortest] = {}
    if budget.shortest is not None:
        from spider_solver.shortest import shortest_result

        result, facts["shortest"] = shortest_result(result, budget.shortest)
    if explain:
        from spider_solver.explain import explain_result

        facts["explanation"] = explain_result(result)
    row = row_of(deal, result, SOLVER)
    if as_json:
        more = {name: fact.as_dict() for name, fact in facts.items()}
        click.echo(json.dumps({**row.as_dict(), **more}))
    else:
        click.echo("\n\n".join([verdict_text(row), *(fact.words for fact in facts.values())]))
    return 0


def _solve_many(
    source: "Source",
    job: "Job",
    settings: "Settings",
    folder: Path,
    workers: int | None,
    as_json: bool,
) -> int:
    """Decide what a data set does not hold yet, and print the summary of all that was asked."""
    from spider_solver.batch.runner import BatchError
    from spider_solver.batch.summary import Summary
    from spider_solver.store.reading import StoreError
    from spider_solver.store.writing import SetWriter

    with failing_on(StoreError, BatchError):
        with stop_on_signal() as stop, SetWriter(folder, settings) as writer:
            progress = _fill(writer, source, job, workers, stop)
        summary = Summary.of(source.rows(folder, Summary.COLUMNS))
    if as_json:
        answer = {**asdict(summary), "asked": source.total, "solved_now": progress.added}
        answer |= {"seconds": progress.seconds, "deals_per_second": progress.rate}
        answer |= {"out": str(folder), "settings": settings.as_dict(), "stopped": stop()}
        click.echo(json.dumps(answer))
    else:
        click.echo(_summary_text(summary, progress, folder))
    if stop():
        say(f"stopped with {source.total - summary.deals} deals to go; go on with: {_command()}")
    elif not as_json:
        click.echo(f"next    spider-verify {shlex.quote(str(folder))}")
    return stop.code


def _fill(
    writer: "SetWriter", source: "Source", job: "Job", workers: int | None, stop: Stop
) -> "Progress":
    """Solve the deals that a set lacks, and give the progress that was made."""
    from tqdm.contrib.logging import logging_redirect_tqdm

    from spider_solver.batch.executors import available_cores, make_executor
    from spider_solver.batch.runner import solve_deals
    from spider_solver.cli.progress import Progress

    before = source.rows(writer.folder, ["status"])
    counts = Counter(before["status"].to_pylist())
    missing = source.total - before.num_rows
    if missing:
        warm_up()
    useful = -(-missing // DEALS_A_WORKER)
    workers = min(workers or min(available_cores(), useful), missing) or 1
    shown = Progress(source.total, before.num_rows, "deals", lambda: _counts_text(counts))
    asked_to_stop = False
    with make_executor(workers) as executor, shown as progress, logging_redirect_tqdm():
        try:
            for rows in solve_deals(source.starts(before), job, executor, workers, stop):
                writer.add(rows)
                counts.update(row.status for row in rows)
                progress.add(len(rows))
                if stop() and not asked_to_stop:
                    asked_to_stop = True
                    progress.say("stopping once the deals in progress are done (again: at once)")
        except KeyboardInterrupt:  # the second one
            executor.kill()
    return progress


def _command() -> str:
    """The command line that was given."""
    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])


def _counts_text(counts: Counter[str]) -> str:
    return ", ".join(f"{status} {counts[status]}" for status in ("won", "lost", "open"))


def _summary_text(summary: "Summary", progress: "Progress", folder: Path) -> str:
    """The summary as a table for people."""
    lines = [f"deals   {summary.deals:>12,}"]
    for status in ("won", "lost", "open"):
        count = getattr(summary, status)
        share = f"  {count / summary.deals:7.2%}" if summary.deals else ""
        lines.append(f"{status:<8}{count:>12,}{share}")
    if summary.reasons:
        lines[-1] += f"  ({', '.join(f'{n} {reason}' for reason, n in summary.reasons.items())})"
    if summary.median_nodes is not None:
        lines.append(f"nodes   {summary.median_nodes:>12,.0f}  median of a deal")
    if progress.added:
        speed = f"{progress.rate:,.1f} deals a second, {progress.seconds:,.1f} s"
        lines.append(f"speed   {speed} for {progress.added:,} deals")
    else:
        lines.append("speed   nothing to do, all rows were there")
    lines.append(f"rows    {folder}{os.sep}")
    return "\n".join(lines)


def main() -> None:
    """Run the command."""
    run_command(solve)


if __name__ == "__main__":
    main()
