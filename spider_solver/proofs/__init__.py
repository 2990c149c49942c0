"""Proofs and their checks, by the plain rules alone."""
