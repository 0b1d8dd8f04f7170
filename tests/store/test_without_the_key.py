"""Changes to a store's file by someone without its key: all are detected."""

from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from queenhigh.errors import QueenhighError
from queenhigh.store.signing import Signer
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import GENESIS, Append, DamagedStream, chain
from tests.store.damaging import run_sql

OLD_SNAPSHOT = "create table snapshot (stream integer primary key, version integer, state blob)"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a store with two streams of two events."""
    file = tmp_path / "room.db"
    with closing(SqliteStore(file)) as store:
        store.append(Append("wallet/ann", 0, (b'{"cents":5}', b'{"cents":6}')))
        store.append(Append("wallet/bob", 0, (b'{"cents":7}', b'{"cents":8}')))
    return file


def forge(file: Path, stream: str, cents: int) -> None:
    """Change the first event of a stream, and all hashes that follow from it in the stream."""
    with closing(apsw.Connection(str(file))) as connection:
        rows: Any = connection.execute(
            "select event.id, version, event from event join stream on stream.id = event.stream"
            " where name = ? order by version",
            (stream,),
        ).fetchall()
        before = GENESIS
        for id, version, event in rows:
            other = b'{"cents":%d}' % cents if version == 1 else event
            before = chain(before, stream, version, other)
            change = "update event set event = ?, hash = ? where id = ?"
            connection.execute(change, (other, before, id))


def test_no_receipt_is_signed_for_a_forged_event(file: Path) -> None:
    with closing(SqliteStore(file)) as store:
        assert store.receipt("wallet/ann", 1) is not None
        forge(file, "wallet/ann", 900)
        for version in (1, 2, None):
            with pytest.raises(DamagedStream):
                store.receipt("wallet/ann", version)
        assert store.receipt("wallet/bob", 1) is not None


def drop(file: Path, *tables: str) -> None:
    for table in tables:
        run_sql(file, f"drop table {table}")


def refused(file: Path) -> str:
    """Return the code with which a store is not opened."""
    with pytest.raises(QueenhighError) as raised:
        SqliteStore(file)
    return raised.value.code


def test_store_with_a_key_but_no_head_is_refused(file: Path) -> None:
    forge(file, "wallet/ann", 900)
    drop(file, "head", "snapshot", "epoch", "tip", "used")
    run_sql(file, "pragma user_version = 1")
    assert refused(file) == "store.damaged"


def test_events_are_proved_before_their_ends_are_marked(file: Path) -> None:
    def make_old(*, forged: bool) -> None:
        if forged:
            forge(file, "wallet/ann", 900)
        drop(file, "snapshot", "epoch", "tip", "used")
        run_sql(file, OLD_SNAPSHOT)
        run_sql(file, "pragma user_version = 2")

    make_old(forged=False)
    SqliteStore(file).close()
    make_old(forged=True)
    for _ in range(2):
        assert refused(file) == "store.damaged"
        run_sql(file, "update event set event = x'00' where id = 3")  # nor do its hashes follow
    assert run_sql(file, "pragma user_version") == [(2,)]


def test_first_start_killed_after_its_key_can_go_on(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    Path(f"{file}.key").write_bytes(b"k" * 32)
    with closing(SqliteStore(file)) as store:
        store.append(Append("a", 0, (b"1",)))
        assert store.head.key == store.key


# While the room is open


def written(file: Path, change: str, *values: object) -> str | None:
    """Change the file of an open room; return why its next append fails, if it does."""
    with closing(SqliteStore(file)) as store:
        run_sql(file, change, *values)
        try:
            store.append(Append("wallet/ann", 2, (b"{}",)))
        except QueenhighError as raised:
            return str(raised)
    return None


def test_open_room_refuses_a_head_of_another_key(file: Path) -> None:
    other = Signer(file.with_name("other.key"))
    (head,) = run_sql(file, "select events, hash from head")
    put = "insert or replace into head values (1, ?, ?, ?, ?)"
    assert "its head is damaged" in str(written(file, put, *other.sign(*head)))
    assert run_sql(file, "select count(*) from event") == [(4,)]


@pytest.mark.parametrize(
    "change",
    [
        "delete from head",
        "delete from event where id = 4",
        "delete from head; delete from event",
        "insert into event values (5, 2, 3, x'7b', zeroblob(32))",
    ],
)
def test_open_room_needs_a_head_of_all_events(file: Path, change: str) -> None:
    assert "its head is damaged" in str(written(file, change))


def test_an_open_room_lets_others_write(file: Path) -> None:
    with closing(SqliteStore(file)) as one, closing(SqliteStore(file)) as other:
        other.append(Append("wallet/ann", 2, (b"{}",)))
        one.append(Append("wallet/ann", 3, (b"{}",)))
        assert one.head.events == 6
