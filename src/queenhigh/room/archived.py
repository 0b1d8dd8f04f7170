"""Events that a log has by their hashes only, as a proof takes them.

Such an event counts for the head. It is proved where it must be one that follows from others, and
wallets are believed what they say of a table that is archived, once for each of its events.
"""

from collections import deque

from queenhigh.errors import BrokenLog
from queenhigh.room.desk import stream_of
from queenhigh.room.log import Row
from queenhigh.store.streams import GENESIS, chain
from queenhigh.table.wallet import BoughtIn, CashedOut

__all__ = ["ArchivedEvents"]


class ArchivedEvents:
    """The archived events of a log so far."""

    def __init__(self) -> None:
        self.count = 0
        self.streams: set[str] = set()
        #: The events of archived tables that a wallet has had the other side of.
        self._matched: set[tuple[str, int]] = set()

    def __contains__(self, stream: str) -> bool:
        return stream in self.streams

    def check_whole(self, row: Row) -> None:
        """Refuse a stream of which some events are archived and some are not."""
        if row.version > 1 and row.is_archived != (row.stream in self.streams):
            raise BrokenLog("some events of this stream are archived and some are not")

    def take(self, row: Row, before: bytes, expected: deque[tuple[str, bytes]]) -> None:
        """Take an archived event; if one is expected, it must be the one of this hash."""
        if len(row.hash) != len(GENESIS):
            raise BrokenLog("the hash of an archived event is 32 bytes")
        self.streams.add(row.stream)
        self.count += 1
        if not expected:
            return
        stream, wanted = expected.popleft()
        if row.stream != stream:
            raise BrokenLog(f"an event of {stream} should come here")
        if row.hash != chain(before, stream, row.version, wanted):
            raise BrokenLog("the hash is not that of the event that should come here")

    def match(self, event: BoughtIn | CashedOut, last: int) -> None:
        """Refuse a wallet's event unless an archived table may have the other side of it.

        ``last`` is the version of the table's last event so far.
        """
        side = (event.table, event.version)
        there = stream_of(event.table) in self.streams and 1 <= event.version <= last
        if not there or side in self._matched or event.cents < 0:
            raise BrokenLog("no table moves these chips")
        self._matched.add(side)
