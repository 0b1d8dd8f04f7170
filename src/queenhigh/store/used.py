"""The keys that streams have used, by an index: a command that moved chips is followed once.

A room asks whether a key was used without reading the stream, however long it is.
"""

import apsw

__all__ = ["FILL", "MIGRATION", "find_forgetful", "insert_keys", "is_used", "refill"]

#: What the wallets of a store have used: the rule is that of ``own_key`` in table/wallet.py.
_KEYS = """
    select stream, body ->> '$.by' || char(10) || coalesce(body ->> '$.id', '')
    from (
        select event.stream, substr(name, 8) as player, cast(event as text) as body
        from event join stream on stream.id = event.stream where name glob 'wallet/*'
    )
    where case
        when not json_valid(body) then 0
        when body ->> '$.type' in ('wallet.issued/1', 'wallet.bought_in/1') then 1
        else body ->> '$.type' = 'wallet.cashed_out/1' and body ->> '$.by' = player
    end
    and typeof(body ->> '$.by') = 'text'
"""
FILL = f"insert or ignore into used {_KEYS};"
#: Brings a file of before to one that has the index.
MIGRATION = f"""
    create table used (
        stream integer not null references stream,
        key text not null,
        primary key (stream, key)
    ) strict, without rowid;
    {FILL}
"""


def refill(connection: apsw.Connection) -> None:
    """Make the index of a file anew from its events; a file without one gets it when it opens."""
    if connection.execute("select 1 from sqlite_schema where name = 'used'").fetchone():
        connection.execute(f"begin; delete from used; {FILL} commit")


def find_forgetful(connection: apsw.Connection) -> str | None:
    """Return a stream whose keys are not those of the index, if there is one.

    A key that the index lacks is followed twice; one that only the index has never was followed.
    """
    if not connection.execute("select 1 from sqlite_schema where name = 'used'").fetchone():
        return None
    kept = "select stream, key from used"
    for differing in (f"{_KEYS} except {kept}", f"{kept} except {_KEYS}"):
        query = (
            "select coalesce(name, 'a stream without a name')"
            f" from ({differing}) as one left join stream on stream.id = one.stream limit 1"
        )
        found = connection.execute(query).fetchone()
        if found:
            return str(found[0])
    return None


def is_used(connection: apsw.Connection, stream: int, key: str) -> bool:
    """Tell whether a stream, by its id, has used a key."""
    query = "select 1 from used where stream = ? and key = ?"
    return connection.execute(query, (stream, key)).fetchone() is not None


def insert_keys(connection: apsw.Connection, keys: set[tuple[int, str]]) -> None:
    """Write keys by the ids of their streams."""
    connection.executemany("insert into used values (?, ?)", keys)
