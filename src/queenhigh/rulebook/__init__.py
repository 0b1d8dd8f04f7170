"""Rulebooks: one file per game, checked and frozen, that everything else reads."""
