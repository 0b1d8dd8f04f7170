"""Who is at a table and who was: players who are away for long, and tables that are deserted."""

from collections.abc import Collection, Iterable

__all__ = ["Attendance"]

#: Who has no socket at a table for so long leaves it after the round, in milliseconds.
_AWAY_MS = 10 * 60 * 1000
#: A player's own table without a person for so long is closed.
_EMPTY_MS = 30 * 60 * 1000
#: In a room that is nearly full, for so long.
_EMPTY_IN_A_CROWD_MS = 3 * 60 * 1000


class Attendance:
    """When players were last at a table, and since when nobody is there."""

    def __init__(self, at: int) -> None:
        self._since = self.deserted_since = at
        self._last_here: dict[str, int] = {}

    def depart(self, player: str, at: int) -> None:
        """Take note that a player's socket is closed."""
        self._last_here[player] = at

    def away(self, people: Collection[str], here: Iterable[str | None], at: int) -> list[str]:
        """Return who sits at the table and has been away for too long; forget all others."""
        self._last_here = {one: last for one, last in self._last_here.items() if one in people}
        gone = set(people).difference(here)
        return [
            player
            for player in people
            if player in gone and at - self._last_here.get(player, self._since) > _AWAY_MS
        ]

    def minutes_deserted(
        self, people: Collection[str], here: Iterable[str | None], at: int, *, crowded: bool
    ) -> int | None:
        """Return for how many minutes nobody was there, if that is long enough to close a table.

        Spectators without a name do not count: they may be anybody's, and stay for ever. Where
        the room is nearly full only players who sit do.
        """
        named = any(player is not None for player in here) and not crowded
        if people or named:
            self.deserted_since = at
            return None
        least = _EMPTY_IN_A_CROWD_MS if crowded else _EMPTY_MS
        return least // 60_000 if at - self.deserted_since > least else None
