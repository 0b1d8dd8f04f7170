"""A room of many events: one table that was really played, under many names, written in bulk."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import msgspec

from bench.databases import Database
from bench.table import open_seated, phases
from queenhigh.room.room import Room
from queenhigh.store.copying import CopiedBatch
from queenhigh.store.location import PostgresUrl
from queenhigh.store.memory import MemoryStore
from queenhigh.store.postgres.copying import DatabaseTarget
from queenhigh.store.postgres.store import SIGNING_KEY, PostgresStore
from queenhigh.store.signing import Signer
from queenhigh.store.streams import Append
from queenhigh.table.events import TableOpened, decode, encode
from queenhigh.table.snapshot import snapshot
from queenhigh.table.state import State
from queenhigh.table.streams import table_stream
from queenhigh.verify.fold import apply_event

__all__ = ["fill"]

#: How many events lie between snapshots, as at a table that is served.
_BETWEEN_SNAPSHOTS = 250
#: How many events one transaction of the filling has.
_AT_ONCE = 50_000


@dataclass
class Played:
    """The events of a table, its states at snapshots, and where no round is under way."""

    events: list[bytes]
    states: dict[int, State]
    rests: list[int]

    def named(self, name: str, length: int) -> list[bytes]:
        """Return the first events as those of a table of another name."""
        return [_renamed(self.events[0], name), *self.events[1:length]]


def play(events: int) -> Played:
    """Play one table in memory until it has so many events."""
    store = MemoryStore()
    durable = open_seated(Room(store), "source")
    script = phases(durable)
    while durable.committed.version < events:
        for command in next(script):
            durable.execute(command)
    played, state = Played([], {}, []), None
    for stored in store.read(table_stream("source")):
        state = apply_event(state, decode(stored.event), stored.stream)
        played.events.append(stored.event)
        if state.version % _BETWEEN_SNAPSHOTS == 0:
            played.states[state.version] = state
        if state.round is None:
            played.rests.append(state.version)
    return played


def _renamed(first: bytes, name: str) -> bytes:
    """Return the first event of a table, under another name."""
    opened = decode(first)
    assert isinstance(opened, TableOpened)
    return encode(msgspec.structs.replace(opened, table=name))


def _spread(each: int) -> int:
    """Return by how many events the lengths of tables differ: ends lie between two snapshots."""
    return min(_BETWEEN_SNAPSHOTS, each // 2)


def _lengths(played: Played, tables: int, each: int) -> list[int]:
    """Return how many events each table gets, about ``each`` on average."""
    longest = each + _spread(each) // 2
    wanted = [longest - _spread(each) * number // tables for number in range(tables)]
    return [max(rest for rest in played.rests if rest <= length) for length in wanted]


def fill(database: Database, events: int, tables: int) -> int:
    """Fill an empty database with tables that have about so many events together.

    Return how many it has. Every table has a snapshot as a served one does.
    """
    each = events // tables
    played = play(each + _spread(each))
    lengths = _lengths(played, tables, each)
    signer = Signer(_new_key(database.keys))
    target = DatabaseTarget(PostgresUrl(database.url), database.keys, signer)
    for number, length in enumerate(lengths):
        bulk = length - length % _BETWEEN_SNAPSHOTS
        _write_bulk(target, signer, played, f"t{number}", bulk)
    target.finish(0, database.keys / SIGNING_KEY)
    target.close()
    with closing(database.store()) as store:
        for number, length in enumerate(lengths):
            _write_rest(store, played, f"t{number}", length)
    return sum(lengths)


def _new_key(keys: Path) -> Path:
    keys.mkdir(mode=0o700)
    return keys / SIGNING_KEY


def _write_bulk(
    target: DatabaseTarget, signer: Signer, played: Played, name: str, length: int
) -> None:
    """Write the events of a table up to its last snapshot, chained under its name."""
    events = played.named(name, length)
    for start in range(0, length, _AT_ONCE):
        batch = CopiedBatch(target.head, target.streams, signer, target.ends())
        part = tuple(events[start : start + _AT_ONCE])
        error = batch.add((Append(table_stream(name), start, part),))
        if error is not None:
            raise error
        target.write(batch)


def _write_rest(store: PostgresStore, played: Played, name: str, length: int) -> None:
    """Write the last snapshot of a table, and the events after it."""
    stream, bulk = table_stream(name), length - length % _BETWEEN_SNAPSHOTS
    if bulk:
        state = msgspec.structs.replace(played.states[bulk], table=name)
        store.append(Append(stream, bulk, (), snapshot(state)))
    store.append(Append(stream, bulk, tuple(played.named(name, length)[bulk:])))
