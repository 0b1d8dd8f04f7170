"""A command at work: the events it has led to so far, and the table after them."""

from typing import Any, NoReturn

from queenhigh.errors import Refused
from queenhigh.table.commands import Command
from queenhigh.table.events import TableEvent
from queenhigh.table.evolve import evolve
from queenhigh.table.state import Live, Phase, Place, State, round_of

__all__ = ["Draft", "refuse"]


def refuse(code: str, sentence: str) -> NoReturn:
    """Refuse a command."""
    raise Refused(code, sentence)


class Draft:
    """What a command does to a table, event by event."""

    def __init__(
        self, state: State, command: Command, chance: bytes | None, key: bytes = b""
    ) -> None:
        self.state = state
        self.command = command
        #: Time does not run backwards, whatever the clock says.
        self.at = max(command.at, state.at)
        #: The room's seed; ``None`` to who proves a log and has not come to it yet.
        self.chance = chance
        #: The key of the round as a log has it, where the seed is not shown yet.
        self.key = key
        self.events: list[TableEvent] = []

    def emit(self, kind: type[Any], **fields: Any) -> None:
        """Let an event happen."""
        command = self.command
        event: TableEvent = kind(at=self.at, by=command.by, id=command.id, **fields)
        self.events.append(event)
        self.state = evolve(self.state, event)

    @property
    def live(self) -> Live:
        """The round under way."""
        return round_of(self.state)

    @property
    def is_in_time(self) -> bool:
        """Tell whether the deadline, if there is one, has not passed."""
        return self.state.deadline is None or self.at <= self.state.deadline

    def own_place(self) -> tuple[int, Place]:
        """Return where the sender sits; refuse who does not."""
        place = self.state.place_of(self.command.by)
        if place is None:
            refuse("seat.none", "you do not sit at this table: take a place first")
        return place, self.state.places[place]

    def in_time(self, phase: Phase, round: int) -> None:
        """Refuse a command that is not for this phase of this round, or comes after its time."""
        state = self.state
        number = state.number + 1 if phase == "offering" else state.number
        if state.phase != phase or round != number:
            refuse(f"{phase}.closed", _CLOSED[phase].format(round))
        if not self.is_in_time:
            refuse("time.over", f"time is up in round {round}")


_CLOSED = {
    "offering": "the bank of round {} is not on offer",
    "betting": "bets are not open in round {}",
    "revealing": "round {} waits for no seed",
    "deciding": "round {} waits for no move",
}
