"""All events of a room in the order they came, from a store or from a log file.

An archived event has only its hash there. The archive, a compressed log file, has its bytes.
"""

import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from queenhigh.errors import QueenhighError
from queenhigh.store.location import Location
from queenhigh.store.open import open_reader
from queenhigh.store.reader import Row, is_typed_head
from queenhigh.store.signing import Head

__all__ = ["BadLine", "Row", "head_line", "is_store", "read_log", "row_line", "write_log"]

_SQLITE, _GZIP = b"SQLite format 3\x00", b"\x1f\x8b"
_ROW_TYPES = (int, str, int, bytes, bytes)


class BadLine(NamedTuple):
    """A line that a log cannot have; ``n`` counts lines."""

    n: int
    message: str


def is_store(room: Location) -> bool:
    """Return whether this is a database; otherwise it is taken for a log file."""
    return not isinstance(room, Path) or _begins(room, _SQLITE)


def _begins(file: Path, with_bytes: bytes) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(len(with_bytes)) == with_bytes
    except OSError as error:
        message = f"{file}: {error.strerror}; give a database or a log file"
        raise QueenhighError("file.unreadable", message) from None


def read_log(room: Location, archives: Sequence[Path] = ()) -> Iterator[Row | Head | BadLine]:
    """Yield the events of a store or a log file, and its head last.

    Archived events come with their bytes if one of the archives has them.
    """
    is_lines = isinstance(room, Path) and not is_store(room)
    rows = _read_lines(Path(room)) if is_lines else _read_store(room)
    yield from _filled(rows, [_Archive(archive) for archive in archives]) if archives else rows


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
            message = f"{self._file} is not an archive (line {self._next.n}: {self._next.message})"
            raise QueenhighError("archive.line", f"{message}: choose another file")
        archived = self._next
        if archived is None or archived.n != row.n:
            return row
        if archived._replace(event=b"") != row:
            message = f"{self._file} is an archive of another database: remove it"
            raise QueenhighError("archive.other", message)
        return archived


def _filled(
    rows: Iterator[Row | Head | BadLine], archives: list[_Archive]
) -> Iterator[Row | Head | BadLine]:
    for row in rows:
        filled = row
        for archive in archives:
            if isinstance(filled, Row) and filled.is_archived:
                filled = archive.fill(filled)
        yield filled


def _read_store(room: Location) -> Iterator[Row | Head]:
    with closing(open_reader(room, recover=True)) as reader, reader.explained():
        with reader.at_one_moment():
            for row in reader.events():
                if tuple(map(type, row)) != _ROW_TYPES:
                    message = f"event {row.n} is not as a store has it"
                    raise QueenhighError("file.unreadable", message)
                yield row
            head = reader.head() or Head()
        if not is_typed_head(head):
            raise QueenhighError("file.unreadable", "the head is not as a store has it")
        yield head


def _read_lines(file: Path) -> Iterator[Row | Head | BadLine]:
    try:
        with gzip.open(file) if _begins(file, _GZIP) else file.open("rb") as opened:
            for number, line in enumerate(opened, 1):
                yield _read_line(number, line)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        message = f"{file} cannot be read as an archive: {error}"
        raise QueenhighError("file.unreadable", message) from None


def _read_line(number: int, line: bytes) -> Row | Head | BadLine:
    """Read a line, which must be written exactly as a log writes it."""
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
    """Return an event as a line of a log."""
    event = {} if row.is_archived else {"event": row.event.decode()}
    place = {"n": row.n, "stream": row.stream, "version": row.version}
    return _line(place | event | {"hash": row.hash.hex()})


def head_line(head: Head) -> str:
    """Return a head as the last line of a log."""
    texts = {name: getattr(head, name).hex() for name in ("hash", "key", "signature")}
    return _line({"head": {"events": head.events, **texts}})


def _line(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n"


def write_log(store: Location, out: TextIO) -> int:
    """Write a store as a log file; return how many events it has."""
    events = 0
    for row in read_log(store):
        if isinstance(row, BadLine):
            raise QueenhighError("log.line", f"line {row.n}: {row.message}")
        if isinstance(row, Row):
            events += 1
            try:
                out.write(row_line(row))
            except UnicodeDecodeError:
                message = f"event {row.n} is not text: the database is damaged"
                raise QueenhighError("log.event", message) from None
        else:
            out.write(head_line(row))
    return events
