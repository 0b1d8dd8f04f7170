"""The result of a backup or a restore, for people and for programs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from queenhigh.sheets.format import count_of, one_line
from queenhigh.verify.verifier import Report

__all__ = ["CopyResult", "as_json", "as_text"]

_MB = 1_000_000


@dataclass(frozen=True, kw_only=True)
class CopyResult:
    """A copy that was made, or was not because it is bad.

    Without a proof the report has what the head says, and ``proof_seconds`` is ``None``. ``size``
    is ``None`` if there is no copy.
    """

    source: Path
    target: Path
    report: Report
    seconds: float
    proof_seconds: float | None
    size: int | None


def as_json(copy: CopyResult) -> dict[str, Any]:
    """Return the result of a copy as docs/json.md describes it."""
    report, key = copy.report, Path(f"{copy.target}.key")
    bad = None if report.ok else {"n": report.n, "reason": report.bad}
    return {
        "ok": report.ok,
        "file": str(copy.target) if copy.size is not None else None,
        "key_file": str(key) if copy.size is not None and key.exists() else None,
        "events": report.events,
        "rounds": report.rounds if copy.proof_seconds is not None else None,
        "bytes": copy.size,
        "seconds": round(copy.seconds, 3),
        "proof_seconds": None if copy.proof_seconds is None else round(copy.proof_seconds, 3),
        "signed_by": report.key,
        "bad": bad,
    }


def as_text(copy: CopyResult) -> str:
    """Return the result of a copy as a sentence."""
    report = copy.report
    if not report.ok:
        where = "" if report.n is None else f"event {report.n}: "
        if report.n is None and report.stream:
            where = f"{one_line(report.stream)} after version {report.version}: "
        left = f"{copy.target} {'is kept' if copy.size is not None else 'was not written'}"
        sentence = f"BAD: {copy.source}: {where}{one_line(report.bad or '')}"
        return f"{sentence}; {left}. Restore an older backup"
    has = [f"{report.events:,} events", f"{(copy.size or 0) / _MB:,.1f} MB"]
    took = f"copied in {copy.seconds:.1f} s"
    if copy.proof_seconds is None:
        took += ", not verified"
    else:
        has.insert(1, count_of(report.rounds, "round"))
        took += f", verified in {copy.proof_seconds:.1f} s"
    return f"{copy.target}: {', '.join(has)}, {took}, signed by {report.key or 'nobody'}"
