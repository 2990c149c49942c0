"""``spider-report``: what data sets and boards tell, in numbers and pictures."""

import json
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spider_solver.cli.boards import game_of_boards, read_boards_argument
from spider_solver.cli.common import (
    HELP,
    Named,
    count,
    echo,
    run_command,
    say,
    version_option,
)
from spider_solver.game.rules import VARIANTS
from spider_solver.text.quoting import one_line, quoted

if TYPE_CHECKING:
    from spider_solver.analysis.samples import Sample
    from spider_solver.analysis.shuffles import Cards, Layout
    from spider_solver.analysis.statistics import Floats, Method
    from spider_solver.analysis.tables import Section

EXAMPLES = """\b
Examples:
  spider-report share spider-30M-0.1.0-3f9a12cd77ab
  spider-report share --plot figures two-suits four-suits
  spider-report lost spider-1G-0.1.0-3f9a12cd77ab
  spider-report compare old new
  spider-report fairness mygame.txt
"""

COMPARE_EXAMPLES = """\b
Examples:
  spider-report compare old new                the same games in both
  spider-report compare results --suits 4,2    four suits against two
  spider-report compare old new --suits 4 --budget 167k
"""

folders_argument = click.argument(
    "folders", metavar="DIR...", nargs=-1, required=True, type=Named(path_type=Path)
)


class Level(click.FloatRange):
    """A number between 0 and 1, which nan is not; an option's type."""

    def __init__(self) -> None:
        super().__init__(0, 1, min_open=True, max_open=True)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number."""
        number = float(super().convert(value, param, ctx))
        if isnan(number):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return number


level_option = click.option(
    "--level",
    type=Level(),
    default=0.95,
    show_default=True,
    help="Confidence level of the intervals.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
markdown_option = click.option("--markdown", is_flag=True, help="Print tables in Markdown.")


@click.group(context_settings=HELP, epilog=EXAMPLES)
@version_option
def report() -> None:
    """Count and compare the deals of data sets, and test whether boards are fairly shuffled."""


@report.command(context_settings=HELP)
@folders_argument
@level_option
@click.option(
    "--method",
    type=click.Choice(["wilson", "exact"]),
    default="wilson",
    show_default=True,
    help="Method of the intervals: Wilson or Clopper-Pearson.",
)
@click.option(
    "--plot",
    type=Named(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also plot shares by budget, nodes and line lengths into this folder.",
)
@json_option
@markdown_option
def share(
    folders: tuple[Path, ...],
    level: float,
    method: "Method",
    plot: Path | None,
    as_json: bool,
    markdown: bool,
) -> int:
    """Report how many deals can be won, and within how many nodes.

    For each numbering, variant and number of suits: deals won, lost and open; the winnable share
    as an interval that counts open deals against both ends; the share won by node budget; nodes,
    seconds and actions of the deals. Several sets are counted together.
    """
    from spider_solver.analysis.share import GameShare
    from spider_solver.analysis.share import report as share_report

    _one_form(as_json, markdown)
    samples = _read(folders)
    shares = [GameShare.of(sample, level, method) for sample in samples]
    drawn = [] if plot is None else _draw(samples, plot, level)
    if as_json:
        _print_json({"games": [game.as_dict() for game in shares], "plots": [*map(str, drawn)]})
    else:
        _print(share_report(shares), markdown)
        for path in drawn:
            say(f"drawn   {one_line(str(path))}")
    return 0


@report.command(context_settings=HELP)
@folders_argument
@json_option
def lost(folders: tuple[Path, ...], as_json: bool) -> int:
    """Explain each lost deal: its proof in words.

    Blockades are recomputed from the cards. For an exhaustive search, says where the positions
    that prove the loss should be, or that they were not kept; spider-verify checks them.
    """
    from spider_solver.analysis.lost import losses

    found = [loss for folder in dict.fromkeys(folders) for loss in losses(folder)]
    if as_json:
        _print_json([loss.as_dict() for loss in found])
    else:
        echo("\n\n".join(map(str, found)) if found else "no lost deal")
    return 0


@report.command(context_settings=HELP, epilog=COMPARE_EXAMPLES)
@click.argument("set_a", metavar="A", type=Named(path_type=Path))
@click.argument("set_b", metavar="[B]", type=Named(path_type=Path), required=False)
@click.option("--suits", metavar="N|A,B", help="Suits of both sides, or of A and of B.")
@click.option("--variant", metavar="NAME|A,B", help="Variant of both sides, or of A and of B.")
@click.option(
    "--budget", type=count, help="Count wins within this many nodes.  [default: the smaller budget]"
)
@level_option
@json_option
@markdown_option
def compare(
    set_a: Path,
    set_b: Path | None,
    suits: str | None,
    variant: str | None,
    budget: int | None,
    level: float,
    as_json: bool,
    markdown: bool,
) -> int:
    """Compare two data sets, or two games in one, on the deals that both have.

    The same number deals the same ranks into the same places with one, two, three or four suits,
    and under every variant, so suits, variants and settings can be compared deal by deal.
    """
    from spider_solver.analysis.compare import compare as compare_samples
    from spider_solver.analysis.compare import pair
    from spider_solver.analysis.compare import report as compare_report

    _one_form(as_json, markdown)
    suits_a, suits_b = _sides(suits, "--suits")
    variant_a, variant_b = _sides(variant, "--variant")
    a = _chosen(_read((set_a,)), suits_a, variant_a)
    b = _chosen(_read((set_b or set_a,)), suits_b, variant_b)
    if set_b is None and (suits_a, variant_a) == (suits_b, variant_b):
        raise click.UsageError("one data set: say what to compare, such as --suits 4,2")
    found = [compare_samples(*both, budget, level) for both in pair(a, b)]
    if as_json:
        _print_json([comparison.as_dict() for comparison in found])
    else:
        _print(compare_report(found, str(set_a), str(set_b or set_a)), markdown)
    return 0


@report.command(context_settings=HELP)
@click.argument("file", metavar="FILE|-")
@click.option("--suits", type=click.IntRange(1, 4), help="Suits.  [default: those of the boards]")
@click.option(
    "--variant", type=click.Choice([*VARIANTS]), default="spider", show_default=True, help="Game."
)
@click.option(
    "--simulations",
    type=count,
    default="1999",
    show_default=True,
    help="Files of fair shuffles to compare with.",
)
@click.option(
    "--difficulty",
    type=click.IntRange(min=20),
    metavar="N",
    help="Also compare difficulty with N fair shuffles: up to half a second per deal.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Seed of the simulation.",
)
@click.option(
    "--level",
    type=Level(),
    default=0.05,
    show_default=True,
    help="Chance of calling fair deals unfair.",
)
@json_option
@markdown_option
def fairness(
    file: str,
    suits: int | None,
    variant: str,
    simulations: int,
    difficulty: int | None,
    seed: int,
    level: float,
    as_json: bool,
    markdown: bool,
) -> int:
    """Test whether the boards of a file are fairly shuffled.

    FILE holds deals at the start of the game, all cards known, in any format that spider-solve
    --boards reads. Compares where ranks and suits lie, which cards lie next to each other, and how
    many moves there are at the start with simulated fair shuffles of the same deck. P-values are
    corrected for the number of tests.
    """
    from spider_solver.analysis.fairness import judge, least_simulations
    from spider_solver.analysis.fairness import report as fairness_report
    from spider_solver.analysis.shuffles import read_starts
    from spider_solver.cli.progress import Progress

    _one_form(as_json, markdown)
    deals = read_boards_argument(file, game_of_boards(variant, suits))
    layout, cards = read_starts([deal.position for deal in deals])
    if simulations < (least := least_simulations(layout, level)):
        raise click.UsageError(f"at --level {level:g} nothing is found below --simulations {least}")
    scores = None if difficulty is None else _difficulties(layout, cards, difficulty, seed)
    with Progress(simulations, 0, "files", lambda: "simulated") as progress:
        found = judge(layout, cards, simulations, seed, level, scores, progress.add)
    if as_json:
        _print_json(found.as_dict())
    else:
        _print(fairness_report(found), markdown)
    return 0


def _difficulties(
    layout: "Layout", cards: "Cards", shuffles: int, seed: int
) -> "tuple[Floats, Floats]":
    """The difficulties of the deals, and of fair shuffles."""
    import numpy as np

    from spider_solver.analysis.fairness import difficulties
    from spider_solver.cli.compiling import warm_up
    from spider_solver.cli.progress import Progress

    warm_up()
    fair = layout.shuffles(shuffles, np.random.default_rng([seed, shuffles]))
    with Progress(len(cards) + shuffles, 0, "deals", lambda: "measured") as progress:
        here, beside = (difficulties(layout, deals, progress.add) for deals in (cards, fair))
    return here, beside


def _sides(text: str | None, option: str) -> tuple[str | None, str | None]:
    """What an option says of A and of B."""
    parts = [None] if text is None else [part.strip() for part in text.split(",")]
    if len(parts) > 2 or "" in parts:
        raise click.UsageError(f"{option} {quoted(text or '')}: one for both sides, or two")
    return parts[0], parts[-1]


def _chosen(samples: "list[Sample]", suits: str | None, variant: str | None) -> "list[Sample]":
    """The samples with these suits and this variant, if asked for."""
    chosen = [
        sample
        for sample in samples
        if suits in (None, str(sample.game.suits)) and variant in (None, sample.game.variant)
    ]
    if not chosen:
        there = "; ".join(str(sample.game) for sample in samples)
        asked = f"suits {suits or 'any'}, variant {variant or 'any'}"
        raise click.UsageError(f"{asked}: there is {there}")
    return chosen


def _one_form(as_json: bool, markdown: bool) -> None:
    if as_json and markdown:
        raise click.UsageError("--json and --markdown exclude each other")


def _read(folders: tuple[Path, ...]) -> "list[Sample]":
    """The samples of data sets, which must hold at least one deal."""
    from spider_solver.analysis.samples import read_samples

    samples = read_samples(folders)
    if not samples:
        raise click.ClickException(f"{' and '.join(map(str, folders))}: no deals yet")
    return samples


def _draw(samples: "list[Sample]", folder: Path, level: float) -> list[Path]:
    """Draw all plots, or say what is missing."""
    try:
        from spider_solver.analysis.plots import save_plots
    except ModuleNotFoundError as error:
        needed = (error.name or "matplotlib").partition(".")[0]
        raise click.ClickException(
            f"--plot needs {needed}: pip install 'spider-solver[plot]'"
        ) from None
    try:
        return save_plots(samples, folder, level)
    except OSError as error:
        raise click.ClickException(f"{folder}: {error.strerror or error}") from None


def _print(sections: "list[Section]", markdown: bool) -> None:
    from spider_solver.analysis.tables import render

    echo(render(sections, markdown))


def _print_json(answer: Any) -> None:
    echo(json.dumps(answer))


def main() -> None:
    """Run the command."""
    run_command(report)


if __name__ == "__main__":
    main()
