"""Tables and wallets on one store."""

import secrets
from functools import cached_property

from queenhigh.errors import QueenhighError
from queenhigh.games import GAMES
from queenhigh.room import clock
from queenhigh.room.dealing import Chance, Dealing
from queenhigh.room.durable_table import Also, DurableTable, Guard
from queenhigh.room.endings import read_endings
from queenhigh.room.wallets import Wallets
from queenhigh.rulebook.book import Games, Rulebook
from queenhigh.store.streams import Store
from queenhigh.table.commands import FLOOR, OpenTable, Pace, Settings
from queenhigh.table.events import TableClosed, decode
from queenhigh.table.registry import Endings
from queenhigh.table.streams import table_stream

__all__ = ["Room", "now", "settings_for"]


def now() -> int:
    """Return the time in milliseconds since 1970, by the room's clock."""
    return clock.ROOM.now()


def settings_for(book: Rulebook, *, pace: Pace | None = None, bots: bool = True) -> Settings:
    """Return the settings a table of a rulebook has unless told otherwise."""
    places, least_bank = book.game.places(book).usual, book.game.least_bank(book)
    return Settings(places, pace or Pace(), least_bank=least_bank, bots=bots)


class Room:
    """All tables and wallets of a store. Use it from one thread."""

    def __init__(
        self,
        store: Store,
        chance: Chance = secrets.token_bytes,
        dealing_key: bytes | None = None,
        games: Games = GAMES,
    ) -> None:
        self.store, self._games = store, games
        self.dealing = Dealing(store, chance, dealing_key)
        self.wallets = Wallets(store)
        self._tables: dict[str, DurableTable] = {}
        #: What has to hold when a command is written; it may be set before tables are read.
        self.guard: Guard = lambda command: ()

    @cached_property
    def endings(self) -> Endings:
        """The tables that the floor has ended, from its signed stream."""
        return read_endings(self.store)

    def forget_endings(self) -> None:
        """Read the tables that the floor has ended again, when they are next needed."""
        self.__dict__.pop("endings", None)

    def is_over(self, name: str) -> bool:
        """Return whether a table is closed: its last event says so, or the floor ended it.

        An abandoned table is not over while there are players who have to be paid.
        """
        if name in self.endings.unpaid:
            return self.endings.is_proved and not self.endings.unpaid[name]
        last = self.store.last(table_stream(name))
        if last is None:
            return False
        if last.event:
            return isinstance(decode(last.event), TableClosed)
        return self.endings.is_proved and self.endings.has_archived(name, last.version, last.hash)

    def table(self, name: str) -> DurableTable:
        """Return a table by its name."""
        self._check_abandoned(name)
        if name not in self._tables:
            durable = self._read(name)
            if not durable.is_open:
                raise QueenhighError("table.none", f"there is no table {name[:40]!r}")
            self._tables[name] = durable
        return self._tables[name]

    def _read(self, name: str) -> DurableTable:
        return DurableTable(self.store, self.wallets, name, self.dealing, self._games, self.guard)

    def abandoned(self, name: str) -> QueenhighError | None:
        """Return the error for a table that the floor abandoned, or ``None``."""
        unpaid = self.endings.unpaid.get(name)
        if unpaid is None:
            return None
        message = f"table {name} was abandoned and cannot be opened again"
        if unpaid:
            message += f"; not paid yet (damaged wallets): {', '.join(unpaid)[:200]}"
        return QueenhighError("table.abandoned", message)

    def _check_abandoned(self, name: str) -> None:
        abandoned = self.abandoned(name)
        if abandoned is not None:
            raise abandoned

    def forget(self, name: str) -> None:
        """Forget a table in memory; the store keeps it."""
        self._tables.pop(name, None)
        self.dealing.forget(name)

    def tables(self) -> list[str]:
        """Return the names of all tables."""
        prefix = table_stream("")
        names = self.store.streams()
        return [name.removeprefix(prefix) for name in names if name.startswith(prefix)]

    def open_table(
        self, name: str, book: Rulebook, settings: Settings, also: Also = lambda lineage: None
    ) -> DurableTable:
        """Open a table, or return the one of this name and of these rules that is open already.

        Its rules may be worded as in an older edition. ``also`` may queue other appends for the
        transaction that opens a new table.
        """
        if not name.isprintable():
            raise QueenhighError("name.length", "a table name must be one line: choose another")
        self._check_abandoned(name)
        durable = self._tables.get(name) or self._read(name)
        if not durable.is_open:
            document = dict(book.document)
            durable.execute(
                OpenTable(
                    id="open", by=FLOOR, at=now(), table=name, rulebook=document, settings=settings
                ),
                also,
            )
            durable.prepare(durable.committed.at)
        if durable.committed.book.rules_digest != book.rules_digest:
            message = f"table {name} has other rules: choose another name"
            raise QueenhighError("table.rules", message)
        self._tables[name] = durable
        return durable
