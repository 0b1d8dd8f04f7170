"""Tables that the floor ended, read from its own stream in the store."""

from contextlib import suppress

from queenhigh.errors import QueenhighError
from queenhigh.store.streams import Store
from queenhigh.table.registry import ABANDON, ARCHIVE, FLOOR_LOG, Endings, decode_floor

__all__ = ["read_endings"]

#: Every event that ends a table contains one of these.
_ENDS = tuple(f'"action":"{action}"'.encode() for action in (ARCHIVE, ABANDON))


def read_endings(store: Store) -> Endings:
    """Return the endings in the floor's stream, as far as it can be read."""
    endings = Endings()
    with suppress(QueenhighError):
        for row in store.read(FLOOR_LOG):
            if any(action in row.event for action in _ENDS):
                endings.take(decode_floor(row.event))
        endings.is_proved = True
    return endings
