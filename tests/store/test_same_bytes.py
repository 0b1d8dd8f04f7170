"""The same appends with the same key are the same bytes in a file and on PostgreSQL."""

import hashlib
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest

from queenhigh.store.durable_store import DurableStore
from queenhigh.store.location import Location, PostgresUrl
from queenhigh.store.postgres.store import PostgresStore
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import AT_END, Append, Conflict
from queenhigh.verify.log_file import write_log
from tests.seeds import rng

KEY = bytes(range(32))


def fill(store: DurableStore) -> None:
    """Append to some streams, in transactions of every kind."""
    random = rng("same bytes")
    for number in range(60):
        events = tuple(b'{"n":"%d \xc3\xa9"}' % random.randrange(99) for _ in range(number % 4))
        streams = random.sample(["table/1", "table/é", "wallet/Ann", "floor"], 1 + number % 3)
        store.append(*[Append(stream, AT_END, events, keys=(f"{number}",)) for stream in streams])
    with pytest.raises(Conflict):
        store.append(Append("table/1", 1000, (b"{}",)))
    store.append(Append("table/2", 0, (b"{}",), b"a snapshot"))


def exported(room: Location) -> bytes:
    out = StringIO()
    write_log(room, out)
    return out.getvalue().encode()


def test_a_log_has_the_same_bytes_from_either_store(postgres_url: str, tmp_path: Path) -> None:
    for file in (tmp_path / "room.db.key", tmp_path / "room.key"):
        file.write_bytes(KEY)
    with closing(SqliteStore(tmp_path / "room.db")) as store:
        fill(store)
        head = store.head
    with closing(PostgresStore(PostgresUrl(postgres_url), tmp_path)) as store:
        fill(store)
        assert store.head == head
    logs = [exported(tmp_path / "room.db"), exported(PostgresUrl(postgres_url))]
    assert logs[0].count(b"\n") == head.events + 1 > 100
    same = logs[0] == logs[1]
    assert same, "the logs differ"
    assert len({hashlib.sha256(log).digest() for log in logs}) == 1
