"""Each benchmark on inputs that are just large enough to have a result."""

import json
import re
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks import (
    ablation,
    byte_layout,
    compare,
    dead_ends,
    difficulty,
    executors,
    family,
    forecasts,
    hint_calls,
    hints,
    honest,
    layouts,
    lines,
    million,
    pipeline,
    profile_kernel,
    prototype,
    replay,
    resist,
    resume,
    rule_changes,
    same_rows,
    scaling,
    scaling_deals,
    share,
    ship,
    ship_difficulty,
    start,
    tune,
    tune_cells,
    turns,
)
from benchmarks.command import Taken
from benchmarks.deals import choose
from benchmarks.layer_steps import STEPS
from benchmarks.measure import measure
from benchmarks.setting import Setting, parse_setting
from spider_solver import Deal, Limits, Solver
from spider_solver.batch.runner import DealNumber
from spider_solver.game.rules import spider
from spider_solver.search.cell_beam import CELL_SETTINGS
from spider_solver.search.solver import SOLVER

COMMANDS = [
    ablation,
    compare,
    dead_ends,
    difficulty,
    executors,
    family,
    forecasts,
    hint_calls,
    hints,
    honest,
    layouts,
    lines,
    million,
    pipeline,
    profile_kernel,
    prototype,
    replay,
    resist,
    resume,
    rule_changes,
    scaling,
    scaling_deals,
    share,
    ship,
    ship_difficulty,
    tune,
    tune_cells,
]


def run(command: click.Command, *arguments: str) -> str:
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("module", COMMANDS, ids=lambda module: module.__name__)
def test_help(module: object) -> None:
    assert "Usage" in run(module.main, "--help")  # type: ignore[attr-defined]


def test_a_sample_is_what_the_solver_says() -> None:
    sample, other = measure(
        choose("training", 2, 3), [Setting(), parse_setting("patience=1")], 20_000
    )
    solver = Solver()
    results = [
        solver.solve(Deal.numbered(seed, suits=2).position, Limits(20_000))
        for seed in (10000, 10001, 10002)
    ]
    assert sample.nodes.tolist() == [result.nodes for result in results]
    assert sample.actions.tolist() == [result.actions or 0 for result in results]
    assert sample.won.tolist() == [result.status == "won" for result in results]
    assert sample.won_within(100).sum() == 0
    assert sample.timed
    assert sample.peak_bytes > 10_000_000
    assert other.nodes.tolist() != sample.nodes.tolist()


def test_share_and_its_file(tmp_path: Path) -> None:
    kept = tmp_path / "new" / "share.txt"
    arguments = ["--suits", "1", "--seeds", "3-4", "--max-nodes", "50k", "--save", str(kept)]
    printed = run(share.main, *arguments)
    assert re.search(r"^50,000 +2 +100\.00% +34\.24-100\.00%$", printed, re.MULTILINE)
    assert "2 deals of 1 suits, kpat 3 to 4, 50,000 nodes a deal, setting: default" in printed
    assert "nodes a second" in printed
    text = kept.read_text()
    assert text.startswith("# python -m benchmarks.")
    assert SOLVER in text.splitlines()[1]
    assert text.endswith(printed)


def test_a_game_of_the_family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(family, "GAMES", (("simple-simon", None),))
    printed = run(family.main, str(tmp_path), "--deals", "20", "--max-nodes", "1M")
    found = re.search(r"^simple-simon +(\d+) +(\d+) +(\d+) +(\d+) +\d", printed, re.MULTILINE)
    assert found is not None
    won, lost, checked, still_open = map(int, found.groups())
    assert won + lost + still_open == 20
    assert checked == lost > 0
    assert [path.name for path in tmp_path.iterdir()] == ["simple-simon"]


def test_share_names_the_lost_deals() -> None:
    printed = run(share.main, "--numbering", "pysol", "--seeds", "1748,14934")
    assert "lost: 1748 14934" in printed


def test_compare_with_itself_and_with_other_noise() -> None:
    printed = run(
        compare.main, "default", "noise*=1", "seed+=2", "--deals", "3", "--max-nodes", "30k"
    )
    assert re.search(r"^noise\*=1 +1\.000 \(1\.000-1\.000\) ", printed, re.MULTILINE)
    assert not re.search(r"^seed\+=2 +1\.000 \(1\.000-1\.000\) ", printed, re.MULTILINE)


def test_versions_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "DEALS", 4)
    monkeypatch.setattr(turns, "TURN_DEALS", {4: 2, 1: 4})
    printed = run(turns.main, sys.executable, "--rounds", "2")
    assert "kpat 1 to 4 of each number of suits, 2 rounds" in printed
    assert re.search(r"^4 +4 +\d\.\d{3} +\d\.\d{3}$", printed, re.MULTILINE)
    assert re.search(r"^1 +2 +\d\.\d{3} +\d\.\d{3}$", printed, re.MULTILINE)


def test_commands_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "COMMANDS", {"help": ("show", "--help")})
    printed = run(start.main, sys.executable, "--rounds", "1")
    assert re.search(r"^help +\d\.\d{3} +\d\.\d{3} +\d\.\d\d$", printed, re.MULTILINE)


def test_rows_before_and_after_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(same_rows, "FAMILY", {"simple-simon": 90})
    kept = tmp_path / "before.jsonl"
    printed = run(same_rows.main, "--part", "90", "--write", str(kept))
    assert re.search(r"^13 rows of \S+ written$", printed, re.MULTILINE)
    rows = [json.loads(line) for line in kept.read_text().splitlines()]
    rows[3] |= {"nodes": rows[3]["nodes"] + 1, "line": "deal"}
    assert len(same_rows.changes(rows, rows)) == 0
    kept.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    ended = CliRunner().invoke(same_rows.main, ["--part", "90", "--against", str(kept)])
    assert ended.exit_code == 1
    assert re.search(
        r"^spider 2 1: line deal -> \S.*, nodes \d+ -> \d+$", ended.output, re.MULTILINE
    )
    assert "1 of 13 rows differ" in ended.output


def test_ablation_of_one_trick() -> None:
    printed = run(ablation.main, "--deals", "2", "--max-nodes", "20k", "--only", "no noise")
    assert printed.count("no noise") == 3  # reached, against the first, and its setting
    assert "no noise: noise=0" in printed
    assert "no curve" not in printed


def test_layouts_play_the_same_games() -> None:
    rates = layouts.measure(rounds=1, games=2)
    assert 0 < rates.nodes_a_successor < 4
    printed = layouts.report(rates)
    assert re.search(rf"bytes a successor +\d+ +{byte_layout.STATE_BYTES} +0\.", printed)
    with pytest.raises(RuntimeError, match="the layouts differ"):
        layouts.check_same((1, 2), (1, 3))


def test_profile_leaves_the_search_as_it_was() -> None:
    result = profile_kernel.profile(choose("training", 1, 1), every=40, width=None)
    assert result.layers > 0
    assert np.all(result.steps[:3] > 0)
    assert result.whole_nodes > result.nodes > 0
    printed = profile_kernel.report(result, 40)
    assert all(step in printed for step in STEPS)


def test_lines_only_get_shorter() -> None:
    cases = [lines.Case(Setting(), 0), lines.Case(Setting(), 100_000)]
    first, shortened = lines.measure([Deal.numbered(1, suits=1)], cases, 100_000)
    assert first[0].actions >= shortened[0].actions >= shortened[0].bound > 0
    assert (first[0].shorten_nodes, shortened[0].shorten_nodes > 0) == (0, True)
    assert "1 of 1 deals won" in lines.report(cases, [first, shortened], timed=True)


def test_the_output_of_the_prototype_is_read() -> None:
    text = "1 1 t=0.014 nodes=31479 W=14 stage=5 len=206\n2 0 t=60.0 nodes=9 W=7 stage=1 len=0\n"
    assert prototype.parse_output(text) == [(1, True, 31479, 206), (2, False, 9, 0)]
    theirs = prototype.Side([1.0, 3.0], [True] * 4, [10**6] * 4, [100] * 4)
    ours = prototype.Side([2.0, 6.0], [True] * 4, [10**6] * 4, [90] * 4)
    printed = prototype.report(theirs, ours)
    assert re.search(
        r"^mean time a deal, ms +1000\.00 +2000\.00 +2\.000 \(2\.000-2\.000\)", printed, re.M
    )
    assert re.search(r"^nodes a second, M +1\.00 +0\.50 +0\.500 \(0\.500-0\.500\)", printed, re.M)


def test_executors_count_deals_a_second() -> None:
    printed = executors.report(([4.0, 4.0], [2.0, 2.0]), 10, ("local", "dask"))
    assert re.search(r"^dask +5\.0$", printed, re.MULTILINE)
    assert "2.000 (2.000-2.000)" in printed


def test_lines_are_replayed_in_two_ways() -> None:
    out = run(replay.main, "--deals", "3", "--turns", "2")
    rows = re.findall(r"^([421]) +3 +\d+ +\d+ +[\d.]+$", out, re.MULTILINE)
    assert rows == ["4", "2", "1"]


def test_scaling_compares_workers() -> None:
    turn = scaling.Turn(one=Taken(4.0, 4.0, 0), more=Taken(2.5, 5.0, 10**8))
    printed = scaling.report({1: [turn, turn]}, deals=10, workers=2)
    assert re.search(r"^1 +1 +2\.50 +2\.50 +400\.00$", printed, re.MULTILINE)
    assert re.search(r"^1 +2 +4\.00 +2\.00 +500\.00$", printed, re.MULTILINE)
    assert re.search(
        r"^1 +1\.250 \(1\.250-1\.250\) +1\.600 \(1\.600-1\.600\)$", printed, re.MULTILINE
    )


def test_stages_of_a_deal_are_timed() -> None:
    starts = [DealNumber(seed, "kpat", spider(1)) for seed in range(1, 4)]
    stages = pipeline.stages_of(starts, 20_000)
    assert [*stages] == [*pipeline.TIMED, "rest of solving", "hand-over", "writing"]
    assert all(seconds > 0 for seconds in stages.values())
    cost = pipeline.Cost(dict.fromkeys(stages, 0.002), one=0.004, two=0.005, peak=10**8)
    printed = pipeline.report({1: cost}, deals=2)
    assert re.search(r"^kernels +1\.000$", printed, re.MULTILINE)
    assert re.search(r"^one worker / kernels +2\.00$", printed, re.MULTILINE)
    assert re.search(r"^two workers / one +1\.25$", printed, re.MULTILINE)
    assert re.search(r"^peak of a worker, MB +100$", printed, re.MULTILINE)


def test_the_course_of_a_run_goes_on_with_the_next(tmp_path: Path) -> None:
    started = datetime(2026, 1, 1, tzinfo=UTC)
    began = started.timestamp()
    chunks = [(1, 100), (3, 300), (12, 600)]  # seconds, deals
    events: list[dict[str, object]] = [{"event": "start", "time": started.isoformat()}]
    events += [
        {"event": "chunk", "time": (started + timedelta(seconds=at)).isoformat(), "deals": deals}
        for at, deals in chunks
    ]
    looks = [
        (0, 2, 1.0),
        (0, 4, 3.0),
        (10, 14, 5.0),
        (10, 16, 6.0),
    ]  # start of the run, seconds, CPU time
    held = {"client": 10**8, "worker": 2 * 10**8, "worker_peak": 3 * 10**8}
    samples = [
        {"run": began + run, "time": began + at, "cpu": cpu, **held} for run, at, cpu in looks
    ]
    for name, log in (("events", events), ("samples", samples)):
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in log))
    course = million.read_course(tmp_path)
    assert course.deals.tolist() == [100, 400, 1000]
    assert course.seconds.tolist() == pytest.approx([2, 4, 8])
    assert course.cpu.tolist() == [1, 3, 8]
    answer = {"deals": 1000, "won": 999, "lost": 0, "open": 1}
    printed = million.report(course, answer, size=350_000, verified="all good")
    assert re.search(r"^1,000 +8\.333 +6\.667 +150 +100 +200 +300$", printed, re.MULTILINE)
    assert "1,000 deals: 999 won, 0 lost, 1 open; 8 s, 8 s of CPU time, 350 bytes a deal" in printed
    million.draw(course, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_a_long_run_is_solved_and_verified(tmp_path: Path) -> None:
    answer = million.run(tmp_path, "--seeds", "1-3", "--suits", 1, "--workers", 1)
    assert answer["won"] == 3
    verified = million.verify(tmp_path / "rows", workers=1)
    assert verified.startswith("spider-verify (all good): rows 3, won verified 3, ")


def test_going_on_with_a_large_set() -> None:
    out = run(resume.main, "--rows", "3k", "--turns", "1")
    assert re.search(r"^rows +3,000$", out, re.MULTILINE)
    assert float(re.findall(r"first chunk +([\d.]+) s", out)[0]) > 0.1


def test_many_deals(tmp_path: Path) -> None:
    picture = tmp_path / "plot.png"
    options = ("--suits", "1", "--deals", "3,8", "--workers", "1")
    out = run(scaling_deals.main, *options, "--out", str(tmp_path / "set"), "--plot", str(picture))
    assert re.search(r"^3 +3 +0 +[\d.]+ +[\d.]+ +1\.00 +\d+$", out, re.MULTILINE)
    assert re.search(r"^8 +5 +0 ", out, re.MULTILINE)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_tuning_begins_at_what_ships(tmp_path: Path) -> None:
    chosen = tune.parameters(parse_setting("off_suit=2 noise*=3"), also=["width"])
    start = tune.setting_of(chosen, [0.0] * len(chosen))
    assert str(start).startswith("off_suit=2 ")
    assert str(start).endswith("noise*=3 patience*=1 classes*=1 width*=1")
    log = tmp_path / "log"
    arguments = "--suits 1 --deals 2 --cap 1k --population 4 --generations 2 --log"
    run(tune.main, *arguments.split(), str(log))
    head, *said = map(json.loads, log.read_text().splitlines())
    assert head["solver"] == SOLVER
    assert [line["seeds"] for line in said] == [[10000, 10001], [10002, 10003]]
    assert said[0]["shipped"] == said[0]["mean_before"] < 1000  # the first attempt wins
    assert parse_setting(said[-1]["setting"]).changes[0].name == "off_suit"


def test_cell_beams_are_tuned_and_their_forecasts_fitted(tmp_path: Path) -> None:
    log = tmp_path / "log"
    arguments = "--suits 1 --width 6 --deals 2 --population 4 --generations 2 --log"
    run(tune_cells.main, *arguments.split(), str(log))
    head, *said = map(json.loads, log.read_text().splitlines())
    assert head["solver"] == SOLVER
    assert [line["seeds"] for line in said] == [[10000, 10001], [10002, 10003]]
    assert said[0]["start"] == said[0]["mean_before"]
    assert 80 < said[0]["best"] < 110
    settings = tune_cells.read_settings(log)
    assert settings.weights != CELL_SETTINGS[1].weights
    assert settings.slopes == CELL_SETTINGS[1].slopes
    out = run(forecasts.main, "--suits", "1", "--deals", "2", "--width", "20", "--of", str(log))
    rows = [line.split() for line in out.splitlines() if re.match(r"[0-5] +-?\d+\.", line)]
    assert [row[0] for row in rows] == list("012345")
    assert all(float(slope) > 0 for _, slope, *_ in rows)
    positions = sum(int(row[-1]) for row in rows)
    seeds = (10000, 10001)
    starts = [Deal.numbered(seed, suits=1).position for seed in seeds]
    lines = [
        tune_cells.first_line(start, settings, 20, 2 * seed + 1).line
        for start, seed in zip(starts, seeds, strict=True)
    ]
    assert positions == sum(len(line or ()) for line in lines) > 100


@pytest.mark.parametrize("text", ["", "{}", "no log", '{"settings": {"weights": {}}}'])
def test_what_is_no_log_of_a_tuner_is_refused(tmp_path: Path, text: str) -> None:
    log = tmp_path / "log"
    log.write_text(text)
    result = CliRunner().invoke(forecasts.main, ["--suits", "1", "--of", str(log)])
    assert result.exit_code == 2
    assert "is no log of tune_cells" in result.output


def test_rule_changes() -> None:
    out = run(rule_changes.main, "--deals", "3", "--max-nodes", "100k")
    rows = [re.split(r"  +", line) for line in out.splitlines() if line.startswith("simple-simon")]
    assert [row[1] for row in rows] == ["as it ships", "group moves"]
    assert all(sum(map(int, row[2:5])) == 3 for row in rows)
    assert out.count("spiderette") == out.count("will-o-the-wisp") == 4


def test_hints() -> None:
    out = run(hints.main, "--deals", "3", "--suits", "1", "--before", "0,4", "--max-nodes", "200k")
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line}
    for actions in ("0", "4"):
        won, lost, open_ = map(int, rows[actions][1:4])
        assert won + lost + open_ == 3
        assert rows[actions][4:] == [str(won), "of", str(won)]
    assert int(rows["0"][1]) == 3


def test_hint_calls() -> None:
    out = run(hint_calls.main, "--calls", "60", "--suits", "1")
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line}
    assert int(rows["searched"][1]) + int(rows["remembered"][1]) == int(rows["all"][1]) == 60
    assert all(int(held) > 50 for held in rows["MB"][2:])
    assert len(rows["MB"]) == 12
    assert "memory was never full" in out


def test_the_growth_of_memory() -> None:
    held = [100_000_000, 200_000_000, 203_000_000, 206_000_000]
    calls = hint_calls.Calls([0.1] * 100, [0.1] * 300, held, [9000, 20_000, 20_000, 20_000])
    assert hint_calls.growth(calls) == (
        "6.0 MB more in the 200 calls since it was full: 30,000 bytes each"
    )


def test_honest_games() -> None:
    narrow = "fast width=20 flips=50 closer=4"
    printed = run(honest.main, narrow, f"{narrow} learned=2", "--seeds", "1-3", "--suits", "1")
    assert "kpat 1 to 3, 3 deals, suits: 1" in printed
    for player in (narrow, f"{narrow} learned=2"):
        assert re.search(rf"^{player} +[0-3] +\d+\.\d+% \[", printed, re.MULTILINE)
    assert run(honest.main, narrow, narrow, "--seeds", "2").count(" 0:0 ") == 1
    for wrong in ("quick", "fast depth=3", "width"):
        assert CliRunner().invoke(honest.main, [wrong]).exit_code == 2


def test_lost_deals_resist() -> None:
    printed = run(resist.main, "--deals", "2", "--max-nodes", "30k")
    assert "30,000 nodes each: 0 won, 0 found lost by complete search." in printed
    for seed in resist.drawn(2, draw=1, suits=4):
        assert re.search(rf"^{seed} +open +30,000 ", printed, re.MULTILINE)
    assert Solver().solve(Deal.numbered(seed).position).proof == "blockade"  # as before


def test_dead_ends_cost_no_verdict() -> None:
    printed = run(dead_ends.main, "--deals", "4", "--max-nodes", "20k")
    plain, short, *_ = re.findall(r"(?:nothing|short of cards) +([\d,]+) ", printed)
    assert plain >= short
    assert printed.count("nothing") == len(dead_ends.KINDS)
