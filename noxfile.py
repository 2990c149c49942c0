"""Tests on every Python version, and with the lowest versions that pyproject.toml allows.

``nox`` runs all; ``nox -s tests-3.13 -- tests/kernels`` a part of them on one version.
"""

import nox

PYTHONS = ("3.11", "3.12", "3.13")


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """The tests, with the newest versions of all dependencies."""
    session.install("--editable", ".[test]")
    session.run("pytest", *(session.posargs or ["tests"]))


@nox.session(python=PYTHONS[0])
def lowest(session: nox.Session) -> None:
    """The tests, with every dependency at its lower bound."""
    project = nox.project.load_toml("pyproject.toml")["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    bounds = {bound for group in groups for bound in group if ">=" in bound}
    constraints = session.cache_dir / "lowest.txt"
    constraints.write_text("\n".join(sorted(bounds)).replace(">=", "==") + "\n")
    session.install("--editable", ".[test]", "--constraint", str(constraints))
    # Old versions deprecate, with new ones of what they need, what nobody can mend any more.
    ignored = ("-W", "ignore::DeprecationWarning")
    session.run("pytest", *ignored, *(session.posargs or ["tests"]))
