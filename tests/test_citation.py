from pathlib import Path

import yaml

from spider_solver import __version__

ROOT = Path(__file__).parents[1]


def test_the_citation_names_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert str(citation["version"]) == __version__
    assert citation["license"] == "MIT"
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
