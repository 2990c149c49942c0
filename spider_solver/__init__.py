"""Decides deals of Spider solitaire: won with a line, lost with a proof, or open."""

__version__ = "0.1.0"
