"""One contract for every store, and what only a durable one must keep."""

import hashlib
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import apsw
import pytest

from queenhigh.errors import QueenhighError
from queenhigh.store import sqlite
from queenhigh.store.durable_store import RECEIPTS
from queenhigh.store.location import PostgresUrl
from queenhigh.store.locking import sole_writer
from queenhigh.store.memory import MemoryStore
from queenhigh.store.postgres.store import PostgresStore
from queenhigh.store.signing import Signer
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import (
    AT_END,
    Append,
    Conflict,
    DamagedStream,
    KeyUsed,
    Store,
    Stored,
)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store
    if request.param == "memory":
        made = MemoryStore()
    elif request.param == "sqlite":
        made = SqliteStore(tmp_path / "room.db")
    else:
        made = PostgresStore(PostgresUrl(request.getfixturevalue("postgres_url")), tmp_path)
    yield made
    made.close()


def events(store: Store, stream: str, after: int = 0) -> list[bytes]:
    return [row.event for row in store.read(stream, after)]


def test_a_stream_keeps_its_events_in_order(store: Store) -> None:
    assert events(store, "table/1") == []
    store.append(Append("table/1", 0, (b"a", b"b")))
    store.append(Append("table/1", 2, (b"c",)))
    assert events(store, "table/1") == [b"a", b"b", b"c"]
    assert [row.version for row in store.read("table/1", 1)] == [2, 3]
    assert store.streams() == ["table/1"]


def test_bytes_are_read_back_unchanged(store: Store) -> None:
    strange = bytes(range(256)) * 40
    store.append(Append("é/𝄞", 0, (strange, b"")))
    unchanged = events(store, "é/𝄞") == [strange, b""]
    assert unchanged, "bytes were changed"  # in CI pytest would compare 10,000 of them line by line


def test_a_wrong_version_changes_nothing(store: Store) -> None:
    store.append(Append("a", 0, (b"1",)))
    for expected in (0, 2, -1):
        with pytest.raises(Conflict) as raised:
            store.append(Append("a", expected, (b"x",)))
        assert (raised.value.stream, raised.value.expected, raised.value.actual) == (
            "a",
            expected,
            1,
        )
    assert events(store, "a") == [b"1"]


def test_append_at_the_end_needs_no_version(store: Store) -> None:
    store.append(Append("a", AT_END, (b"1", b"2")), Append("a", AT_END, (b"3",)))
    store.append(Append("a", 3, (b"4",)), Append("b", AT_END, (b"x",)))
    assert [(row.version, row.event) for row in store.read("a", 2)] == [(3, b"3"), (4, b"4")]


def test_an_append_over_streams_is_all_or_nothing(store: Store) -> None:
    store.append(Append("wallet", 0, (b"in",)), Append("table", 0, (b"sat",)))
    with pytest.raises(Conflict):
        store.append(Append("wallet", 1, (b"out",)), Append("table", 0, (b"again",)))
    assert (events(store, "wallet"), events(store, "table")) == ([b"in"], [b"sat"])
    store.append(Append("wallet", 1, (b"out",)), Append("wallet", 2, (b"back",)))
    assert events(store, "wallet") == [b"in", b"out", b"back"]


def test_events_are_chained(store: Store) -> None:
    store.append(Append("s", 0, (b"one", b"two")))
    before = bytes(32)
    for version, event in enumerate((b"one", b"two"), 1):
        parts = (b"queenhigh/event/1", before, b"s", str(version).encode(), event)
        before = hashlib.sha256(
            b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        ).digest()
        assert list(store.read("s"))[version - 1].hash == before


def test_a_snapshot_may_come_without_events(store: Store) -> None:
    store.append(Append("a", 0, (b"1", b"2")))
    store.append(Append("a", 2, (), b"three"), Append("none", 0, (), b"nothing"))
    saved = store.snapshot("a")
    assert saved is not None
    assert (saved.version, saved.state) == (2, b"three")
    assert (events(store, "a"), store.streams()) == ([b"1", b"2"], ["a"])
    assert store.snapshot("none") is None
    with pytest.raises(Conflict):
        store.append(Append("a", 1, (), b"late"))
    store.append(Append("a", 2, (b"3",)))
    assert events(store, "a", 2) == [b"3"]


def test_a_key_is_used_once_in_its_stream(store: Store) -> None:
    assert not store.is_used("ann", "sit 1")
    store.append(Append("ann", 0, (b"in",), keys=("sit 1", "é\n𝄞")))
    assert store.is_used("ann", "sit 1")
    assert store.is_used("ann", "é\n𝄞")
    assert not store.is_used("ann", "sit 2")
    assert not store.is_used("bob", "sit 1")
    with pytest.raises(KeyUsed, match="use a new id"):
        store.append(Append("bob", 0, (b"in",)), Append("ann", 1, (b"in",), keys=("new", "sit 1")))
    assert (events(store, "ann"), events(store, "bob")) == ([b"in"], [])
    assert not store.is_used("ann", "new")
    store.append(Append("bob", 0, (b"in",), keys=("sit 1",)))
    store.append(Append("ann", 1, (b"in",), keys=("new",)))
    assert store.is_used("ann", "new")


def test_a_key_is_used_once_in_an_append(store: Store) -> None:
    with pytest.raises(KeyUsed):
        store.append(Append("ann", 0, (b"1",), keys=("k",)), Append("ann", 1, (b"2",), keys=("k",)))
    assert not store.is_used("ann", "k")
    with pytest.raises(Conflict):
        store.append(Append("ann", 3, (b"1",), keys=("k",)))
    store.append(Append("ann", 0, (), keys=("k",)))
    assert not store.is_used("ann", "k"), "nothing was appended"
    store.append(Append("ann", 0, (b"1",), keys=("k",)))


def test_one_of_many_appends_at_a_version_wins(store: Store) -> None:
    def attempt(number: int) -> bool:
        try:
            store.append(Append("race", 0, (str(number).encode(),)))
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        won = list(pool.map(attempt, range(64)))
    assert won.count(True) == 1
    assert events(store, "race") == [str(won.index(True)).encode()]


def test_many_writers_of_many_streams(store: Store) -> None:
    def play(table: int) -> None:
        for version in range(50):
            store.append(Append(f"table/{table}", version, (f"{table}.{version}".encode(),)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(play, range(8)))
    for table in range(8):
        assert events(store, f"table/{table}") == [f"{table}.{v}".encode() for v in range(50)]


def test_last_event_of_a_stream_is_returned(store: Store) -> None:
    assert store.last("a") is None
    for version in range(3):
        store.append(Append("a", version, (b"%d" % version,)))
        assert store.last("a") == list(store.read("a"))[-1]


def test_every_store_has_its_own_dealing_secret(store: Store) -> None:
    assert store.epoch == 0
    assert (len(store.dealing_key), store.dealing_key) == (32, store.dealing_key)
    assert store.dealing_key != MemoryStore().dealing_key


# Durable stores


def test_the_dealing_key_lies_beside_its_store(tmp_path: Path) -> None:
    file = tmp_path / "room.db.dealing"
    first = SqliteStore(tmp_path / "room.db")
    assert not file.exists()
    key = first.dealing_key
    first.close()
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (key, 0o600)
    file.write_bytes(key[:31])
    again = SqliteStore(tmp_path / "room.db")
    with pytest.raises(QueenhighError, match=r"room\.db\.dealing is not a key of 32 bytes"):
        _ = again.dealing_key
    again.close()


def test_events_stay_when_a_file_is_reopened(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path / "room.db")
    first.append(Append("a", 0, (b"1", b"2")))
    hashes = [row.hash for row in first.read("a")]
    first.close()
    again = SqliteStore(tmp_path / "room.db")
    again.append(Append("a", 2, (b"3",)))
    assert [row.hash for row in again.read("a")][:2] == hashes
    again.close()


def test_close_writes_queued_appends(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    answers: list[Exception | None] = []
    for version in range(2500):
        store.submit(answers.append, Append("a", version, (b"x",)))
    store.close()
    assert answers == [None] * 2500
    again = SqliteStore(tmp_path / "room.db")
    assert len(events(again, "a")) == 2500
    again.close()


def test_failed_request_does_not_affect_others(tmp_path: Path) -> None:
    """Requests share a transaction; one that cannot be written leaves the others alone."""
    store = SqliteStore(tmp_path / "room.db")
    answers: list[Exception | None] = []
    store.submit(answers.append, Append("a", 0, (b"1",)))
    store.submit(answers.append, Append("\ud800", 0, (b"no such name",)))
    store.submit(answers.append, Append("b", 0, ("text",)))  # type: ignore[arg-type]
    store.submit(answers.append, Append("a", 1, (b"2",)), Append("a", 0, (b"3",)))
    store.submit(answers.append, Append("a", 1, (b"2",)))
    store.flush()
    assert [answer is not None for answer in answers] == [False, True, True, True, False]
    assert events(store, "a") == [b"1", b"2"]
    assert store.streams() == ["a"]
    store.close()


def test_used_key_does_not_affect_other_requests(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    answers: list[Exception | None] = []
    store.submit(answers.append, Append("a", 0, (b"1",), keys=("k",)))
    store.submit(answers.append, Append("a", 1, (b"2",), keys=("k",)))
    store.submit(answers.append, Append("a", 1, (b"3",), keys=("\ud800",)))
    store.submit(answers.append, Append("a", 1, (b"4",), keys=("l",)))
    assert not store.is_used("a", "k"), "it is not written yet"
    store.flush()
    assert [type(answer) for answer in answers][:2] == [type(None), KeyUsed]
    assert [answer is None for answer in answers[2:]] == [False, True]
    assert events(store, "a") == [b"1", b"4"]
    store.close()
    again = SqliteStore(tmp_path / "room.db")
    assert (again.is_used("a", "k"), again.is_used("a", "l")) == (True, True)
    with pytest.raises(KeyUsed):
        again.append(Append("a", 2, (b"5",), keys=("l",)))
    again.close()


def test_two_writers_of_one_file_resolve_conflicts(tmp_path: Path) -> None:
    one, other = SqliteStore(tmp_path / "room.db"), SqliteStore(tmp_path / "room.db")
    one.append(Append("a", 0, (b"1",)))
    other.append(Append("a", 1, (b"2",)))
    with pytest.raises(Conflict) as raised:
        one.append(Append("a", 1, (b"x",)))
    assert raised.value.actual == 2
    one.append(Append("a", 2, (b"3",)))
    assert events(other, "a") == [b"1", b"2", b"3"]
    one.close()
    other.close()


def test_answers_come_after_the_commit(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    answers: list[Exception | None] = []
    store.submit(answers.append, Append("a", 0, (b"1",)))
    assert (answers, events(store, "a")) == ([], [])
    store.append(Append("a", 1, (b"2",)))
    assert (answers, events(store, "a")) == ([None], [b"1", b"2"])
    store.close()
    with pytest.raises(QueenhighError, match="the database is closed"):
        store.append(Append("a", 2, (b"3",)))


# Planted bugs: each must fail the part of the contract that it breaks.


class _IgnoresVersions(MemoryStore):
    def append(self, *appends: Append) -> None:
        for stream, _, events, *_ in appends:
            super().append(Append(stream, len(list(self.read(stream))), events))


class _Piecemeal(MemoryStore):
    def append(self, *appends: Append) -> None:
        for each in appends:
            super().append(each)


class _Reencodes(MemoryStore):
    def append(self, *appends: Append) -> None:
        text = (tuple(e.decode(errors="replace").encode() for e in each.events) for each in appends)
        super().append(*(each._replace(events=e) for each, e in zip(appends, text, strict=True)))


class _ForgetsKeys(MemoryStore):
    def append(self, *appends: Append) -> None:
        super().append(*(each._replace(keys=()) for each in appends))


class _KeepsKeysOfRefused(MemoryStore):
    def append(self, *appends: Append) -> None:
        self._used |= {(each.stream, key) for each in appends for key in each.keys[:1]}
        super().append(*appends)


class _ForgetsTheChain(MemoryStore):
    def read(self, stream: str, after: int = 0, since: bytes | None = None) -> Iterator[Stored]:
        for row in super().read(stream, after):
            yield row._replace(hash=hashlib.sha256(row.event).digest())


@pytest.mark.parametrize(
    ("planted", "part"),
    [
        (_IgnoresVersions, test_a_wrong_version_changes_nothing),
        (_IgnoresVersions, test_one_of_many_appends_at_a_version_wins),
        (_Piecemeal, test_an_append_over_streams_is_all_or_nothing),
        (_Reencodes, test_bytes_are_read_back_unchanged),
        (_ForgetsTheChain, test_events_are_chained),
        (_ForgetsKeys, test_a_key_is_used_once_in_its_stream),
        (_KeepsKeysOfRefused, test_a_key_is_used_once_in_an_append),
    ],
)
def test_contract_catches_planted_bugs(
    planted: type[MemoryStore], part: Callable[[Store], None]
) -> None:
    with pytest.raises((AssertionError, KeyUsed, pytest.fail.Exception)):
        part(planted())


PLAY = """
import sys
from pathlib import Path
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Append
store = SqliteStore(Path(sys.argv[1]))
version = len(list(store.read("a")))
while True:
    store.append(Append("a", version, (str(version).encode(),)))
    version += 1
    print(version, flush=True)
"""


def test_nothing_acknowledged_is_lost_by_a_kill(tmp_path: Path) -> None:
    acknowledged = 0
    for times in range(5):
        command = [sys.executable, "-c", PLAY, str(tmp_path / "room.db")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                acknowledged = int(line)
                if acknowledged >= 40 * (times + 1):
                    os.kill(process.pid, signal.SIGKILL)
                    break
            for line in process.stdout:
                acknowledged = int(line) if line.endswith("\n") else acknowledged
        store = SqliteStore(tmp_path / "room.db")
        stored = events(store, "a")
        store.close()
        assert acknowledged <= len(stored) <= acknowledged + 1
        assert stored == [str(version).encode() for version in range(len(stored))]


def test_files_that_are_not_stores_are_reported(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("not a database, but long enough to look like one" * 40)
    with pytest.raises(QueenhighError, match=r"text\.db cannot be used as a database"):
        SqliteStore(tmp_path / "text.db")
    with pytest.raises(QueenhighError, match="cannot be used as a database"):
        SqliteStore(tmp_path / "nowhere" / "room.db")


def test_file_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    connection = sqlite._open(tmp_path / "room.db")
    connection.pragma("user_version", 99)
    connection.close()
    with pytest.raises(QueenhighError, match="written by a newer version of Queenhigh"):
        SqliteStore(tmp_path / "room.db")


def test_an_old_sqlite_is_refused() -> None:
    with pytest.raises(QueenhighError, match=r"SQLite 3\.40\.1 can corrupt its files"):
        sqlite._check_version("3.40.1")
    sqlite._check_version("3.51.3")


def test_commits_use_synchronous_full(tmp_path: Path) -> None:
    connection = sqlite._open(tmp_path / "room.db")
    assert connection.pragma("journal_mode") == "wal"
    assert connection.pragma("synchronous") == 2
    connection.close()


def test_only_its_owner_may_read_a_store(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        store = SqliteStore(tmp_path / "room.db")
        with sole_writer(tmp_path / "room.db"):
            store.append(Append("a", 0, (b"1",)))
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        store.close()
    finally:
        os.umask(before)
    names = ("room.db", "room.db-wal", "room.db-shm", "room.db.key", "room.db.lock")
    assert modes == dict.fromkeys(names, 0o600)


def test_the_last_event_is_proved_to_be_the_end(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    with closing(SqliteStore(file)) as store:
        store.append(Append("a", 0, (b"1", b"2")), Append("b", 0, (b"1",)))
        assert [store.last(name) for name in "ab"] == [list(store.read(name))[-1] for name in "ab"]
        with apsw.Connection(str(file)) as db:
            db.execute("update event set event = x'' where version = 2")
        archived = store.last("a")
        assert archived is not None
        assert (archived.version, archived.event) == (2, b"")
        for change in (
            "update event set event = x'33' where version = 2",
            "delete from event where version = 2",
            "delete from event where stream = 1",
        ):
            with apsw.Connection(str(file)) as db:
                db.execute(change)
            with pytest.raises(DamagedStream):
                store.last("a")


def test_receipts_are_for_the_newest_events(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "room.db")) as store:
        store.append(Append("a", 0, (b"1",) * (RECEIPTS + 1)))
        assert store.receipt("a", 2) is not None
        with pytest.raises(QueenhighError, match=r"the newest 1,000 events") as raised:
            store.receipt("a", 1)
        assert raised.value.code == "receipt.old"
        assert [store.receipt("a", version) for version in (0, -1, RECEIPTS + 2)] == [None] * 3
        assert store.receipt("b") is None


def test_store_has_one_lock_under_any_name(tmp_path: Path) -> None:
    file, link = tmp_path / "room.db", tmp_path / "link.db"
    file.touch()
    link.symlink_to(file)
    for each, other in ((file, link), (link, file)):
        with sole_writer(each), pytest.raises(QueenhighError) as raised, sole_writer(other):
            pass
        assert raised.value.code == "serve.busy"


def test_key_file_is_complete_or_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At whatever moment the process is killed, the next one opens the room."""

    def end(*args: object, **more: object) -> None:
        raise KeyboardInterrupt

    for call in ("open", "close", "fdopen", "fsync", "link", "unlink"):
        file = tmp_path / f"{call}.key"
        with monkeypatch.context() as ended, suppress(KeyboardInterrupt):
            ended.setattr(os, call, end)
            Signer(file)
        key = Signer(file).key
        assert Signer(file).key == key
