"""What the worker processes do. Answers are JSON; what goes wrong comes back as code and words."""

import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

from msgspec.json import decode, encode

from queenhigh.errors import QueenhighError
from queenhigh.room.books import Books
from queenhigh.rulebook.load import from_document
from queenhigh.server.opening import load_shipped
from queenhigh.sheets.coaching import coach_data, drill_data
from queenhigh.sheets.data import odds_data, poker_only, rules_data, strategy_data

__all__ = ["enter_some", "price", "price_table", "read_books"]

#: The seconds after which somebody else may ask, and how many events are entered between looks.
_TURN, _EVENTS_AT_ONCE = 2.0, 5_000
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
    """Return what the books of a store say, if everything new can be entered soon."""

    def read() -> Any:
        books = _books_of(store)
        if not _enter_some(books):
            entered, events, _ = books.progress()
            progress = f"{entered:,} of {events:,} events are in it"
            message = f"the history is being built, {progress}: try again soon"
            raise QueenhighError("books.behind", message)
        return getattr(books, what)(**asked)

    return _told(read)


def enter_some(store: str) -> Told:
    """Enter what is new in the books of a store, for a moment; return how far they are."""

    def enter() -> dict[str, Any]:
        books = _books_of(store)
        is_done = _enter_some(books)
        return {"done": is_done, **books.progress()._asdict()}

    return _told(enter)


def _books_of(store: str) -> Books:
    if store not in _books:
        _books[store] = Books(Path(store), Path(f"{store}.books"))
    return _books[store]


def _enter_some(books: Books) -> bool:
    """Enter what is new, until others are due; return whether that is all of it."""
    end = monotonic() + _TURN
    while not (is_done := books.catch_up(_EVENTS_AT_ONCE)) and monotonic() < end:
        pass
    return is_done


def _told(work: Callable[[], Any]) -> Told:
    try:
        return encode(work())
    except QueenhighError as error:
        return error.code, str(error)
    except Exception as error:  # what is wrong with one table must not end the process
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return "work.failed", "this could not be worked out: tell who runs the room"
