"""Who watches a table, as the table knows them."""

from typing import Protocol

__all__ = ["Watcher"]


class Watcher(Protocol):
    """Who is shown a table whenever it has changed."""

    player: str | None
    session: bytes
    address: str
    frozen: bool

    def show(self, message: bytes) -> None:
        """Take a view; do not wait."""

    def write(self) -> None:
        """Say what there is to say."""

    def end(self, code: str, message: str) -> None:
        """End the connection, and say why."""
