"""The notebooks run with all other tests; here, that each is what its text file says."""

from pathlib import Path

import jupytext
import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"


@pytest.mark.parametrize("text", sorted(NOTEBOOKS.glob("*.py")), ids=lambda path: path.stem)
def test_pairs_agree(text: Path) -> None:
    written, run = (jupytext.read(path).cells for path in (text, text.with_suffix(".ipynb")))
    assert [(cell.cell_type, cell.source) for cell in written] == [
        (cell.cell_type, cell.source) for cell in run
    ]
    assert any(cell.get("outputs") for cell in run), "it has not been run"


def test_every_notebook_is_listed() -> None:
    page = (NOTEBOOKS / "README.md").read_text(encoding="utf-8")
    names = {path.stem for path in NOTEBOOKS.glob("*.py")}
    assert names == {path.stem for path in NOTEBOOKS.glob("*.ipynb")}
    assert all(f"({name}.ipynb)" in page for name in names)
