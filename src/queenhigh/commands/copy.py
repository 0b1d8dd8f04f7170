"""``copy``: a room moved between SQLite and PostgreSQL, and proved."""

import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from queenhigh.commands.location import LOCATION, keys_option
from queenhigh.commands.options import json_option
from queenhigh.commands.output import notice, print_json
from queenhigh.commands.progress import counting, stopped_by_signal

if TYPE_CHECKING:
    from queenhigh.room.copying import RoomCopy
    from queenhigh.sheets.copy_sheet import Copied
    from queenhigh.store.location import Location
    from queenhigh.verify.verifier import Report

__all__ = ["copy"]

_Stop = Callable[[], bool]


@click.command()
@click.argument("source", type=LOCATION, metavar="SRC")
@click.argument("target", type=LOCATION, metavar="DST")
@keys_option
@json_option
def copy(source: "Location", target: "Location", keys: Path, as_json: bool) -> None:
    """Copy a room to another database and verify the copy.

    SRC and DST are SQLite files or postgresql://… URLs. Stop the server first. DST gets every
    event, account and setting of SRC, and the key that signs it; DST must not have a room. If the
    copy is interrupted, run the command again: it continues where it stopped, and no program opens
    DST before it is complete. If the events do not verify, DST is not written and the exit status
    is 1.
    """
    from queenhigh.sheets import copy_sheet

    with stopped_by_signal() as stopped:
        try:
            copied = _copy(source, target, keys, stopped.is_set)
        except KeyboardInterrupt:
            notice("stopped: run the same command again to continue")
            raise
    if as_json:
        print_json(copy_sheet.as_json(copied))
    else:
        click.echo(copy_sheet.as_text(copied))
    sys.exit(0 if copied.report.ok else 1)


def _copy(source: "Location", target: "Location", keys: Path, stop: _Stop) -> "Copied":
    from queenhigh.room.copying import copying
    from queenhigh.server.row_copy import copy_rows
    from queenhigh.sheets.copy_sheet import Copied
    from queenhigh.store.open import signing_key

    start = monotonic()
    with copying(source, target, keys) as opened:
        report = _counted(opened, opened.copy_events, stop)
        copied = monotonic()
        if report.ok:
            report = _counted(opened, opened.prove, stop)
        if report.ok:
            copy_rows(source, opened.place)
            opened.finish()
        else:
            opened.discard()
    return Copied(
        source=source,
        target=target,
        key_file=signing_key(target, keys),
        report=report,
        resumed_at=opened.resumed_at,
        seconds=copied - start,
        proof_seconds=monotonic() - copied,
    )


def _counted(
    opened: "RoomCopy", work: Callable[[Callable[[int], None]], "Report"], stop: _Stop
) -> "Report":
    """Do a part of the work, show how far it is, and end it when that is asked for."""
    with counting(opened.head.events, "events") as count_up:

        def watch(done: int) -> None:
            if stop():
                raise KeyboardInterrupt
            count_up(done)

        return work(watch)
