"""Backups of a room on PostgreSQL by PostgreSQL's own tools, while bots play."""

import os
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread
from time import sleep

import psycopg
import pytest

import queenhigh as qh
from queenhigh.room.bot_loop import AT_ONCE, Hooks, play, seat_bots
from queenhigh.room.bots import Bot, make_bots
from queenhigh.room.durable_table import DurableTable
from queenhigh.room.room import Room, settings_for
from queenhigh.store.location import PostgresUrl
from queenhigh.store.postgres.leases import Leases
from queenhigh.store.postgres.store import PostgresStore
from queenhigh.store.streams import Store
from tests.postgres import Databases, PostgresServer
from tests.shared_postgres import prepared_files
from tests.verify.verifiers import BOTH, prove


def seated(room: Room, name: str) -> tuple[DurableTable, list[Bot]]:
    book = qh.load("house")
    durable = room.open_table(name, book, settings_for(book, pace=AT_ONCE))
    bots = make_bots(book, 3, 1, ("q64",))
    for bot in bots:
        bot.name = f"{bot.name} of {name}"
    seat_bots(room, durable, [bot.name for bot in bots])
    return durable, bots


def leave_a_round_open(store: Store) -> None:
    """Play at a table until cards are dealt and a move is to be made."""
    room = Room(store)
    durable, bots = seated(room, "open")
    play(room, durable, bots, 9, Hooks(stop=lambda: durable.committed.phase == "deciding"))
    assert durable.committed.round is not None


@contextmanager
def playing(url: PostgresUrl, keys: Path) -> Iterator[PostgresStore]:
    """Play at another table until the end."""
    stopped, began = Event(), Event()
    errors: list[Exception] = []

    def play_on() -> None:
        try:
            with closing(PostgresStore(url, keys)) as store:
                room = Room(store)
                durable, bots = seated(room, "busy")
                watch = Hooks(watch=lambda played: began.set(), stop=stopped.is_set)
                play(room, durable, bots, 10**6, watch)
        except Exception as error:  # shown by the test
            errors.append(error)
            began.set()

    with closing(PostgresStore(url, keys)) as store:
        leave_a_round_open(store)
        thread = Thread(target=play_on)
        thread.start()
        try:
            assert began.wait(60)
            yield store
        finally:
            stopped.set()
            thread.join()
    assert errors == []


def run(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def assert_restored(url: PostgresUrl, keys: Path, epoch: int, events: int) -> None:
    """Fail unless a restored room verifies, voids its open round and plays on."""
    prove(url)
    with closing(PostgresStore(url, keys)) as store:
        assert store.epoch > epoch
        assert store.count() >= events, "events that were acknowledged before are missing"
        room = Room(store)
        durable, bots = seated(room, "open")
        number = durable.committed.number
        play(room, durable, bots, 2)
        assert durable.committed.number > number
    for name, verifier in BOTH.items():
        verdict = verifier(url)
        assert (verdict.ok, verdict.dealing["voided_after_close"]) == (True, 1), name


def copied_keys(keys: Path, to: Path) -> Path:
    """Return a folder with the key that signs, and without the one that deals."""
    to.mkdir()
    shutil.copy(keys / "room.key", to)
    return to


def test_dump_of_a_busy_room_is_restored(
    postgres: Databases, postgres_url: str, tmp_path: Path
) -> None:
    url, keys, dump = PostgresUrl(postgres_url), tmp_path / "keys", tmp_path / "room.dump"
    with playing(url, keys) as store, closing(Leases(url)) as leases:
        epoch, events = store.epoch, store.count()
        leases.join("here:1", "no table/")  # a process of the room, which is in the dump
        run(postgres.program("pg_dump"), "--format=custom", f"--file={dump}", postgres_url)
        assert store.count() > events
    name = f"test_{uuid.uuid4().hex}"
    restored = postgres.create_database(name)
    try:
        words = ("--exit-on-error", "--no-owner", f"--dbname={restored}", str(dump))
        run(postgres.program("pg_restore"), *words)
        other = copied_keys(keys, tmp_path / "other")
        with closing(PostgresStore(PostgresUrl(restored), other)) as store:
            assert store.dealing_key != (keys / "room.dealing").read_bytes()
        assert_restored(PostgresUrl(restored), keys, epoch, events)
    finally:
        postgres.drop_database(name)


def wait_for_recovery(url: PostgresUrl) -> None:
    """Wait until a server has read its log, and can be written."""
    with psycopg.connect(url.secret, autocommit=True) as db:
        for _ in range(1200):
            if db.execute("select pg_is_in_recovery()").fetchone() == (False,):
                return
            sleep(0.05)
    pytest.fail("the server did not recover")


@pytest.mark.full
def test_base_backup_of_a_busy_room_is_restored(
    own_postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    """On another server, which begins a new line of history."""
    url, keys = PostgresUrl(own_postgres.create_database("room")), tmp_path / "keys"
    with PostgresServer(prepared=prepared_files(tmp_path_factory)) as other:
        other.stop()
        own = (other.data / "postgresql.conf").read_text()
        owner = other.data.stat()
        shutil.rmtree(other.data)
        with playing(url, keys) as store:
            epoch, events = store.epoch, store.count()
            words = ("--checkpoint=fast", "--wal-method=stream", f"--pgdata={other.data}")
            connection = f"--dbname={own_postgres.url()}"
            run(own_postgres.program("pg_basebackup"), connection, *words)
        (other.data / "postgresql.conf").write_text(f"{own}restore_command = 'false'\n")
        (other.data / "recovery.signal").touch()
        for path in (other.data, *other.data.rglob("*")):
            os.chown(path, owner.st_uid, owner.st_gid)
        other.start()
        restored = PostgresUrl(other.url("room"))
        wait_for_recovery(restored)
        assert_restored(restored, copied_keys(keys, tmp_path / "other"), epoch, events)
