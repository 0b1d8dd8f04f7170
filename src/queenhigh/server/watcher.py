"""A watcher of a table, as the table sees it."""

from typing import Protocol

__all__ = ["Watcher"]


class Watcher(Protocol):
    """Somebody who gets the view of a table whenever it has changed."""

    player: str | None
    session: bytes
    address: str
    frozen: bool

    def show(self, message: bytes) -> None:
        """Queue a view; do not wait."""

    def write(self) -> None:
        """Send what is queued."""

    def end(self, code: str, message: str) -> None:
        """Close the connection with a code and a message."""
