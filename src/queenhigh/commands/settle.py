"""``settle``: rounds in, a line at a time; amounts out, as they come."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from queenhigh.commands.options import json_option, load_rulebook, set_option
from queenhigh.errors import InvalidRound, QueenhighError

if TYPE_CHECKING:
    from queenhigh.rulebook.book import Rulebook

__all__ = ["settle"]

_LONGEST_LINE = 1 << 20
_BLOCK = 1 << 16
_BLANKS = b" \t\r"
_MARK = b"\xef\xbb\xbf"  # some editors put this before a text


@click.command()
@click.argument("rulebook")
@click.argument("file", default="-", metavar="[FILE|-]")
@set_option
@json_option
def settle(rulebook: str, file: str, changes: tuple[str, ...], as_json: bool) -> None:
    """Settle finished rounds from a file or standard input.

    Each line of FILE is one round, a JSON object. Lines that cannot be settled are reported on
    standard error as "line N: reason"; all other lines are settled, and the exit status is 1.
    """
    bad = _settle_file(load_rulebook(rulebook, changes), file, as_json=as_json)
    sys.exit(1 if bad else 0)


def _settle_file(book: "Rulebook", file: str, *, as_json: bool) -> int:
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


def _settle_stream(book: "Rulebook", source: Any, *, as_json: bool) -> int:
    from queenhigh.sheets.format import one_line

    settled = _settler(book, as_json=as_json)
    out = sys.stdout.buffer
    bad = number = 0
    with _progress(_size(source)) as show_progress:

        def before_waiting(bytes_read: int) -> None:
            out.flush()
            show_progress(number, bytes_read)

        try:
            for number, line in _lines(source, before_waiting):
                try:
                    out.write(settled(number, line))
                except QueenhighError as error:
                    bad += 1
                    click.echo(f"line {number}: {one_line(str(error))}", err=True)
        except KeyboardInterrupt:
            out.flush()
            click.echo(f"stopped at line {number}; everything printed so far is correct", err=True)
            sys.exit(130)
    return bad


def _settler(book: "Rulebook", *, as_json: bool) -> Callable[[int, bytes], bytes]:
    """Return a function from a numbered line to the output for it."""
    from queenhigh.settle_format import read_line, settle_checked, write_line
    from queenhigh.sheets.trace import trace

    def settled(number: int, line: bytes) -> bytes:
        if len(line) > _LONGEST_LINE:
            raise InvalidRound("line.long", "the line is longer than 1 MiB")
        if not line.strip(_BLANKS):
            return b""
        id, finished = read_line(book, line)
        result = settle_checked(book, finished)
        if as_json:
            return write_line(id, result) + b"\n"
        return trace(book, id or str(number), finished, result).encode() + b"\n"

    return settled


def _lines(source: Any, before_waiting: Callable[[int], None]) -> Iterator[tuple[int, bytes]]:
    """Yield numbered lines without their ends; of an endless line no more than is needed.

    ``before_waiting`` is called with the number of bytes read so far, before each read.
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
    """Return the size of a regular file; ``None`` for a pipe or a terminal."""
    try:
        status = os.fstat(source.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


@contextmanager
def _progress(size: int | None) -> Iterator[Callable[[int, int], None]]:
    """Show how far we are, if standard error is a terminal and the results go elsewhere."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield lambda number, bytes_read: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.fields[lines]:,} lines"),
        BarColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as bar:
        task = bar.add_task("settle", total=size, lines=0)
        yield lambda number, bytes_read: bar.update(task, completed=bytes_read, lines=number)
