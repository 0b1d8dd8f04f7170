"""The open sockets of all live tables, by player, by session and by network."""

from collections.abc import Iterator, Mapping, Set
from typing import Protocol

from queenhigh.server.ports import Watcher

__all__ = ["OpenSockets"]


class Watched(Protocol):
    """A table with its sockets."""

    @property
    def watchers(self) -> Set[Watcher]:
        """Everyone who watches it, once for each socket."""


class OpenSockets:
    """The sockets at some tables, which come and go."""

    def __init__(self, tables: Mapping[str, Watched]) -> None:
        self._tables = tables

    def watchers(self) -> Iterator[Watcher]:
        """Yield everyone who watches a table, once for each socket."""
        for table in self._tables.values():
            yield from table.watchers

    def count(self) -> int:
        """Return how many sockets are open."""
        return sum(len(table.watchers) for table in self._tables.values())

    def of(self, player: str) -> int:
        """Return how many sockets a player has open."""
        return sum(watcher.player == player for watcher in self.watchers())

    def from_network(self, address: str) -> int:
        """Return how many sockets a network has open."""
        return sum(watcher.address == address for watcher in self.watchers())

    def anonymous_from(self, address: str) -> int:
        """Return how many sockets without a session an address has open."""
        return sum(
            watcher.player is None and watcher.address == address for watcher in self.watchers()
        )

    def end_session(self, session: bytes) -> None:
        """Close the sockets of a session."""
        for watcher in tuple(self.watchers()):
            if watcher.session == session:
                watcher.end("logout", "this session has ended: log in again")

    def end_other_sessions(self, session: bytes, player: str) -> None:
        """Close the sockets of all sessions of a player but one."""
        for watcher in tuple(self.watchers()):
            if watcher.player == player and watcher.session != session:
                watcher.end("logout", "this session has ended: log in again")
