"""``queenhigh settle``: rounds in, a line at a time; amounts out, as they come."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

import click

from queenhigh.errors import InvalidRound, QueenhighError
from queenhigh.rulebook.book import Rulebook
from queenhigh.settle_format import read_line, settle, write_line
from queenhigh.sheets.trace import trace

__all__ = ["settle_file"]

_LONGEST_LINE = 1 << 20


def settle_file(book: Rulebook, file: str, *, as_json: bool) -> int:
    """Settle every line of a file (``-``: standard input); return how many were bad."""
    if file == "-":
        return _settle_stream(book, sys.stdin.buffer, as_json=as_json)
    with open(file, "rb") as source:
        return _settle_stream(book, source, as_json=as_json)


def _settle_stream(book: Rulebook, source: BinaryIO, *, as_json: bool) -> int:
    out = sys.stdout.buffer
    size = _size(source)
    bad = number = 0
    with _progress(size) as advance:
        try:
            for number, line in _lines(source):
                try:
                    if line:
                        out.write(_settled(book, number, line, as_json=as_json))
                except QueenhighError as error:
                    bad += 1
                    out.flush()
                    click.echo(f"line {number}: {error}", err=True)
                if size is None:
                    out.flush()
                if not number & 1023:
                    advance(number, source)
            out.flush()
        except KeyboardInterrupt:
            out.flush()
            click.echo(f"stopped after line {number}; what is above is complete", err=True)
            sys.exit(130)
    return bad


def _settled(book: Rulebook, number: int, line: bytes, *, as_json: bool) -> bytes:
    if len(line) > _LONGEST_LINE:
        raise InvalidRound("line.long", "the line is longer than 1 MiB")
    id, finished = read_line(book, line)
    settled = settle(book, finished)
    if as_json:
        return write_line(id, settled) + b"\n"
    return trace(book, id or str(number), finished, settled).encode() + b"\n"


def _lines(source: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield numbered lines without their ends; of an endless one no more than is needed."""
    number = 0
    while line := source.readline(_LONGEST_LINE + 2):
        number += 1
        whole = line
        while len(line) > _LONGEST_LINE and not line.endswith(b"\n"):
            line = source.readline(_LONGEST_LINE + 2)
            if not line:
                break
        if number == 1:
            whole = whole.removeprefix(b"\xef\xbb\xbf")
        yield number, whole.strip()


def _size(source: BinaryIO) -> int | None:
    """Return the size of a regular file; of a pipe or a terminal nothing is known."""
    try:
        status = os.fstat(source.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


@contextmanager
def _progress(size: int | None) -> Iterator[Callable[[int, BinaryIO], None]]:
    """Show how far we are, if someone watches and the results go elsewhere."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield lambda number, source: None
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

        def advance(number: int, source: BinaryIO) -> None:
            done = source.tell() if size is not None else None
            bar.update(task, completed=done, lines=number)

        yield advance
