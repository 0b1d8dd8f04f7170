"""The rows of a server, copied from one room to another, whichever databases they are in."""

from contextlib import closing

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.server.admin_rows import AdminRows, row_versions
from queenhigh.server.admin_store import open_rows
from queenhigh.store.location import Location
from queenhigh.store.rows import RowsDb, RowTaken

__all__ = ["TABLES", "copy_rows"]

#: The tables that belong to a room, wherever it is; a session comes after its account or member.
TABLES = (
    "floor",
    "floor_log",
    "notice",
    "opened",
    "account",
    "former_name",
    "session",
    "session_time",
    "staff",
    "staff_session",
    "staff_token",
)


def copy_rows(source: Location, target: Location) -> None:
    """Replace the rows of a room by those of another one, all at once.

    Columns that an older room does not have get their defaults.
    """
    try:
        with closing(open_rows(source)) as rows, closing(open_rows(target)) as copied:
            row_versions(rows)  # raises for rows that a newer program wrote
            AdminRows(copied)
            with copied:
                _copy_tables(rows, copied)
    except (apsw.Error, RowTaken) as error:
        reason = "they do not fit together" if isinstance(error, RowTaken) else error
        message = f"the accounts and settings of {source} could not be copied ({reason})"
        raise QueenhighError("copy.failed", f"{message}: check the disk and try again") from None


def _copy_tables(source: RowsDb, target: RowsDb) -> None:
    for table in reversed(TABLES):
        target.execute(f"delete from {table}")
    for table in TABLES:
        _copy_table(source, target, table)


def _copy_table(source: RowsDb, target: RowsDb, table: str) -> None:
    columns = sorted(columns_of(source, table) & columns_of(target, table))
    if not columns:
        return
    names = ", ".join(columns)
    insert = f"insert into {table} ({names}) values ({', '.join('?' * len(columns))})"
    for row in source.execute(f"select {names} from {table}"):
        target.execute(insert, row)


def columns_of(db: RowsDb, table: str) -> set[str]:
    """Return the names of a table's columns; none if there is no such table."""
    query = (
        "select name from pragma_table_info(?)"
        if isinstance(db, apsw.Connection)
        else "select column_name from information_schema.columns"
        " where table_schema = 'queenhigh' and table_name = ?"
    )
    return {str(name) for (name,) in db.execute(query, (table,))}
