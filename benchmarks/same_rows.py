"""Whether a change of the code has changed a row: nodes, lines and verdicts, deal by deal.

Write the rows before the change and compare after it:

  python -m benchmarks.same_rows --write before.jsonl
  python -m benchmarks.same_rows --against before.jsonl

900 standard deals (300 of four, two and one suits), 600 of the family, and nine shortened lines.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from benchmarks.options import HELP
from spider_solver.game.deal import Deal
from spider_solver.game.notation import format_line
from spider_solver.game.rules import VARIANTS, Rules
from spider_solver.search.result import Limits
from spider_solver.search.solver import SOLVER, Solver

FAMILY = {
    "relaxed": 90,
    "group-moves": 90,
    "optional-removal": 90,
    "spiderette": 90,
    "will-o-the-wisp": 90,
    "simple-simon": 90,
    "mrs-mop": 60,
}
"""Deals of each other game, from number 1."""

STANDARD_NODES = 3_000_000
FAMILY_NODES = 300_000
SHORTEN_NODES = 700_000


class Task(NamedTuple):
    """A deal that is solved, and what may be spent on it."""

    name: str
    rules: Rules
    seed: int
    limits: Limits


def tasks(part: int) -> Iterator[Task]:
    """All deals; with ``part`` = 10, only a tenth of them.

    Args:
        part: what the numbers of deals are divided by.
    """
    for suits in (4, 2, 1):
        rules = VARIANTS["spider"](suits)
        for seed in range(1, 300 // part + 1):
            yield Task(f"spider {suits}", rules, seed, Limits(STANDARD_NODES))
    for name, deals in FAMILY.items():
        for seed in range(1, deals // part + 1):
            yield Task(name, VARIANTS[name](4), seed, Limits(FAMILY_NODES))
    for suits in (4, 2, 1):
        rules = VARIANTS["spider"](suits)
        for seed in range(301, 301 + max(1, 3 // part)):
            limits = Limits(STANDARD_NODES, shorten=SHORTEN_NODES)
            yield Task(f"shortened {suits}", rules, seed, limits)


def row(solver: Solver, task: Task) -> dict[str, Any]:
    """What must stay the same of a deal."""
    result = solver.solve(Deal.numbered(task.seed, rules=task.rules).position, task.limits)
    return {
        "game": task.name,
        "seed": task.seed,
        "status": str(result.status),
        "reason": result.reason,
        "proof": result.proof,
        "line": None if result.line is None else format_line(result.line),
        "nodes": result.nodes,
        "expanded": result.expanded,
        "shorten_nodes": result.shorten_nodes,
        "attempts": result.attempts,
    }


@click.command(context_settings=HELP)
@click.option("--write", type=click.Path(dir_okay=False, path_type=Path), help="Write the rows.")
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Compare with rows that were written before.",
)
@click.option(
    "--part", type=click.IntRange(min=1), default=1, help="Only one deal of so many of each game."
)
def main(write: Path | None, against: Path | None, part: int) -> None:
    """Write the rows of about 1,500 deals, or compare with those written before a change.

    \b
      python -m benchmarks.same_rows --write before.jsonl
      python -m benchmarks.same_rows --against before.jsonl
    """
    if (write is None) == (against is None):
        raise click.UsageError("give either --write FILE or --against FILE")
    solver = Solver()
    rows = [row(solver, task) for task in tasks(part)]
    if write is not None:
        write.write_text("".join(f"{json.dumps(each)}\n" for each in rows))
        click.echo(f"{len(rows)} rows of {SOLVER} written")
        return
    assert against is not None
    before = [json.loads(line) for line in against.read_text().splitlines()]
    differ = changes(before, rows)
    for line in differ:
        click.echo(line)
    click.echo(f"{len(differ)} of {len(rows)} rows differ; this is {SOLVER}")
    raise SystemExit(1 if differ else 0)


def changes(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[str]:
    """The rows that differ, a line each, with what differs."""
    if len(before) != len(now):
        raise click.ClickException(f"{len(before)} rows were written, {len(now)} are here")
    return [
        f"{new['game']} {new['seed']}: "
        + ", ".join(f"{name} {old[name]} -> {new[name]}" for name in new if old[name] != new[name])
        for old, new in zip(before, now, strict=True)
        if old != new
    ]


if __name__ == "__main__":
    main()
