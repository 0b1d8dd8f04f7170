"""All events of a room in the order they came, from a store or from a log file.

An event that was archived stands there with its hash only. The archive, which is a log file too,
packed, has its bytes.
"""

import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.signing import Head

__all__ = ["BadLine", "Row", "head_line", "is_store", "read_log", "row_line", "write_log"]

_SQLITE, _GZIP = b"SQLite format 3\x00", b"\x1f\x8b"


class Row(NamedTuple):
    """An event as a log has it: its number, its place in its stream, its bytes, its hash."""

    n: int
    stream: str
    version: int
    event: bytes
    hash: bytes

    @property
    def is_archived(self) -> bool:
        """Tell whether only the hash of the event is here: no event has no bytes."""
        return not self.event


class BadLine(NamedTuple):
    """A line that is not what a log has; ``n`` counts lines."""

    n: int
    told: str


def is_store(file: Path) -> bool:
    """Tell whether a file is a store; otherwise it is taken for a log file."""
    return _begins(file, _SQLITE)


def _begins(file: Path, with_bytes: bytes) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(len(with_bytes)) == with_bytes
    except OSError as error:
        told = f"{file}: {error.strerror}; give a store or a log file"
        raise QueenhighError("file.unreadable", told) from None


def read_log(file: Path, archives: Sequence[Path] = ()) -> Iterator[Row | Head | BadLine]:
    """Yield the events of a store or a log file, and its head last.

    Events that were archived come with their bytes where one of the archives has them.
    """
    rows = _read_store(file) if is_store(file) else _read_lines(file)
    yield from _filled(rows, [_Archive(one) for one in archives]) if archives else rows


class _Archive:
    """The events that an archive has, looked up in the order they came."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._rows = (row for row in read_log(file) if not isinstance(row, Head))
        self._next: Row | BadLine | None = next(self._rows, None)

    def fill(self, row: Row) -> Row:
        """Return an event with its bytes, if they are here."""
        while isinstance(self._next, Row) and self._next.n < row.n:
            self._next = next(self._rows, None)
        if isinstance(self._next, BadLine):
            told = f"{self._file} is no archive (line {self._next.n}: {self._next.told})"
            raise QueenhighError("archive.line", f"{told}: name another file")
        there = self._next
        if there is None or there.n != row.n:
            return row
        if there._replace(event=b"") != row:
            told = f"{self._file} is an archive of another store: leave it out"
            raise QueenhighError("archive.other", told)
        return there


def _filled(
    rows: Iterator[Row | Head | BadLine], archives: list[_Archive]
) -> Iterator[Row | Head | BadLine]:
    for row in rows:
        whole = row
        for archive in archives:
            if isinstance(whole, Row) and whole.is_archived:
                whole = archive.fill(whole)
        yield whole


def _read_store(file: Path) -> Iterator[Row | Head]:
    ask = (
        "select event.id, name, version, event, hash from event"
        " left join stream on stream.id = event.stream order by event.id"
    )
    try:
        # Not read-only: a store that was killed has to be put in order first.
        store = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)
        store.set_busy_timeout(5000)
        with store:
            for n, stream, version, event, hashed in store.execute(ask):
                yield Row(*_typed(n, stream, version, event, hashed))
            heads: Any = store.execute("select events, hash, key, signature from head").fetchall()
        yield _head_of(heads)
    except (apsw.Error, UnicodeDecodeError) as error:
        told = f"{file} cannot be read as a store: {error}"
        raise QueenhighError("file.unreadable", told) from None


def _head_of(rows: list[tuple[Any, ...]]) -> Head:
    if not rows:
        return Head()
    if tuple(map(type, rows[0])) != (int, bytes, bytes, bytes):
        raise QueenhighError("file.unreadable", "the head is not as a store has it")
    return Head(*rows[0])


def _typed(*values: Any) -> tuple[Any, ...]:
    if tuple(map(type, values)) != (int, str, int, bytes, bytes):
        raise QueenhighError("file.unreadable", f"event {values[0]} is not as a store has it")
    return values


def _read_lines(file: Path) -> Iterator[Row | Head | BadLine]:
    try:
        with gzip.open(file) if _begins(file, _GZIP) else file.open("rb") as opened:
            for number, line in enumerate(opened, 1):
                yield _read_line(number, line)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        told = f"{file} cannot be read as an archive: {error}"
        raise QueenhighError("file.unreadable", told) from None


def _read_line(number: int, line: bytes) -> Row | Head | BadLine:
    """Read a line; one that would not be written again as it stands is bad."""
    try:
        raw = json.loads(line)
        read = _read_head(raw["head"]) if "head" in raw else _read_row(raw)
        written = head_line(read) if isinstance(read, Head) else row_line(read)
        if written.encode() != line:
            return BadLine(number, "this line is not written as a log writes it")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        return BadLine(number, "this is not a line of a log")
    return read


def _read_row(raw: dict[str, Any]) -> Row:
    event = raw["event"].encode() if "event" in raw else b""
    row = Row(raw["n"], raw["stream"], raw["version"], event, bytes.fromhex(raw["hash"]))
    if (type(row.n), type(row.stream), type(row.version)) != (int, str, int):
        raise TypeError("numbers and names")
    return row


def _read_head(raw: dict[str, Any]) -> Head:
    if type(raw["events"]) is not int:
        raise TypeError("a number")
    return Head(raw["events"], *(bytes.fromhex(raw[key]) for key in ("hash", "key", "signature")))


def row_line(row: Row) -> str:
    """Write an event as a line of a log."""
    event = {} if row.is_archived else {"event": row.event.decode()}
    place = {"n": row.n, "stream": row.stream, "version": row.version}
    return _line(place | event | {"hash": row.hash.hex()})


def head_line(head: Head) -> str:
    """Write a head as the last line of a log."""
    texts = {name: getattr(head, name).hex() for name in ("hash", "key", "signature")}
    return _line({"head": {"events": head.events, **texts}})


def _line(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n"


def write_log(store: Path, out: TextIO) -> int:
    """Write a store as a log file; return how many events it has."""
    events = 0
    for row in read_log(store):
        if isinstance(row, BadLine):
            raise QueenhighError("log.line", f"line {row.n}: {row.told}")
        if isinstance(row, Row):
            events += 1
            try:
                out.write(row_line(row))
            except UnicodeDecodeError:
                told = f"event {row.n} is not text: the store is damaged"
                raise QueenhighError("log.event", told) from None
        else:
            out.write(head_line(row))
    return events
