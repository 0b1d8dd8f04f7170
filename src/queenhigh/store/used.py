"""The index of keys that streams have used, so that a command that moved chips is followed once.

A room looks a key up without reading the stream, however long it is.
"""

import apsw

from queenhigh.store.reader import USED_KEYS

__all__ = ["FILL", "MIGRATION", "find_forgetful", "insert_keys", "is_used", "refill"]

#: Fills the index from the events of a file.
FILL = f"insert or ignore into used {USED_KEYS};"
#: Adds the index to a file that was written before there was one.
MIGRATION = f"""
    create table used (
        stream integer not null references stream,
        key text not null,
        primary key (stream, key)
    ) strict, without rowid;
    {FILL}
"""


def refill(connection: apsw.Connection) -> None:
    """Rebuild the index of a file from its events; a file without one gets it when it opens."""
    if connection.execute("select 1 from sqlite_schema where name = 'used'").fetchone():
        connection.execute(f"begin; delete from used; {FILL} commit")


def find_forgetful(connection: apsw.Connection) -> str | None:
    """Return a stream whose keys are not those of the index, if there is one.

    A key that the index lacks could be used twice; a key that only the index has was never used.
    """
    if not connection.execute("select 1 from sqlite_schema where name = 'used'").fetchone():
        return None
    indexed = "select stream, key from used"
    for differing in (f"{USED_KEYS} except {indexed}", f"{indexed} except {USED_KEYS}"):
        query = (
            "select coalesce(name, 'a stream without a name')"
            f" from ({differing}) as keys left join stream on stream.id = keys.stream limit 1"
        )
        row = connection.execute(query).fetchone()
        if row:
            return str(row[0])
    return None


def is_used(connection: apsw.Connection, stream: int, key: str) -> bool:
    """Return whether a stream, by its id, has used a key."""
    query = "select 1 from used where stream = ? and key = ?"
    return connection.execute(query, (stream, key)).fetchone() is not None


def insert_keys(connection: apsw.Connection, keys: set[tuple[int, str]]) -> None:
    """Write keys by the ids of their streams."""
    connection.executemany("insert into used values (?, ?)", keys)
