"""A report of the floor as one value: JSON, CSV and print are renderings of it."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol

from msgspec import Struct

__all__ = ["Kind", "Report", "ReportColumn", "ReportName", "Row", "Value", "make_report"]

ReportName = Literal[
    "collection", "fees", "bankers", "results", "voids", "incidents", "corrections", "offers"
]
#: What a column holds. Times are milliseconds, money is cents; a share is a part of 1.
Kind = Literal["text", "time", "cents", "count", "number", "share"]
Value = int | float | str | None
Row = tuple[Value, ...]


class ReportColumn(Struct, frozen=True):
    """A column of a report: its key, its title for people, and what it holds."""

    key: str
    title: str
    kind: Kind


class Report(Struct, frozen=True):
    """A report: its rows in order, and the hash of all its figures and its filter.

    ``filter`` is complete, with defaults: the same filter gives the same report. ``words`` is the
    filter for people. ``left_off`` is how many rows there are besides; totals and digest are of
    all of them.
    """

    report: ReportName
    title: str
    filter: dict[str, str]
    words: str
    columns: list[ReportColumn]
    rows: list[list[Value]]
    totals: list[Value] | None
    digest: str
    left_off: int


class Asked(Protocol):
    """What a report is asked for."""

    @property
    def report(self) -> ReportName:
        """The name of the report."""

    @property
    def title(self) -> str:
        """Its title."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The keys of the columns whose figures are hashed; without any, all columns are."""

    def as_texts(self) -> dict[str, str]:
        """Return the filter as texts."""

    def in_words(self) -> str:
        """Return the filter in words."""


def make_report(
    wanted: Asked,
    columns: Sequence[tuple[str, str, Kind]],
    rows: Iterable[Row],
    *,
    totals: Sequence[str] = (),
    sums: Sequence[Value] | None = None,
    limit: int,
) -> Report:
    """Return a report of rows; the columns that ``totals`` names are added up.

    ``sums`` are totals that are more than that. Rows after ``limit`` are counted and hashed, not
    kept.
    """
    keys, filtered = [key for key, _, _ in columns], wanted.as_texts()
    added = {keys.index(key): 0 for key in totals}
    digest, kept, count = hashlib.sha256(), list[list[Value]](), 0
    hashed = [keys.index(key) for key in wanted.columns or keys if key in keys]
    digest.update(_line([wanted.report, filtered, [keys[index] for index in hashed]]))
    for count, row in enumerate(rows, start=1):
        digest.update(_line([row[index] for index in hashed]))
        if count <= limit:
            kept.append([*row])
        for index in added:
            added[index] += int(row[index] or 0)
    if added:
        sums = [added.get(index) for index in range(len(keys))]
    digest.update(_line(None if sums is None else [sums[index] for index in hashed]))
    listed = [ReportColumn(*column) for column in columns]
    return Report(
        report=wanted.report,
        title=wanted.title,
        filter=filtered,
        words=wanted.in_words(),
        columns=listed,
        rows=kept,
        totals=None if sums is None else [*sums],
        digest=digest.hexdigest(),
        left_off=count - len(kept),
    )


def _line(value: object) -> bytes:
    """Return a line of JSON: keys sorted, no spaces, every character as itself."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="surrogatepass") + b"\n"
