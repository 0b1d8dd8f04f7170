"""Seats of people who are there and do nothing: they are warned, then asked to go."""

from collections.abc import Iterable

from queenhigh.table.commands import (
    AcceptBank,
    Choose,
    ClearWagers,
    Command,
    DeclineBank,
    PlaceWagers,
    Sit,
    StandAside,
    TopUp,
    WantBank,
)

__all__ = ["Idle"]

#: Who does nothing for so long leaves after the round, and is warned so long before: milliseconds.
_IDLE_MS = 20 * 60 * 1000
_WARNING_MS = 2 * 60 * 1000
#: What only a person does: seeds, say, are sent by pages that nobody looks at.
_DEEDS = (
    AcceptBank,
    Choose,
    ClearWagers,
    DeclineBank,
    PlaceWagers,
    Sit,
    StandAside,
    TopUp,
    WantBank,
)


class Idle:
    """When each player at a table last did something."""

    def __init__(self, at: int) -> None:
        self._since = at
        self._last: dict[str, int] = {}
        #: Who has been warned.
        self.warned: tuple[str, ...] = ()

    def hear(self, command: Command, at: int) -> bool:
        """Take note of a command; tell whether somebody who was warned is there after all."""
        if isinstance(command, _DEEDS):
            self._last[command.by] = at
            if command.by in self.warned:
                self.warned = tuple(name for name in self.warned if name != command.by)
                return True
        return False

    def look(self, people: Iterable[str], at: int) -> list[str]:
        """Warn who has done nothing for long; return who has to go."""
        idle = {player: at - self._last.get(player, self._since) for player in people}
        self._last = {player: time for player, time in self._last.items() if player in idle}
        gone = [player for player, time in idle.items() if time > _IDLE_MS]
        self.warned = tuple(
            player for player, time in idle.items() if _IDLE_MS >= time > _IDLE_MS - _WARNING_MS
        )
        return gone

    def notices(self) -> tuple[str, ...]:
        """Return the warnings, for all at the table to read."""
        minutes = _WARNING_MS // 60_000
        return tuple(
            f"{player}, are you there? Do something, or you leave the table in {minutes} minutes."
            for player in self.warned
        )
