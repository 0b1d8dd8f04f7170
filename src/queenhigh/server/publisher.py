"""Publishing: tables that changed are shown, then sockets send what they have queued.

Only what is on disk is published: the commit loop calls ``publish`` after a commit.
"""

from typing import Protocol

__all__ = ["Publisher", "Refreshable", "Sender"]


class Refreshable(Protocol):
    """A table that can be shown."""

    def refresh(self) -> None:
        """Show the table as it is on disk, if it has changed."""

    def fail(self, error: Exception) -> None:
        """Recover from an error in ``refresh``."""


class Sender(Protocol):
    """A socket with queued messages."""

    def write(self) -> None:
        """Send the queued messages."""


class Publisher:
    """The tables to refresh and the sockets to write to, each once."""

    def __init__(self) -> None:
        self._tables: dict[Refreshable, None] = {}
        self._senders: dict[Sender, None] = {}

    @property
    def has_tables(self) -> bool:
        """Whether a table waits to be refreshed."""
        return bool(self._tables)

    def add_table(self, table: Refreshable) -> None:
        """Refresh a table when ``publish`` is called next."""
        self._tables[table] = None

    def add_sender(self, sender: Sender) -> None:
        """Write to a socket when ``publish`` is called next."""
        self._senders[sender] = None

    def publish(self) -> None:
        """Refresh the tables, which queues views at their sockets, then write to all sockets."""
        tables, self._tables = self._tables, {}
        for table in tables:
            try:
                table.refresh()
            except Exception as error:  # the other tables are refreshed all the same
                table.fail(error)
        senders, self._senders = self._senders, {}
        for sender in senders:
            sender.write()
