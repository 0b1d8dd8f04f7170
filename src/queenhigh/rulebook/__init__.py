"""Rulebooks: one file per game, checked and frozen, that everything else reads."""

from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook, Rulebook
from queenhigh.rulebook.load import load, parse, shipped

__all__ = ["PokerRulebook", "RouletteRulebook", "Rulebook", "load", "parse", "shipped"]
