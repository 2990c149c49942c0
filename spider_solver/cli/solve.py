"""``spider-solve``: decides one deal, or many deals into a data set."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from spider_solver.cli.boards import (
    chosen_rules,
    game_of_boards,
    read_board_argument,
    read_boards_argument,
)
from spider_solver.cli.common import HELP, Named, count, echo, run_command, seconds, version_option
from spider_solver.cli.compiling import warm_up
from spider_solver.cli.game import numbering_option
from spider_solver.game.deal import Deal
from spider_solver.game.numberings import (
    NumberingError,
    check_numbering,
    default_numbering,
    numbered,
    parse_seeds,
)
from spider_solver.game.rules import VARIANTS, Rules

if TYPE_CHECKING:
    from spider_solver.answers.explain import Explanation
    from spider_solver.answers.shortest import Shortest
    from spider_solver.batch.sources import Source
    from spider_solver.search.result import Limits

DEFAULT_SEEDS = "1-100"

EXAMPLES = """\b
Examples:
  spider-solve --seeds 17                  one deal: the verdict and a line
  spider-solve --suits 2 --seeds 1-1000    a thousand deals into a data set
  spider-solve --suits 2 --seeds 1-5000    four thousand more into the same
  spider-solve --variant spiderette --seeds 1-1000
  spider-solve --max-nodes 167k --out quick
  spider-solve --board table.txt           one board ("-": from standard input)
  spider-solve --boards mydeals.txt        many boards in one file
  spider-solve --escalate 30M --out quick  solve its open deals again, with more nodes
  spider-solve --seeds 1-1000000 --executor dask --scheduler tcp://host:8786
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
        from spider_solver.search.result import EFFORTS, Limits

        max_nodes = self.max_nodes or EFFORTS[self.effort or "normal"]
        return Limits(max_nodes, self.time_limit, self.shorten or 0, self.bound)


@click.command(context_settings=HELP, epilog=EXAMPLES)
@version_option
@click.option("--suits", type=click.IntRange(1, 4), help="Suits.  [default: 4; those of a board]")
@click.option("--seeds", metavar="LIST", help=f"Deal numbers.  [default: {DEFAULT_SEEDS}]")
@numbering_option()
@click.option("--variant", type=click.Choice([*VARIANTS]), help="Game.  [default: spider]")
@click.option("--board", metavar="FILE|-|CODE", help="A board in any format, or a position code.")
@click.option("--boards", metavar="FILE|-", help="A file of many boards, all in one format.")
@click.option(
    "--effort",
    type=click.Choice(["quick", "normal", "deep"]),
    help="Node budget per deal: 1M, 30M or 1G.  [default: normal]",
)
@click.option("--max-nodes", type=count, help="Node budget per deal, instead of --effort.")
@click.option(
    "--time-limit",
    type=seconds,
    metavar="SECONDS",
    help="Time limit per deal, for everything asked about it. Rows then depend on the machine.  "
    "[default: none]",
)
@click.option("--shorten", type=count, help="Nodes to spend on a shorter line.  [default: none]")
@click.option("--bound", is_flag=True, help="Prove a lower bound on the number of actions.")
@click.option(
    "--shortest",
    type=count,
    is_flag=False,
    flag_value="30M",
    metavar="[NODES]",
    help="Prove that the line of one deal is shortest, with NODES more nodes, by default 30M.",
)
@click.option(
    "--explain", is_flag=True, help="Say why one deal is lost, or how far the searches came."
)
@click.option("--proofs", is_flag=True, help="Keep all positions of a lost deal as a proof.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes.  [default: all cores]")
@click.option(
    "--executor",
    type=click.Choice(["local", "dask"]),
    help="What runs the workers: this program, or Dask.  [default: local]",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Dask scheduler, such as tcp://host:8786.  [default: start one]",
)
@click.option(
    "--escalate",
    type=count,
    metavar="NODES",
    help="Solve the open deals of the set --out with this budget, and replace their rows.",
)
@click.option(
    "--log",
    type=Named(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Append events to this file as JSON lines.",
)
@click.option(
    "--out",
    type=Named(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of the data set.  [default: named after the settings]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def solve(
    suits: int | None,
    seeds: str | None,
    numbering: str | None,
    variant: str | None,
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
    executor: str | None,
    scheduler: str | None,
    escalate: int | None,
    log: Path | None,
    out: Path | None,
    as_json: bool,
) -> int:
    """Decide deals of Spider: won with a line, lost with a proof, or open.

    For one deal or board, print the verdict and a line. For many, write a data set: a folder of
    Parquet files with one row per deal. The same command resumes a run that was stopped; more
    seeds extend the set. Ctrl-C keeps all finished deals.
    """
    choices = {"--seeds": seeds, "--board": board, "--boards": boards}
    given = [name for name, value in choices.items() if value is not None]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)} exclude each other")
    if board is not None and out is not None:
        raise click.UsageError("--board prints one answer; --boards keeps rows in --out")
    for_sets = {"--proofs": proofs, "--executor": executor, "--log": log}
    many = [name for name, value in for_sets.items() if value]
    if board is not None and many:
        raise click.UsageError(f"--board prints one answer; {many[0]} goes with --boards")
    if numbering is not None and seeds is None and given:
        raise click.UsageError(f"--numbering goes with --seeds: {given[0]} has no numbers")
    if effort is not None and max_nodes is not None:
        raise click.UsageError("--effort and --max-nodes exclude each other")
    if scheduler is not None and (executor != "dask" or workers is not None):
        raise click.UsageError("--scheduler goes with --executor dask, and has its own workers")
    if escalate is not None:
        of_game = (suits, numbering, variant)
        settled = (effort, max_nodes, time_limit, shorten, bound, shortest, explain, proofs)
        if out is None or given or any((*of_game, *settled)):
            raise click.UsageError("--escalate takes a set, --out DIR, as it was made otherwise")
        from spider_solver.cli.batch import How
        from spider_solver.cli.batch import escalate as take_further

        how = How(executor or "local", scheduler, workers, _outside(log, out), as_json)
        return take_further(out, escalate, how)
    budget = Budget(effort, max_nodes, time_limit, shorten, bound, shortest)
    variant = variant or "spider"
    rules = chosen_rules(variant, suits)
    game = game_of_boards(variant, suits)

    if board is not None:
        deal = read_board_argument(board, game, "--board")
        return _solve_one(deal, budget, explain, as_json)
    if boards is not None:
        deals = read_boards_argument(boards, game)
    else:
        numbering = numbering or default_numbering(rules)
        ranges = _read_seeds(DEFAULT_SEEDS if seeds is None else seeds, numbering, rules)
        is_one = len(ranges) == 1 and ranges[0].stop - ranges[0].start == 1
        if out is None and not many and is_one:
            deal = Deal.numbered(ranges[0].start, numbering=numbering, rules=rules)
            return _solve_one(deal, budget, explain, as_json)
    for option, value in {"--explain": explain, "--shortest": shortest}.items():
        if value:
            raise click.UsageError(f"{option} is about one deal: --seeds N or --board, no --out")

    # From here on numba and pyarrow are needed.
    from spider_solver.batch.runner import Job
    from spider_solver.batch.sources import Boards, Numbers
    from spider_solver.cli.batch import How, solve_many
    from spider_solver.search.solver import SOLVER
    from spider_solver.store.settings import Settings

    limits = budget.limits()
    settings = Settings.of(variant, limits, SOLVER, proofs)
    source: Source
    if boards is not None:
        source = Boards(deals)
        # A set for each file of boards: all of them number their boards from 1.
        folder = Path(f"{settings.folder_name}-{'stdin' if boards == '-' else Path(boards).stem}")
    else:
        try:
            source = Numbers(numbering or "", rules, ranges)
        except NumberingError as error:
            alone = "give it alone, --seeds N without --out, --proofs and --log"
            raise click.UsageError(f"{error}; for one deal beyond, {alone}") from None
        folder = Path(settings.folder_name)
    folder = out or folder
    job = Job(limits, proofs=folder.absolute() if proofs else None)
    how = How(executor or "local", scheduler, workers, _outside(log, folder), as_json)
    return solve_many(source, job, settings, folder, how)


def _outside(log: Path | None, folder: Path) -> Path | None:
    """The file of ``--log``, which must not look like a part of the set."""
    inside = log is not None and log.absolute().parent == folder.absolute()
    if log is not None and inside and log.name[0] not in "._":
        raise click.UsageError(f"--log {log}: in the folder of the set its name must begin with _")
    if log is not None and inside and log.is_symlink():
        raise click.UsageError(f"--log {log}: in the folder of the set it may not be a link")
    return log


def _read_seeds(text: str, numbering: str, rules: Rules) -> list[range]:
    """The seeds that a list names, all of them deals of the game."""
    try:
        check_numbering(numbering, rules)
        ranges = parse_seeds(text)
        numbered(numbering, ranges[-1].stop - 1, rules)
    except NumberingError as error:
        raise click.UsageError(str(error)) from None
    return ranges


def _solve_one(deal: Deal, budget: Budget, explain: bool, as_json: bool) -> int:
    """Decide one deal and print the answer."""
    from spider_solver.cli.verdict import verdict_text
    from spider_solver.search.solver import SOLVER, start_clock
    from spider_solver.search.solver import solve as decide
    from spider_solver.store.row import row_of

    warm_up()
    deadline = start_clock(budget.time_limit)
    result = decide(deal, budget.limits())
    facts: dict[str, Explanation | Shortest] = {}
    if budget.shortest is not None:
        from spider_solver.answers.shortest import shortest_result

        result, facts["shortest"] = shortest_result(result, budget.shortest, deadline)
    if explain:
        from spider_solver.answers.explain import explain_result

        facts["explanation"] = explain_result(result, deadline=deadline)
    row = row_of(deal, result, SOLVER)
    if as_json:
        import json

        more = {name: fact.as_dict() for name, fact in facts.items()}
        echo(json.dumps({**row.as_dict(), **more}))
    else:
        parts = [verdict_text(row), *(fact.words for fact in facts.values())]
        echo("\n\n".join(filter(None, parts)))
    return 0


def main() -> None:
    """Run the command."""
    run_command(solve)


if __name__ == "__main__":
    main()
