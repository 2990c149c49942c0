"""``spider-deals``: certified deals of a wanted difficulty."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from spider_solver.cli.common import (
    HELP,
    Named,
    Stop,
    count,
    run_command,
    say,
    stop_on_signal,
    version_option,
)
from spider_solver.cli.compiling import warm_up
from spider_solver.cli.game import deal_number, numbering_option
from spider_solver.game.numberings import (
    MAX_SET_SEED,
    NUMBERINGS,
    NumberingError,
    check_numbering,
    default_numbering,
)
from spider_solver.game.rules import spider
from spider_solver.game.words import count_words
from spider_solver.text.quoting import shell_quoted

if TYPE_CHECKING:
    from spider_solver.analysis.generate import Wishes
    from spider_solver.cli.sinks import Sink

BANDS = ("easy", "medium", "hard", "expert")

EXAMPLES = """\b
Examples:
  spider-deals --suits 2 --difficulty hard --count 500 --numbering pysol > hard.txt
  spider-deals --difficulty expert --count 100 --format parquet --out expert
  spider-deals --suits 1 --difficulty easy --count 3 --format board
  spider-deals --difficulty medium --format json --shorten 1M --out medium.json
"""


@dataclass
class Tally:
    """Candidates, counted.

    Attributes:
        seen: candidates.
        fitting: those in the class.
        certified: those of them that are won, and were written.
        last: number of the last one.
    """

    seen: int = 0
    fitting: int = 0
    certified: int = 0
    last: int = 0

    @property
    def share(self) -> str:
        """The share of the candidates that fell in the class."""
        return f"{self.fitting / max(self.seen, 1):.1%} of {count_words(self.seen, 'candidate')}"


@click.command(context_settings=HELP, epilog=EXAMPLES)
@version_option
@click.option("--suits", type=click.IntRange(1, 4), default=4, show_default=True, help="Suits.")
@click.option(
    "--difficulty",
    type=click.Choice([*BANDS, "any"]),
    default="any",
    show_default=True,
    help="Class of difficulty, see docs/difficulty.md.",
)
@click.option(
    "--count", "wanted", type=count, default="10", show_default=True, help="Number of deals."
)
@numbering_option(default_numbering(spider(4)))
@click.option(
    "--start", type=deal_number, default="1", show_default=True, help="First number to try."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["numbers", "board", "json", "parquet"]),
    default="numbers",
    show_default=True,
    help="Numbers alone, board text, JSON with lines, or a data set.",
)
@click.option("--shorten", type=count, help="Nodes to spend on a shorter line.  [default: none]")
@click.option("--workers", type=click.IntRange(min=1), help="Processes.  [default: all cores]")
@click.option(
    "--out",
    type=Named(path_type=Path),
    metavar="FILE|DIR",
    help="A new file, or the folder of a data set.  [default: standard output]",
)
def deals(
    suits: int,
    difficulty: str,
    wanted: int,
    numbering: str,
    start: int,
    form: str,
    shorten: int | None,
    workers: int | None,
    out: Path | None,
) -> int:
    """Write deals of a chosen difficulty that are certain to be winnable.

    Deals are tried in the order of their numbers, so the same options give the same deals, with
    any number of workers. Each is won by a line that was replayed under the plain rules. Ctrl-C
    keeps what was written and prints the command that continues.
    """
    if form == "parquet" and out is None:
        raise click.UsageError("--format parquet needs --out DIR")
    try:
        check_numbering(numbering, spider(suits))
    except NumberingError as error:
        raise click.UsageError(str(error)) from None
    last = NUMBERINGS[numbering].last
    if start > last:
        raise click.UsageError(f"--start {start}: {numbering} numbers its deals from 1 to {last}")
    if form == "parquet":
        last = min(last, MAX_SET_SEED)
        if start > last:
            raise click.UsageError(
                f"--start {start}: a data set holds numbers up to {last}; choose another --format"
            )

    # From here on numba and pyarrow are needed.
    from spider_solver.analysis.difficulty import Band
    from spider_solver.analysis.generate import Wishes
    from spider_solver.search.result import Limits

    band = None if difficulty == "any" else Band(difficulty)
    wishes = Wishes(numbering, spider(suits), band, Limits(shorten=shorten or 0))
    warm_up()
    with stop_on_signal() as stop, _sink(form, wishes, out) as sink:
        tally = _fill(sink, wishes, wanted, range(start, last + 1), workers, stop)
    what = count_words(tally.certified, "deal" if band is None else f"{band} deal")
    say(f"{what}, {numbering} {start} to {tally.last}: {tally.share} were in the class")
    if left_out := tally.fitting - tally.certified:
        say(f"{count_words(left_out, 'deal')} in the class not won and left out")
    if not stop() and tally.certified < wanted:
        whose = "those that a data set holds" if form == "parquet" else f"those of {numbering}"
        say(f"{tally.certified} of {wanted}: the numbers have come to their end, {whose} at {last}")
    if stop():
        left = wanted - tally.certified
        say(f"stopped with {left} to go; resume with: {_command(tally.last + 1, left)}")
    return stop.code


@contextmanager
def _sink(form: str, wishes: "Wishes", out: Path | None) -> Iterator["Sink"]:
    """What takes the deals, open."""
    from spider_solver.cli.sinks import TEXTS, DataSet
    from spider_solver.search.solver import SOLVER
    from spider_solver.store.settings import Settings

    rules = wishes.rules
    if form == "parquet":
        settings = Settings.of(rules.name, wishes.limits, SOLVER)
        with DataSet(out or Path(), settings, wishes.measure) as data_set:
            yield data_set
    else:
        with _opened(out) as file, TEXTS[form](file, rules) as text:
            yield text


@contextmanager
def _opened(out: Path | None) -> Iterator[IO[str]]:
    """A new file, or standard output."""
    if out is None:
        yield sys.stdout
        return
    try:
        file = out.open("x", encoding="utf-8")
    except FileExistsError:
        raise click.ClickException(f"{out} exists: give another --out") from None
    except OSError as error:
        raise click.ClickException(f"{out}: {error.strerror}") from None
    with file:
        yield file


def _fill(
    sink: "Sink", wishes: "Wishes", wanted: int, seeds: range, workers: int | None, stop: Stop
) -> Tally:
    """Take candidates until enough are certified; gives what there was."""
    from spider_solver.analysis.generate import candidates
    from spider_solver.batch.executors import available_cores, make_executor
    from spider_solver.cli.progress import Progress
    from spider_solver.store.files import uninterrupted

    tally = Tally(last=seeds.start - 1)
    workers = workers or available_cores()
    shown = Progress(wanted, 0, "deals", lambda: tally.share)
    with make_executor(workers) as executor, shown as progress:
        stop.at_once = True  # candidates under way are tried again by whoever goes on
        try:
            for candidate in candidates(wishes, seeds, executor, workers, stop):
                with uninterrupted():
                    tally.seen += 1
                    tally.last = candidate.seed
                    tally.fitting += candidate.fits
                    if candidate.row is not None and candidate.difficulty is not None:
                        sink.add(candidate.row, candidate.difficulty)
                        tally.certified += 1
                        progress.add(1)
                    else:
                        progress.note(tally.share)
                if tally.certified == wanted:
                    break
            executor.shutdown(cancel_futures=True)  # what was begun beyond the last one
        except KeyboardInterrupt:
            executor.kill()
    return tally


def _command(start: int, left: int) -> str:
    """The command line that goes on from a number."""
    given = iter(sys.argv[1:])
    kept: list[str] = []
    for argument in given:
        name, is_set, _ = argument.partition("=")
        if name not in ("--start", "--count"):
            kept.append(argument)
        elif not is_set:
            next(given, None)
    words = [Path(sys.argv[0]).name, *kept, "--start", str(start), "--count", str(left)]
    return " ".join(map(shell_quoted, words))


def main() -> None:
    """Run the command."""
    run_command(deals)


if __name__ == "__main__":
    main()
