"""Queenhigh: play, bank, price and prove Three Card Poker and roulette."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from queenhigh.cards import format_cards, parse_cards
    from queenhigh.errors import (
        IllegalRound,
        InvalidRound,
        InvalidRulebook,
        Problem,
        QueenhighError,
    )
    from queenhigh.games import game_of
    from queenhigh.money import Pays, dollars
    from queenhigh.rulebook.book import Rulebook
    from queenhigh.rulebook.load import load, shipped
    from queenhigh.settle_format import settle

#: Where each public name lives. They are loaded on first use, so that importing is quick.
_HOMES = {
    "IllegalRound": "errors",
    "InvalidRound": "errors",
    "InvalidRulebook": "errors",
    "Pays": "money",
    "Problem": "errors",
    "QueenhighError": "errors",
    "Rulebook": "rulebook.book",
    "dollars": "money",
    "format_cards": "cards",
    "game_of": "games",
    "load": "rulebook.load",
    "parse_cards": "cards",
    "settle": "settle_format",
    "shipped": "rulebook.load",
}

__all__ = [
    "IllegalRound",
    "InvalidRound",
    "InvalidRulebook",
    "Pays",
    "Problem",
    "QueenhighError",
    "Rulebook",
    "dollars",
    "format_cards",
    "game_of",
    "load",
    "parse_cards",
    "settle",
    "shipped",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'queenhigh' has no attribute {name!r}")
    return getattr(import_module(f"queenhigh.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
