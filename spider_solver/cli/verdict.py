"""The verdict on one deal as text for people."""

from textwrap import fill

from spider_solver.game.outcomes import Status
from spider_solver.game.words import count_words, proof_words
from spider_solver.store.row import Row

_WIDTH = 78


def verdict_text(row: Row) -> str:
    """What a row says, then its line in move text; each deal begins a new line of text."""
    game = f"{row.variant}, {count_words(row.suits, 'suit')}"
    effort = f"{count_words(row.nodes, 'node')}, {row.seconds:.2f} s"
    text = f"{row.numbering} {row.seed}, {game}: {_verdict(row)} ({effort})"
    return "\n".join([text, *_stages(row.line or "")])


def _verdict(row: Row) -> str:
    if row.status == Status.WON:
        least = (
            "" if row.actions_bound is None else f" (no line has fewer than {row.actions_bound})"
        )
        return f"won in {count_words(row.actions or 0, 'action')}{least}, score {row.score}"
    if row.status == Status.LOST:
        certificate = f", {row.certificate}" if row.certificate else ""
        return f"lost, no line can win it (proof: {proof_words(row.proof)}{certificate})"
    furthest = ""
    if row.runs_completed is not None and row.rows_dealt is not None:
        runs, rows = count_words(row.runs_completed, "run"), count_words(row.rows_dealt, "row")
        furthest = f"; at most {runs} completed, {rows} dealt"
    return f"open, stopped by {row.reason}{furthest}"


def _stages(line: str) -> list[str]:
    """A line of play, wrapped; a deal begins a new line."""
    stages: list[list[str]] = [[]]
    for token in line.split():
        if token == "deal":
            stages.append([])
        stages[-1].append(token)
    indent = "  "
    return [
        fill(" ".join(stage), _WIDTH, initial_indent=indent, subsequent_indent=indent + " " * 5)
        for stage in stages
        if stage
    ]
