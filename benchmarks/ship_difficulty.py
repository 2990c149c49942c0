"""Makes the references of difficulty that ship with the package, and the scores in `data/`.

The deals are `kpat` 1 to 1000, which nothing was tuned on; `benchmarks.difficulty` checks the bands
on others.
"""

import json
from functools import partial
from pathlib import Path

import click
import numpy as np

from benchmarks.deals import Numbered
from benchmarks.options import HELP, measure_option, workers_option
from benchmarks.scores import scores_of
from spider_solver.analysis.difficulty import SERIES, Difficulty, reference, reference_file
from spider_solver.analysis.generate import difficulty_row
from spider_solver.analysis.tables import number
from spider_solver.game.deal import Deal
from spider_solver.kernels.jit import SOURCE_HASH
from spider_solver.store.difficulties import add_difficulties

DEALS = 1000
SUITS = (1, 2, 3, 4)
SET = Path("data/kpat-1-1000")
_IN_SET = (1, 2, 4)


@click.command(context_settings=HELP)
@measure_option
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the scores of each number of suits; what it holds is not measured again.",
)
@workers_option
def main(measure: str, keep: Path | None, workers: int) -> None:
    """Measure kpat 1 to 1000 with each number of suits, and write the files anew."""
    found = {}
    for suits in SUITS:
        deals = Numbered("kpat", suits, tuple(range(1, DEALS + 1)))
        found[suits] = scores_of(deals, SERIES, workers, keep, measure)
        nodes = sum(one.nodes for one in found[suits]) / DEALS
        click.echo(f"{suits} suits: {number(nodes)} nodes a deal")
    write_references(found, reference_file(measure))
    reference.cache_clear()
    for suits in _IN_SET:
        starts = (Deal.numbered(seed, suits) for seed in range(1, DEALS + 1))
        row_of = partial(difficulty_row, measure=measure)
        add_difficulties(SET, map(row_of, starts, found[suits]), measure)


def write_references(found: dict[int, list[Difficulty]], path: Path) -> None:
    """Write the percentiles of the scores, by suits."""
    references = {}
    for suits, measured in found.items():
        scores = [one.score for one in measured]
        percentiles = np.quantile(scores, np.arange(101) / 100, method="inverted_cdf")
        references[str(suits)] = {
            "deals": f"kpat 1-{len(scores)}",
            "kernels": SOURCE_HASH,
            "percentiles": percentiles.tolist(),
        }
    lines = ",\n".join(f'"{suits}": {json.dumps(one)}' for suits, one in references.items())
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
