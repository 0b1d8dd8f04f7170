"""``archive``: the closed tables of a store in a file that proves itself."""

from datetime import UTC, datetime
from pathlib import Path

import click

from queenhigh.commands.output import dump
from queenhigh.commands.progress import counting
from queenhigh.commands.verify import bad_as_json
from queenhigh.room.archive import Archived, archive
from queenhigh.sheets.words import one_line

__all__ = ["print_archive"]

_MB = 1_000_000


def print_archive(
    db: Path, file: Path, before: datetime | None, *, remove: bool, as_json: bool
) -> bool:
    """Archive closed tables, print what the archive has, and tell whether it is good."""
    day = None if before is None else int(before.replace(tzinfo=UTC).timestamp() * 1000)
    with counting(None, "events") as count_up:
        done = archive(db, file, before=day, remove=remove, watch=count_up)
    if as_json:
        dump(_as_json(file, done))
    else:
        click.echo(_sentence(db, file, done))
    return done.report.ok


def _as_json(file: Path, done: Archived) -> dict[str, object]:
    return {
        "ok": done.report.ok,
        "file": str(file),
        "bytes": done.bytes if done.report.ok else None,
        "tables": done.tables,
        "events": done.events,
        "rounds": done.report.rounds,
        "signed_by": done.report.key,
        "freed_bytes": done.freed,
        "bad": bad_as_json(done.report),
    }


def _sentence(db: Path, file: Path, done: Archived) -> str:
    if not done.report.ok:
        where = "head" if done.report.n is None else f"event {done.report.n}"
        return f"BAD: {where}: {one_line(done.report.bad or '')}; there is no {file}"
    tables, rounds = _count(len(done.tables), "table"), _count(done.report.rounds, "round")
    text = f"{file}: {tables}, {rounds}, {_count(done.events, 'event')}, {done.bytes / _MB:.1f} MB"
    if done.freed is None:
        return f"{text}; {db} has them too"
    return f"{text}; {db} is {done.freed / _MB:.1f} MB smaller, and needs this file to prove them"


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' if count != 1 else ''}"
