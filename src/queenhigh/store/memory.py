"""Streams in memory: for tests, and for tables that nobody will miss."""

from collections.abc import Iterator
from threading import Lock

from queenhigh.store.streams import GENESIS, Append, Conflict, Stored, chain

__all__ = ["MemoryStore"]


class MemoryStore:
    """Streams that live as long as the process."""

    def __init__(self) -> None:
        self._streams: dict[str, list[Stored]] = {}
        self._lock = Lock()

    def append(self, *appends: Append) -> None:
        """Append to some streams all at once or not at all."""
        with self._lock:
            grown: dict[str, list[Stored]] = {}
            for stream, version, events in appends:
                rows = grown.setdefault(stream, list(self._streams.get(stream, ())))
                if len(rows) != version:
                    raise Conflict(stream, version, len(rows))
                for event in events:
                    before = rows[-1].hash if rows else GENESIS
                    at = len(rows) + 1
                    rows.append(Stored(stream, at, event, chain(before, stream, at, event)))
            self._streams.update({stream: rows for stream, rows in grown.items() if rows})

    def read(self, stream: str, after: int = 0) -> Iterator[Stored]:
        """Yield the events of a stream that come after a version."""
        with self._lock:
            rows = self._streams.get(stream, [])[after:]
        yield from rows

    def streams(self) -> list[str]:
        """Return the names of all streams, in order."""
        with self._lock:
            return sorted(self._streams)

    def close(self) -> None:
        """Forget nothing: there is nothing to let go of."""
