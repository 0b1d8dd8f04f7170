"""A command being decided: its events so far, and the table after them."""

from typing import Any, NoReturn

from queenhigh.errors import Refused
from queenhigh.games import GAMES
from queenhigh.rulebook.book import Games
from queenhigh.table.commands import Command
from queenhigh.table.events import TableEvent
from queenhigh.table.evolve import evolve
from queenhigh.table.state import ActiveRound, Phase, Place, State, round_of

__all__ = ["Draft", "refuse"]


def refuse(code: str, sentence: str) -> NoReturn:
    """Refuse a command."""
    raise Refused(code, sentence)


class Draft:
    """The effect of a command on a table, event by event."""

    def __init__(
        self,
        state: State,
        command: Command,
        chance: bytes | None,
        key: bytes = b"",
        games: Games = GAMES,
    ) -> None:
        self.state = state
        self.command = command
        #: The time of the command; never before the table's last event.
        self.at = max(command.at, state.at)
        #: The room's seed; ``None`` when a log is proved that has not shown it yet.
        self.chance = chance
        #: The key of the round from a log, when the seed is not shown yet.
        self.key = key
        #: The games that a rulebook may belong to.
        self.games = games
        self.events: list[TableEvent] = []

    def emit(self, kind: type[Any], /, **fields: Any) -> None:
        """Add an event and apply it to the table."""
        command = self.command
        event: TableEvent = kind(at=self.at, by=command.by, id=command.id, **fields)
        self.events.append(event)
        self.state = evolve(self.state, event)

    @property
    def live(self) -> ActiveRound:
        """The round under way."""
        return self.state.round or round_of(self.state)

    @property
    def is_in_time(self) -> bool:
        """Return whether the deadline, if there is one, has not passed."""
        return self.state.deadline is None or self.at <= self.state.deadline

    def own_place(self) -> tuple[int, Place]:
        """Return the place of the sender; refuse a sender without one."""
        place = self.state.place_of(self.command.by)
        if place is None:
            refuse("seat.none", "you are not seated at this table: take a seat first")
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
    "offering": "the bank of round {} is not being offered",
    "betting": "bets are not open in round {}",
    "revealing": "round {} is not waiting for seeds",
    "deciding": "round {} is not waiting for moves",
}
