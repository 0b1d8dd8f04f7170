"""Attendance: players who have been away from a table for long, and tables that are deserted."""

from collections.abc import Collection, Iterable

__all__ = ["Attendance"]

#: Players without a socket at a table for this long leave it after the round: milliseconds.
_AWAY_MS = 10 * 60 * 1000
#: A player's own table is closed when nobody was there for this long.
_EMPTY_MS = 30 * 60 * 1000
#: The same in a room that is nearly full.
_EMPTY_IN_A_CROWD_MS = 3 * 60 * 1000


class Attendance:
    """When players were last at a table, and since when nobody has been there."""

    def __init__(self, time_ms: int) -> None:
        self._since = self.deserted_since = time_ms
        self._last_here: dict[str, int] = {}

    def depart(self, player: str, time_ms: int) -> None:
        """Record that a player's socket is closed."""
        self._last_here[player] = time_ms

    def away(self, people: Collection[str], here: Iterable[str | None], time_ms: int) -> list[str]:
        """Return players who sit at the table and were away for too long; forget all others."""
        self._last_here = {
            player: last for player, last in self._last_here.items() if player in people
        }
        gone = set(people).difference(here)
        return [
            player
            for player in people
            if player in gone and time_ms - self._last_here.get(player, self._since) > _AWAY_MS
        ]

    def minutes_deserted(
        self, people: Collection[str], here: Iterable[str | None], time_ms: int, *, crowded: bool
    ) -> int | None:
        """Return for how many minutes nobody was there, if that is long enough to close a table.

        Spectators without a name do not count, since they could stay for ever. If the room is
        nearly full, only players who sit count.
        """
        named = any(player is not None for player in here) and not crowded
        if people or named:
            self.deserted_since = time_ms
            return None
        least = _EMPTY_IN_A_CROWD_MS if crowded else _EMPTY_MS
        return least // 60_000 if time_ms - self.deserted_since > least else None
