"""How a player closes their table: not while that would save a bet which a spin is to decide.

A table that closes gives back what lies in prison. The floor may do that at any time; an owner
waits until nothing lies on the wheel, so that nobody is let off by a friend.
"""

from typing import TYPE_CHECKING

from queenhigh.room.room import now
from queenhigh.rulebook.book import RouletteRulebook
from queenhigh.server.ids import fresh_id
from queenhigh.table.commands import FLOOR, CloseTable

if TYPE_CHECKING:
    from queenhigh.server.live import LiveTable

__all__ = ["Closing"]

_REASON = "its owner closed it"


class Closing:
    """Whether the owner of a table has asked for its end; the office keeps it through a restart."""

    def __init__(self, table: "LiveTable", *, is_asked: bool) -> None:
        self._table, self._is_asked = table, is_asked

    async def ask(self) -> None:
        """Close the table, or take note that it closes when nothing lies on its wheel."""
        if self._is_free():
            await self._table.ask(_close())
        else:
            self._table.host.office.keep_closing(self._table.desk.table)
            self._is_asked = True
            self._table.wake_soon()

    def go_on(self) -> None:
        """Close the table if its owner has asked for it and nothing is in the way any more."""
        state = self._table.desk.state
        if self._is_asked and state.closing is None and state.phase != "closed" and self._is_free():
            self._table.do(_close())

    def notices(self) -> tuple[str, ...]:
        """Return what all at the table read until then."""
        return ("This table closes when all bets are settled.",) if self._is_asked else ()

    def _is_free(self) -> bool:
        state = self._table.desk.ahead
        if not isinstance(state.book, RouletteRulebook):
            return True
        return not state.prison and (state.round is None or not state.round.wagers)


def _close() -> CloseTable:
    return CloseTable(id=fresh_id("close"), by=FLOOR, at=now(), reason=_REASON)
