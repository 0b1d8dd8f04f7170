"""Rulebooks and chains of seeds that tests make again and again, made once for each worker.

A table parses its rulebook whenever its log is played again, and hashes a chain of 10,000 seeds
whenever its room is opened: a third of the work of tests that do so by the thousand. Both are
functions of what is given to them, and have tests of their own in tests that remember nothing.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from typing import Any
from unittest.mock import patch

from queenhigh.room import dealing
from queenhigh.rulebook import load
from queenhigh.rulebook.book import Games, Rulebook

_MOST = 500
_books: dict[object, Rulebook] = {}
_chains: dict[object, Any] = {}
_parsed = load._parsed
_make = dealing.Dealing._make


@contextmanager
def remembered() -> Iterator[None]:
    """Parse a document once, and make a chain once, as long as the block runs."""
    with (
        patch.object(load, "_parsed", _parsed_once),
        patch.object(dealing.Dealing, "_make", _made_once),
    ):
        yield


def _parsed_once(
    raw: dict[str, Any],
    text: str,
    file: str,
    changes: Mapping[str, object],
    games: Games,
    *,
    chosen: bool,
) -> Rulebook:
    """Return the rulebook of a document; what is refused is refused every time."""
    key = (repr(raw), text, repr(dict(changes)), tuple(games.values()), chosen)
    if key not in _books:
        _forget(_books)
        _books[key] = _parsed(raw, text, file, changes, games, chosen=chosen)
    return _books[key]


def _made_once(self: dealing.Dealing, table: str, name: Any) -> Any:
    """Return the seeds of a chain: a copy, because it remembers where it was last asked."""
    key = (self.key, table, name)
    if key not in _chains:
        _forget(_chains)
        _chains[key] = _make(self, table, name)
    return copy(_chains[key])


def _forget(made: dict[Any, Any]) -> None:
    """Forget what was made first, if there is too much of it."""
    if len(made) >= _MOST:
        del made[next(iter(made))]
