"""A report for spreadsheets: amounts in dollars, times as the clock on the wall has them."""

import csv
import io

from queenhigh.history.floor_reports.periods import FloorClock
from queenhigh.history.floor_reports.report import Report, ReportColumn, Value

__all__ = ["as_csv"]

#: What a formula begins with, also in the full width of East Asian letters.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def as_csv(report: Report) -> str:
    """Return a report as CSV; a quote before formulas keeps spreadsheets from running them."""
    out, zone = io.StringIO(), report.filter["zone"]
    clock, writer = FloorClock(zone), csv.writer(out)
    writer.writerow([_title(column, zone) for column in report.columns])
    for row in report.rows:
        cells = zip(report.columns, row, strict=True)
        writer.writerow([_cell(column, value, clock) for column, value in cells])
    return out.getvalue()


def _title(column: ReportColumn, zone: str) -> str:
    units = {"time": f" ({zone})", "cents": " ($)"}
    return column.title + units.get(column.kind, "")


def _cell(column: ReportColumn, value: Value, clock: FloorClock) -> Value:
    if value is None:
        return ""
    if column.kind == "time" and isinstance(value, int):
        return clock.moment(value)
    if column.kind == "cents" and isinstance(value, int):
        sign = "-" if value < 0 else ""
        return f"{sign}{abs(value) // 100}.{abs(value) % 100:02d}"
    if isinstance(value, str) and value[:1] in _FORMULAS:
        return "'" + value
    return value
