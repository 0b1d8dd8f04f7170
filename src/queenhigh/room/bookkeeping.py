"""What goes into the books of a room: the log, event by event, and the rows that come of it."""

import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import msgspec
from msgspec import Struct

from queenhigh import __version__
from queenhigh.errors import QueenhighError
from queenhigh.room.desk import stream_of
from queenhigh.room.history import Record, Rounds, Step, part_of
from queenhigh.rulebook.book import Rulebook
from queenhigh.store.files import make_private
from queenhigh.store.streams import GENESIS, is_next
from queenhigh.table import events as happened
from queenhigh.table.commands import CLOCK
from queenhigh.table.events import Charge, RoundSettled, RoundVoided, SpinSettled, TableEvent
from queenhigh.table.snapshot import restore, snapshot
from queenhigh.table.state import Live

__all__ = [
    "HOUR",
    "BooksFile",
    "Damaged",
    "Entries",
    "Table",
    "pack_rounds",
    "unpack",
    "unpack_rounds",
]

#: In milliseconds: an hour, and how long a file may be in use by another.
HOUR, _PATIENCE = 3_600_000, 5_000
#: Who wrote a file, and how: another form of it needs another number.
_PROGRAM = f"{__version__}/1"
#: Marks a file as books, so that no other database is taken for damaged ones and thrown away.
_MARK = 0x51484258

_SCHEMA = """
create table book (program text not null, read integer not null, hash blob not null) strict;
create table rulebooks (digest text primary key, document text not null, worth text not null)
    strict;
create table tables (
    id integer primary key, name text not null unique, version integer not null,
    hash blob not null, kept_at integer not null, kept blob not null
) strict;
-- A round's n is the number of its last event in the log.
create table rounds (
    n integer primary key, tbl integer not null, number integer not null, digest text not null,
    at integer not null, record blob not null, unique (tbl, number)
) strict;
create table parts (
    player text not null, n integer not null, tbl integer not null, net integer not null,
    fee integer not null, primary key (player, n)
) strict, without rowid;
create index parts_by_table on parts (player, tbl, n);
create table offers (
    n integer primary key, tbl integer not null, at integer not null, round integer not null,
    place integer, player text, what text not null, cents integer
) strict;
create index offers_by_table on offers (tbl);
create table voids (
    n integer primary key, tbl integer not null, at integer not null, round integer not null,
    reason text not null, by text not null, cents integer not null
) strict;
create table fees (
    tbl integer not null, hour integer not null, cents integer not null, rounds integer not null,
    primary key (tbl, hour)
) strict, without rowid;
create table tallies (
    tbl integer not null, digest text not null, sums text not null, primary key (tbl, digest)
) strict, without rowid;
"""

_DAMAGE = (
    apsw.CorruptError, apsw.NotADBError, apsw.FormatError, apsw.SQLError, apsw.ConstraintError,
    apsw.MismatchError, zlib.error, msgspec.MsgspecError, ValueError,
)  # fmt: skip


class Damaged(Exception):
    """The file is not what this program would have written for this store."""


class BooksFile:
    """The file that the books are in; one process has it at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._open()
        except Damaged:
            self.begin_again()

    def _open(self) -> None:
        if not self.path.exists():
            self._remove()  # what a file that was deleted left behind
        with self.tended():
            make_private(self.path)
            self.books = books = apsw.Connection(str(self.path))
            books.set_busy_timeout(_PATIENCE)
            books.pragma("locking_mode", "exclusive")
            is_new = not books.execute("select count(*) from sqlite_schema").get
            if not is_new and books.pragma("application_id") != _MARK:
                books.close()
                told = f"{self.path} is another database, not the books: name another file"
                raise QueenhighError("books.other", told)
            books.pragma("journal_mode", "wal")
            books.pragma("synchronous", "normal")
            if is_new:
                self._begin()
            self._inode = os.stat(self.path).st_ino
            if self.ask("select program from book") != [(_PROGRAM,)]:
                raise Damaged("another program wrote it")

    def _begin(self) -> None:
        with self.books:
            self.books.pragma("application_id", _MARK)
            self.books.execute(_SCHEMA)
            self.ask("insert into book values (?, 0, x'')", _PROGRAM)

    def mind(self) -> bool:
        """Open the file again if somebody deleted it or put another there; tell whether so."""
        with suppress(OSError):
            if os.stat(self.path).st_ino == self._inode:
                return False
        self.books.close()
        self._open()
        return True

    def begin_again(self) -> None:
        """Throw the file away, and begin a new one."""
        with suppress(apsw.Error):
            self.books.close(True)
        self._remove()
        self._open()

    def _remove(self) -> None:
        with self.tended():
            for end in ("", "-wal", "-shm", "-journal"):
                with suppress(FileNotFoundError):
                    os.unlink(f"{self.path}{end}")

    @contextmanager
    def tended(self) -> Iterator[None]:
        """Tell what is wrong with the file from what is wrong with its place."""
        try:
            yield
        except _DAMAGE as error:
            raise Damaged(str(error)) from error
        except (apsw.Error, OSError) as error:
            told = f"{self.path} cannot be used for the books ({error}): free it, or name another"
            raise QueenhighError("books.file", told) from None

    def ask(self, ask: str, *values: Any) -> list[Any]:
        """Return all rows that are asked for."""
        return self.books.execute(ask, values).fetchall()


@dataclass
class Table:
    """A table as far as it is entered, and where its last snapshot is."""

    id: int
    name: str
    rounds: Rounds
    version: int = 0
    hash: bytes = b""
    kept_at: int = 0
    #: Its events cannot be followed: what is entered is all that will be.
    lost: bool = False

    def goes_on_with(self, version: int, event: bytes, hashed: bytes) -> bool:
        """Tell whether an event is the next one, by its version and its hash."""
        if self.lost or version != self.version + 1:
            return False
        return is_next(self.hash or GENESIS, stream_of(self.name), version, event, hashed)


_OFFERS: dict[type, str] = {
    happened.BankOffered: "offered",
    happened.BankPosted: "accepted",
    happened.BankDeclined: "declined",
    happened.BankUnwanted: "unwanted",
}


@dataclass
class Entries:
    """What some events bring into the books, row by row."""

    rounds: list[tuple[Any, ...]] = field(default_factory=list)
    parts: list[tuple[Any, ...]] = field(default_factory=list)
    offers: list[tuple[Any, ...]] = field(default_factory=list)
    voids: list[tuple[Any, ...]] = field(default_factory=list)
    fees: dict[tuple[int, int], list[int]] = field(default_factory=dict)

    def add(self, n: int, table: Table, event: TableEvent) -> Record | None:
        """Enter an event, and the round that it ends; return that round."""
        kind = type(event)
        if kind in _OFFERS:
            self._offer(n, table, event)
        elif isinstance(event, happened.BetsClosed):
            self._fees(table, event.at, _sum(event.fees))
        record = table.rounds.add(event)
        if record is not None:
            self._round(n, table, record)
        return record

    def _offer(self, n: int, table: Table, event: Any) -> None:
        what, place = _OFFERS[type(event)], getattr(event, "place", None)
        if what == "declined" and event.by == CLOCK:
            what = "declined by the clock"
        state = table.rounds.state
        sits = state.places.get(place) if state and place is not None else None
        cents = event.cents if what == "accepted" else None
        player = sits.player if sits else None
        if player is None and place is not None and event.by != CLOCK:
            player = event.by  # who declined by leaving
        self.offers.append((n, table.id, event.at, event.round, place, player, what, cents))

    def _fees(self, table: Table, at: int, cents: int, rounds: int = 0) -> None:
        if cents or rounds:
            hour = self.fees.setdefault((table.id, at // HOUR), [0, 0])
            hour[0] += cents
            hour[1] += rounds

    def _round(self, n: int, table: Table, record: Record) -> None:
        end, number = record.end, record.live.number
        self.rounds.append((n, table.id, number, record.digest, end.at, pack(record)))
        for player, (net, fee) in part_of(record).items():
            self.parts.append((player, n, table.id, net, fee))
        if isinstance(end, RoundVoided):
            cents, fees = _sum(end.returned), _sum(end.fees)
            why = (end.reason, end.by, cents + fees)
            self.voids.append((n, table.id, end.at, number, *why))
            self._fees(table, end.at, -fees)
        else:
            late = _sum(end.fees) if isinstance(end, RoundSettled) else 0
            self._fees(table, end.at, late, 1)

    def write(self, books: apsw.Connection) -> None:
        """Write all rows."""
        books.executemany("insert into rounds values (?, ?, ?, ?, ?, ?)", self.rounds)
        books.executemany("insert into parts values (?, ?, ?, ?, ?)", self.parts)
        books.executemany("insert into offers values (?, ?, ?, ?, ?, ?, ?, ?)", self.offers)
        books.executemany("insert into voids values (?, ?, ?, ?, ?, ?, ?)", self.voids)
        add = (
            "insert into fees values (?, ?, ?, ?) on conflict do update"
            " set cents = cents + excluded.cents, rounds = rounds + excluded.rounds"
        )
        books.executemany(add, [(*key, *sums) for key, sums in self.fees.items()])


def _sum(charges: tuple[Charge, ...]) -> int:
    return sum([charge.cents for charge in charges])


# As bytes, so that rounds need not be read again from the first event


class _Steps(Struct, frozen=True, array_like=True):
    """Events, who sat where at some time, and by its place in that list when each happened."""

    events: tuple[TableEvent, ...]
    names: tuple[dict[int, str], ...]
    when: tuple[int, ...]


class _Packed(Struct, frozen=True, array_like=True):
    live: Live
    end: RoundSettled | SpinSettled | RoundVoided
    players: dict[int, str]
    seats: dict[int, int]
    before: dict[int, int]
    after: dict[int, int]
    steps: _Steps


class _UnderWay(Struct, frozen=True, array_like=True):
    state: bytes
    before: dict[int, int]
    players: dict[int, str]
    steps: _Steps


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Packed).decode
_decode_under_way = msgspec.msgpack.Decoder(_UnderWay).decode


def pack(record: Record) -> bytes:
    """Write a round down, all but its table and its rulebook; a checksum is part of it."""
    chips = (record.seats, record.before, record.after)
    steps = _pack_steps(record.events)
    packed = _encode(_Packed(record.live, record.end, record.players, *chips, steps))
    return zlib.compress(packed, 1)


def unpack(packed: bytes, table: str, digest: str, book: Rulebook) -> Record:
    """Read a round back."""
    read: _Packed = _decode(zlib.decompress(packed))
    chips = (read.seats, read.before, read.after)
    steps = tuple(_unpack_steps(read.steps))
    return Record(table, digest, book, read.live, read.end, read.players, *chips, steps)


def pack_rounds(rounds: Rounds) -> bytes:
    """Write down where a table is and its round as far as it is."""
    assert rounds.state is not None
    steps = _pack_steps(rounds.steps)
    packed = _encode(_UnderWay(snapshot(rounds.state), rounds.before, rounds.players, steps))
    return zlib.compress(packed, 1)


def unpack_rounds(packed: bytes) -> Rounds:
    """Read that back."""
    read: _UnderWay = _decode_under_way(zlib.decompress(packed))
    state = restore(read.state)
    if state is None:
        raise Damaged("another program wrote it")
    return Rounds(state, read.before, read.players, _unpack_steps(read.steps))


def _pack_steps(steps: Iterable[Step]) -> _Steps:
    events: list[TableEvent] = []
    names: list[dict[int, str]] = []
    when: list[int] = []
    for event, who in steps:
        if not names or names[-1] is not who:
            names.append(who)
        events.append(event)
        when.append(len(names) - 1)
    return _Steps(tuple(events), tuple(names), tuple(when))


def _unpack_steps(packed: _Steps) -> list[Step]:
    return [(event, packed.names[at]) for event, at in zip(packed.events, packed.when, strict=True)]
