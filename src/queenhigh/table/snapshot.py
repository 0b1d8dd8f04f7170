"""A table's state as bytes, so that a long history need not be read again.

A snapshot is a shortcut and nothing rests on it: whoever cannot read one reads the events.
"""

from typing import Any, get_type_hints

import msgspec

from queenhigh.errors import InvalidRulebook
from queenhigh.rulebook.load import from_document
from queenhigh.table.state import State

__all__ = ["restore", "snapshot"]

#: Everything but the compiled rulebook, which its document gives back.
_FIELDS = {name: kind for name, kind in get_type_hints(State).items() if name != "book"}
_Kept = msgspec.defstruct("_Kept", list(_FIELDS.items()), forbid_unknown_fields=True)
_decoder = msgspec.json.Decoder(_Kept)
_encoder = msgspec.json.Encoder()


def snapshot(state: State) -> bytes:
    """Write a state down."""
    return _encoder.encode({name: getattr(state, name) for name in _FIELDS})


def restore(kept: bytes) -> State | None:
    """Read a state back; ``None`` if another version of the program wrote it."""
    try:
        read: Any = _decoder.decode(kept)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    fields = {name: getattr(read, name) for name in _FIELDS}
    try:
        return State(book=from_document(read.document), **fields)
    except InvalidRulebook:
        return None
