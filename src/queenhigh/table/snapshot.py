"""A table's state as bytes, so that a long history need not be read again.

A snapshot is only a shortcut: if it cannot be read, the events are read instead.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, get_type_hints

import msgspec

from queenhigh.errors import InvalidRulebook
from queenhigh.game import GameRound
from queenhigh.games import GAMES
from queenhigh.rulebook.book import Games, Rulebook
from queenhigh.rulebook.load import from_document
from queenhigh.table.state import State

__all__ = ["in_current_form", "restore", "round_hook", "snapshot"]

#: Everything but the compiled rulebook, which is compiled from its document again.
_FIELDS = {name: kind for name, kind in get_type_hints(State).items() if name != "book"}
_Saved = msgspec.defstruct("_Saved", list(_FIELDS.items()), forbid_unknown_fields=True)
_encoder = msgspec.json.Encoder()
_UNREADABLE = (
    msgspec.MsgspecError,
    UnicodeDecodeError,
    RecursionError,
    TypeError,
    KeyError,
    InvalidRulebook,
)


def snapshot(state: State) -> bytes:
    """Return a state as bytes."""
    return _encoder.encode({name: getattr(state, name) for name in _FIELDS})


def restore(saved: bytes, games: Games = GAMES) -> State | None:
    """Read a state back; ``None`` if another version of the program wrote it."""
    try:
        plain = _state_in_current_form(msgspec.json.decode(saved, type=dict[str, Any]))
        if not isinstance(plain["document"], dict):
            return None
        book = _book_of(plain["document"], games)
        read = _read(plain, book.game.round_type)
    except _UNREADABLE:
        return None
    return State(book=book, **{name: getattr(read, name) for name in _FIELDS})


def _book_of(document: dict[str, Any], games: Games) -> Rulebook:
    """Return the rulebook of a document; tables with the same rules share it."""
    if games is not GAMES:
        return from_document(document, games)
    return _shared_book(msgspec.json.encode(document))


@lru_cache(maxsize=64)
def _shared_book(document: bytes) -> Rulebook:
    return from_document(msgspec.json.decode(document))


def _read(plain: object, round_type: type[GameRound]) -> Any:
    return msgspec.convert(plain, _Saved, str_keys=True, dec_hook=round_hook(round_type))


def _state_in_current_form(plain: dict[str, Any]) -> dict[str, Any]:
    """Return a saved state whose commands and rounds may have the form of older programs."""
    if "answers" in plain:
        plain["commands"] = {
            "latest": plain.pop("answers"),
            "this_round": plain.pop("this_round"),
            "last_round": plain.pop("last_round"),
            "counts": plain.pop("asked"),
        }
    plain.setdefault("announced", None)
    plain.setdefault("untimed", False)
    plain.setdefault("corrections", {})
    for live in (plain["round"], plain["last"] and plain["last"]["live"]):
        in_current_form(live)
    return plain


def in_current_form(live: object) -> None:
    """Bring a saved round to the form of today: each game's round once had a key of its own."""
    if isinstance(live, dict) and "poker" in live:
        poker, spin = live.pop("poker"), live.pop("spin", None)
        live["play"] = spin if poker is None else poker


def round_hook(round_type: type[GameRound]) -> Callable[[type, object], object]:
    """Return a decoder hook that reads a round as the struct its game defines."""

    def as_round(kind: type, value: object) -> object:
        if kind is not GameRound:
            raise NotImplementedError(kind)
        return msgspec.convert(value, round_type)

    return as_round
