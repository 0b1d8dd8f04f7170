"""What the worker processes do. Answers are JSON; what goes wrong comes back as code and words."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.json import decode, encode

from queenhigh.errors import QueenhighError
from queenhigh.room.books import Books
from queenhigh.rulebook.load import from_document
from queenhigh.sheets.data import (
    advice_data,
    advise_on,
    odds_data,
    poker_only,
    strategy_data,
)

__all__ = ["open_books", "price", "read_books"]

_books: list[Books] = []
Told = bytes | tuple[str, str]


def price(kind: str, document: bytes, *more: str | None) -> Told:
    """Return odds, best play or advice for a rulebook."""
    return _told(lambda: _PRICES[kind](from_document(decode(document)), *more))


def _strategy(book: Any) -> Any:
    from queenhigh.price.strategy import strategy  # noqa: PLC0415

    return strategy_data(poker_only(book), strategy(poker_only(book)))


def _advice(book: Any, hand: str, up: str | None) -> Any:
    return advice_data(advise_on(poker_only(book), hand, up))


_PRICES: dict[str, Callable[..., Any]] = {
    "odds": odds_data,
    "strategy": _strategy,
    "advice": _advice,
}


def open_books(store: Path) -> None:
    """Open the books of a store, once for this process."""
    _books.append(Books(store, Path(f"{store}.books")))


def read_books(what: str, asked: dict[str, Any]) -> Told:
    """Return what the books say once everything new is in them."""

    def read() -> Any:
        (books,) = _books
        while not books.catch_up():
            pass
        return getattr(books, what)(**asked)

    return _told(read)


def _told(work: Callable[[], Any]) -> Told:
    try:
        return encode(work())
    except QueenhighError as error:
        return error.code, str(error)
