"""A small store with everything in it that can be damaged, and damage for it."""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import apsw
import msgspec

import queenhigh as qh
from queenhigh.room import durable_table
from queenhigh.room.bot_loop import AT_ONCE, play, seat_bots
from queenhigh.room.bots import make_bots
from queenhigh.room.room import Room, settings_for
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.state import State

TABLES = {"california": 6, "roulette": 10}


def make_store(file: Path) -> None:
    """Play some rounds, with snapshots every few events."""
    between, durable_table._BETWEEN_SNAPSHOTS = durable_table._BETWEEN_SNAPSHOTS, 40
    store = SqliteStore(file)
    room = Room(store, Random(3).randbytes)
    for name, rounds in TABLES.items():
        book = qh.load(name)
        durable = room.open_table(name, book, settings_for(book, pace=AT_ONCE))
        bots = make_bots(book, 3, 3, ("q64",))
        seat_bots(room, durable, [bot.name for bot in bots])
        play(room, durable, bots, rounds)
    store.close()
    durable_table._BETWEEN_SNAPSHOTS = between


def copy_store(file: Path, to: Path) -> Path:
    """Return a copy of a store that nobody has open, with its key."""
    for end in ("", ".key"):
        shutil.copy(f"{file}{end}", f"{to}{end}")
    return to


def states(file: Path) -> dict[str, State]:
    """Return the tables of a store as a room would go on with them."""
    with closing(SqliteStore(file)) as store:
        return states_in(store)


def states_in(store: SqliteStore) -> dict[str, State]:
    """Return the tables of a store that is open."""
    room = Room(store, dealing_key=bytes(32))
    return {name: msgspec.structs.replace(room.table(name).committed, book=None) for name in TABLES}


def events(file: Path) -> dict[str, list[bytes]]:
    """Return all events of a store by their streams."""
    with closing(SqliteStore(file)) as store:
        return {name: [row.event for row in store.read(name)] for name in store.streams()}


@contextmanager
def opened(file: Path) -> Iterator[apsw.Connection]:
    """Open a file as a database, to damage it."""
    with closing(apsw.Connection(str(file))) as connection:
        yield connection


def run_sql(file: Path, sql: str, *values: Any) -> list[Any]:
    """Ask a file, or change it."""
    with opened(file) as connection:
        return connection.execute(sql, values).fetchall()


def flip(content: bytes, bit: int) -> bytes:
    """Return the same bytes, but for one bit."""
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
