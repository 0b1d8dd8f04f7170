"""The file of the index: its tables, and what happens to a file that cannot be used."""

import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw
import msgspec

from queenhigh import __version__
from queenhigh.errors import QueenhighError
from queenhigh.store.files import make_private

__all__ = ["HOUR_MS", "DamagedIndex", "IndexFile"]

#: Fees are summed by the hour.
HOUR_MS = 3_600_000
#: How long the file may be in use by another process.
_BUSY_MS = 5_000
#: The program that wrote a file, and the form it has: another form needs another number.
_PROGRAM = f"{__version__}/4"
#: Older forms that are read too. Rounds of archived tables are nowhere but in these files.
_READABLE = frozenset({f"{__version__}/{form}" for form in (1, 2, 3)})
#: Marks a file as an index, so that no other database is taken for a damaged one and deleted.
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
#: What the third form has besides. Events of these kinds were in no log before it.
_ADDED_3 = """
create table if not exists incidents (
    n integer primary key, tbl integer not null, round integer not null, event text not null
) strict;
create index if not exists incidents_by_table on incidents (tbl);
create table if not exists corrections (
    n integer primary key, tbl integer not null, correction integer not null,
    round integer not null, event text not null
) strict;
create index if not exists corrections_by_table on corrections (tbl, correction);
"""
#: What the fourth form has besides, for the floor's reports. A round's n and at are those of the
#: event that ended it; what an older program has entered is filled in, up to a round's n.
_ADDED_4 = """
create table rates (
    id integer primary key, fee_per text not null, wagers text not null, least integer not null,
    most integer not null, player integer not null, banker integer not null,
    unique (fee_per, wagers, least, most, player, banker)
) strict;
create table charges (
    n integer not null, tbl integer not null, at integer not null, place integer not null,
    player text not null, role text not null, wager text not null, rate integer,
    cents integer not null
) strict;
create index charges_by_time on charges (at);
-- The bank's gain is net; fees are those charged, or those that a void round returned. Gains on
-- wagers that the bank was sure to cover are texts: they may be too large for 64 bits.
create table figures (
    n integer primary key, tbl integer not null, at integer not null, settled integer not null,
    banker text, wagered integer not null, net integer not null, fees integer not null,
    counted text not null, expected text not null
) strict;
create index figures_by_time on figures (at);
create table refill (filled integer not null, upto integer not null) strict;
"""
_REFILL = "insert into refill select 0, max(n) from rounds having max(n) is not null"

_DAMAGE = (
    apsw.CorruptError, apsw.NotADBError, apsw.FormatError, apsw.SQLError, apsw.ConstraintError,
    apsw.MismatchError, zlib.error, msgspec.MsgspecError, ValueError,
)  # fmt: skip


class DamagedIndex(Exception):
    """The file is not what this program would have written for this store."""


class IndexFile:
    """The database of the index; one process has it open at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._open()
        except DamagedIndex:
            self.begin_again()

    def _open(self) -> None:
        if not self.path.exists():
            self._remove()  # whatever SQLite left beside a file that was deleted
        with self.checked():
            make_private(self.path)
            self.db = db = apsw.Connection(str(self.path))
            db.set_busy_timeout(_BUSY_MS)
            db.pragma("locking_mode", "exclusive")
            is_new = not db.execute("select count(*) from sqlite_schema").get
            if not is_new and db.pragma("application_id") != _MARK:
                db.close()
                message = f"{self.path} is not a history index: choose another file"
                raise QueenhighError("books.other", message)
            db.pragma("journal_mode", "wal")
            db.pragma("synchronous", "normal")
            if is_new:
                self._create()
            self._inode = os.stat(self.path).st_ino
            self._check_program()

    def _check_program(self) -> None:
        """Refuse a file of another form; continue one of a form that is read too."""
        match self.query("select program from book"):
            case [(program,)] if program == _PROGRAM:
                return
            case [(program,)] if program in _READABLE:
                with self.db:
                    self.db.execute(_ADDED_3 + _ADDED_4)
                    self.query(_REFILL)
                    self.query("update book set program = ?", _PROGRAM)
            case _:
                raise DamagedIndex("another program wrote it")

    def _create(self) -> None:
        with self.db:
            self.db.pragma("application_id", _MARK)
            self.db.execute(_SCHEMA + _ADDED_3 + _ADDED_4)
            self.query("insert into book values (?, 0, x'')", _PROGRAM)

    def reopen_if_replaced(self) -> bool:
        """Open the file again if it was deleted or replaced; return whether it was."""
        with suppress(OSError):
            if os.stat(self.path).st_ino == self._inode:
                return False
        self.db.close()
        self._open()
        return True

    def begin_again(self) -> None:
        """Delete the file and create an empty one."""
        with suppress(apsw.Error):
            self.db.close(True)
        self._remove()
        self._open()

    def _remove(self) -> None:
        with self.checked():
            for end in ("", "-wal", "-shm", "-journal"):
                with suppress(FileNotFoundError):
                    os.unlink(f"{self.path}{end}")

    @contextmanager
    def checked(self) -> Iterator[None]:
        """Raise :class:`DamagedIndex` for a bad file, and a sentence for a file not usable here."""
        try:
            yield
        except _DAMAGE as error:
            raise DamagedIndex(str(error)) from error
        except (apsw.Error, OSError) as error:
            message = (
                f"{self.path} cannot be used as an index ({error}): free it or choose another file"
            )
            raise QueenhighError("books.file", message) from None

    def query(self, query: str, *values: Any) -> list[Any]:
        """Execute a statement; return all its rows."""
        return self.db.execute(query, values).fetchall()
