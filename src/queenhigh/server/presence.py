"""Presence: players who are gone are marked as away, and a player who is alone has no clock.

A player is away after some seconds without a connection, or after one missed clock. The events are
the floor's, since neither a closed tab nor a sleeping player can send one.
"""

from collections.abc import Iterable

from queenhigh.server.attendance import Attendance
from queenhigh.server.idle_players import IdlePlayers
from queenhigh.server.ids import fresh_id
from queenhigh.server.ports import TableControl, TablePorts
from queenhigh.table.commands import (
    FLOOR,
    AcceptBank,
    BringBack,
    Choose,
    ClearWagers,
    Command,
    DeclineBank,
    MarkAway,
    PlaceWagers,
    SitOut,
    StopClock,
    TopUp,
    WantBank,
)
from queenhigh.table.lone_player import can_stop_clock, whole_time
from queenhigh.table.state import Place
from queenhigh.table.waiting import late

__all__ = ["Presence"]

#: Whether players are marked as away at all.
MARKS_AWAY = True
#: Whether the clock of a person stops who plays with bots only.
STOPS_CLOCK = True
#: Commands by which a player who was away is back; the page sends seeds without the player.
_DEEDS = frozenset(
    {AcceptBank, Choose, ClearWagers, DeclineBank, PlaceWagers, TopUp, WantBank},
)


class Presence:
    """Who at a table is away."""

    def __init__(
        self, table: TableControl, ports: TablePorts, attendance: Attendance, idle: IdlePlayers
    ) -> None:
        self._table, self._ports, self._attendance, self._idle = table, ports, attendance, idle
        #: The places of a table when somebody last acted, and the players who were away then.
        self._places: dict[int, Place] | None = None
        self._away: dict[str, int] = {}

    def late(self, time_ms: int) -> list[int]:
        """Return the places that miss the clock which is over at a time.

        A player who sat down or did anything while others bet is not gone.
        """
        state, elapsed = self._table.durable.pending, self._ports.clock.elapsed()
        places = late(state, time_ms) if MARKS_AWAY else []
        if state.phase != "betting":
            return places
        duration, idle = whole_time(state), self._idle
        players = {place: state.places[place].player for place in places}
        return [
            place for place in places if not idle.acted_within(players[place], duration, elapsed)
        ]

    def mark_absent(self) -> None:
        """Mark players who have had no connection for too long."""
        state = self._table.durable.pending
        if not MARKS_AWAY or state.phase == "closed":
            return
        here = {watcher.player for watcher in self._table.watchers}
        time_ms = self._ports.clock.elapsed()
        self.mark_away(
            place
            for place, seat in sorted(state.places.items())
            if not (seat.bot or seat.away or seat.leaving or seat.player in here)
            and self._attendance.is_absent(seat.player, time_ms)
        )

    def mark_away(self, places: Iterable[int]) -> None:
        """Mark the players at some places as away."""
        for place in places:
            time_ms = self._ports.clock.now()
            command = MarkAway(id=fresh_id("away"), by=FLOOR, at=time_ms, place=place)
            self._table.submit(command)

    def bring_back(self, player: str) -> None:
        """Bring back a player who is away and has connected, or acts."""
        place = self._away_players().get(player)
        if place is not None:
            self._attendance.come_back(player)
            time_ms = self._ports.clock.now()
            self._table.submit(BringBack(id=fresh_id("back"), by=FLOOR, at=time_ms, place=place))

    def _away_players(self) -> dict[str, int]:
        """Return the players who are away, and their places; found again when places change."""
        places = self._table.durable.pending.places
        if places is not self._places:
            self._places = places
            self._away = {seat.player: place for place, seat in places.items() if seat.away}
        return self._away

    def stop_clock(self) -> None:
        """Stop the clock if one person plays here with bots only."""
        if STOPS_CLOCK and can_stop_clock(self._table.durable.pending):
            time_ms = self._ports.clock.now()
            self._table.submit(StopClock(id=fresh_id("clock"), by=FLOOR, at=time_ms))

    def note_command(self, command: Command) -> None:
        """Bring back a player who acts."""
        if type(command) in _DEEDS:
            self.bring_back(command.by)
        elif isinstance(command, SitOut):  # which itself brings a player back
            self._attendance.come_back(command.by)
