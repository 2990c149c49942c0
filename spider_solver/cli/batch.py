"""Runs a batch for ``spider-solve``: executor, progress, log, manifest and summary."""

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from spider_solver.batch.events import Manifest, RunLog
from spider_solver.batch.executors import ProcessExecutor, SerialExecutor, available_cores
from spider_solver.batch.executors import make_executor as make_local
from spider_solver.batch.runner import Job, solve_deals
from spider_solver.batch.sources import OpenDeals, Source, all_rows
from spider_solver.batch.summary import UNPROVED_COLUMNS, Summary, tally, unproved
from spider_solver.cli.common import Stop, echo, say, stop_on_signal
from spider_solver.cli.compiling import warm_up
from spider_solver.cli.progress import Progress
from spider_solver.game.outcomes import Reason, Status
from spider_solver.game.words import count_words
from spider_solver.search.result import Limits
from spider_solver.search.solver import SOLVER
from spider_solver.store.closed_sets import PROOFS, check_room_for_proofs
from spider_solver.store.escalating import replace_open_rows, settings_before
from spider_solver.store.files import locked
from spider_solver.store.reading import ESCALATION
from spider_solver.store.settings import Settings
from spider_solver.store.writing import SetWriter
from spider_solver.text.quoting import one_line, shell_quoted

if TYPE_CHECKING:
    from spider_solver.batch.cluster import DaskExecutor

DEALS_A_WORKER = 8  # for fewer, most deals are done before another worker has started

MOST_NAMED = 8  # deals in a message


class How(NamedTuple):
    """How a batch is run, as the options say."""

    executor: str
    scheduler: str | None
    workers: int | None
    log: Path | None
    as_json: bool


def solve_many(source: Source, job: Job, settings: Settings, folder: Path, how: How) -> int:
    """Decide what a data set does not hold yet, and print the summary of all that was asked."""
    with (
        stop_on_signal() as stop,
        RunLog(how.log) as tell,
        SetWriter(folder, settings) as writer,
        _told(folder, source, settings, how, tell, stop) as ended,
    ):
        progress = _fill(writer, source, job, how, stop, tell)
        writer.flush()
        summary = Summary.of(source.rows(folder, Summary.COLUMNS))
        ended(solved=progress.added, **asdict(summary))
        claims = unproved(source.rows(folder, UNPROVED_COLUMNS)) if settings.proofs else []
    left = source.total - summary.deals
    code = _answer(summary, progress, settings, folder, how, stop, left)
    told = _tell_claims(claims, folder)
    return code or told or _tell_crashes(summary)


def escalate(folder: Path, max_nodes: int, how: How) -> int:
    """Take the open deals of a data set to a larger budget, and print the summary of the set."""
    with (
        stop_on_signal() as stop,
        RunLog(how.log) as tell,
        locked(folder),
    ):
        before = settings_before(folder, max_nodes, SOLVER)
        settings = replace(before, max_nodes=max_nodes)
        source = OpenDeals(folder, None if settings == before else before)
        limits = Limits(max_nodes, settings.time_limit, settings.shorten, settings.bound)
        job = Job(limits, proofs=folder.absolute() if settings.proofs else None)
        with _told(folder, source, settings, how, tell, stop) as ended:
            with SetWriter(folder / ESCALATION, settings) as writer:
                progress = _fill(writer, source, job, how, stop, tell)
            left = source.total - source.rows(folder / ESCALATION, ()).num_rows
            if not left:
                replace_open_rows(folder, settings)
            summary = Summary.of(all_rows(folder, Summary.COLUMNS))
            ended(solved=progress.added, **asdict(summary))
        claims = unproved(all_rows(folder, UNPROVED_COLUMNS)) if settings.proofs else []
    made_with = settings if not left else before
    code = _answer(summary, progress, made_with, folder, how, stop, left)
    told = _tell_claims(claims, folder)
    return code or told or _tell_crashes(summary)


@contextmanager
def _told(
    folder: Path, source: Source, settings: Settings, how: How, tell: RunLog, stop: Stop
) -> Iterator[Callable[..., None]]:
    """Keep log and manifest of a run; gives what takes its totals."""
    totals: dict[str, Any] = {}
    facts = {"executor": how.executor, "settings": settings.as_dict(), "asked": source.total}
    manifest = Manifest(folder, **facts)
    manifest.start()
    tell("start", **facts)
    try:
        yield totals.update
    except KeyboardInterrupt:
        manifest.end("stopped", **totals)
        tell("end", state="stopped", **totals)
        raise
    except BaseException as error:
        manifest.end("failed", error=f"{error}", **totals)
        tell("end", state="failed", error=f"{error}", **totals)
        raise
    state = "stopped" if stop() else "done"
    manifest.end(state, **totals)
    tell("end", state=state, **totals)


def _fill(
    writer: SetWriter, source: Source, job: Job, how: How, stop: Stop, tell: RunLog
) -> Progress:
    """Solve the deals that a set lacks, and give the progress that was made."""
    from tqdm.contrib.logging import logging_redirect_tqdm

    before = source.rows(writer.folder, ["status"])
    counts = tally(before["status"])
    done = before.num_rows
    if job.proofs is not None and done < source.total:
        check_room_for_proofs(job.proofs)
    starts = source.starts(before)
    del before
    executor = _executor(how, source.total - done)
    stop.at_once = source.total - done == 1  # then there is no other deal to keep

    def text() -> str:
        many = f", {count_words(executor.workers, 'worker')}" if how.executor != "local" else ""
        return f"{_counts_text(counts)}{many}"

    shown = Progress(source.total, done, "deals", text)
    asked_to_stop = False
    with executor, shown as progress, logging_redirect_tqdm():
        try:
            for rows in solve_deals(starts, job, executor, lambda: executor.workers, stop, tell):
                writer.add(rows)
                counts.update(row.status for row in rows)
                progress.add(len(rows))
                if stop() and not asked_to_stop:
                    asked_to_stop = True
                    progress.say("stopping once the deals in progress are done (again: at once)")
        except KeyboardInterrupt:  # the second one
            executor.kill()
    return progress


def _executor(how: How, missing: int) -> "SerialExecutor | ProcessExecutor | DaskExecutor":
    """The executor for a number of deals."""
    if not missing:
        return SerialExecutor()
    if how.scheduler is None:
        warm_up()
    useful = -(-missing // DEALS_A_WORKER)
    workers = min(how.workers or min(available_cores(), useful), missing)
    if how.executor == "local":
        return make_local(workers)
    try:
        from spider_solver.batch.cluster import connect, own_cluster
    except ImportError as error:
        raise click.ClickException(
            f"--executor dask needs Dask ({error}): pip install 'spider-solver[dask]'"
        ) from None
    return own_cluster(workers) if how.scheduler is None else connect(how.scheduler)


def _answer(
    summary: Summary,
    progress: Progress,
    settings: Settings,
    folder: Path,
    how: How,
    stop: Stop,
    left: int,
) -> int:
    """Print what came of a run; gives the exit code."""
    if how.as_json:
        answer = {**asdict(summary), "asked": summary.deals + left, "solved_now": progress.added}
        answer |= {"seconds": progress.seconds, "deals_per_second": progress.rate}
        answer |= {"out": str(folder), "settings": settings.as_dict(), "stopped": stop()}
        echo(json.dumps(answer))
    else:
        echo(_summary_text(summary, progress, folder))
    if stop():
        say(f"stopped with {count_words(left, 'deal')} to go; resume with: {_command()}")
    elif left:
        what = count_words(left, "deal")
        lack = "memory, threads or open files"
        say(
            f"Error: this machine did not have enough {lack} for {what}: run the same command again"
        )
        return 1
    elif not how.as_json:
        echo(f"next    spider-verify {shell_quoted(str(folder))}")
    return stop.code


def _tell_claims(claims: list[str], folder: Path) -> int:
    """Say which lost deals of a set with proofs have none; gives the exit code."""
    if not claims:
        return 0
    names = ", ".join(claims[:MOST_NAMED]) + ", ..." * (len(claims) > MOST_NAMED)
    say(
        one_line(
            f"Error: {count_words(len(claims), 'lost deal')} without a proof in {folder / PROOFS} "
            f"({names}): solve again with another --out"
        )
    )
    return 1


def _tell_crashes(summary: Summary) -> int:
    """Say how many deals crashed, which are no results; gives the exit code."""
    crashed = summary.reasons.get(Reason.CRASH, 0)
    if not crashed:
        return 0
    say(
        f"Error: {count_words(crashed, 'deal')} crashed, an internal error: open, with reason crash"
    )
    return 1


def _command() -> str:
    """The command line that was given."""
    return " ".join(map(shell_quoted, [Path(sys.argv[0]).name, *sys.argv[1:]]))


def _counts_text(counts: Counter[str]) -> str:
    return ", ".join(f"{status} {counts[status]}" for status in Status)


def _summary_text(summary: Summary, progress: Progress, folder: Path) -> str:
    """The summary as a table for people."""
    lines = [f"deals   {summary.deals:>12,}"]
    for status in Status:
        count = getattr(summary, status)
        share = f"  {count / summary.deals:7.2%}" if summary.deals else ""
        lines.append(f"{status:<8}{count:>12,}{share}")
    if summary.reasons:
        lines[-1] += f"  ({_reasons_text(summary)})"
    if summary.median_nodes is not None:
        lines.append(f"nodes   {summary.median_nodes:>12,.0f}  median per deal")
    if progress.added:
        speed = f"{progress.rate:,.1f} deals a second, {progress.seconds:,.1f} s"
        lines.append(f"speed   {speed} for {count_words(progress.added, 'deal')}")
    else:
        lines.append("speed   nothing to do, all rows were there")
    lines.append(f"rows    {one_line(f'{folder}{os.sep}')}")
    return "\n".join(lines)


def _reasons_text(summary: Summary) -> str:
    """Why deals are open, each reason with its count."""
    return one_line(", ".join(f"{n} {reason}" for reason, n in summary.reasons.items()))
