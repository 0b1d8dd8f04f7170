"""Streams in memory: for tests, and for tables that nobody will miss."""

from collections.abc import Iterator
from concurrent.futures import Future
from threading import Lock

from queenhigh.store.streams import GENESIS, Append, Conflict, Snapshot, Stored, chain

__all__ = ["MemoryStore"]


class MemoryStore:
    """Streams that live as long as the process."""

    def __init__(self) -> None:
        self._streams: dict[str, list[Stored]] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._lock = Lock()

    def append(self, *appends: Append) -> None:
        """Append to some streams all at once or not at all."""
        with self._lock:
            new: dict[str, list[Stored]] = {}
            for stream, believed, events, _ in appends:
                rows = new.setdefault(stream, self._streams.get(stream, [])[-1:])
                version, before = rows[-1][1::2] if rows else (0, GENESIS)
                if version != believed:
                    raise Conflict(stream, believed, version)
                for event in events:
                    version += 1
                    before = chain(before, stream, version, event)
                    rows.append(Stored(stream, version, event, before))
            self._keep(new, appends)

    def _keep(self, new: dict[str, list[Stored]], appends: tuple[Append, ...]) -> None:
        for stream, rows in new.items():
            if rows:
                kept = self._streams.setdefault(stream, [])
                kept[-1:] = rows  # whose first is the last one kept
        for stream, version, events, snapshot in appends:
            if snapshot is not None:
                self._snapshots[stream] = Snapshot(version + len(events), snapshot)

    def submit(self, *appends: Append) -> "Future[None]":
        """Append; the answer is there at once."""
        done: Future[None] = Future()
        try:
            self.append(*appends)
        except Exception as error:
            done.set_exception(error)
        else:
            done.set_result(None)
        return done

    def read(self, stream: str, after: int = 0) -> Iterator[Stored]:
        """Yield the events of a stream that come after a version."""
        with self._lock:
            rows = self._streams.get(stream, [])[after:]
        yield from rows

    def snapshot(self, stream: str) -> Snapshot | None:
        """Return the latest snapshot of a stream."""
        return self._snapshots.get(stream)

    def streams(self) -> list[str]:
        """Return the names of all streams, in order."""
        with self._lock:
            return sorted(self._streams)

    def close(self) -> None:
        """Forget nothing: there is nothing to let go of."""
