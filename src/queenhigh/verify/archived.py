"""Archived events in a proof: the log has only their hashes.

Such an event counts for the head. Its content is proved where only one event can stand there. What
a wallet says about an archived table is accepted, once for each event of the table.
"""

from collections import deque

from queenhigh.errors import BrokenLog
from queenhigh.store.reader import Row
from queenhigh.store.streams import GENESIS, chain
from queenhigh.table.streams import table_stream
from queenhigh.table.wallet import BoughtIn, CashedOut, Corrected

__all__ = ["ArchivedEvents"]


class ArchivedEvents:
    """The archived events of a log so far."""

    def __init__(self) -> None:
        self.count = 0
        self.streams: set[str] = set()
        #: The events of archived tables whose other side was in a wallet.
        self._matched: set[tuple[str, int, str]] = set()

    def __contains__(self, stream: str) -> bool:
        return stream in self.streams

    def check_whole(self, row: Row) -> None:
        """Raise if some events of a stream are archived and some are not."""
        if row.version > 1 and row.is_archived != (row.stream in self.streams):
            raise BrokenLog("some events of this stream are archived and some are not")

    def take(self, row: Row, before: bytes, expected: deque[tuple[str, bytes]]) -> None:
        """Take an archived event; if an event is expected, this must be the hash of it."""
        if len(row.hash) != len(GENESIS):
            raise BrokenLog("the hash of an archived event must be 32 bytes")
        self.streams.add(row.stream)
        self.count += 1
        if not expected:
            return
        stream, wanted = expected.popleft()
        if row.stream != stream:
            raise BrokenLog(f"an event of {stream} should come here")
        if row.hash != chain(before, stream, row.version, wanted):
            raise BrokenLog("the hash is not that of the event that should come here")

    def match(self, event: BoughtIn | CashedOut | Corrected, wallet: str, last: int) -> None:
        """Raise unless an archived table may have the other side of a wallet's event.

        ``last`` is the version of the table's last event so far. A correction moves chips of
        several wallets, an event of one place of one only.
        """
        of_one = "" if not isinstance(event, Corrected) else wallet
        side = (event.table, event.version, of_one)
        exists = table_stream(event.table) in self.streams and 1 <= event.version <= last
        is_below_zero = event.cents < 0 and not isinstance(event, Corrected)
        if not exists or side in self._matched or is_below_zero:
            raise BrokenLog("no table moves these chips")
        self._matched.add(side)
