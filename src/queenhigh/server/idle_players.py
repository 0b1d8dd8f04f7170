"""Idle players, who are connected and do nothing: they are warned, then removed."""

from collections.abc import Iterable

from queenhigh.table.commands import (
    AcceptBank,
    Choose,
    ClearWagers,
    Command,
    DeclineBank,
    PlaceWagers,
    Sit,
    SitOut,
    TopUp,
    WantBank,
)

__all__ = ["IdlePlayers"]

#: How long a player may do nothing, and how long before that they are warned: milliseconds.
_IDLE_MS = 20 * 60 * 1000
_WARNING_MS = 2 * 60 * 1000
#: Commands that only people send; seeds, for example, are sent by the page.
_DEEDS = frozenset(
    {AcceptBank, Choose, ClearWagers, DeclineBank, PlaceWagers, Sit, SitOut, TopUp, WantBank},
)


class IdlePlayers:
    """When each player at a table last did something."""

    def __init__(self, time_ms: int) -> None:
        self._since = time_ms
        self._last: dict[str, int] = {}
        #: The players who have been warned.
        self.warned: tuple[str, ...] = ()

    def note_command(self, command: Command, time_ms: int) -> bool:
        """Record a command; return whether it takes a player's warning back."""
        if type(command) in _DEEDS:
            self._last[command.by] = time_ms
            if command.by in self.warned:
                self.warned = tuple(name for name in self.warned if name != command.by)
                return True
        return False

    def acted_within(self, player: str, duration_ms: int, time_ms: int) -> bool:
        """Return whether a player did something not longer than this ago."""
        return player in self._last and time_ms - self._last[player] < duration_ms

    def update(self, people: Iterable[str], time_ms: int) -> list[str]:
        """Warn players who have done nothing for long; return those who have to leave."""
        idle = {player: time_ms - self._last.get(player, self._since) for player in people}
        self._last = {player: time for player, time in self._last.items() if player in idle}
        gone = [player for player, time in idle.items() if time > _IDLE_MS]
        self.warned = tuple(
            player for player, time in idle.items() if _IDLE_MS >= time > _IDLE_MS - _WARNING_MS
        )
        return gone

    def notices(self) -> tuple[str, ...]:
        """Return the warnings, which everyone at the table sees."""
        if not self.warned:
            return ()
        minutes = _WARNING_MS // 60_000
        return tuple(
            f"{player}, are you there? If you don't act, you leave the table in {minutes} minutes."
            for player in self.warned
        )
