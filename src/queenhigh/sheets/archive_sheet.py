"""The contents of an archive, for people and for programs."""

from pathlib import Path
from typing import Any

from queenhigh.room.archive import Archived
from queenhigh.sheets.format import count_of, one_line
from queenhigh.sheets.verify_sheet import bad_as_json

__all__ = ["as_json", "as_text"]

_MB = 1_000_000


def as_json(file: Path, archived: Archived) -> dict[str, Any]:
    """Return the contents of an archive as docs/json.md describes it."""
    return {
        "ok": archived.report.ok,
        "file": str(file),
        "bytes": archived.bytes if archived.report.ok else None,
        "tables": archived.tables,
        "events": archived.events,
        "rounds": archived.report.rounds,
        "signed_by": archived.report.key,
        "freed_bytes": archived.freed,
        "bad": bad_as_json(archived.report),
    }


def as_text(db: Path, file: Path, archived: Archived) -> str:
    """Return the contents of an archive as a sentence."""
    report = archived.report
    if not report.ok:
        where = "head" if report.n is None else f"event {report.n}"
        return f"BAD: {where}: {one_line(report.bad or '')}; {file} was not written"
    counts = (len(archived.tables), "table"), (report.rounds, "round"), (archived.events, "event")
    has = ", ".join(count_of(count, noun) for count, noun in counts)
    text = f"{file}: {has}, {archived.bytes / _MB:.1f} MB"
    if archived.freed is None:
        return f"{text}; {db} still has them"
    smaller = f"{db} is {archived.freed / _MB:.1f} MB smaller"
    return f"{text}; {smaller}, and needs this file to verify them"
