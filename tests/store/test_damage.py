"""Damage of every kind to a store: reads return what was written, or an error."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import apsw
import pytest

from queenhigh.errors import QueenhighError
from queenhigh.store.checks import check_index
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import GENESIS, Append, DamagedStream, Stored, chain, is_next
from queenhigh.table.state import State
from queenhigh.verify import verifier as verify_module
from tests.in_process import call
from tests.sizes import sized
from tests.store.damaging import (
    copy_store,
    events,
    flip,
    make_store,
    opened,
    run_sql,
    states,
    states_in,
)

FLIPS = sized(20, 600, 6000)
STREAM = "table/california"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("played") / "room.db"
    make_store(file)
    return file


def pages(file: Path, *names: str) -> list[int]:
    """Return the pages that some tables and indexes of a store lie in."""
    marks = ", ".join("?" * len(names))
    return [
        page
        for (page,) in run_sql(file, f"select pageno from dbstat where name in ({marks})", *names)
    ]


def read_all(
    file: Path, known: dict[str, list[bytes]], tables: dict[str, State] | None = None
) -> None:
    """Read streams by name, also a missing one: they are as known, or an error is raised."""
    with closing(SqliteStore(file)) as store:
        assert {name: [row.event for row in store.read(name)] for name in known} == known
        assert list(store.read("table/none")) == []
        assert tables is None or states_in(store) == tables


def silent(played: Path, folder: Path, flips: range) -> list[int]:
    """Flip bits of everything that streams are read from; return those that changed silently."""
    names = (
        "event", "sqlite_autoindex_event_1", "stream", "sqlite_autoindex_stream_1", "head", "tip",
        "snapshot", "sqlite_schema",
    )  # fmt: skip
    whole, places = played.read_bytes(), pages(played, *names)
    of_snapshots = pages(played, "snapshot")
    known, tables, unnoticed = events(played), states(played), list[int]()
    file = copy_store(played, folder / "room.db")
    for number in flips:
        random = Random(number)
        page = random.choice(places)
        file.write_bytes(flip(whole, (page - 1) * 4096 * 8 + random.randrange(4096 * 8)))
        try:
            read_all(file, known, tables if page in of_snapshots else None)
        except QueenhighError:
            continue
        except AssertionError:
            unnoticed.append(number)
    return unnoticed


def test_flipped_bit_is_reported_or_harmless(played: Path, tmp_path: Path) -> None:
    assert silent(played, tmp_path, range(FLIPS)) == []


def test_store_that_trusts_its_index_is_noticed(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(
        self: SqliteStore, stream: str, after: int = 0, since: bytes | None = None
    ) -> Iterator[Stored]:
        for row in self._page(stream, after)[0]:
            yield Stored(stream, *row)

    monkeypatch.setattr(SqliteStore, "read", read)
    assert len(silent(played, tmp_path, range(20))) > 2


def damaged_at(file: Path, stream: str) -> int | None:
    """Return up to where a stream is good, if it is not good altogether."""
    with closing(SqliteStore(file)) as store:
        try:
            list(store.read(stream))
        except DamagedStream as raised:
            return raised.version if stream == raised.stream and stream in str(raised) else -1
    return None


def ids(file: Path, stream: str) -> list[int]:
    query = "select event.id from event join stream on stream.id = stream where name = ? order by 1"
    return [id for (id,) in run_sql(file, query, stream)]


def test_damage_to_a_stream_is_reported_with_its_place(played: Path, tmp_path: Path) -> None:
    numbers = ids(played, STREAM)
    end = len(numbers)
    for change, version in (
        ("update event set event = x'7b7d' where id = :tenth", 9),
        ("update event set hash = zeroblob(32) where id = :tenth", 9),
        ("update event set version = 1000 + version where id = :tenth", 9),
        ("update event set stream = 2 where id = :last", end - 1),
        ("update event set stream = 2 where id > :tenth and stream = 1 and id < :last", 10),
        ("delete from tip where stream = 1", end),
        ("update tip set version = version - 1 where stream = 1", end),
        ("update tip set mark = zeroblob(16) where stream = 1", end),
    ):
        file = copy_store(played, tmp_path / "room.db")
        with closing(apsw.Connection(str(file))) as connection:
            connection.execute(change, {"tenth": numbers[9], "last": numbers[-1]})
        assert damaged_at(file, STREAM) == version, change
    assert damaged_at(played, STREAM) is None


def test_stream_rewritten_without_the_key_is_damaged(played: Path, tmp_path: Path) -> None:
    """Hashes can be made by anyone; only the room marks the last one."""
    file = copy_store(played, tmp_path / "room.db")
    before, rows = GENESIS, list[tuple[bytes, bytes, int]]()
    for version, event in enumerate(events(played)[STREAM], 1):
        other = event.replace(b'"cents":5', b'"cents":9')
        before = chain(before, STREAM, version, other)
        rows.append((other, before, version))
    with closing(apsw.Connection(str(file))) as connection, connection:
        change = "update event set event = ?, hash = ? where stream = 1 and version = ?"
        connection.executemany(change, rows)
    assert damaged_at(file, STREAM) == len(ids(played, STREAM))


def test_damaged_row_of_any_kind_does_not_follow() -> None:
    """An index that is damaged gives rows without a version, and worse."""
    good = {"version": 1, "event": b"{}", "hashed": chain(GENESIS, "a", 1, b"{}")}
    assert is_next(GENESIS, "a", **good)
    for name in good:
        for value in (None, 1.5, "x", b"x"):
            assert not is_next(GENESIS, "a", **(good | {name: value}))


def test_damaged_stream_takes_no_appends(played: Path, tmp_path: Path) -> None:
    file = copy_store(played, tmp_path / "room.db")
    numbers = ids(file, STREAM)
    run_sql(file, "update event set stream = 2 where id = ?", numbers[-1])
    with closing(SqliteStore(file)) as store:
        answers: list[Exception | None] = []
        store.submit(answers.append, Append(STREAM, len(numbers) - 1, (b"{}",)))
        store.submit(answers.append, Append("wallet/new", 0, (b"{}",)))
        store.flush()
        assert [type(answer) for answer in answers] == [DamagedStream, type(None)]
        assert [row.event for row in store.read("wallet/new")] == [b"{}"]


@pytest.mark.parametrize("others", ["event", "tip", "used", "snapshot"])
def test_a_stream_that_lost_its_name_keeps_its_id(tmp_path: Path, others: str) -> None:
    """Otherwise the next new stream would get that id, and no append would succeed."""
    file = tmp_path / "room.db"
    with closing(SqliteStore(file)) as store:
        store.append(Append("a", 0, (b"1",)), Append("b", 0, (b"1",), b"state", ("key",)))
    left = {"event", "tip", "used", "snapshot"} - {others}
    run_sql(file, "delete from stream where id = 2")
    for table in left - {"event"}:
        run_sql(file, f"delete from {table} where stream = 2")
    if others != "event":
        run_sql(file, "update event set stream = 1, version = 9 where stream = 2")
    with closing(SqliteStore(file)) as store:
        store.append(Append("c", 0, (b"1",)), Append("d", 0, (b"1",)))
        assert [len(list(store.read(name))) for name in ("c", "d")] == [1, 1]
    assert run_sql(file, "select id, name from stream") == [(1, "a"), (3, "c"), (4, "d")]


def test_store_with_a_wrong_head_does_not_open(played: Path, tmp_path: Path) -> None:
    for change in (
        "update head set events = events - 1",
        "update head set hash = zeroblob(32)",
        "update head set signature = zeroblob(64)",
        "delete from head",
        "delete from event where id = (select max(id) from event)",
    ):
        file = copy_store(played, tmp_path / "room.db")
        run_sql(file, change)
        with pytest.raises(QueenhighError, match="does not match its events") as raised:
            SqliteStore(file)
        assert raised.value.code == "store.damaged"


# Keys


def test_only_the_key_that_signed_goes_on(played: Path, tmp_path: Path) -> None:
    file = copy_store(played, tmp_path / "room.db")
    key = Path(f"{file}.key")
    for change, said in (
        (lambda: key.write_bytes(b"k" * 32), "is not the key that signed"),
        (key.unlink, "is missing, and"),
    ):
        change()
        for words in (
            ("table", "run", "california", "--rounds", "1", "--db", str(file)),
            ("serve", "--port", "0", "--db", str(file)),
        ):
            done = call(*words)
            assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
            assert said in done.stderr
            assert "put the right key there" in done.stderr
    assert not key.exists()


# Proof of all of it


def test_proof_finds_events_that_a_room_would_miss(played: Path, tmp_path: Path) -> None:
    numbers = ids(played, STREAM)
    for change, version in (
        ("update tip set mark = zeroblob(16) where stream = 1", len(numbers)),
        ("delete from tip where stream = 1", len(numbers)),
    ):
        file = copy_store(played, tmp_path / "room.db")
        run_sql(file, change)
        assert damaged_at(file, STREAM) == version
        done = call("verify", str(file))
        message = "what a room reads of this stream is not all that is there"
        assert done.stdout == f"BAD: after ({STREAM} {version}): {message}\n"


def test_proof_finds_an_id_missing_from_the_index(played: Path, tmp_path: Path) -> None:
    file = copy_store(played, tmp_path / "room.db")
    assert call("verify", str(file)).returncode == 0
    ((stream, key),) = run_sql(file, "select stream, key from used order by key desc limit 1")
    run_sql(file, "delete from used where stream = ? and key = ?", stream, key)
    name = run_sql(file, "select name from stream where id = ?", stream)[0][0]
    assert call("verify", str(file)).stdout.startswith(f"BAD: after ({name} ")


def test_proof_finds_an_indexed_id_without_an_event(played: Path, tmp_path: Path) -> None:
    names = {2: run_sql(played, "select name from stream where id = 2")[0][0]}
    for stream, name in (names | {10**6: "a stream without a name"}).items():
        file = copy_store(played, tmp_path / "room.db")
        with opened(file) as connection:
            connection.pragma("foreign_keys", 0)
            connection.execute("insert into used values (?, 'floor\nmore')", (stream,))
        assert call("verify", str(file)).stdout.startswith(f"BAD: after ({name} ")


def test_proof_also_reads_by_the_index(played: Path, tmp_path: Path) -> None:
    """Every bit of the index that affects reads by the index also affects the proof."""
    whole, noticed = played.read_bytes(), 0
    file = copy_store(played, tmp_path / "room.db")
    known, places = events(played), pages(played, "sqlite_autoindex_event_1")
    for number in range(sized(6, 100)):
        random = Random(number)
        bit = random.choice(places) * 4096 * 8 - random.randrange(1, 1500 * 8)
        file.write_bytes(flip(whole, bit))
        try:
            read_all(file, known)
        except QueenhighError:
            noticed += 1
            assert call("verify", str(file)).returncode > 0
    assert noticed


def test_proof_reports_a_corrupt_database_file(played: Path, tmp_path: Path) -> None:
    file = copy_store(played, tmp_path / "room.db")
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute("create table other (text); create index others on other (text)")
        connection.executemany("insert into other values (?)", [("x" * 50,)] * 50)
        connection.pragma("journal_mode", "delete")
    offset = pages(file, "others")[0] * 4096 - 20 * 8
    file.write_bytes(flip(file.read_bytes(), 8 * offset))
    done = call("verify", str(file))
    assert done.stdout.startswith("BAD: file: it is damaged: ")
    assert done.returncode == 1


# Stores that are written to meanwhile


def test_store_opens_while_another_process_writes(played: Path, tmp_path: Path) -> None:
    file = copy_store(played, tmp_path / "room.db")
    with closing(SqliteStore(file)) as other:

        def write(cursor: Any, sql: str, bindings: Any) -> bool:
            if "max(id), 0) from event" in sql:
                other.append(Append("wallet/new", len(list(other.read("wallet/new"))), (b"{}",)))
            return True

        def hook(connection: apsw.Connection) -> None:
            connection.exec_trace = write

        apsw.connection_hooks.append(hook)
        try:
            SqliteStore(file).close()
        finally:
            apsw.connection_hooks.remove(hook)
        assert len(list(other.read("wallet/new"))) > 0


def test_store_is_proved_while_another_process_writes(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = copy_store(played, tmp_path / "room.db")

    def go_on(*args: Any) -> None:
        with closing(SqliteStore(file)) as other:
            version = len(list(other.read(STREAM)))
            other.append(Append(STREAM, version, (b"{}",)), Append("wallet/new", 0, (b"{}",)))
        check_index(*args)

    monkeypatch.setattr(verify_module, "check_index", go_on)
    assert verify_module.verify(file).ok
