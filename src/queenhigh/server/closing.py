"""How owners close their tables: not while a bet or a correction waits to be decided.

A table that closes returns bets that are in prison. The floor may close a table at any time; an
owner has to wait until no bet lies on the wheel, so that nobody is saved by a friend. No correction
can be made at a closed table.
"""

from queenhigh.server.ids import fresh_id
from queenhigh.server.ports import TableControl, TablePorts
from queenhigh.table.commands import FLOOR, CloseTable

__all__ = ["Closing"]

_REASON = "its owner closed it"


class Closing:
    """Whether the owner of a table has asked for it to be closed; a restart does not lose it."""

    def __init__(self, table: TableControl, ports: TablePorts, *, is_requested: bool) -> None:
        self._table, self._ports, self._is_requested = table, ports, is_requested

    async def request(self) -> None:
        """Close the table now, or as soon as nothing waits to be decided."""
        if self._is_free():
            await self._table.submit_and_wait(self._close())
        else:
            self._ports.rows.keep_closing(self._table.durable.table)
            self._is_requested = True
            self._table.schedule_refresh()

    def close_if_due(self) -> None:
        """Close the table if its owner has asked for it and nothing is in the way any more."""
        state = self._table.durable.committed
        is_open = state.closing is None and state.phase != "closed"
        if self._is_requested and is_open and self._is_free():
            self._table.submit(self._close())

    def notices(self) -> tuple[str, ...]:
        """Return the notice that is shown until the table closes."""
        if not self._is_requested:
            return ()
        if self._table.durable.committed.corrections.asked:
            return ("This table closes when the floor has decided on a correction of its rounds.",)
        return ("This table closes when all bets are settled.",)

    def _is_free(self) -> bool:
        state = self._table.durable.pending
        if state.corrections.asked:
            return False
        if not state.book.holds_bets:
            return True
        return not state.prison and (state.round is None or not state.round.wagers)

    def _close(self) -> CloseTable:
        time_ms = self._ports.clock.now()
        return CloseTable(id=fresh_id("close"), by=FLOOR, at=time_ms, reason=_REASON)
