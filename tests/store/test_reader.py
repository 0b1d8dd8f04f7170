"""The reader of a store: events in order, the head, and nothing written."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from queenhigh.errors import QueenhighError
from queenhigh.store.reader import Row, StoreReader
from queenhigh.store.signing import is_signed
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import GENESIS, Append, chain
from queenhigh.verify.verifier import verify


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(tmp_path / "room.db")) as opened:
        opened.append(Append("a", 0, (b"1", b"2")), Append("b", 0, (b"3",)))
        opened.append(Append("a", 2, (b"4",)))
        yield opened


@pytest.fixture
def reader(store: SqliteStore, tmp_path: Path) -> Iterator[StoreReader]:
    with closing(StoreReader(tmp_path / "room.db")) as opened:
        yield opened


def test_events_come_in_order_with_their_hashes(reader: StoreReader) -> None:
    first = chain(GENESIS, "a", 1, b"1")
    rows = list(reader.events())
    assert rows[0] == Row(1, "a", 1, b"1", first)
    assert rows[1].hash == chain(first, "a", 2, b"2")
    places = [(row.n, row.stream, row.version, row.event) for row in rows]
    assert places == [(1, "a", 1, b"1"), (2, "a", 2, b"2"), (3, "b", 1, b"3"), (4, "a", 3, b"4")]


def test_events_are_read_in_pages(reader: StoreReader) -> None:
    pages = [[row.n for row in reader.events(after, 2)] for after in (None, 2, 3, 4)]
    assert pages == [[1, 2], [3, 4], [4], []]


@pytest.mark.parametrize("number", [0, -1, -(2**63)])
def test_event_below_number_1_is_not_hidden(
    store: SqliteStore, tmp_path: Path, number: int
) -> None:
    store.close()
    file = tmp_path / "room.db"
    insert = "insert into event values (?, 1, 9, x'7b7d', zeroblob(32))"
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute(insert, (number,))
    with closing(StoreReader(file)) as reader:
        assert [row.n for row in reader.events()] == [number, 1, 2, 3, 4]
    report = verify(file)
    assert (report.ok, report.bad) == (False, f"event 1 is missing: this is number {number}")


def test_stream_is_read_between_versions(reader: StoreReader) -> None:
    assert [row[:2] for row in reader.stream_events("a", 1)] == [(2, b"2"), (3, b"4")]
    assert [row[:2] for row in reader.stream_events("a", 0, upto=1)] == [(1, b"1")]
    assert [row[:2] for row in reader.stream_events("a", limit=1)] == [(1, b"1")]
    assert list(reader.stream_events("c")) == []
    assert (reader.last_version("a"), reader.last_version("c")) == (3, 0)


def test_head_is_that_of_the_last_commit(store: SqliteStore, reader: StoreReader) -> None:
    head = reader.head()
    assert head is not None
    assert (head, is_signed(head)) == (store.head, True)


def test_new_store_has_no_head(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "new.db").close()
    with closing(StoreReader(tmp_path / "new.db")) as reader:
        assert (reader.head(), reader.last_number(), list(reader.events())) == (None, 0, [])


def test_reader_sees_what_others_write_meanwhile(store: SqliteStore, reader: StoreReader) -> None:
    with reader.at_one_moment():
        before = reader.last_number()
        store.append(Append("b", 1, (b"5",)))
        assert (before, reader.last_number()) == (4, 4)
    assert [row.event for row in reader.events(4)] == [b"5"]


def test_reader_cannot_write(reader: StoreReader) -> None:
    with pytest.raises(apsw.ReadOnlyError):
        reader._db.execute("delete from event")


def test_unreadable_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "text.db"
    file.write_bytes(b"this is not a database" * 100)
    raises = pytest.raises(QueenhighError, match="cannot be read as a Queenhigh database")
    with raises as raised, closing(StoreReader(file)) as reader, reader.explained():
        reader.last_number()
    assert (raised.value.code, str(file) in str(raised.value)) == ("file.unreadable", True)
