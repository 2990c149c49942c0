"""Time limits hold, whatever the time is spent on: bounds are generous, for busy machines."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spider_solver import Deal, Limits, Solver, Status
from spider_solver.answers.explain import explain, explain_result
from spider_solver.answers.hints import Hinter
from spider_solver.answers.review import review
from spider_solver.answers.shortest import find_shortest
from spider_solver.batch.executors import SerialExecutor
from spider_solver.batch.runner import DealNumber, Job, solve_deals
from spider_solver.game.notation import parse_line
from spider_solver.game.rules import VARIANTS, Rules, spider
from spider_solver.kernels import layout
from spider_solver.kernels.beam import run_beam
from spider_solver.kernels.workspace import MOST_WIDTH
from spider_solver.search import solver
from spider_solver.search.clock import deadline_after, is_past
from spider_solver.search.complete import explore
from spider_solver.search.portfolio import Attempt, Portfolio
from spider_solver.search.reach import reach
from spider_solver.search.solver import load_kernels

ENDLESS = 10**12  # nodes
LIMIT = Limits(ENDLESS, time=1.0)
MOST_SECONDS = 3.0  # that an answer may take with that limit

SOLVER = Solver()

STUBBORN = {
    # the hardest deal that is known to be winnable
    "spider": Deal.numbered(28241, numbering="pysol"),
    # open after 30 million nodes
    "spiderette 3": Deal.numbered(3, numbering="pysol", rules=VARIANTS["spiderette"](4)),
    "spiderette 7": Deal.numbered(7, numbering="pysol", rules=VARIANTS["spiderette"](4)),
}


@pytest.fixture(scope="module", autouse=True)
def _kernels_are_loaded() -> None:
    load_kernels()


@pytest.fixture
def in_time() -> Callable[[], None]:
    """Asserts that no more time has passed than an answer may take."""
    began = time.perf_counter()

    def check() -> None:
        assert time.perf_counter() - began < MOST_SECONDS

    return check


def test_deadlines() -> None:
    assert deadline_after(None) is None
    assert not is_past(None)
    assert is_past(deadline_after(0.0))
    assert not is_past(deadline_after(1000.0))


def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the kernels take longer to load than any limit here."""
    monkeypatch.setattr(solver, "load_kernels", lambda: time.sleep(2.0))


def test_loading_kernels_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    slow(monkeypatch)
    limits = Limits(time=1.5)
    result = SOLVER.solve(Deal.numbered(17).position, limits)
    assert (result.status, result.nodes) == (Status.WON, 9_116)
    assert result.seconds < 1.5
    assert explain(Deal.numbered(17), limits).result.status is Status.WON
    [[row]] = filter(
        None, solve_deals([Deal.numbered(17)], Job(limits), SerialExecutor(), workers=1)
    )
    assert (row.status, row.nodes) == ("won", 9_116)
    assert row.seconds < 1.5


def test_without_a_limit_nothing_is_loaded_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(solver, "load_kernels")
    assert SOLVER.solve(Deal.numbered(17).position).status is Status.WON


LOADED = """
import sys
from numba.core.dispatcher import Dispatcher
from spider_solver import Deal, Limits
from spider_solver.game.rules import VARIANTS
from spider_solver.answers.explain import explain_result
from spider_solver.answers.shortest import find_shortest
from spider_solver.search.solver import Solver, load_kernels

def loaded():
    modules = [module for name, module in sys.modules.items() if ".kernels." in name]
    kernels = [kernel for module in modules for kernel in vars(module).values()]
    return {id(kernel): len(kernel.signatures) for kernel in kernels
            if isinstance(kernel, Dispatcher)}

load_kernels()
before = loaded()
for variant, make in VARIANTS.items():
    deal = Deal.numbered(3, rules=make(4))
    result = Solver().solve(deal.position, Limits(100_000, shorten=1000, bound=True))
    explain_result(result, 1000)
    find_shortest(deal.position, max_nodes=1000)
print(loaded() == before, sum(before.values()) > 5)
"""


def test_all_kernels_are_loaded() -> None:
    """None is left that a search would have to load while the clock runs."""
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True True\n", "")


@pytest.mark.parametrize("deal", STUBBORN.values(), ids=STUBBORN)
def test_deals_that_stay_open(deal: Deal, in_time: Callable[[], None]) -> None:
    result = SOLVER.solve(deal.position, LIMIT)
    in_time()
    assert (result.status, result.reason) == (Status.OPEN, "time")
    assert result.searches[-1].ended == "time"


class Widest(Portfolio):
    """Begins with the widest beams."""

    def attempt(self, number: int, rules: Rules = spider()) -> Attempt:
        return super().attempt(number + 70, rules)


@pytest.mark.parametrize("variant", ["group-moves", "mrs-mop"])
def test_the_widest_beams(
    variant: str, monkeypatch: pytest.MonkeyPatch, in_time: Callable[[], None]
) -> None:
    """They pause between layers only; these take more than 20 million nodes to end."""
    monkeypatch.setattr(SOLVER, "portfolio", Widest())
    deal = Deal.numbered(1, rules=VARIANTS[variant](4))
    result = SOLVER.solve(deal.position, LIMIT)
    in_time()
    assert (result.status, result.reason) == (Status.OPEN, "time")
    assert [search.settings.width for search in result.searches if search.settings] == [MOST_WIDTH]


def test_beams_that_end_before_the_clock_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, in_time: Callable[[], None]
) -> None:
    def fail_at_once(workspace: layout.Workspace, *_: Any) -> int:
        workspace.registers[layout.REG_CUT] = 1
        return layout.FAILED

    monkeypatch.setattr(solver, "run_beam", fail_at_once)
    result = SOLVER.solve(STUBBORN["spider"].position, LIMIT)
    in_time()
    assert (result.status, result.reason) == (Status.OPEN, "time")
    assert result.attempts > 10


def test_pauses_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    deals = [Deal.numbered(seed).position for seed in range(1, 9)]
    limits = Limits(200_000, shorten=200_000)

    def rows() -> list[tuple[Any, ...]]:
        results = [SOLVER.solve(deal, limits) for deal in deals]
        return [(r.status, r.line, r.nodes, r.expanded, r.shorten_nodes) for r in results]

    often = rows()
    for module in ("solver", "complete", "cell_beam"):
        monkeypatch.setattr(f"spider_solver.search.{module}.PAUSE_NODES", ENDLESS)
    assert rows() == often


@pytest.mark.parametrize("variant", ["spider", "group-moves", "mrs-mop"])
def test_shortening(variant: str, in_time: Callable[[], None]) -> None:
    position = Deal.numbered(2, rules=VARIANTS[variant](4)).position
    line = SOLVER.solve(position).line or ()
    result = SOLVER.shorten(position, line, ENDLESS, deadline_after(1.0))
    assert 0 < len(result.line) <= len(line)
    if variant != "mrs-mop":  # which is short of rows to deal, so that all is soon seen
        in_time()
        assert result.nodes < ENDLESS


def test_shortening_counts_in_the_limit(in_time: Callable[[], None]) -> None:
    result = SOLVER.solve(
        Deal.numbered(2).position, Limits(ENDLESS, time=1.0, shorten=ENDLESS, bound=True)
    )
    in_time()
    assert result.status is Status.WON
    assert 0 < result.shorten_nodes < ENDLESS
    assert result.actions_bound == 85


def test_complete_searches_and_counting(in_time: Callable[[], None]) -> None:
    start = STUBBORN["spider"].position
    found = explore(start, ENDLESS, deadline=deadline_after(0.3))
    assert (found.status, found.reason) == ("open", "time")
    shortest = find_shortest(start, max_nodes=ENDLESS, deadline=deadline_after(0.5))
    in_time()
    assert (shortest.line, shortest.reason) == (None, "time")
    assert shortest.words.startswith("no line found in time, after ")


def test_explanations(in_time: Callable[[], None]) -> None:
    start = STUBBORN["spider"].position
    counted = reach(start, ENDLESS, deadline=deadline_after(0.3))
    assert counted.reason == "time"
    explained = explain(start, Limits(ENDLESS, time=0.5), reach_nodes=ENDLESS)
    in_time()
    assert explained.result.reason == "time"
    assert explained.reach is not None
    assert explained.reach.reason == "time"
    again = explain_result(explained.result, ENDLESS, deadline_after(0.0))
    assert "counting stopped after " in again.words


def test_hints_and_reviews(in_time: Callable[[], None]) -> None:
    start = STUBBORN["spider"].position
    limits = Limits(ENDLESS, time=0.3)
    given = Hinter(limits, SOLVER).hint(start)
    assert (given.status, given.reason) == (Status.OPEN, "time")
    assert given.move is not None
    found = review(start, parse_line("deal"), limits, SOLVER)
    in_time()
    assert (found.won_until, found.lost_from) == (None, None)


def test_batches(in_time: Callable[[], None]) -> None:
    rules = VARIANTS["spiderette"](4)
    starts = [DealNumber(seed, "pysol", rules) for seed in (3, 7)]
    job = Job(Limits(ENDLESS, time=0.5))
    parts = solve_deals(starts, job, SerialExecutor(), 1)
    rows = [row for part in parts for row in part]
    in_time()
    assert [(row.status, row.reason) for row in rows] == [("open", "time")] * 2


def test_no_pause_of_a_kernel_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two looks there are little more nodes than a pause, but where beams are wide."""
    nodes = [0]

    def counting(workspace: layout.Workspace, *arguments: Any) -> int:
        before = workspace.registers[layout.REG_NODES]
        ended: int = run_beam(workspace, *arguments)
        nodes.append(int(workspace.registers[layout.REG_NODES] - before))
        return ended

    monkeypatch.setattr(solver, "run_beam", counting)
    SOLVER.solve(STUBBORN["spider"].position, Limits(2_000_000))
    assert np.max(nodes) < 150_000
