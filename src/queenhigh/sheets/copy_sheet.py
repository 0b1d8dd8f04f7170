"""The result of a copy between databases, for people and for programs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from queenhigh.sheets.format import count_of, one_line
from queenhigh.sheets.verify_sheet import bad_as_json
from queenhigh.store.location import Location
from queenhigh.verify.verifier import Report

__all__ = ["Copied", "as_json", "as_text"]


@dataclass(frozen=True, kw_only=True)
class Copied:
    """A room that was copied, or was not because it is bad."""

    source: Location
    target: Location
    key_file: Path
    report: Report
    #: How many events an earlier run had copied.
    resumed_at: int
    seconds: float
    proof_seconds: float


def as_json(copied: Copied) -> dict[str, Any]:
    """Return the result of a copy as docs/json.md describes it."""
    report = copied.report
    return {
        "ok": report.ok,
        "db": str(copied.target),
        "key_file": str(copied.key_file) if report.ok else None,
        "events": report.events,
        "resumed_at": copied.resumed_at,
        "rounds": report.rounds,
        "seconds": round(copied.seconds, 3),
        "proof_seconds": round(copied.proof_seconds, 3),
        "signed_by": report.key,
        "bad": bad_as_json(report),
    }


def as_text(copied: Copied) -> str:
    """Return the result of a copy as a sentence."""
    report = copied.report
    if not report.ok:
        where = "" if report.n is None else f"event {report.n}: "
        if report.n is None and report.stream:
            where = f"{one_line(report.stream)} after version {report.version}: "
        sentence = f"BAD: {copied.source}: {where}{one_line(report.bad or '')}"
        return f"{sentence}; {copied.target} was not written. Restore a backup"
    events = f"{report.events:,} events"
    if copied.resumed_at:
        events += f" ({copied.resumed_at:,} by an earlier run)"
    took = f"copied in {copied.seconds:.1f} s, verified in {copied.proof_seconds:.1f} s"
    has = f"{events}, {count_of(report.rounds, 'round')}"
    return f"{copied.target}: {has}, {took}, signed by {report.key}"
