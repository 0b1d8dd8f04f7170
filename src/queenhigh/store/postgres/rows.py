"""The rows of a room on PostgreSQL, through a connection of their own."""

from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

import psycopg

from queenhigh.store.location import PostgresUrl
from queenhigh.store.postgres.connection import Db, Link
from queenhigh.store.rows import Rows, RowTaken

__all__ = ["PostgresRows", "as_postgres"]


def as_postgres(statement: str) -> str:
    """Return a statement with the marks that psycopg has for values."""
    return statement.replace("?", "%s")


class PostgresRows:
    """Rows in a database; see ``RowsDb``. Use it from one thread."""

    def __init__(self, url: PostgresUrl) -> None:
        self._link = Link(url)
        self._changes = 0
        #: The connection of the transaction under way, and what ends it.
        self._db: Db | None = None
        self._transaction = ExitStack()

    def execute(self, query: str, values: Sequence[Any] = (), /) -> Rows:
        """Execute a statement; its rows are read already."""
        try:
            if self._db is not None:
                self._link.touch()
                cursor = self._db.execute(as_postgres(query), values)
            else:
                with self._link.use() as db:
                    cursor = db.execute(as_postgres(query), values)
        except psycopg.IntegrityError:
            raise RowTaken from None
        self._changes = max(cursor.rowcount, 0)
        return cursor

    def changes(self) -> int:
        """Return how many rows the last statement changed."""
        return self._changes

    def __enter__(self) -> Self:
        """Begin a transaction."""
        with ExitStack() as stack:  # an error leaves nothing entered
            db = stack.enter_context(self._link.use())
            stack.enter_context(db.transaction())
            self._db, self._transaction = db, stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        """Commit the transaction, or roll it back after an error."""
        self._db = None
        try:
            return self._transaction.__exit__(kind, error, trace)
        except psycopg.IntegrityError:  # of a constraint that the commit checks
            raise RowTaken from None

    def close(self) -> None:
        """Close the connection."""
        self._link.close()
