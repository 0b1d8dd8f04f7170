"""Exact answers from a rulebook: odds, best play and the banker's book. No sampling anywhere."""
