"""Measures the solver: never a test, never part of the package; see README.md."""
