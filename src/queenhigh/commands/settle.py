"""``queenhigh settle``: rounds in, a line at a time; amounts out, as they come."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from queenhigh.errors import InvalidRound, QueenhighError
from queenhigh.rulebook.book import Rulebook
from queenhigh.settle_format import read_line, settle_checked, write_line
from queenhigh.sheets.trace import trace
from queenhigh.sheets.words import one_line

__all__ = ["settle_file"]

_LONGEST_LINE = 1 << 20
_BLOCK = 1 << 16
_BLANKS = b" \t\r"
_MARK = b"\xef\xbb\xbf"  # that some editors put before a text


def settle_file(book: Rulebook, file: str, *, as_json: bool) -> int:
    """Settle every line of a file (``-``: standard input); return how many were bad."""
    if file == "-":
        if sys.stdin is None:
            raise QueenhighError("file.unreadable", "standard input is closed; give a file")
        return _settle_stream(book, sys.stdin.buffer, as_json=as_json)
    try:
        source = open(file, "rb")  # noqa: SIM115 (only the opening is guarded)
    except (OSError, ValueError) as error:
        raise _unreadable(file, error) from None
    with source:
        return _settle_stream(book, source, as_json=as_json)


def _unreadable(file: str, error: Exception) -> QueenhighError:
    reason = getattr(error, "strerror", None) or str(error)
    return QueenhighError(
        "file.unreadable", f"{file}: {reason}; give a file of rounds, or - for standard input"
    )


def _settle_stream(book: Rulebook, source: Any, *, as_json: bool) -> int:
    out = sys.stdout.buffer
    bad = number = 0
    with _progress(_size(source)) as show:

        def before_waiting(bytes_read: int) -> None:
            out.flush()
            show(number, bytes_read)

        try:
            for number, line in _lines(source, before_waiting):
                try:
                    out.write(_settled(book, number, line, as_json=as_json))
                except QueenhighError as error:
                    bad += 1
                    click.echo(f"line {number}: {one_line(str(error))}", err=True)
        except KeyboardInterrupt:
            out.flush()
            click.echo(f"stopped at line {number}; what was written is right", err=True)
            sys.exit(130)
    return bad


def _settled(book: Rulebook, number: int, line: bytes, *, as_json: bool) -> bytes:
    if len(line) > _LONGEST_LINE:
        raise InvalidRound("line.long", "the line is longer than 1 MiB")
    if not line.strip(_BLANKS):
        return b""
    id, finished = read_line(book, line)
    settled = settle_checked(book, finished)
    if as_json:
        return write_line(id, settled) + b"\n"
    return trace(book, id or str(number), finished, settled).encode() + b"\n"


def _lines(source: Any, before_waiting: Callable[[int], None]) -> Iterator[tuple[int, bytes]]:
    """Yield numbered lines without their ends; of an endless one no more than is needed.

    ``before_waiting`` is told how many bytes were read, each time before more are asked for.
    """
    number = bytes_read = 0
    rest = b""
    while True:
        before_waiting(bytes_read)
        try:
            block = source.read1(_BLOCK)
        except OSError as error:
            raise _unreadable(source.name, error) from None
        bytes_read += len(block)
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            number += 1
            yield number, line if number > 1 else line.removeprefix(_MARK)
        rest = rest[: _LONGEST_LINE + 1]
        if not block:
            if rest:
                yield number + 1, rest if number else rest.removeprefix(_MARK)
            before_waiting(bytes_read)
            return


def _size(source: Any) -> int | None:
    """Return the size of a regular file; of a pipe or a terminal nothing is known."""
    try:
        status = os.fstat(source.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


@contextmanager
def _progress(size: int | None) -> Iterator[Callable[[int, int], None]]:
    """Show how far we are, if someone watches and the results go elsewhere."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield lambda number, bytes_read: None
        return
    from rich.console import Console  # noqa: PLC0415 (slow to load, and seldom needed)
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    with Progress(
        TextColumn("{task.fields[lines]:,} lines"),
        BarColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as bar:
        task = bar.add_task("settle", total=size, lines=0)
        yield lambda number, bytes_read: bar.update(task, completed=bytes_read, lines=number)
