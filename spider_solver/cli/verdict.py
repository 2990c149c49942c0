"""The verdict on one deal as text for people."""

from textwrap import fill

from spider_solver.store.row import Row

_WIDTH = 78


def verdict_text(row: Row) -> str:
    """What a row says, then its line in move text; each deal begins a new line of text."""
    suits = "1 suit" if row.suits == 1 else f"{row.suits} suits"
    effort = f"{row.nodes:,} nodes, {row.seconds:.2f} s"
    text = f"{row.numbering} {row.seed}, {row.variant}, {suits}: {_verdict(row)} ({effort})"
    return "\n".join([text, *_stages(row.line or "")])


def _verdict(row: Row) -> str:
    if row.status == "won":
        least = (
            "" if row.actions_bound is None else f" (no line has fewer than {row.actions_bound})"
        )
        return f"won in {row.actions} actions{least}, score {row.score}"
    if row.status == "lost":
        certificate = f", {row.certificate}" if row.certificate else ""
        return f"lost, no line can win it (proof: {row.proof}{certificate})"
    furthest = ""
    if row.runs_completed is not None and row.rows_dealt is not None:
        furthest = f"; at most {row.runs_completed} runs completed, {row.rows_dealt} rows dealt"
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
