"""Searches for wins and losses: kernels, put to work on positions."""
