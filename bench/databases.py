"""A PostgreSQL server for benches: its processor time, the sizes of rooms, and who holds what."""

import time
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

import queenhigh as qh
from bench.measure import NotComputed
from bench.room import PACE
from bench.served import processor_seconds
from queenhigh.room.room import Room, settings_for
from queenhigh.store.location import PostgresUrl
from queenhigh.store.postgres.store import PostgresStore
from tests.postgres import PostgresServer, find

__all__ = ["Database", "DatabaseServer", "find"]

#: As an operator would set it for a small server; every commit is flushed.
_SETTINGS = {"shared_buffers": "256MB", "max_connections": "300", "max_wal_size": "4GB"}


class DatabaseServer(PostgresServer):
    """A PostgreSQL server whose processes can be measured."""

    def __init__(self) -> None:
        super().__init__(_SETTINGS)

    def seconds(self) -> float:
        """Return the processor time of all its processes, with those that have ended."""
        own = int((self.data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{own}/task/{own}/children").read_text().split()
        total = processor_seconds(own, with_ended=True)
        for child in map(int, children):
            try:
                total += processor_seconds(child)
            except FileNotFoundError:  # it has just ended, and counts with the next reading
                continue
        return total


class Database:
    """The database of one room, and the folder of its keys."""

    def __init__(self, server: DatabaseServer, folder: Path, name: str) -> None:
        self.server, self.name = server, name
        self.url, self.keys = server.create_database(name), folder.resolve() / f"{name}.keys"

    def store(self) -> PostgresStore:
        """Open the store of the room."""
        return PostgresStore(PostgresUrl(self.url), self.keys)

    def open_tables(self, tables: int) -> None:
        """Open California tables that wait for nobody."""
        with closing(self.store()) as store:
            book = qh.load("california")
            for number in range(tables):
                Room(store).open_table(f"t{number}", book, settings_for(book, pace=PACE))

    def query(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with psycopg.connect(self.url, autocommit=True) as db:
            db.execute("set search_path = queenhigh")
            return db.execute(query.encode()).fetchall()

    def events(self) -> int:
        """Return how many events are stored."""
        ((count,),) = self.query("select count(*) from event")
        return int(count)

    def bytes_of(self, relation: str) -> int:
        """Return the size of a table on disk, with its indexes."""
        ((size,),) = self.query(f"select pg_total_relation_size('{relation}')")
        return int(size)

    def held(self) -> dict[int, list[str]]:
        """Return the names of the tables that each process holds."""
        held: dict[int, list[str]] = {}
        for process, name in self.query("select process, name from lease where process > 0"):
            held.setdefault(process, []).append(name.removeprefix("table/"))
        return held

    def wait_for_shares(self, processes: int) -> None:
        """Wait until so many processes hold about as many tables each, and no table is left."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            counts = sorted(map(len, self.held().values()))
            ((tables,),) = self.query("select count(*) from lease where process <> -1")
            is_shared = len(counts) == processes and counts[-1] - counts[0] <= 1
            if is_shared and sum(counts) == tables:
                return
            time.sleep(0.1)
        raise NotComputed(f"{processes} processes hold {counts} tables")

    def drop(self) -> None:
        """Drop the database."""
        self.server.drop_database(self.name)
