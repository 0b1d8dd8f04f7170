"""What the worker processes do. Answers are JSON; what goes wrong comes back as code and words."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.json import decode, encode

from queenhigh.errors import QueenhighError
from queenhigh.room.books import Books
from queenhigh.rulebook.load import from_document
from queenhigh.server.opening import load_shipped
from queenhigh.sheets.coaching import coach_data, drill_data
from queenhigh.sheets.data import odds_data, poker_only, rules_data, strategy_data

__all__ = ["price", "price_table", "read_books"]

#: Open in this process.
_books: dict[str, Books] = {}
Told = bytes | tuple[str, str]


def price(kind: str, rulebook: str, changes: bytes, *more: str | None) -> Told:
    """Return the rules, odds, best play, advice or a drill for a shipped rulebook."""
    return _told(lambda: _PRICES[kind](load_shipped(rulebook, decode(changes)), *more))


def price_table(kind: str, document: bytes, *more: str | None) -> Told:
    """Return the odds, best play or advice for the rulebook that a table plays by."""
    return _told(lambda: _PRICES[kind](from_document(decode(document)), *more))


def _strategy(book: Any) -> Any:
    from queenhigh.price.strategy import strategy  # noqa: PLC0415

    return strategy_data(poker_only(book), strategy(poker_only(book)))


def _advice(book: Any, hand: str, up: str | None, wagers: str | None) -> Any:
    return coach_data(poker_only(book), hand, up, None if wagers is None else decode(wagers))


def _drill(book: Any, count: str) -> Any:
    from numpy.random import default_rng  # noqa: PLC0415

    return drill_data(poker_only(book), int(count), default_rng())


_PRICES: dict[str, Callable[..., Any]] = {
    "rules": rules_data,
    "odds": odds_data,
    "strategy": _strategy,
    "advice": _advice,
    "drill": _drill,
}


def read_books(store: str, what: str, asked: dict[str, Any]) -> Told:
    """Return what the books of a store say once everything new is in them."""

    def read() -> Any:
        if store not in _books:
            _books[store] = Books(Path(store), Path(f"{store}.books"))
        while not _books[store].catch_up():
            pass
        return getattr(_books[store], what)(**asked)

    return _told(read)


def _told(work: Callable[[], Any]) -> Told:
    try:
        return encode(work())
    except QueenhighError as error:
        return error.code, str(error)
    except Exception as error:  # what is wrong with one table must not end the process
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return "work.failed", "this could not be worked out: tell who runs the room"
