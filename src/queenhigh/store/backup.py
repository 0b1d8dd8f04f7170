"""A copy of a store as it is at one moment, taken while others write to it.

A copy is made in a folder of its own, beside the place it is for. It gets its name when it is whole
and on disk, and only if nothing has that name; until then nothing but the folder is there, and that
goes whatever happens. The key that signs a store lies beside it and is copied with it; the one it
deals with is not, so that nobody deals from a copy what was dealt.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import time
from typing import Any

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.batches import mark_tips
from queenhigh.store.checks import file_damage
from queenhigh.store.files import put_in_place, sync
from queenhigh.store.migrations import migrate
from queenhigh.store.signing import Head, Signer
from queenhigh.store.used import refill

__all__ = ["Copy", "copying"]

#: How many pages are copied before anyone is told how far it is, or can stop it.
_PAGES_AT_ONCE = 1024
#: How many bytes are written before the disk gets them: few, so that no commit waits behind many.
_BYTES_AT_ONCE = 16_000_000
#: What SQLite may keep beside a file, and would take for a part of a new one of that name.
_BESIDE = ("-wal", "-shm", "-journal")
#: The number after the last one, or the present second if that is more.
_NEXT_EPOCH = """
    insert or replace into epoch
    values (1, max(coalesce((select max(number) from epoch), 0) + 1, ?))
"""


class Copy:
    """A copy of a store that has no name yet, in ``file``."""

    def __init__(self, source: Path, target: Path, folder: Path) -> None:
        self._source, self._target = source, target
        self.file = folder / "copy"
        self._key: Path | None = None
        self.head = Head()
        #: What whoever asked for the copy should know.
        self.notes: list[str] = []

    def take(self, watch: Callable[[int], None], *, live: bool) -> None:
        """Copy the store as it is now; ``watch`` is told how many bytes are there.

        A store that is ``live`` may have to be put in order first, and is left in order. Another
        one is only read.
        """
        what = f"{self._source} could not be copied to {self._target}"
        with _told(what, "see to the disk, and try again"):
            with closing(_open(self._source, live=live)) as source:
                self.head = _begin(source, self._source)
                self._take_key(live=live)
                self._take_pages(source, watch)
            with closing(apsw.Connection(str(self.file))) as made:
                made.pragma("journal_mode", "delete")  # one file, with nothing beside it
            self.file.chmod(0o600 | self._source.stat().st_mode & 0o777)

    def _take_pages(self, source: apsw.Connection, watch: Callable[[int], None]) -> None:
        size = int(source.pragma("page_size"))
        self.file.touch()
        with self.file.open("r+b") as disk, closing(apsw.Connection(str(self.file))) as made:
            made.pragma("journal_mode", "off")
            made.pragma("synchronous", "off")
            synced = 0
            with made.backup("main", source, "main") as pages:
                while not pages.done:
                    pages.step(_PAGES_AT_ONCE)
                    done = (pages.page_count - pages.remaining) * size
                    if done - synced >= _BYTES_AT_ONCE:
                        os.fsync(disk.fileno())
                        synced = done
                    watch(done)

    def _take_key(self, *, live: bool) -> None:
        """Copy the key, unless it is there already; another one there is not lost."""
        at, to = _key_file(self._source), _key_file(self._target)
        key, there, signed = _public(at), _public(to), self.head.key
        if there is not None and there not in (key, signed):
            told = f"{to} is another key than that of {self._source}: move it away first"
            raise QueenhighError("backup.key", told)
        if key is None and there is None:
            self.notes.append(f"there is no {at}: a store without it goes on with a new key")
        elif key is not None and signed and key != signed:
            told = f"{at} is not the key that signed {self._source}"
            if not live:
                told += ": put the right one there, or move it away to go on with a new one"
                raise QueenhighError("backup.key", told)
            self.notes.append(told)
        if key is not None and there is None:
            self._key = self.file.with_suffix(".key")
            handle = os.open(self._key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as opened:
                opened.write(at.read_bytes())

    def damage(self, stop: Callable[[], bool]) -> str | None:
        """Say in what the copy is not a sound database, if it is not."""
        return file_damage(self.file, stop)

    def begin_epoch(self) -> None:
        """Make a store of the copy, in an epoch of its own.

        The time is in its number, so that two stores made of one copy are of two epochs.
        It keeps only what can be proved: nothing rests on snapshots, and nobody proves them. The
        index of used ids is made anew from the events, which are proved.
        """
        with (
            _told(f"{self._target} could not be written", "see to the disk, and try again"),
            closing(apsw.Connection(str(self.file))) as made,
        ):
            signer = self._signer()
            migrate(made, self.file, signer)
            made.execute("delete from snapshot")
            made.execute(_NEXT_EPOCH, (int(time()),))
            refill(made)
            mark_tips(made, signer)
            if self.head.events and self.head.key != signer.key:
                head = signer.sign(self.head.events, self.head.hash)
                made.execute("insert or replace into head values (1, ?, ?, ?, ?)", head)

    def _signer(self) -> Signer:
        """Return who signs the store from now on: who did, or with a new key if that is lost."""
        there = _key_file(self._target)
        if self._key is None and not os.path.lexists(there):
            self._key = self.file.with_suffix(".key")
        return Signer(self._key or there)

    def place(self) -> int:
        """Give the copy its name, the key first, and return its size."""
        placed: list[Path] = []
        with _told(f"{self._target} could not be written", "see to the disk, and try again"):
            size = self.file.stat().st_size
            try:
                for made, to in ((self._key, _key_file(self._target)), (self.file, self._target)):
                    if made is not None:
                        sync(made)
                        _check_free(self._target)
                        put_in_place(made, to)
                        placed.append(to)
                sync(self._target.parent)
            except BaseException:
                for file in placed:
                    file.unlink()
                raise
        return size


@contextmanager
def copying(source: Path, target: Path) -> Iterator[Copy]:
    """Make a place for a copy, and clear away whatever was not given its name."""
    with _told(f"{source} cannot be read", "name a store"):
        if not source.exists():
            raise QueenhighError("file.unreadable", f"{source}: there is no such store")
        if not source.is_file():
            raise QueenhighError("file.unreadable", f"{source} is not a file: name a store")
    with _told(f"{target.parent} cannot be written", "name a file in a folder that can"):
        _check_free(target)
        _check_apart(source, target)
        folder = Path(tempfile.mkdtemp(prefix=".queenhigh-copy-", dir=target.parent))
    try:
        yield Copy(source, target, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _key_file(store: Path) -> Path:
    return Path(f"{store}.key")


def _public(file: Path) -> bytes | None:
    """Return the public half of a key, if the file is there."""
    return Signer(file).key if os.path.lexists(file) else None


def _check_free(target: Path) -> None:
    """Refuse a name that is taken, or that a database of this name left something beside."""
    for end in ("", *_BESIDE):
        if os.path.lexists(f"{target}{end}"):
            told = f"{target}{end} exists and stays as it is: move it away, or name another file"
            raise QueenhighError("backup.exists", told)


def _check_apart(source: Path, target: Path) -> None:
    """Refuse a name that belongs to the source."""
    at, to = os.path.realpath(source), os.path.realpath(target)
    if to in {f"{at}{end}" for end in (*_BESIDE, ".key", ".dealing")}:
        told = f"{target} is a name that {source} uses itself: name another file"
        raise QueenhighError("backup.exists", told)


def _open(file: Path, *, live: bool) -> apsw.Connection:
    """Open a store for reading.

    One that may be in use is opened so that the last to close it clears up after whoever was
    killed; one that only reads would leave empty files beside a store that nobody else has open.
    """
    flags = apsw.SQLITE_OPEN_READWRITE if live else apsw.SQLITE_OPEN_READONLY
    connection = apsw.Connection(str(file), flags=flags)
    connection.set_busy_timeout(5000)
    return connection


def _begin(source: apsw.Connection, file: Path) -> Head:
    """Begin to read: from here on the store stands still for this connection."""
    try:
        source.pragma("query_only", 1)
        source.execute("begin")
        heads: Any = source.execute("select events, hash, key, signature from head").fetchall()
    except (apsw.NotADBError, apsw.SQLError) as error:
        told = f"{file} is not a store ({error}): name another file"
        raise QueenhighError("file.unreadable", told) from None
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        told = f"{file} cannot be opened by you: run this as who runs the room"
        raise QueenhighError("file.unreadable", told) from None
    head = Head(*heads[0]) if heads else Head()
    if tuple(map(type, head)) != (int, bytes, bytes, bytes):
        raise QueenhighError("file.unreadable", f"the head of {file} is not as a store has it")
    return head


@contextmanager
def _told(what: str, do: str) -> Iterator[None]:
    """Say in a sentence what the disk or SQLite does not do."""
    try:
        yield
    except apsw.FullError:
        raise QueenhighError("backup.full", f"{what}: the disk is full, make room") from None
    except (OSError, apsw.Error, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        if str(why) == "not an error":  # as SQLite calls what went wrong in the middle of a copy
            why = type(error).__name__
        raise QueenhighError("backup.failed", f"{what} ({why}): {do}") from None
