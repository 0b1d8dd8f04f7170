"""``backup`` and ``restore``: a store copied as it is at one moment, and proved."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import click

from queenhigh.commands.location import DbFile
from queenhigh.commands.options import json_option
from queenhigh.commands.output import notice, print_json
from queenhigh.commands.progress import counting, stopped_by_signal
from queenhigh.errors import QueenhighError

if TYPE_CHECKING:
    from queenhigh.sheets.backup_sheet import CopyResult
    from queenhigh.store.backup import Copy
    from queenhigh.verify.verifier import Report

__all__ = ["backup", "restore"]

_MB = 1_000_000
#: A backup can wait; the players in the room cannot.
_NICE = 10

_BACKUP = "back up a database with pg_dump, or copy it to a file with queenhigh copy"
_RESTORE = "restore to a file, then copy it to the database with queenhigh copy"
_file = click.argument("file", type=DbFile("FILE is where the backup is"))


class CopyOptions(NamedTuple):
    """A copy to make. Backup and restore differ only in these."""

    source: Path
    target: Path
    restores: bool
    proves: bool


@click.command()
@click.argument("db", type=DbFile(_BACKUP))
@_file
@click.option("--no-verify", is_flag=True, help="Skip verification of the copy.")
@json_option
def backup(db: Path, file: Path, no_verify: bool, as_json: bool) -> None:
    """Back up an open room's database and verify the copy.

    The copy is written to FILE and its signing key to FILE.key. FILE must not exist. A copy that
    does not verify is kept, and the exit status is 1. Ctrl-C removes everything written so far.
    """
    if hasattr(os, "nice"):  # not on Windows
        os.nice(_NICE)
    options = CopyOptions(source=db, target=file, restores=False, proves=not no_verify)
    sys.exit(0 if _run(options, as_json=as_json) else 1)


@click.command()
@_file
@click.argument("db", type=DbFile(_RESTORE))
@json_option
def restore(file: Path, db: Path, as_json: bool) -> None:
    """Verify a backup and restore it to a new database.

    DB must not exist. If the backup does not verify, DB is not created and the exit status is 1.
    """
    options = CopyOptions(source=file, target=db, restores=True, proves=True)
    sys.exit(0 if _run(options, as_json=as_json) else 1)


def _run(options: CopyOptions, *, as_json: bool) -> bool:
    """Copy, print what became of it, and return whether the copy is good."""
    from queenhigh.sheets import backup_sheet
    from queenhigh.store.backup import copying

    with stopped_by_signal() as stopped:
        try:
            with copying(options.source, options.target) as copy:
                result = _copy(options, copy, stopped.is_set)
        except KeyboardInterrupt:
            notice(f"stopped: {options.target} was not written")
            raise
    for note in copy.notes:
        notice(note)
    if as_json:
        print_json(backup_sheet.as_json(result))
    else:
        click.echo(backup_sheet.as_text(result))
    return result.report.ok


def _copy(options: CopyOptions, copy: "Copy", stop: Callable[[], bool]) -> "CopyResult":
    from queenhigh.sheets.backup_sheet import CopyResult

    start = monotonic()
    with counting(options.source.stat().st_size // _MB, "MB") as count_up:

        def watch(size: int) -> None:
            _check(stop)
            count_up(size // _MB)

        copy.copy_pages(watch, live=not options.restores)
    copied = monotonic()
    report = _prove(options, copy, stop) if options.proves else _unproved(copy)
    proving = monotonic() - copied if options.proves else None
    size = None
    _check(stop)
    if report.ok or not options.restores:
        if options.restores:
            copy.begin_epoch()
        size = copy.publish()
    return CopyResult(
        source=options.source,
        target=options.target,
        report=report,
        seconds=copied - start,
        proof_seconds=proving,
        size=size,
    )


def _check(stop: Callable[[], bool]) -> None:
    if stop():
        raise KeyboardInterrupt


def _prove(options: CopyOptions, copy: "Copy", stop: Callable[[], bool]) -> "Report":
    """Prove the copy itself: first that it is a database, then every event."""
    from queenhigh.verify.verifier import Report, verify

    events, key = copy.head.events, copy.head.key.hex()
    damage = copy.damage(stop)
    if damage is not None:
        return Report(events, 0, key, f"the file is damaged: {damage}")
    with counting(events, "events") as count_up:

        def watch(done: int) -> None:
            _check(stop)
            count_up(done)

        try:
            # Whatever is beside the events is built from them again when a store is restored.
            return verify(
                copy.file, check="no index" if options.restores else "everything", watch=watch
            )
        except QueenhighError as error:
            message = str(error).replace(str(copy.file), str(options.source))
            return Report(events, 0, key, message)


def _unproved(copy: "Copy") -> "Report":
    from queenhigh.verify.verifier import Report

    return Report(copy.head.events, 0, copy.head.key.hex())
