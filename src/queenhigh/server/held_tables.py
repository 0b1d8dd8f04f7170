"""The tables that this process holds, while others hold the rest: taken over, and given up."""

from collections.abc import Callable

from queenhigh.errors import QueenhighError
from queenhigh.server.host import Host

__all__ = ["HeldTables"]

#: Errors of a database that does not answer right now, and of a table that has moved on.
_PASSING = frozenset({"store.failed", "store.closed", "lease.lost"})


class HeldTables:
    """The live tables of a host; ``on_resumed`` is called when one was taken over."""

    def __init__(self, host: Host, on_resumed: Callable[[], None]) -> None:
        self._host, self._on_resumed = host, on_resumed

    def take_over(self, name: str) -> bool:
        """Resume a table that this process holds from now on; return whether it is live.

        Players who have a decision to make get the whole time for it.
        """
        host = self._host
        host.room.forget(name)
        host.others.take(name)
        try:
            host.resume_table(name, is_said_closed=host.admin.is_closed(name))
            table = host.tables.get(name)
            if table is None:
                return False
            table.give_time()
            host.seat_bots_of(name, table)
        except Exception as error:  # a damaged table must not stop the others
            code = error.code if isinstance(error, QueenhighError) else ""
            if code in _PASSING or host.store.missing() is not None:
                self.give_up(name)  # the table is taken over again at the next try
                raise
            if code == "table.none":  # its name was claimed, and nothing was written
                return False
            host.isolate(name, error)
            return True
        host.damaged.pop(name, None)
        table.schedule_refresh()
        self._on_resumed()
        return True

    def give_up(self, name: str) -> None:
        """End a table here: another process holds it, and its players connect to that one."""
        table = self._host.tables.pop(name, None)
        self._host.room.forget(name)
        self._host.damaged.pop(name, None)
        if table is not None:
            table.end("moved", "this table has moved to another server: reconnect")

    def is_live(self, name: str) -> bool:
        """Return whether a table is live in this process, or known to be damaged."""
        return self._host.has(name)

    def idle_tables(self) -> list[str]:
        """Return the tables at which no round is under way and nobody watches."""
        tables = self._host.tables.items()
        return [name for name, table in tables if not table.watchers and table.state.round is None]

    def watching(self) -> dict[str, int]:
        """Return how many sockets watch each table, without those that nobody watches."""
        tables = self._host.tables.items()
        return {name: table.watching for name, table in tables if table.watching}

    def forget_room(self) -> None:
        """Forget what was read of wallets and of other processes' tables."""
        self._host.room.wallets.forget()
        self._host.room.forget_endings()
        self._host.others.forget()

    def commit(self) -> None:
        """Write everything that is queued."""
        self._host.commit()
