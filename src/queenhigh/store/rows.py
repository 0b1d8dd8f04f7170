"""Rows beside the streams: the same statements for a file and for PostgreSQL.

Statements are written with ``?`` for values, and in SQL that both databases read.
"""

from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Protocol

from queenhigh.errors import QueenhighError

__all__ = ["RowTaken", "Rows", "RowsDb"]


class RowTaken(QueenhighError):
    """A row with the same key was written first, by another process."""

    def __init__(self) -> None:
        super().__init__("rows.taken", "somebody else was faster: try again")


class Rows(Protocol):
    """The rows of a query."""

    def __iter__(self) -> Iterator[Any]:
        """Yield the rows."""

    def fetchone(self) -> Any:
        """Return the next row, or ``None``."""

    def fetchall(self) -> list[Any]:
        """Return all rows."""


class RowsDb(Protocol):
    """A database with rows; as a context, everything inside is one transaction."""

    def execute(self, query: str, values: Sequence[Any] = (), /) -> Rows:
        """Execute a statement."""

    def changes(self) -> int:
        """Return how many rows the last statement changed."""

    def close(self) -> None:
        """Close the database."""

    def __enter__(self) -> Any:
        """Begin a transaction."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        """Commit the transaction, or roll it back after an error."""
