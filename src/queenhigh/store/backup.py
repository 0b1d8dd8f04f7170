"""A copy of a store as of one moment, made while others write to it.

A copy is made in a temporary folder beside its target. It gets its name when it is complete and on
disk, and only if nothing has that name; until then there is only the folder, which is removed
whatever happens. The key that signs a store lies beside it and is copied with it; the key it deals
with is not, so that nobody deals the same cards again from a copy.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from time import time

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.checks import file_damage
from queenhigh.store.commit_writer import mark_tips
from queenhigh.store.files import BESIDE, put_in_place, sync
from queenhigh.store.migrations import migrate
from queenhigh.store.reader import EventReader, is_typed_head
from queenhigh.store.signing import Head, Signer
from queenhigh.store.used import refill

__all__ = ["Copy", "check_apart", "check_free", "copying"]

#: How many pages are copied between reports of progress, which may also stop the copy.
_PAGES_AT_ONCE = 1024
#: How many bytes are written between syncs: few, so that no commit of the room waits long.
_BYTES_AT_ONCE = 16_000_000
#: The number after the last one, or the present second if that is more.
_NEXT_EPOCH = """
    insert or replace into epoch
    values (1, max(coalesce((select max(number) from epoch), 0) + 1, ?))
"""


class Copy:
    """A copy of a store in a temporary file, ``file``, until it is published."""

    def __init__(self, source: Path, target: Path, folder: Path) -> None:
        self._source, self._target = source, target
        self.file = folder / "copy"
        self._key: Path | None = None
        self.head = Head()
        #: Sentences for the user about the copy.
        self.notes: list[str] = []

    def copy_pages(self, watch: Callable[[int], None], *, live: bool) -> None:
        """Copy the store as it is now, and its key; call ``watch`` with the bytes copied so far.

        A store that is ``live`` is opened for writing, so that SQLite can recover it after a kill
        and tidy up. Another one is only read.
        """
        failure = f"{self._source} could not be copied to {self._target}"
        with _explain_disk_errors(failure, "check the disk and try again"):
            with closing(_open(self._source, live=live)) as source:
                self.head = _begin(source, self._source)
                self._copy_key(live=live)
                self._copy_database(source, watch)
            with closing(apsw.Connection(str(self.file))) as made:
                made.pragma("journal_mode", "delete")  # one file, with nothing beside it
            self.file.chmod(0o600 | self._source.stat().st_mode & 0o777)

    def _copy_database(self, source: apsw.Connection, watch: Callable[[int], None]) -> None:
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

    def _copy_key(self, *, live: bool) -> None:
        """Copy the key, unless it is there already; raise rather than replace another key."""
        own, to = _key_file(self._source), _key_file(self._target)
        key, existing, signed = _public(own), _public(to), self.head.key
        if existing is not None and existing not in (key, signed):
            message = f"{to} is not the key of {self._source}: move it away first"
            raise QueenhighError("backup.key", message)
        if key is None and existing is None:
            self.notes.append(f"{own} is missing: the copy will get a new key")
        elif key is not None and signed and key != signed:
            message = f"{own} is not the key that signed {self._source}"
            if not live:
                message += ": put the right key there, or move it away to get a new one"
                raise QueenhighError("backup.key", message)
            self.notes.append(message)
        if key is not None and existing is None:
            self._key = self.file.with_suffix(".key")
            handle = os.open(self._key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as opened:
                opened.write(own.read_bytes())

    def damage(self, stop: Callable[[], bool]) -> str | None:
        """Return what is wrong with the database of the copy, or ``None``."""
        return file_damage(self.file, stop)

    def begin_epoch(self) -> None:
        """Turn the copy into a store with an epoch of its own.

        The number of the epoch contains the time, so that two stores made of one copy differ.
        Snapshots are dropped, because a proof of the events does not cover them. The index of used
        ids is rebuilt from the events.
        """
        with (
            self._explain_write_errors(),
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
        """Return the signer of the store from now on: with its key, or a new one if it is lost."""
        existing = _key_file(self._target)
        if self._key is None and not os.path.lexists(existing):
            self._key = self.file.with_suffix(".key")
        return Signer(self._key or existing)

    def publish(self) -> int:
        """Give the copy its name, the key first, and return its size."""
        placed: list[Path] = []
        with self._explain_write_errors():
            size = self.file.stat().st_size
            try:
                for made, to in ((self._key, _key_file(self._target)), (self.file, self._target)):
                    if made is not None:
                        sync(made)
                        check_free(self._target)
                        put_in_place(made, to)
                        placed.append(to)
                sync(self._target.parent)
            except BaseException:
                for file in placed:
                    file.unlink()
                raise
        return size

    def _explain_write_errors(self) -> AbstractContextManager[None]:
        failure = f"{self._target} could not be written"
        return _explain_disk_errors(failure, "check the disk and try again")


@contextmanager
def copying(source: Path, target: Path) -> Iterator[Copy]:
    """Create a folder for a copy; remove it, with whatever was not published, at the end."""
    with _explain_disk_errors(f"{source} cannot be read", "choose a database"):
        if not source.exists():
            raise QueenhighError("file.unreadable", f"{source}: no such database")
        if not source.is_file():
            raise QueenhighError("file.unreadable", f"{source} is not a file: choose a database")
    failure = f"{target.parent} cannot be written"
    with _explain_disk_errors(failure, "choose a writable folder"):
        check_free(target)
        check_apart(source, target)
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


def check_free(target: Path) -> None:
    """Raise if the name is taken, or SQLite left a file beside a database of this name."""
    for end in ("", *BESIDE):
        if os.path.lexists(f"{target}{end}"):
            message = f"{target}{end} already exists: move it away or choose another file"
            raise QueenhighError("backup.exists", message)


def check_apart(source: Path, target: Path) -> None:
    """Raise if the name belongs to the source."""
    own, to = os.path.realpath(source), os.path.realpath(target)
    if to in {f"{own}{end}" for end in (*BESIDE, ".key", ".dealing")}:
        message = f"{target} belongs to {source}: choose another file"
        raise QueenhighError("backup.exists", message)


def _open(file: Path, *, live: bool) -> apsw.Connection:
    """Open a store for reading.

    A store that may be in use is opened for writing, so that the last program to close it tidies
    up after one that was killed; a read-only connection would leave empty files beside it.
    """
    flags = apsw.SQLITE_OPEN_READWRITE if live else apsw.SQLITE_OPEN_READONLY
    connection = apsw.Connection(str(file), flags=flags)
    connection.set_busy_timeout(5000)
    return connection


def _begin(source: apsw.Connection, file: Path) -> Head:
    """Begin a read transaction, in which the store does not change; return its head."""
    try:
        source.pragma("query_only", 1)
        source.execute("begin")
        head = EventReader(source).head() or Head()
    except (apsw.NotADBError, apsw.SQLError) as error:
        message = f"{file} is not a Queenhigh database ({error}): choose another file"
        raise QueenhighError("file.unreadable", message) from None
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        message = f"permission denied: {file}; run this as the user who runs the server"
        raise QueenhighError("file.unreadable", message) from None
    if not is_typed_head(head):
        raise QueenhighError("file.unreadable", f"the head of {file} is damaged")
    return head


@contextmanager
def _explain_disk_errors(failure: str, remedy: str) -> Iterator[None]:
    """Raise errors of the disk and of SQLite as a sentence: what failed, why, and what to do."""
    try:
        yield
    except apsw.FullError:
        raise QueenhighError("backup.full", f"{failure}: the disk is full") from None
    except (OSError, apsw.Error, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        if str(reason) == "not an error":  # SQLite's text for errors in the middle of a copy
            reason = type(error).__name__
        raise QueenhighError("backup.failed", f"{failure} ({reason}): {remedy}") from None
