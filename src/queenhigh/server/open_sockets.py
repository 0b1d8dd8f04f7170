"""The open sockets of all live tables, by player, by session and by network."""

from collections.abc import Callable, Iterator, Mapping, Set
from typing import Protocol

from queenhigh.server.ports import Watcher

__all__ = ["OpenSockets"]

_SESSION_ENDED = "this session has ended: log in again"


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
        self._end(lambda watcher: watcher.session == session, _SESSION_ENDED)

    def end_other_sessions(self, session: bytes, player: str) -> None:
        """Close the sockets of all sessions of a player but one."""
        self._end(lambda w: w.player == player and w.session != session, _SESSION_ENDED)

    def end_player(self, player: str, message: str) -> None:
        """Close all sockets of a player."""
        self._end(lambda watcher: watcher.player == player, message)

    def _end(self, is_meant: Callable[[Watcher], bool], message: str) -> None:
        for watcher in tuple(filter(is_meant, self.watchers())):
            watcher.end("logout", message)
