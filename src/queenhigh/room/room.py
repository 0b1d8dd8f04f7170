"""Tables and wallets on one store."""

import secrets
from functools import cached_property

from queenhigh.errors import QueenhighError
from queenhigh.room import clock
from queenhigh.room.dealing import Chance, Dealing
from queenhigh.room.desk import Also, Desk, stream_of
from queenhigh.room.registry import Endings, read_endings
from queenhigh.room.wallets import Wallets
from queenhigh.rulebook.book import PokerRulebook, Rulebook
from queenhigh.store.streams import Store
from queenhigh.table.commands import FLOOR, OpenTable, Pace, Settings
from queenhigh.table.events import TableClosed, decode
from queenhigh.table.fairness import document_digest

__all__ = ["Room", "now", "settings_for"]

_WHEEL_PLACES = 8


def now() -> int:
    """Return the time in milliseconds since 1970, by the room's clock."""
    return clock.ROOM.now()


def settings_for(book: Rulebook, *, pace: Pace | None = None, bots: bool = True) -> Settings:
    """Return the settings a table of a rulebook has unless told otherwise."""
    places, least_bank = _WHEEL_PLACES, 1
    if isinstance(book, PokerRulebook):
        places = book.seats + 1 if book.bank else book.seats
        least_bank = book.limits["ante"].min
    return Settings(places, pace or Pace(), least_bank=least_bank, bots=bots)


class Room:
    """All tables and wallets of a store. Use it from one thread."""

    def __init__(
        self,
        store: Store,
        chance: Chance = secrets.token_bytes,
        dealing_key: bytes | None = None,
    ) -> None:
        self.store = store
        self.dealing = Dealing(store, chance, dealing_key)
        self.wallets = Wallets(store)
        self._desks: dict[str, Desk] = {}

    @cached_property
    def endings(self) -> Endings:
        """Which tables the floor has ended, by its signed stream."""
        return read_endings(self.store)

    def is_over(self, name: str) -> bool:
        """Tell whether a table is closed: its last event says so, or the floor ended it.

        A table that was abandoned is not over while there are players who have to be paid.
        """
        if name in self.endings.unpaid:
            return self.endings.is_proved and not self.endings.unpaid[name]
        last = self.store.last(stream_of(name))
        if last is None:
            return False
        if last.event:
            return isinstance(decode(last.event), TableClosed)
        return self.endings.is_proved and self.endings.has_archived(name, last.version, last.hash)

    def table(self, name: str) -> Desk:
        """Return a table by its name."""
        self._check_abandoned(name)
        if name not in self._desks:
            desk = Desk(self.store, self.wallets, name, self.dealing)
            if not desk.is_open:
                raise QueenhighError("table.none", f"there is no table {name[:40]!r} here")
            self._desks[name] = desk
        return self._desks[name]

    def abandoned(self, name: str) -> QueenhighError | None:
        """Return why a table is refused that the floor has given up: its chips were returned."""
        unpaid = self.endings.unpaid.get(name)
        if unpaid is None:
            return None
        told = f"table {name} was abandoned and stays closed"
        if unpaid:
            told += f"; not yet paid, since their wallets are damaged: {', '.join(unpaid)[:200]}"
        return QueenhighError("table.abandoned", told)

    def _check_abandoned(self, name: str) -> None:
        abandoned = self.abandoned(name)
        if abandoned is not None:
            raise abandoned

    def forget(self, name: str) -> None:
        """Keep a table in the store only."""
        self._desks.pop(name, None)
        self.dealing.forget(name)

    def tables(self) -> list[str]:
        """Return the names of all tables."""
        prefix = stream_of("")
        names = self.store.streams()
        return [name.removeprefix(prefix) for name in names if name.startswith(prefix)]

    def open_table(
        self, name: str, book: Rulebook, settings: Settings, also: Also = lambda belief: None
    ) -> Desk:
        """Open a table, or return the one of this name and rulebook that is open already.

        ``also`` may queue what has to be written in the same transaction as a table that is new.
        """
        if not name.isprintable():
            raise QueenhighError("name.length", "a table's name is a line of text: choose another")
        self._check_abandoned(name)
        desk = self._desks.get(name) or Desk(self.store, self.wallets, name, self.dealing)
        if not desk.is_open:
            document = dict(book.document)
            desk.execute(
                OpenTable(
                    id="open", by=FLOOR, at=now(), table=name, rulebook=document, settings=settings
                ),
                also,
            )
            desk.prepare(desk.state.at)
        if desk.state.digest != document_digest(book.document):
            told = f"table {name} plays other rules: name another table"
            raise QueenhighError("table.rules", told)
        self._desks[name] = desk
        return desk
