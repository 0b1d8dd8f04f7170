"""Rows that other processes change: sessions, accounts, notices, and tables that the floor ended.

A process looks at them regularly. So a player who logs out at one process is gone from the tables
of all within a second or two, and a frozen account is frozen everywhere.
"""

from time import monotonic

from queenhigh.server.frozen_players import note_frozen
from queenhigh.server.services import Services
from queenhigh.table.registry import FLOOR_LOG

__all__ = ["SharedRows"]

#: Seconds between two looks.
_BETWEEN = 1.0


class SharedRows:
    """What this process does when rows have changed."""

    def __init__(self, services: Services) -> None:
        self._services, self._host = services, services.host
        self._next = 0.0
        self._floor_version = services.store.version(FLOOR_LOG)

    def look(self) -> None:
        """Look at the rows, unless that was a moment ago."""
        self._check_frozen()
        if monotonic() < self._next:
            return
        self._next = monotonic() + _BETWEEN
        self._check_sessions()
        self._check_logged_out()
        self._check_owners()
        self._services.staff.changes.require_two(self._services.now())
        self._host.notices.reload_if_changed()

    def _check_sessions(self) -> None:
        """End the sockets of sessions that ended or have another name."""
        watchers = [watcher for watcher in self._host.sockets.watchers() if watcher.player]
        hashes = {watcher.session for watcher in watchers}
        players = self._services.accounts.players_of(hashes, self._services.now())
        for watcher in watchers:
            player = players.get(watcher.session)
            if player is None:
                watcher.end("logout", "this session has ended: log in again")
            elif player.name != watcher.player:
                watcher.end("logout", "your name has changed: connect again")

    def _check_logged_out(self) -> None:
        """Make players leave who have no connection here and no session any more."""
        seated: set[str] = set()
        for table in self._host.tables.values():
            seated |= {*table.people()} - {watcher.player or "" for watcher in table.watchers}
        for name in self._services.accounts.logged_out_among(seated, self._services.now()):
            self._host.log_out(name, b"")

    def _check_owners(self) -> None:
        """Note the new name of an owner who has changed it."""
        tables = [table for table in self._host.tables.values() if table.owner is not None]
        known = self._services.accounts.names_among({table.owner or "" for table in tables})
        for table in tables:
            if table.owner not in known:
                table.owner = self._services.admin.opened(table.name).owner
                table.schedule_refresh()

    def _check_frozen(self) -> None:
        """Note who is frozen, and which tables were ended, once the floor has done anything."""
        version = self._services.store.version(FLOOR_LOG)
        if version != self._floor_version:
            self._host.room.forget_endings()
            note_frozen(self._host.tables.values(), self._services.accounts.frozen_among)
            self._floor_version = version
