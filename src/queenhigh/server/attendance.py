"""Attendance: since when players have been gone from a table, and tables that are deserted."""

from collections.abc import Collection, Iterable, Mapping

__all__ = ["Attendance"]

#: Players without a socket at a table for this long are away: milliseconds.
_ABSENT_MS = 10 * 1000
#: Players who are away for this long leave the table after the round.
_HELD_MS = 10 * 60 * 1000
#: A player's own table is closed when nobody was there for this long.
_EMPTY_MS = 30 * 60 * 1000
#: The same in a room that is nearly full.
_EMPTY_IN_A_CROWD_MS = 3 * 60 * 1000


class Attendance:
    """When players were last at a table, and since when nobody has been there."""

    def __init__(self, time_ms: int) -> None:
        self._since = self.deserted_since = time_ms
        self._last_here: dict[str, int] = {}
        #: Since when players are away, although they may have a socket.
        self._away_since: dict[str, int] = {}

    def depart(self, player: str, time_ms: int) -> None:
        """Record that a player's socket is closed."""
        self._last_here[player] = time_ms

    def come_back(self, player: str) -> None:
        """Record that a player who was away is back: the next time counts from its beginning."""
        self._away_since.pop(player, None)

    def is_absent(self, player: str, time_ms: int) -> bool:
        """Return whether a player without a socket has had none for so long that they are away."""
        return time_ms - self._last_here.get(player, self._since) >= _ABSENT_MS

    def gone(
        self, people: Mapping[str, bool], here: Iterable[str | None], time_ms: int
    ) -> list[str]:
        """Return the players whose places are held no longer; forget players who do not sit here.

        ``people`` are the players at the table, and whether each is away.
        """
        self._last_here = {
            player: last for player, last in self._last_here.items() if player in people
        }
        self._away_since = {
            player: self._away_since.get(player, time_ms)
            for player, is_away in people.items()
            if is_away
        }
        since = self._away_since | {
            player: self._last_here.get(player, self._since)
            for player in set(people).difference(here)
        }
        return [player for player in people if time_ms - since.get(player, time_ms) > _HELD_MS]

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
