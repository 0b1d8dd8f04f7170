"""Every report of a busy room, in all its groupings, against an oracle that shares no code."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any, get_args

import pytest

from queenhigh.history.floor_reports import fee_rows
from queenhigh.history.floor_reports.filters import REPORTS
from queenhigh.history.floor_reports.periods import FloorClock
from queenhigh.history.floor_reports.report import Report, ReportName
from queenhigh.history.index import report_queries, report_rows
from queenhigh.history.index.report_queries import ReportIndex
from queenhigh.rulebook.fees import Fees, Kind, Rate
from queenhigh.table.events import RoundVoided
from tests.history.busy_room import STARTS, BusyRoom
from tests.history.made_once import made_once
from tests.history.stores import log
from tests.history.test_reports import plain_round, plain_spin
from tests.oracle import reports as oracle
from tests.sizes import FULL, sized

ROUNDS = sized(220, 2_050, 20_000)
ZONE = {"zone": "America/Los_Angeles", "shifts": ",".join(map(str, oracle.SHIFTS))}
HOUR = 3_600_000
#: Where a part of the night is that has an hour twice.
FILTERS: list[dict[str, Any]] = [
    {},
    {"since": STARTS * 1000 + 24 * HOUR, "until": STARTS * 1000 + 48 * HOUR},
    {"since": oracle.PUT_BACK - HOUR, "until": oracle.PUT_BACK + HOUR},
    {"until": STARTS * 1000 + 30 * HOUR, "table": "by round"},
    {"table": "by kind, after", "player": "Ben"},
    {"player": "Cleo 2"},
    {"rate": "Ante $5.00 to $100.00: $1.00, banker $2.00"},
    {"rate": "(correction)", "since": STARTS * 1000 + 20 * HOUR},
    {"table": "nowhere"},
]


def counted(
    said: dict[str, Any], worth: dict[str, Fraction], first: int, book: dict[str, Any]
) -> tuple[Fraction, Fraction, int]:
    """Return the bank's gain on wagers it was sure to cover, its average, and what it covered."""
    wagered: dict[str, int] = {}
    gains = {name: -gain for name, gain in worth.items()}

    class Sums(dict[str, int]):
        def __missing__(self, key: str) -> int:
            return 0

    wagered = Sums()
    if said["type"] == "round.settled/1":
        actual, theory = plain_round(said, gains, first, book, wagered)
    else:
        actual, theory = plain_spin(said, gains, book, wagered)
    return actual, theory, sum(wagered.values())


def _make(folder: Path) -> None:
    BusyRoom(folder / "room.db", ROUNDS)
    with closing(ReportIndex(folder / "room.db", folder / "books.db")) as index:
        assert index.catch_up()


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a busy room with its index."""
    return made_once(tmp_path_factory, "busy", _make)


@pytest.fixture(scope="module")
def tables(busy: Path) -> oracle.Tables:
    return oracle.Tables(log(busy / "room.db", "floor"), counted)


@pytest.fixture
def index(busy: Path, tmp_path: Path) -> Iterator[ReportIndex]:
    shutil.copy(busy / "books.db", tmp_path / "books.db")
    with closing(ReportIndex(busy / "room.db", tmp_path / "books.db")) as index:
        yield index


def groupings(report: ReportName) -> list[tuple[str, ...]]:
    """Return every choice of groups, each in one order."""
    groups = REPORTS[report].groups
    sizes = range(len(groups) + 1)
    return [chosen for size in sizes for chosen in combinations(groups, size)]


def wrong(report: Report, tables: oracle.Tables, given: dict[str, Any]) -> list[str]:
    """Return in which ways a report is not what the oracle has."""
    expected = oracle.REPORTS[report.report](tables, given)
    rows = [tuple(row) for row in report.rows]
    problems = []
    if report.report == "results":
        place = [column.key for column in report.columns].index("z")
        for row, other in zip(rows, expected, strict=False):
            z, exact = row[place], other[place]
            if (z is None) != (exact is None) or abs((z or 0) - (exact or 0)) > 0.0051:  # type: ignore[operator]
                problems.append(f"z is {z}, not {exact}")
        rows = [(*row[:place], *row[place + 1 :]) for row in rows]
        expected = [(*row[:place], *row[place + 1 :]) for row in expected]
    is_list = report.report not in ("collection",)
    if (rows if is_list else sorted(rows, key=repr)) != (
        expected if is_list else sorted(expected, key=repr)
    ):
        missing = [row for row in expected if row not in rows][:2]
        extra = [row for row in rows if row not in expected][:2]
        problems.append(f"{report.report} {given}: missing {missing}, too many {extra}")
    return problems


def ask(index: ReportIndex, report: str, given: dict[str, Any]) -> Report:
    texts: dict[str, Any] = {name: str(value) for name, value in given.items()}
    by = {"by": ",".join(given["by"])} if "by" in given else {}
    return index.report(report, **{**texts, **by, **ZONE})


def cases(report: ReportName, some: int) -> Iterator[dict[str, Any]]:
    """Yield filters of a report, each with some groupings: all of them with the first one."""
    form = REPORTS[report]
    for place, given in enumerate(FILTERS):
        if "rate" in given and "rate" not in form.names:
            continue
        chosen = groupings(report)
        step = 1 if FULL and place == 0 else max(1, len(chosen) // some)
        for by in chosen[place % step :: step]:
            yield given | ({"by": by} if form.groups else {})


def compare(
    index: ReportIndex, tables: oracle.Tables, report: ReportName, some: int = 2
) -> Iterator[str]:
    """Compare a report with the oracle's; yield what is not the same."""
    for given in cases(report, some):
        yield from wrong(ask(index, report, given), tables, given)


@pytest.mark.parametrize("report", get_args(ReportName))
def test_report_equals_the_oracle(
    index: ReportIndex, tables: oracle.Tables, report: ReportName
) -> None:
    assert [*compare(index, tables, report, sized(4, 8, 200))] == []
    whole = ask(index, report, {})
    assert whole.rows, "there is something to compare"


def test_the_room_has_everything(tables: oracle.Tables) -> None:
    rates = {fee[7] for fee in tables.fees}
    heads = {rate.split(" $")[0] for rate in rates}
    assert heads == {"Ante", "Each wager", "Play", "Bonus bet", "(correction)"}
    assert len({fee[4] for fee in tables.fees}) > 12, "players with new names"
    assert any(void[-1] for void in tables.voids), "fees came back"
    assert {step[4] for step in tables.steps} >= {"asked for", "made", "rejected"}
    assert len({oracle.day(round[1]) for round in tables.rounds}) >= 4
    if ROUNDS >= 2_000:
        assert len({rate for rate in rates if rate.startswith("Ante $5.00")}) >= 3, "rates change"
        assert any("(-0800)" in oracle.hour(round[1]) for round in tables.rounds), "twice"
        assert len(tables.rounds) >= 2_000
        assert "withdrawn" in {step[4] for step in tables.steps}
        assert any(step[-1] for step in tables.steps), "something is owed"
        assert {row[9] for row in tables.incidents} == set(oracle.RULINGS)


def test_totals_add_up(index: ReportIndex) -> None:
    for report in get_args(ReportName):
        made = ask(index, report, {})
        for place, column in enumerate(made.columns):
            total = made.totals[place] if made.totals else None
            if total is not None and column.kind in ("cents", "count") and column.key != "sd":
                rows = [row[place] for row in made.rows]
                near = len(rows) if column.key in ("counted", "theoretical", "difference") else 0
                assert abs(sum(rows) - total) <= near, (report, column)  # type: ignore[arg-type, operator]


def test_older_collection_has_the_same_fees(index: ReportIndex) -> None:
    """By table, over all time; its hours are those in which fees were collected."""
    sums: dict[str, int] = {}
    for row in index.collection():
        sums[row["table"]] = sums.get(row["table"], 0) + row["cents"]
    rows = ask(index, "collection", {"by": ("table",)}).rows
    assert {row[0]: row[-1] for row in rows} == {
        table: cents for table, cents in sums.items() if cents
    }


# Planted bugs


def _charge_twice(patch: pytest.MonkeyPatch) -> None:
    def rows(record: Any) -> Iterator[fee_rows.FeeRow]:
        listed = [*fee_rows.fee_rows(record)]
        return iter([*listed, *listed[:1]] if record.live.number == 2 else listed)

    patch.setattr(report_rows, "fee_rows", rows)


def _keep_fees_of_voids(patch: pytest.MonkeyPatch) -> None:
    add = report_rows.ReportRows.add

    def add_void_too(self: Any, n: int, table: int, record: Any, *more: Any) -> None:
        add(self, n, table, record, *more)
        if isinstance(record.end, RoundVoided):
            for charge in record.end.fees:
                who = (charge.place, record.players[charge.place], "player")
                self._charges.append((n, table, record.end.at, *who, "", None, charge.cents))

    patch.setattr(report_rows.ReportRows, "add", add_void_too)


def _leave_a_correction_out(patch: pytest.MonkeyPatch) -> None:
    made = report_queries.ReportIndex._made
    patch.setattr(report_queries.ReportIndex, "_made", lambda self, wanted: made(self, wanted)[:-1])


def _read_rates_off_by_one(patch: pytest.MonkeyPatch) -> None:
    def rate_of(self: Fees, kind: Kind, cents: int) -> Rate | None:
        rates = self.rates_on(kind) or ()
        return next((rate for rate in rates if rate.min <= cents < rate.max), None)

    patch.setattr(Fees, "rate_of", rate_of)


def _forget_corrected_fees(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(report_queries, "fees_of_corrections", lambda made: [])


def _forget_daylight_saving(patch: pytest.MonkeyPatch) -> None:
    label = FloorClock._local
    patch.setattr(
        FloorClock,
        "_local",
        lambda self, time_ms: label(self, min(time_ms, oracle.PUT_BACK - 1)),
    )


@pytest.mark.parametrize(
    ("plant", "report"),
    [
        (_charge_twice, "collection"),
        (_keep_fees_of_voids, "collection"),
        (_leave_a_correction_out, "bankers"),
        (_read_rates_off_by_one, "fees"),
        (_forget_corrected_fees, "collection"),
        (_forget_daylight_saving, "collection"),
    ],
)
def test_planted_bug_is_caught(
    busy: Path,
    tmp_path: Path,
    tables: oracle.Tables,
    monkeypatch: pytest.MonkeyPatch,
    plant: Callable[[pytest.MonkeyPatch], None],
    report: ReportName,
) -> None:
    plant(monkeypatch)
    if plant in (_charge_twice, _keep_fees_of_voids, _read_rates_off_by_one):
        file = tmp_path / "made.db"  # the bug is in what is entered
    else:
        file = tmp_path / "copied.db"
        shutil.copy(busy / "books.db", file)
    with closing(ReportIndex(busy / "room.db", file)) as index:
        assert index.catch_up()
        assert next(compare(index, tables, report), ""), "the oracle has something else"
