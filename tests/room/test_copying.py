"""Copies of a room between SQLite and PostgreSQL: the same bytes, and never half a room."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest

from queenhigh.errors import QueenhighError
from queenhigh.room import copying as copying_module
from queenhigh.room.copying import copying
from queenhigh.server.admin_rows import AdminRows
from queenhigh.server.admin_store import open_rows
from queenhigh.server.row_copy import TABLES, columns_of, copy_rows
from queenhigh.store.copying import FileTarget
from queenhigh.store.location import Location, PostgresUrl, parse_location
from queenhigh.store.locking import sole_writer
from queenhigh.store.open import open_store
from queenhigh.store.postgres.store import PostgresStore
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import AT_END, Append
from tests.in_process import call
from tests.postgres import PostgresServer
from tests.room.test_archive import play_on
from tests.verify.verifiers import BOTH, run_other

#: Rows of every kind, with values that SQLite and PostgreSQL write differently.
ROWS: dict[str, tuple[Any, ...]] = {
    "floor": (b"\x00\xff" * 16,),
    "floor_log": (1, 2**42, "floor", "freeze", "Ann", "", "é𝄞", "why?"),
    "notice": (7, 2**42, "[]", "half past %s, 'quoted'"),
    "opened": ("california", None, 0, 1, b"\x00{}", 3, 0, 0, 1),
    "account": ("Ann", "ann", None, 0, 2, 2**42),
    "former_name": ("anna",),
    "session": (b"\x01" * 32, "Ann", 2**42),
    "session_time": (1, 5, 2**42),
    "staff": ("Olga", "olga", "$argon2id$é", b"\x00k", None, 2**42),
    "staff_session": (b"\x02" * 32, "0a", "Olga", "::1", 2**42, 2**43),
    "staff_token": (b"\x03" * 32, "till"),
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A room with an archived table, a table that is played, and rows of a server."""
    file = tmp_path_factory.mktemp("played") / "room.db"
    play_on(file, "house", 3)
    play_on(file, "california", 2, close=True)
    play_on(file, "house", 1)
    assert call("archive", str(file), "--to", f"{file}.qha", "--remove").returncode == 0
    with closing(open_rows(file)) as db:
        AdminRows(db)
        for table, row in ROWS.items():
            db.execute(f"insert into {table} values ({', '.join('?' * len(row))})", row)
    return file


@pytest.fixture
def room(played: Path, tmp_path: Path) -> Path:
    for end in ("", ".key"):
        shutil.copy(f"{played}{end}", f"{tmp_path}/room.db{end}")
    return tmp_path / "room.db"


@pytest.fixture(params=["file", "database"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Location:
    """A place for a copy, in either kind of database."""
    if request.param == "file":
        return tmp_path / "copy.db"
    return PostgresUrl(request.getfixturevalue("postgres_url"))


def words(location: Location) -> str:
    return str(location) if isinstance(location, Path) else location.secret


def copy(source: Location, target: Location, keys: Path) -> "subprocess.CompletedProcess[str]":
    return call("copy", words(source), words(target), "--keys", str(keys), "--json")


def log_of(room: Location) -> str:
    done = call("table", "export", words(room), "--as", "log")
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows_of(room: Location) -> dict[str, list[Any]]:
    with closing(open_rows(room)) as db:
        return {table: list(db.execute(f"select * from {table}")) for table in TABLES}


def epoch_of(room: Location, keys: Path) -> int:
    with closing(open_store(room, keys)) as store:
        return store.epoch


def test_a_room_is_the_same_there_and_back(room: Path, postgres_url: str, tmp_path: Path) -> None:
    keys, back = tmp_path / "keys", tmp_path / "back.db"
    there = PostgresUrl(postgres_url)
    log, epoch = log_of(room), epoch_of(room, keys)
    for source, target in ((room, there), (there, back)):
        done = copy(source, target, keys)
        assert done.returncode == 0, done.stderr
        printed = json.loads(done.stdout)
        assert (printed["ok"], printed["events"]) == (True, log.count("\n") - 1)
        assert log_of(target) == log
        assert rows_of(target) == {table: [row] for table, row in ROWS.items()}
        assert epoch_of(target, keys) > epoch
        epoch = epoch_of(target, keys)
        for name, verifier in BOTH.items():
            assert verifier(target).ok, name
    for key in (keys / "room.key", Path(f"{back}.key")):
        assert key.read_bytes() == Path(f"{room}.key").read_bytes()
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert not Path(f"{back}.copying").exists()
    assert stat.S_IMODE(back.stat().st_mode) == 0o600


def test_a_copied_room_plays_on(room: Path, target: Location, tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    assert copy(room, target, keys).returncode == 0
    more = ("house", "--rounds", "2", "--seed", "3", "--keys", str(keys), "--db", words(target))
    done = call("table", "run", *more)
    assert done.returncode == 0, done.stderr
    for name, verifier in BOTH.items():
        assert verifier(target).ok, name


class Interrupted(Exception):
    """Stands for whatever ends a copy in the middle."""


def interrupt(events: int) -> None:
    raise Interrupted


def test_an_interrupted_copy_is_continued(
    room: Path, target: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = tmp_path / "keys"
    monkeypatch.setattr(copying_module, "_EVENTS_AT_ONCE", 20)
    for done in (0, 20):
        with copying(room, target, keys) as opened:
            assert opened.resumed_at == done
            with pytest.raises(Interrupted):
                opened.copy_events(interrupt)
        assert_closed(target, keys)
    printed = json.loads(copy(room, target, keys).stdout)
    assert (printed["ok"], printed["resumed_at"]) == (True, 40)
    assert log_of(target) == log_of(room)


def assert_closed(target: Location, keys: Path) -> None:
    """Fail if a program would open an unfinished copy."""
    if isinstance(target, Path):
        assert not target.exists()
        return
    unfinished = "is not finished: run queenhigh copy again"
    with pytest.raises(QueenhighError, match=unfinished):
        PostgresStore(target, keys)
    for done in (copy(target, keys / "part.db", keys), call("verify", words(target))):
        assert (done.returncode, done.stdout) == (2, "")
        assert unfinished in done.stderr


#: Copies in small batches, and reports each.
SLOWLY = """
import sys
from pathlib import Path
from time import sleep
from queenhigh.room import copying
from queenhigh.store.location import parse_location
copying._EVENTS_AT_ONCE = 20
def watch(events):
    print(events, flush=True)
    sleep(0.01)
source, target = map(parse_location, sys.argv[1:3])
with copying.copying(source, target, Path(sys.argv[3])) as opened:
    opened.copy_events(watch)
    print("all", flush=True)
"""


def test_a_killed_copy_is_continued(room: Path, target: Location, tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    command = [sys.executable, "-c", SLOWLY, str(room), words(target), str(keys)]
    for _ in range(2):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            os.kill(process.pid, signal.SIGKILL)
        assert int(line) > 0
        assert_closed(target, keys)
    done = copy(room, target, keys)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["resumed_at"] >= 40
    assert log_of(target) == log_of(room)


@pytest.mark.full
def test_a_lost_connection_is_a_sentence(
    room: Path, own_postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = PostgresUrl(own_postgres.create_database("room"))
    monkeypatch.setattr(copying_module, "_EVENTS_AT_ONCE", 20)
    with copying(room, target, tmp_path) as opened:
        with pytest.raises(QueenhighError) as raised:
            opened.copy_events(lambda events: own_postgres.kill())
        assert raised.value.code == "store.failed"
    own_postgres.start()
    done = copy(room, target, tmp_path)
    assert (done.returncode, json.loads(done.stdout)["resumed_at"]) == (0, 20)


def test_a_source_that_grew_is_copied_to_its_end(
    room: Path, target: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying_module, "_EVENTS_AT_ONCE", 20)
    with pytest.raises(Interrupted), copying(room, target, tmp_path) as opened:
        opened.copy_events(interrupt)
    play_on(room, "house", 1)
    assert copy(room, target, tmp_path).returncode == 0
    assert log_of(target) == log_of(room)


def test_a_change_during_the_copy_is_noticed(room: Path, postgres_url: str, tmp_path: Path) -> None:
    """No lock keeps a server away from a room on PostgreSQL."""
    there, target = PostgresUrl(postgres_url), tmp_path / "copy.db"
    assert copy(room, there, tmp_path).returncode == 0
    run = ("house", "--rounds", "1", "--keys", str(tmp_path), "--db", postgres_url)
    with copying(there, target, tmp_path) as opened:
        opened.copy_events(lambda events: None)
        assert "another command is using" in call("table", "run", *run).stderr
        with closing(PostgresStore(there, tmp_path)) as store:
            store.append(Append("table/house", AT_END, (b"{}",)))
        with pytest.raises(QueenhighError, match="was used while it was copied"):
            opened.finish()
    assert not target.exists()


def other_room(folder: Path) -> Path:
    file = folder / "other.db"
    play_on(file, "house", 1)
    return file


def test_a_copy_of_another_room_is_not_continued(
    room: Path, target: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying_module, "_EVENTS_AT_ONCE", 20)
    with pytest.raises(Interrupted), copying(room, target, tmp_path / "keys") as opened:
        opened.copy_events(interrupt)
    done = copy(other_room(tmp_path), target, tmp_path / "other-keys")
    assert done.returncode == 2
    assert "unfinished copy of another room: choose another" in done.stderr


def test_an_unfinished_copy_is_not_read(
    room: Path, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying_module, "_EVENTS_AT_ONCE", 20)
    url = PostgresUrl(postgres_url)
    with pytest.raises(Interrupted), copying(room, url, tmp_path / "keys") as opened:
        opened.copy_events(interrupt)
    for words in (("verify", postgres_url), ("table", "export", postgres_url)):
        done = call(*words)
        assert (done.returncode, "is not finished: run queenhigh copy" in done.stderr) == (2, True)
    other = run_other(postgres_url)
    assert (other.returncode, "is not finished" in other.stderr) == (2, True)


def test_rows_that_do_not_fit_are_a_sentence(room: Path, postgres_url: str, tmp_path: Path) -> None:
    """A file does not check that the account of a session is there; PostgreSQL does."""
    with closing(apsw.Connection(str(room))) as db:
        columns = [str(row[1]) for row in db.execute("pragma table_info(session)")]
        values = {"hash": b"1", "name": "Nobody", "until": 1, "created": 1}
        row = [values.get(column, 0) for column in columns]
        db.execute(f"insert into session values ({', '.join('?' * len(row))})", row)
    done = copy(room, PostgresUrl(postgres_url), tmp_path / "keys")
    assert done.returncode == 2
    assert "the accounts and settings of" in done.stderr
    assert "Traceback" not in done.stderr


def test_another_history_of_a_room_is_not_continued(
    room: Path, target: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A room that was restored has the same key, and other events from some number on."""
    monkeypatch.setattr(copying_module, "_EVENTS_AT_ONCE", 100_000)
    restored = tmp_path / "restored.db"
    assert call("restore", str(room), str(restored)).returncode == 0
    for file in (room, restored):
        play_on(file, "house", 1)
    with pytest.raises(Interrupted), copying(room, target, tmp_path / "keys") as opened:
        opened.copy_events(interrupt)
    done = copy(restored, target, tmp_path / "keys")
    assert done.returncode == 2
    assert "unfinished copy of other events: choose another" in done.stderr


def test_nothing_is_overwritten(room: Path, target: Location, tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    assert copy(room, target, keys).returncode == 0
    log = log_of(target)
    done = copy(room, target, keys)
    assert done.returncode == 2
    assert "already" in done.stderr
    assert log_of(target) == log


def test_another_key_is_not_overwritten(room: Path, target: Location, tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.mkdir()
    file = Path(f"{target}.key") if isinstance(target, Path) else keys / "room.key"
    file.write_bytes(bytes(32))
    done = copy(room, target, keys)
    assert done.returncode == 2
    assert f"{file} is the key of another room" in done.stderr
    assert file.read_bytes() == bytes(32)


def test_bad_events_are_not_copied(room: Path, target: Location, tmp_path: Path) -> None:
    change = "update event set event = cast(replace(event, '{', '[') as blob) where id = 9"
    with closing(apsw.Connection(str(room))) as db:
        db.execute(change)
    done = copy(room, target, tmp_path / "keys")
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["bad"]["n"] == 9
    text = call("copy", str(room), words(target), "--keys", str(tmp_path / "keys")).stdout
    assert text.startswith(f"BAD: {room}: event 9: ")
    assert_empty(target)


def test_events_against_the_rules_are_not_copied(
    room: Path, target: Location, tmp_path: Path
) -> None:
    """They are chained and signed, as a room with a bug or a thief of the key would do it."""
    with closing(SqliteStore(room)) as store:
        events = store.count()
        store.append(Append("table/house", AT_END, (b'{"type":"nonsense/1"}',)))
    done = copy(room, target, tmp_path / "keys")
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["bad"]["n"] == events + 1
    assert_empty(target)


def assert_empty(target: Location) -> None:
    if isinstance(target, Path):
        assert not target.exists()
        assert not Path(f"{target}.copying").exists()
        return
    with psycopg.connect(target.secret) as db:
        assert db.execute("select events from queenhigh.head").fetchall() == [(0,)]
        for table in ("event", "stream", "tip", "used", "room"):
            assert db.execute(f"select 1 from queenhigh.{table} limit 1").fetchall() == []


def add_process(url: str) -> None:
    with psycopg.connect(url) as db:
        db.execute(
            "insert into queenhigh.process (address, until) values ('a:1', now() + '1 hour')"
        )


def refusals(room: Path, url: str, folder: Path) -> dict[str, tuple[str, str, str]]:
    """Return what cannot be copied: source, target, and a part of the sentence."""
    (folder / "log.jsonl").write_text(log_of(room))
    return {
        "same": (str(room), str(room), "are the same room: choose another destination"),
        "linked": (str(room), f"{folder}/../{folder.name}/room.db", "are the same room"),
        "belongs": (str(room), f"{room}.key", "belongs to"),
        "missing": (f"{folder}/none.db", url, "none.db: no such database"),
        "log": (f"{folder}/log.jsonl", url, "is not a Queenhigh database"),
        "folder": (str(room), f"{folder}/none/copy.db", "No such file or directory"),
        "no room": (url, f"{folder}/copy.db", "has no room"),
        "no database": (f"{url}x", f"{folder}/copy.db", "does not exist"),
        "no target": (str(room), f"{url}x", "does not exist"),
    }


@pytest.mark.parametrize(
    "case",
    ["same", "linked", "belongs", "missing", "log", "folder", "no room", "no database",
     "no target"],
)  # fmt: skip
def test_a_refused_copy_is_one_sentence(
    case: str, room: Path, postgres_url: str, tmp_path: Path
) -> None:
    source, target, sentence = refusals(room, postgres_url, tmp_path)[case]
    done = call("copy", source, target, "--keys", str(tmp_path / "keys"))
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_room_on_postgresql_is_refused_with_a_sentence(
    room: Path, postgres_url: str, tmp_path: Path
) -> None:
    keys, there = tmp_path / "keys", PostgresUrl(postgres_url)
    assert copy(room, there, keys).returncode == 0
    same = postgres_url.replace("127.0.0.1", "localhost")
    for target, folder, sentence in (
        (same, keys, "are the same room"),
        (str(tmp_path / "a.db"), tmp_path / "none", "room.key is missing, and"),
        (str(tmp_path / "a.db"), wrong_keys(tmp_path), "is not the key that signed"),
    ):
        done = call("copy", postgres_url, target, "--keys", str(folder))
        assert sentence in done.stderr, done
    add_process(postgres_url)
    for source, target in ((postgres_url, str(tmp_path / "b.db")), (str(room), postgres_url)):
        done = call("copy", source, target, "--keys", str(keys))
        assert "is in use by the server at a:1: stop it first" in done.stderr


def wrong_keys(folder: Path) -> Path:
    keys = folder / "wrong"
    keys.mkdir()
    (keys / "room.key").write_bytes(bytes(32))
    return keys


def test_a_file_in_use_is_refused(room: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    for used in (room, target):
        with sole_writer(used):
            done = call("copy", str(room), str(target))
            assert f"another program is using {used}" in done.stderr


def set_version(file: Path, version: int) -> None:
    with closing(apsw.Connection(str(file))) as db:
        db.pragma("user_version", version)


def test_other_versions_are_refused(room: Path, tmp_path: Path) -> None:
    for version, sentence in ((99, "newer version of Queenhigh"), (3, "queenhigh db upgrade")):
        set_version(room, version)
        assert sentence in call("copy", str(room), str(tmp_path / "copy.db")).stderr


def test_newer_rows_are_refused(room: Path, tmp_path: Path) -> None:
    with closing(apsw.Connection(str(room))) as db:
        db.execute("update papers set version = 99")
    assert "newer version of Queenhigh" in call("copy", str(room), str(tmp_path / "c.db")).stderr
    assert not (tmp_path / "c.db").exists()


def test_every_table_of_rows_is_copied(room: Path, postgres_url: str) -> None:
    """A new table of a server has to be copied too, or to be left out here on purpose."""
    with closing(PostgresStore(PostgresUrl(postgres_url), room.parent)):
        pass
    with closing(open_rows(PostgresUrl(postgres_url))) as rows:
        tables = "select table_name from information_schema.tables where table_schema = 'queenhigh'"
        streams = {name for (name,) in rows.execute(tables)}
        AdminRows(rows)
        there = {name for (name,) in rows.execute(tables)} - streams
    with closing(apsw.Connection(str(room))) as db:
        everything = {name for (name,) in db.execute("select name from sqlite_schema")}
        own = {"epoch"} | streams
        here = {name for name in everything if not str(name).startswith("sqlite_")} - own
    assert here == there == {*TABLES, "papers"}


def test_rows_of_an_older_room_get_defaults(postgres_url: str, tmp_path: Path) -> None:
    old = tmp_path / "old.db"
    with closing(apsw.Connection(str(old))) as db:
        db.execute("create table opened (name text primary key, owner text)")
        db.execute("insert into opened values ('t1', 'Ann')")
    with closing(PostgresStore(PostgresUrl(postgres_url), tmp_path)):
        copy_rows(old, PostgresUrl(postgres_url))
    with closing(open_rows(PostgresUrl(postgres_url))) as rows:
        assert columns_of(rows, "none") == set()
        query = "select name, owner, bots_bank, practice from opened"
        assert rows.execute(query).fetchall() == [("t1", "Ann", 1, 0)]


def test_a_copy_killed_after_it_got_its_name_is_complete(room: Path, tmp_path: Path) -> None:
    target, unfinished = tmp_path / "copy.db", tmp_path / "copy.db.copying"
    assert copy(room, target, tmp_path).returncode == 0
    unfinished.hardlink_to(target)
    assert "already exists" in copy(room, target, tmp_path).stderr
    assert not unfinished.exists()
    assert log_of(target) == log_of(room)


def test_interrupt_says_how_to_continue(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying_module, "_EVENTS_AT_ONCE", 20)
    target = tmp_path / "copy.db"
    write: Callable[..., None] = FileTarget.write

    def write_and_interrupt(*values: Any) -> None:
        write(*values)
        os.kill(os.getpid(), signal.SIGTERM)

    with monkeypatch.context() as patch:
        patch.setattr(FileTarget, "write", write_and_interrupt)
        done = call("copy", str(room), str(target))
    assert done.returncode == 130
    assert done.stderr.strip() == "stopped: run the same command again to continue"
    assert json.loads(copy(room, target, tmp_path).stdout)["resumed_at"] == 20


def test_locations_of_copies_hide_passwords(room: Path, postgres_url: str, tmp_path: Path) -> None:
    done = copy(room, PostgresUrl(postgres_url), tmp_path)
    assert str(parse_location(postgres_url)) != postgres_url
    assert postgres_url not in done.stdout + done.stderr
