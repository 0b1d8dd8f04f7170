"""The log of a store that is in use, some events at a time: what the index reads."""

from pathlib import Path

from queenhigh.errors import QueenhighError
from queenhigh.store.location import Location
from queenhigh.store.open import open_reader
from queenhigh.store.reader import Row
from queenhigh.store.streams import GENESIS, DamagedStream, is_next
from queenhigh.table.registry import STAFF
from queenhigh.table.staff_events import StaffEvent, decode_staff
from queenhigh.table.streams import table_stream

__all__ = ["LogReader"]


class LogReader:
    """The store, opened for reading only; no query holds it for long."""

    def __init__(self, store: Location) -> None:
        if isinstance(store, Path) and not store.is_file():
            raise QueenhighError("file.unreadable", f"{store}: no such database")
        self._reader = open_reader(store)

    def events(self, after: int, limit: int) -> list[Row]:
        """Return the next events of all streams."""
        with self._reader.explained():
            return list(self._reader.events(after, limit))

    def last_number(self) -> int:
        """Return the number of the last event."""
        with self._reader.explained():
            return self._reader.last_number()

    def table_events(self, table: str, after: int, upto: int, last_hash: bytes) -> list[bytes]:
        """Return the events of a table between two versions, proved by the hash of the last."""
        stream, events = table_stream(table), list[bytes]()
        with self._reader.explained():
            version, before = after, self._reader.hash_at(stream, after) or GENESIS
            for number, event, event_hash in self._reader.stream_events(stream, after, upto):
                follows = is_next(before, stream, number, event, event_hash)
                if number != version + 1 or not follows:
                    raise DamagedStream(stream, version)
                events.append(event)
                version, before = number, event_hash
        if (version, before) != (upto, last_hash):
            raise DamagedStream(stream, version)
        return events

    def staff_events(self, n: int) -> list[StaffEvent]:
        """Return the events of the staff before the event of a number; none if only hashes are."""
        if self._reader.is_archived(STAFF):
            return []
        with self._reader.explained():
            upto = self._reader.version_before(STAFF, n)
            rows = self._reader.stream_events(STAFF, 0, upto)
            return [decode_staff(event) for _, event, _ in rows]

    def is_archived(self, stream: str) -> bool:
        """Return whether only the hashes of a stream's events are there."""
        return self._reader.is_archived(stream)

    def has_event(self, n: int, event_hash: bytes) -> bool:
        """Return whether the event of a number has this hash."""
        with self._reader.explained():
            return self._reader.hash_of(n) == event_hash

    def has_table(self, table: str, version: int, event_hash: bytes) -> bool:
        """Return whether all of a table's events up to a version are those of this hash."""
        with self._reader.explained():
            return self._reader.hash_at(table_stream(table), version) == event_hash

    def close(self) -> None:
        """Close the store."""
        self._reader.close()
