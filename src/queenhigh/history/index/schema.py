"""The file of the index: its tables, and what happens to a file that cannot be used."""

import os
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw
import msgspec

from queenhigh.errors import QueenhighError
from queenhigh.store.files import BESIDE, free_name, make_private, put_aside, sync

__all__ = ["HOUR_MS", "DamagedIndex", "IndexFile", "Note"]

#: A line for the operator's log: the event, and its values.
Note = tuple[str, Mapping[str, object]]

#: Fees are summed by the hour.
HOUR_MS = 3_600_000
#: How long the file may be in use by another process.
_BUSY_MS = 5_000
#: The form of the files that this program writes, whatever its version is. Rounds of archived
#: tables are nowhere but in these files, so every form is read for good: a new one gets the next
#: number, what it has besides in ``_ADDED``, and by its number a file of its own.
_FORM = 4
#: The last form whose file has no number in its name.
_LAST_WITHOUT_NUMBER = 4
#: Marks a file as an index, so that no other database is taken for a damaged one.
_MARK = 0x51484258

_SCHEMA = """
create table book (program text not null, read integer not null, hash blob not null) strict;
insert into book values ('', 0, x'');
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
insert into refill select 0, max(n) from rounds having max(n) is not null;
"""
#: What forms have besides those before them.
_ADDED = {1: _SCHEMA, 3: _ADDED_3, 4: _ADDED_4}

_DAMAGE = (
    apsw.CorruptError, apsw.NotADBError, apsw.FormatError, apsw.SQLError, apsw.ConstraintError,
    apsw.MismatchError, zlib.error, msgspec.MsgspecError, ValueError,
)  # fmt: skip


class DamagedIndex(Exception):
    """The file is not what a program would have written for this store."""


def _file_of(path: Path, form: int) -> Path:
    """Return the file of a form: no older program may meet a form that it does not know."""
    return path if form <= _LAST_WITHOUT_NUMBER else path.with_name(f"{path.name}{form}")


def _mark_of(form: int) -> str:
    """Return the words by which a file says its form: those of the first version, for good."""
    return f"0.1.0/{form}"


class IndexFile:
    """The database of the index; one process has it open at a time.

    A file that cannot be used is put aside, never deleted, and another one begun.
    """

    def __init__(self, path: Path) -> None:
        self.path = _file_of(path, _FORM)
        #: The files of older forms that have other names, the newest first.
        forms = range(_FORM - 1, _LAST_WITHOUT_NUMBER - 1, -1)
        self._earlier = [_file_of(path, form) for form in forms]
        #: What the operator has to know, until it is taken.
        self.notes: list[Note] = []
        try:
            self._open()
        except DamagedIndex as damage:
            self.begin_again(str(damage))

    def _open(self, *, copy: bool = True) -> None:
        self._is_open = False
        with self.checked():
            if not _size(self.path):
                self._put_aside("it was deleted and its write-ahead log was not")
                if copy:
                    self._copy_earlier()
            make_private(self.path)
            self._inode = os.stat(self.path).st_ino
            self.db = apsw.Connection(str(self.path))
            form = _form_of(self.db, self.path)
            if self._is_replaced():  # another process did that while this one waited for it
                raise QueenhighError("books.file", f"{self.path} was replaced: try again")
            self.db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
            self.db.pragma("journal_mode", "wal")
            self.db.pragma("synchronous", "normal")
            if form < _FORM:
                self._add_from(form)
        self._is_open = True

    def _add_from(self, form: int) -> None:
        """Add what a file of an older form lacks, or an empty one."""
        with self.db:
            if not form:
                self.db.pragma("application_id", _MARK)
            for number in range(form + 1, _FORM + 1):
                self.db.execute(_ADDED.get(number, ""))
            self.query("update book set program = ?", _mark_of(_FORM))

    def _copy_earlier(self) -> None:
        """Begin with a copy of the newest file of an older form, which stays as it is."""
        made = self.path.with_name(f"{self.path.name}.new")
        made.unlink(missing_ok=True)  # left by a process that was killed in here
        for earlier in filter(_size, self._earlier):
            with suppress(DamagedIndex), self.checked():
                _copy_pages(earlier, made)
                sync(made)
                os.replace(made, self.path)
                return
            made.unlink(missing_ok=True)

    def _is_replaced(self) -> bool:
        """Return whether the file of this name is no more the one that was opened."""
        with suppress(OSError):
            return os.stat(self.path).st_ino != self._inode
        return True

    def reopen_if_replaced(self) -> bool:
        """Open the file again if it was deleted or replaced; return whether it was.

        The log of the one that was open would be used with the other. So it first goes into the
        file that it belongs to, wherever that is now.
        """
        if self._is_open:
            if not self._is_replaced():
                return False
            with self.checked():
                self.db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        self.db.close()
        self._open()
        return True

    def begin_again(self, reason: str) -> None:
        """Put the file aside as it is and create an empty one."""
        is_replaced = self._is_replaced()
        with suppress(apsw.Error):
            self.db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            self.db.close(True)
        self._is_open = False
        if not is_replaced:
            self._put_aside(reason)
        self._open(copy=False)

    def _put_aside(self, reason: str) -> None:
        """Rename the file, and what SQLite keeps beside it."""
        with self.checked():
            if not any(_size(f"{self.path}{end}") for end in ("", *BESIDE)):
                return
            aside = free_name(self.path)
            if aside is None:
                message = f"{self.path} cannot be used ({reason}), like those put aside before it"
                raise QueenhighError("books.file", f"{message}: move them away")
            put_aside(self.path, aside)
            kept = {"file": str(self.path), "kept": str(aside), "error": reason}
            self.notes.append(("the history index was put aside", kept))

    def all_put_aside(self) -> list[str]:
        """Return the names of the files that were put aside and are still there."""
        beside = (file.name for file in self.path.parent.iterdir())
        return sorted(name for name in beside if name.startswith(f"{self.path.name}.aside-"))

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


def _size(file: Path | str) -> int:
    """Return the size of a file; 0 if there is none."""
    with suppress(FileNotFoundError):
        return os.path.getsize(file)
    return 0


def _form_of(db: apsw.Connection, file: Path) -> int:
    """Return the form of a file, which is locked from now on; 0 if it is empty.

    A file that is no index or of an unknown form is closed as it is. Until the caller knows what
    to do with the file, its log stays what it is too.
    """
    db.set_busy_timeout(_BUSY_MS)
    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, bool(_size(f"{file}-wal")))
    db.pragma("locking_mode", "exclusive")
    if not db.execute("select count(*) from sqlite_schema").get:
        return 0
    if db.pragma("application_id") != _MARK:
        db.close()
        raise QueenhighError("books.other", f"{file} is not a history index: choose another file")
    forms = {_mark_of(form): form for form in range(1, _FORM + 1)}
    match db.execute("select program from book").fetchall():
        case [(str(mark),)] if mark in forms:
            return forms[mark]
        case [(str(mark),)]:
            db.close()
            message = f"{file} has a form that this version does not know ({mark[:20]!r})"
            remedy = "run the version that wrote it, or move the file away to have another built"
            raise QueenhighError("books.form", f"{message}: {remedy}")
        case _:
            raise DamagedIndex("it does not say which form it has")


def _copy_pages(file: Path, to: Path) -> None:
    """Copy a database that nobody else has open; refuse what cannot be used as an index."""
    make_private(to)
    with closing(apsw.Connection(str(file))) as source, closing(apsw.Connection(str(to))) as made:
        _form_of(source, file)
        made.pragma("journal_mode", "off")  # a copy that is not complete is begun again
        with made.backup("main", source, "main") as pages:
            pages.step()
