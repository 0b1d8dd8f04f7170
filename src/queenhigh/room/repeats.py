"""A command that comes again must be the same one: an id stands for one content."""

from collections.abc import Callable

from msgspec.structs import replace

from queenhigh.errors import IllegalRound, Refused
from queenhigh.games.roulette import find_text
from queenhigh.room.asked import command_of
from queenhigh.rulebook.book import RouletteRulebook, Rulebook
from queenhigh.table.commands import Bet, ChangeTable, Command, OpenTable, PlaceWagers
from queenhigh.table.events import TableEvent
from queenhigh.table.fairness import document_digest
from queenhigh.table.state import answer_key

__all__ = ["Followed", "is_same"]

#: So many commands are kept in memory; those before them are read from the log again.
_MOST = 4096


class Followed:
    """The commands that a table has followed, so that a repeated one can be compared.

    ``first_event`` reads the event of a version, or ``None`` if it is not there any more.
    """

    def __init__(self, first_event: Callable[[int], TableEvent | None]) -> None:
        self._first_event = first_event
        self._commands: dict[str, Command] = {}

    def add(self, key: str, command: Command) -> None:
        """Remember a command."""
        self._commands[key] = command
        if len(self._commands) > _MOST:
            del self._commands[next(iter(self._commands))]

    def forget(self, key: str) -> None:
        """Forget a command that was not written."""
        self._commands.pop(key, None)

    def check(self, command: Command, book: Rulebook, version: int | None = None) -> None:
        """Refuse a command whose id stands for another one.

        ``version`` is that of the first event the id came to, if it is in the log.
        """
        key = answer_key(command)
        followed = self._commands.get(key)
        if followed is None and version is not None:
            event = self._first_event(version)
            followed = command_of(event) if event is not None else None
            if followed is not None:
                self.add(key, followed)
        if followed is not None and not is_same(command, followed, book):
            told = "this id stands for another command of yours: make a new id"
            raise Refused("id.differs", told)


def is_same(command: Command, followed: Command, book: Rulebook) -> bool:
    """Return whether two commands of one sender and id ask for the same, whenever they came."""
    if isinstance(command, OpenTable):  # the room looks itself whether an open table will do
        return True
    return _content(command, book) == _content(followed, book)


def _content(command: Command, book: Rulebook) -> Command:
    """Return a command without its time, and as its event has it."""
    if isinstance(command, PlaceWagers) and isinstance(book, RouletteRulebook):
        wagers = tuple([_as_written(book, bet) for bet in command.wagers])
        return replace(command, at=0, wagers=wagers)
    if isinstance(command, ChangeTable):
        digest = document_digest(command.rulebook)
        return replace(command, at=0, rulebook={"digest": digest})
    return replace(command, at=0)


def _as_written(book: RouletteRulebook, bet: Bet) -> Bet:
    try:
        return replace(bet, spot=find_text(book, bet.spot))
    except IllegalRound:
        return bet
