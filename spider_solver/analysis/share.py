"""The winnable share of a game: an interval that counts open deals against both ends."""

from dataclasses import asdict, dataclass
from typing import Any

from spider_solver.analysis.curves import (
    QUANTILES,
    BudgetShare,
    Spread,
    shares_by_budget,
    spreads,
)
from spider_solver.analysis.published import NOTE, PUBLISHED, WHOSE, stands_beside
from spider_solver.analysis.samples import Sample
from spider_solver.analysis.statistics import LEVEL, Interval, Method, share_between
from spider_solver.analysis.tables import Section, Table, number, percent, percent_range
from spider_solver.game.deal import FROM_TEXT
from spider_solver.game.words import count_words

METHOD_NAMES: dict[Method, str] = {"wilson": "Wilson", "exact": "Clopper-Pearson"}


@dataclass(frozen=True)
class GameShare:
    """What the deals of one game say about how many can be won.

    Attributes:
        sample: the deals.
        level: confidence of the intervals.
        method: kind of the intervals.
        winnable: share of all deals of the game that can be won: the lower end counts open
            deals as lost, the upper end as won; the value is the bare proved floor.
        by_budget: share won by node budget.
        spreads: quantiles of nodes, seconds and actions.
    """

    sample: Sample
    level: float
    method: Method
    winnable: Interval
    by_budget: list[BudgetShare]
    spreads: list[Spread]

    @classmethod
    def of(cls, sample: Sample, level: float = LEVEL, method: Method = "wilson") -> "GameShare":
        """The shares of a sample.

        Args:
            sample: the deals.
            level: confidence, between 0 and 1.
            method: kind of the intervals.
        """
        won = int(sample.won.sum())
        most = won + int(sample.undecided.sum())
        return cls(
            sample=sample,
            level=level,
            method=method,
            winnable=share_between(won, most, sample.deals, level, method),
            by_budget=shares_by_budget(sample, level, method),
            spreads=spreads(sample),
        )

    @property
    def counts(self) -> dict[str, int]:
        """Deals, won, lost, open."""
        sample = self.sample
        found = {"won": sample.won, "lost": sample.lost, "open": sample.undecided}
        return {"deals": sample.deals} | {name: int(of.sum()) for name, of in found.items()}

    def as_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {
            **self.sample.game._asdict(),
            **self.counts,
            "level": self.level,
            "method": self.method,
            "proved_floor": self.winnable.value,
            "proved_ceiling": 1 - self.counts["lost"] / self.counts["deals"],
            "winnable_low": self.winnable.low,
            "winnable_high": self.winnable.high,
            "budget": self.sample.budget,
            "by_budget": [asdict(b) | {"share": b.share._asdict()} for b in self.by_budget],
            "quantiles": {
                spread.name: {
                    "deals": spread.deals,
                    **{f"{q:g}": v for q, v in zip(QUANTILES, spread.quantiles, strict=True)},
                    "mean": spread.mean,
                }
                for spread in self.spreads
            },
        }


def report(shares: list[GameShare]) -> list[Section]:
    """The report on one or more games."""
    sections = [Section("", [_overview(shares)])]
    for share in shares:
        tables = [_budget_table(share), _spread_table(share)]
        sections.append(Section(f"{share.sample.game}: won within so many nodes", tables))
    said = _notes(shares)
    if (beside := _published_table(shares)) is not None:
        sections.append(Section("Beside published figures", [beside]))
        said.append(NOTE)
    return [*sections, Section("", [], said)]


def _overview(shares: list[GameShare]) -> Table:
    """One row a game: the counts, the proved floor and the interval."""
    interval = f"winnable, {100 * shares[0].level:g}% {METHOD_NAMES[shares[0].method]}"
    head = ["numbering", "variant", "suits", "deals", "won", "lost", "open"]
    rows = [
        [
            *map(str, share.sample.game),
            *map(number, share.counts.values()),
            percent(share.winnable.value),
            percent_range(share.winnable),
        ]
        for share in shares
    ]
    return Table([*head, "proved floor", interval], rows, left=2)


def _budget_table(share: GameShare) -> Table:
    """The share won by node budget."""
    head = ["nodes", "won", "share", f"{100 * share.level:g}% interval"]
    lost = any(budget.lost for budget in share.by_budget)
    unknown = any(budget.unknown for budget in share.by_budget)
    rows = []
    for budget in share.by_budget:
        row = [number(budget.budget), number(budget.won)]
        row += [percent(budget.share.value), percent_range(budget.share)]
        row += [number(budget.lost)] * lost + [number(budget.unknown)] * unknown
        rows.append(row)
    return Table([*head, *["lost"] * lost, *["unknown"] * unknown], rows, left=0)


def _spread_table(share: GameShare) -> Table:
    """Quantiles of nodes, seconds and actions."""
    head = ["quantile", *(f"{100 * quantile:g}%" for quantile in QUANTILES), "mean"]
    rows = []
    for spread in share.spreads:
        if not spread.deals:
            continue
        beyond = f">{share.sample.budget:,}" if spread.name == "nodes" else ">"
        show = _seconds if spread.name == "seconds" else number
        cells = [beyond if value is None else show(value) for value in spread.quantiles]
        mean = "-" if spread.mean is None else show(spread.mean)
        rows.append([spread.name, *cells, mean])
    return Table(head, rows)


def _seconds(value: float) -> str:
    """Seconds with three digits that count."""
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def _notes(shares: list[GameShare]) -> list[str]:
    """What a reader must know to read the tables."""
    said = [
        *_interval_notes(shares),
        "won within so many nodes: of the successors that the solver computed, repeated ones "
        "included; an open deal counts as not won. seconds depend on the machine.",
    ]
    if any(budget.unknown for share in shares for budget in share.by_budget):
        said.append(
            "unknown: stopped by a time limit or for want of memory before that many nodes; such "
            "deals count as not won at the lower end of the interval and as won at the upper one."
        )
    if any(share.counts["open"] for share in shares):
        said.append("quantiles of nodes place open deals above all others; a mean is then unknown.")
    for share in shares:
        if len(share.sample.sets) > 1:
            sets = count_words(len(share.sample.sets), "set")
            said.append(
                f"{share.sample.game}: from {sets}; shares by budget go up to the smallest budget."
            )
    return said


def _interval_notes(shares: list[GameShare]) -> list[str]:
    """What the interval is of: boards were not drawn from a numbering."""
    boards = [share.sample.game.numbering == FROM_TEXT for share in shares]
    whose = "'s" if all(boards) else " is for all deals that the numbering could deal: its"
    said = [
        f"proved floor: won deals over all deals, nothing else. The interval{whose} lower end "
        "counts open deals as lost, its upper end as won."
    ]
    if any(boards):
        said.append(
            "boards: an interval says something of other boards only if these were dealt at "
            "random; picked ones stand for themselves alone."
        )
    return said


def _published_table(shares: list[GameShare]) -> Table | None:
    """What another solver's page says beside ours at the same number; None if nothing fits."""
    rows = []
    for published in PUBLISHED:
        for share in shares:
            game, sample = share.sample.game, share.sample
            known = stands_beside(published.suits, game)
            if not known or sample.budget < published.positions:
                continue
            (ours,) = shares_by_budget(sample, share.level, share.method, [published.positions])
            rows.append(
                [
                    str(game),
                    number(published.positions),
                    published.text,
                    f"{percent(ours.share.value)} ({percent_range(ours.share)})",
                ]
            )
    head = ["game", "positions", WHOSE, "here, nodes"]
    return Table(head, rows) if rows else None
