"""``spider-verify``: checks data sets, proof by proof."""

import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spider_solver.cli.common import HELP, Named, echo, run_command, stop_on_signal, version_option
from spider_solver.text.quoting import one_line

if TYPE_CHECKING:
    from spider_solver.store.verify import Slice, Verdict

EXAMPLES = """\b
Examples:
  spider-verify spider-30M-0.1.0-3f9a12cd77ab
  spider-verify --json first second > answer.json
"""


@click.command(context_settings=HELP, epilog=EXAMPLES)
@version_option
@click.argument(
    "folders",
    metavar="DIR...",
    nargs=-1,
    required=True,
    type=Named(path_type=Path),
)
@click.option("--workers", type=click.IntRange(min=1), help="Processes.  [default: all cores]")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def verify(folders: tuple[Path, ...], workers: int | None, as_json: bool) -> int:
    """Check data sets from their rows alone.

    Replays every winning line under the plain rules, recomputes every blockade, counts the cards
    where too few are on the table to deal, and checks every closed set of positions (kept by
    spider-solve --proofs) action by action. Losses whose closed set was not kept count as claimed.
    Every numbered deal is dealt again, and the columns of a row must agree. Prints each bad row
    and each file that cannot be read, and exits 1 if there are any.
    """
    from spider_solver.store.verify import Verdict, repeated, survey

    if len({folder.resolve() for folder in folders}) < len(folders):
        raise click.UsageError("the same set is given twice")
    slices: list[Slice] = []
    faults: list[str] = []
    for folder in folders:
        more, wrong = survey(folder)
        slices += more
        faults += wrong + [f"{folder}: {fault}" for fault in repeated(more)]
    with stop_on_signal() as stop:
        stop.at_once = True
        counts, found = _check(slices, workers)
    if stop():
        return stop.code
    faults += dict.fromkeys(found)  # a file that cannot be read is found with each of its slices

    verdicts = {verdict.value: counts[verdict] for verdict in Verdict}
    if as_json:
        answer = {"rows": counts.total(), **verdicts, "faults": faults}
        echo(json.dumps({name.replace(" ", "_"): value for name, value in answer.items()}))
    else:
        for fault in faults:
            echo(one_line(fault, 1000))
        for name, count in {"rows": counts.total(), **verdicts, "faults": len(faults)}.items():
            echo(f"{name:<14}{count:>10,}")
    return 1 if faults else 0


def _check(slices: list["Slice"], workers: int | None) -> tuple[Counter["Verdict"], list[str]]:
    """The verdicts on rows, counted, and one line for each fault; Ctrl-C cuts them short."""
    from spider_solver.batch.executors import available_cores, make_executor, map_in_order
    from spider_solver.cli.progress import Progress
    from spider_solver.store.verify import SLICE_ROWS, check_slice

    counts: Counter[Verdict] = Counter()
    faults: list[str] = []
    total = sum(piece.stop - piece.start for piece in slices)
    alone = sum(piece.stop - piece.start == 1 for piece in slices)
    workers = min(workers or available_cores(), max(-(-total // SLICE_ROWS), alone, 1))
    shown = Progress(total, 0, "rows", lambda: f"{len(faults)} faults")
    with make_executor(workers) as executor, shown as progress:
        # Workers of their own process cannot tell how far they are within a closed set.
        told = (
            (lambda done, of: progress.note(f"position {done:,} of {of:,}"))
            if workers == 1
            else None
        )
        check = partial(check_slice, progress=told)
        try:
            for report in map_in_order(executor, workers, check, slices):
                counts += report.counts
                faults += report.faults
                progress.add(report.counts.total())
        except KeyboardInterrupt:
            executor.kill()
    return counts, faults


def main() -> None:
    """Run the command."""
    run_command(verify)


if __name__ == "__main__":
    main()
