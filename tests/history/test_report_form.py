"""A report as one value: its digest, what is left off, and its form for spreadsheets."""

import csv
import hashlib
import io
import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import get_args

import pytest

from queenhigh.history.floor_reports import lists
from queenhigh.history.floor_reports.csv_form import as_csv
from queenhigh.history.floor_reports.filters import read_filter
from queenhigh.history.floor_reports.report import Report, ReportName
from queenhigh.history.index.report_queries import ReportIndex
from tests.history.stores import ready


@pytest.fixture
def index(wild: Path, tmp_path: Path) -> Iterator[ReportIndex]:
    shutil.copy(ready(wild), tmp_path / "books.db")
    with closing(ReportIndex(wild, tmp_path / "books.db")) as index:
        yield index


def plain_digest(report: Report) -> str:
    """Return the digest as docs/protocol.md describes it."""
    keys = [column.key for column in report.columns]
    lines = [[report.report, report.filter, keys], *report.rows, report.totals]
    texts = [
        json.dumps(line, sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n"
        for line in lines
    ]
    return hashlib.sha256("".join(texts).encode()).hexdigest()


@pytest.mark.parametrize("name", get_args(ReportName))
def test_digest_is_of_all_figures_and_the_filter(index: ReportIndex, name: str) -> None:
    whole = index.report(name)
    assert whole.digest == plain_digest(whole)
    part = index.report(name, limit=2)
    assert (part.digest, part.totals) == (whole.digest, whole.totals)
    assert part.rows == whole.rows[:2]
    assert part.left_off == len(whole.rows) - len(part.rows)
    other = index.report(name, until=str(2**46))
    assert other.rows == whole.rows
    assert other.digest != whole.digest, "another filter"


def test_spreadsheet_has_dollars_times_and_no_formulas() -> None:
    wanted = read_filter("voids", {"zone": "America/Los_Angeles"})
    row = (1_793_523_600_000, "=cmd()", 3, "(house)", "+1", "@x", -123_456, 5)
    text = as_csv(lists.voids(wanted, [row], 10))
    titles, cells = csv.reader(io.StringIO(text))
    assert titles[0] == "Time (America/Los_Angeles)"
    assert titles[-2:] == ["Returned ($)", "Fees in it ($)"]
    assert cells == ["2026-11-01 01:00:00", "'=cmd()", "3", "(house)", "'+1", "'@x", "-1234.56",
                     "0.05"]  # fmt: skip
