"""Streams in memory: for tests, and for tables that need not be stored."""

import secrets
from collections.abc import Iterator
from threading import Lock

from queenhigh.store.streams import (
    AT_END,
    GENESIS,
    Append,
    Conflict,
    KeyUsed,
    Lineage,
    OnDone,
    Snapshot,
    Stored,
    chain,
)

__all__ = ["MemoryStore"]


class MemoryStore:
    """Streams that live as long as the process."""

    #: No backup is made of them, and no other process has them.
    epoch, is_shared = 0, False

    def __init__(self) -> None:
        self.dealing_key = secrets.token_bytes(32)
        self._streams: dict[str, list[Stored]] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._used: set[tuple[str, str]] = set()
        self._lock = Lock()

    def append(self, *appends: Append) -> None:
        """Append to some streams all at once or not at all."""
        with self._lock:
            new: dict[str, list[Stored]] = {}
            used: set[tuple[str, str]] = set()
            for stream, expected, events, _, keys in appends:
                rows = new.get(stream) or self._streams.get(stream)
                version, before = (rows[-1].version, rows[-1].hash) if rows else (0, GENESIS)
                if expected not in (version, AT_END):
                    raise Conflict(stream, expected, version)
                for key in keys if events else ():
                    if (stream, key) in self._used or (stream, key) in used:
                        raise KeyUsed(stream, key)
                    used.add((stream, key))
                added = new.setdefault(stream, [])
                for event in events:
                    version += 1
                    before = chain(before, stream, version, event)
                    added.append(Stored(stream, version, event, before))
            for stream, added in new.items():
                if added:
                    self._streams.setdefault(stream, []).extend(added)
            self._used |= used
            for stream, expected, events, snapshot, _ in appends:
                if snapshot is None or expected is AT_END or not expected + len(events):
                    continue
                version = expected + len(events)
                last = self._streams[stream][version - 1]
                self._snapshots[stream] = Snapshot(version, snapshot, last.hash)

    def submit(self, then: OnDone, *appends: Append, depends_on: tuple[Lineage, ...] = ()) -> None:
        """Append at once: there is no disk to wait for."""
        try:
            if any(lineage.failed for lineage in depends_on):
                raise Conflict(appends[0].stream, appends[0].version, -1)
            self.append(*appends)
        except Exception as error:
            for lineage in depends_on:
                lineage.failed = True
            then(error)
        else:
            then(None)

    def flush(self) -> bool:
        """Return ``False``: nothing is ever queued."""
        return False

    def read(self, stream: str, after: int = 0, since: bytes | None = None) -> Iterator[Stored]:
        """Yield the events of a stream that come after a version."""
        with self._lock:
            rows = self._streams.get(stream, [])[after:]
        yield from rows

    def last(self, stream: str) -> Stored | None:
        """Return the last event of a stream."""
        with self._lock:
            return next(iter(self._streams.get(stream, [])[-1:]), None)

    def snapshot(self, stream: str) -> Snapshot | None:
        """Return the latest snapshot of a stream."""
        return self._snapshots.get(stream)

    def is_used(self, stream: str, key: str) -> bool:
        """Return whether an append to a stream had this key."""
        with self._lock:
            return (stream, key) in self._used

    def version(self, stream: str) -> int:
        """Return how many events a stream has."""
        with self._lock:
            return len(self._streams.get(stream, []))

    def streams(self) -> list[str]:
        """Return the names of all streams, in order."""
        with self._lock:
            return sorted(self._streams)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
