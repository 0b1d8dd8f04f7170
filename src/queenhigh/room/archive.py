"""Archives of closed tables: log files that prove themselves, and stores that need less room.

An archive has every event of some tables, and of all others the hash, up to the signed head of
that moment. So it can be proved without the store, and the store without the archive.
"""

import gzip
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from queenhigh.errors import QueenhighError
from queenhigh.room.room import now
from queenhigh.store.emptying import LastEvent, empty_streams, last_events
from queenhigh.store.files import put_in_place, sync
from queenhigh.store.locking import sole_writer
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import AT_END, Append
from queenhigh.table.commands import FLOOR
from queenhigh.table.events import TableClosed, decode, encode
from queenhigh.table.registry import ARCHIVE, FLOOR_LOG, FloorActed, archived_at
from queenhigh.table.streams import table_stream
from queenhigh.verify.log_file import BadLine, Row, head_line, read_log, row_line
from queenhigh.verify.verifier import Report, verify

__all__ = ["Archived", "archive", "closed_tables"]

Watch = Callable[[int], None]


@dataclass(frozen=True)
class Archived:
    """The result of an archive: its tables, its size, and the report of its proof."""

    tables: list[str]
    events: int
    bytes: int
    report: Report
    #: How many bytes smaller the store is, if the events were removed from it.
    freed: int | None = None


def closed_tables(store: Path, before: int | None = None) -> list[LastEvent]:
    """Return the ends of tables that closed, ``before`` a time if given, and are not archived."""
    if not store.is_file():
        raise QueenhighError("file.unreadable", f"{store}: no such database")
    return [
        last
        for last in last_events(store, table_stream(""))
        if last.event
        and isinstance(closed := decode(last.event), TableClosed)
        and (before is None or closed.at < before)
    ]


def archive(
    store: Path, to: Path, *, before: int | None = None, remove: bool = False, watch: Watch
) -> Archived:
    """Write the closed tables of a store to a new file, and prove it.

    Only then, with ``remove``, note in the store that they are archived, and remove the bytes of
    these events from it.
    """
    if remove:
        with sole_writer(store):
            return _archive(store, to, before, watch, remove=True)
    return _archive(store, to, before, watch, remove=False)


def _archive(store: Path, to: Path, before: int | None, watch: Watch, *, remove: bool) -> Archived:
    ends = closed_tables(store, before)
    if not ends:
        message = f"{store} has no closed tables to archive"
        raise QueenhighError("archive.none", message)
    with _explain_disk_errors(to), _new_file(to) as made:
        _write(store, made, {end.stream for end in ends}, watch)
        report = verify(made, watch=watch)
        size = made.stat().st_size
        if report.ok:
            put_in_place(made, to)
            sync(to.parent)
    tables = [end.stream.removeprefix(table_stream("")) for end in ends]
    events, freed = sum(end.version for end in ends), None
    if remove and report.ok:
        size_before = store.stat().st_size
        _note(store, ends)
        empty_streams(store, ends)
        freed = size_before - store.stat().st_size
    return Archived(tables, events, size, report, freed)


def _note(store: Path, ends: Sequence[LastEvent]) -> None:
    """Append to the floor's stream which tables are archived and how they ended.

    This comes first: a table without its bytes and without this note counts as damaged.
    """
    time_ms = now()
    events = [
        FloorActed(
            at=time_ms, by=FLOOR, id=f"archive.{end.hash.hex()[:16]}", action=ARCHIVE,
            subject=end.stream.removeprefix(table_stream("")),
            after=archived_at(end.version, end.hash),
        )
        for end in ends
    ]  # fmt: skip
    with closing(SqliteStore(store)) as opened:
        opened.append(Append(FLOOR_LOG, AT_END, tuple(map(encode, events))))


def _write(store: Path, made: Path, streams: set[str], watch: Watch) -> None:
    """Write the log of a store with the events of some streams, and the hashes of all others."""
    with made.open("wb") as raw:
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:
            for line in _lines(store, streams, watch):
                packed.write(line.encode())
        raw.flush()
        os.fsync(raw.fileno())


def _lines(store: Path, streams: set[str], watch: Watch) -> Iterator[str]:
    for row in read_log(store):
        if isinstance(row, BadLine):
            raise QueenhighError("log.line", f"line {row.n}: {row.message}")
        if not isinstance(row, Row):
            yield head_line(row)
            continue
        if row.n % 1000 == 0:
            watch(row.n)
        try:
            yield row_line(row if row.stream in streams else row._replace(event=b""))
        except UnicodeDecodeError:
            message = f"event {row.n} is not text: the database is damaged, run queenhigh verify"
            raise QueenhighError("log.event", message) from None


@contextmanager
def _new_file(to: Path) -> Iterator[Path]:
    """Create a file that only its owner may read, in a temporary folder that is removed after."""
    if os.path.lexists(to):
        message = f"{to} already exists: move it away or choose another file"
        raise QueenhighError("archive.exists", message)
    with tempfile.TemporaryDirectory(prefix=".queenhigh-archive-", dir=to.parent) as folder:
        made = Path(folder) / "archive"
        os.close(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield made


@contextmanager
def _explain_disk_errors(to: Path) -> Iterator[None]:
    """Raise errors of the disk as a sentence that says what to do."""
    try:
        yield
    except OSError as error:
        message = f"{to} could not be written ({error.strerror}): check the disk and try again"
        raise QueenhighError("archive.failed", message) from None
