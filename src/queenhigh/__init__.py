"""Queenhigh: play, bank, price and prove Three Card Poker and roulette."""

__version__ = "0.1.0"

#: Type checkers take this for true. ``typing`` is not imported: the command line starts here.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from queenhigh.cards import format_cards, parse_cards
    from queenhigh.errors import (
        IllegalRound,
        InvalidRound,
        InvalidRulebook,
        Problem,
        QueenhighError,
    )
    from queenhigh.games import game_of
    from queenhigh.money import dollars
    from queenhigh.price.bank import bank
    from queenhigh.price.compare import compare, readings
    from queenhigh.price.odds import odds
    from queenhigh.price.strategy import advise, strategy
    from queenhigh.rulebook.book import PokerRulebook, Rulebook
    from queenhigh.rulebook.load import load, shipped
    from queenhigh.rulebook.roulette_book import RouletteRulebook
    from queenhigh.settle_format import settle
    from queenhigh.simulation.run import simulate

#: Where each public name lives. They are loaded on first use, so that importing is quick.
_HOMES = {
    "IllegalRound": "errors",
    "InvalidRound": "errors",
    "InvalidRulebook": "errors",
    "PokerRulebook": "rulebook.book",
    "Problem": "errors",
    "QueenhighError": "errors",
    "RouletteRulebook": "rulebook.roulette_book",
    "Rulebook": "rulebook.book",
    "advise": "price.strategy",
    "bank": "price.bank",
    "compare": "price.compare",
    "dollars": "money",
    "format_cards": "cards",
    "game_of": "games",
    "load": "rulebook.load",
    "odds": "price.odds",
    "parse_cards": "cards",
    "readings": "price.compare",
    "settle": "settle_format",
    "shipped": "rulebook.load",
    "simulate": "simulation.run",
    "strategy": "price.strategy",
}

__all__ = [
    "IllegalRound",
    "InvalidRound",
    "InvalidRulebook",
    "PokerRulebook",
    "Problem",
    "QueenhighError",
    "RouletteRulebook",
    "Rulebook",
    "advise",
    "bank",
    "compare",
    "dollars",
    "format_cards",
    "game_of",
    "load",
    "odds",
    "parse_cards",
    "readings",
    "settle",
    "shipped",
    "simulate",
    "strategy",
]


def __getattr__(name: str) -> "Any":
    from importlib import import_module  # noqa: PLC0415

    if name not in _HOMES:
        raise AttributeError(f"module 'queenhigh' has no attribute {name!r}")
    return getattr(import_module(f"queenhigh.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
