"""A report of the floor for the printer."""

from collections.abc import Callable, Sequence
from typing import Any

from queenhigh.history.floor_reports.periods import FloorClock
from queenhigh.history.floor_reports.report import Kind, Report, ReportColumn, Value
from queenhigh.money import dollars
from queenhigh.sheets.printed.letterhead import Letterhead, Signed
from queenhigh.sheets.printed.pdf import typeset

__all__ = ["MOST_PRINTED", "print_report"]

#: How many rows are printed.
MOST_PRINTED = 2_000
#: How whole numbers are written.
_WORDS: dict[Kind, Callable[[int], str]] = {"cents": dollars, "count": lambda count: f"{count:,}"}
#: Texts that may be long take the width that is left.
_GROW = frozenset({"reason", "rate"})
#: More columns than this do not fit beside each other on upright paper.
_UPRIGHT = 9


def print_report(report: Report, letterhead: Letterhead) -> bytes:
    """Return a report as PDF, with its signatures."""
    clock = FloorClock(report.filter["zone"])
    kept = report.rows[:MOST_PRINTED]
    left_off = report.left_off + len(report.rows) - len(kept)
    totals = None if report.totals is None else _row(report, report.totals, clock)
    if totals is not None and not totals[0]:
        totals[0] = "Total"
    is_wide = len(report.columns) > _UPRIGHT
    return typeset(
        "report",
        {
            "room": letterhead.room,
            "title": report.title,
            "words": report.words,
            "wide": is_wide,
            "size": 8 if is_wide else 9,
            "columns": [_column(column) for column in report.columns],
            "grows": _growing(report.columns),
            "rows": [_row(report, row, clock) for row in kept],
            "totals": totals,
            "left_off": _left_off(left_off),
            "digest": report.digest,
            "signatures": [_signature(report, each, clock) for each in letterhead.signatures],
        },
    )


def _column(column: ReportColumn) -> dict[str, Any]:
    return {"title": column.title, "kind": column.kind}


def _growing(columns: Sequence[ReportColumn]) -> int:
    """Return which column takes the width that is left: one with long texts, or the last text."""
    texts = [index for index, column in enumerate(columns) if column.kind == "text"]
    long = [index for index in texts if columns[index].key in _GROW]
    return [*texts, *long][-1] if texts else len(columns) - 1


def _row(report: Report, row: Sequence[Value], clock: FloorClock) -> list[str]:
    return [_cell(column, value, clock) for column, value in zip(report.columns, row, strict=True)]


def _cell(column: ReportColumn, value: Value, clock: FloorClock) -> str:
    if isinstance(value, float):
        text = f"{value:.2%}" if column.kind == "share" else f"{value:.2f}"
        return text.replace("-", "−")
    if isinstance(value, int):
        write = clock.moment if column.kind == "time" else _WORDS.get(column.kind, str)
        return write(value)
    return "" if value is None else str(value)


def _left_off(rows: int) -> str:
    if not rows:
        return ""
    rest = "1 more row is" if rows == 1 else f"{rows:,} more rows are"
    return (
        f"{rest} not printed; totals and digest are of all. Choose a shorter period to print them."
    )


def _signature(report: Report, signed: Signed, clock: FloorClock) -> dict[str, str]:
    is_same = signed.digest == report.digest
    return {
        "name": signed.name,
        "time": f"{clock.moment(signed.time_ms)} ({clock.zone.key})",
        "note": signed.note,
        "figures": "" if is_same else f"other figures: {signed.digest[:16]}",
    }
