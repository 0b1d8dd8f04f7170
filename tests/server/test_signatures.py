"""Reports are signed by people, for periods that are over, and only with the figures shown."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.json import decode, encode

from queenhigh.errors import QueenhighError
from queenhigh.history.floor_reports import banks, collection, lists
from queenhigh.history.floor_reports.filters import ReportFilter, first_columns
from queenhigh.history.floor_reports.report import Report, ReportName, Row, make_report
from queenhigh.history.index.report_queries import ReportIndex
from queenhigh.server.admin_rows import AdminChange
from queenhigh.server.admin_store import AdminStore
from queenhigh.server.floor_responses import Signature
from queenhigh.server.jobs import held_signatures
from queenhigh.server.routes.signatures import SignReport, see_signatures, sign_report
from queenhigh.server.signatures import signatures_of
from queenhigh.server.worker_pool import Client
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.correction_events import Facts
from queenhigh.table.staff_events import StaffAdded
from tests.server.running_server import RunningServer
from tests.server.staff_clients import add, first_owner
from tests.table.table_driver import FOUR, Table
from tests.table.test_corrections import BOB, correct
from tests.verify.verifiers import prove

CLIENT = Client("floor staff Maria", "10.0.0.0/24")


class Room:
    """A room with a settled round, as far as the routes of signatures need one."""

    def __init__(self, folder: Path) -> None:
        self.store = SqliteStore(folder / "room.db")
        self.admin = AdminStore(folder / "room.db", self.store)
        for by, name in (("floor", "Maria"), ("staff Maria", "Noor")):
            added = StaffAdded(at=0, by=by, id=name, member=name, role="owner")
            self.admin.rows.write(AdminChange(events=(added,)))
        self.table = Table("california", FOUR, store=self.store)
        self.table.banked_by("ann")
        for player in ("bob", "cyd", "dan"):
            self.table.bet(player, ante=500)
        for player in ("bob", "cyd", "dan"):
            self.table.do("Choose", player, move="fold")
        self.index = ReportIndex(folder / "room.db", folder / "books.db")
        self.over = self.table.state.at + 1
        self.time_ms = self.over + 60_000
        self.workers = self

    def now(self) -> int:
        return self.time_ms

    async def long_history(self, client: Client, report: str, /, **query: Any) -> bytes:
        assert self.index.catch_up()
        return encode(getattr(self.index, report)(**query))

    def report(self, name: str = "collection", **given: str) -> Any:
        assert self.index.catch_up()
        filters: dict[str, Any] = {"until": str(self.over), **given}
        return self.index.report(name, **filters)

    def sign(self, report: Any, by: str = "staff Maria", note: str = "") -> Signature:
        what = SignReport(
            report=report.report, filter=report.filter, digest=report.digest, note=note
        )
        answer = asyncio.run(sign_report(what, self, by, CLIENT))  # type: ignore[arg-type]
        assert answer.status_code == 201
        return decode(bytes(answer.body), type=Signature)

    def signatures(
        self, *, check: bool = False, limit: int = 50, before: int | None = None
    ) -> list[Signature]:
        seen = see_signatures(self, CLIENT, check, limit, before)  # type: ignore[arg-type]
        answer = asyncio.run(seen)
        return decode(bytes(answer.body), type=list[Signature])

    def close(self) -> None:
        self.index.close()
        self.admin.close()
        self.store.close()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    room.close()


def test_signature_is_in_the_log_with_name_and_digest(room: Room) -> None:
    report = room.report()
    assert report.totals[-1] == 500, "three players and the banker"
    room.time_ms += 5
    signed = room.sign(report, note="counted with Noor")
    assert (signed.by, signed.at, signed.note) == ("Maria", room.time_ms, "counted with Noor")
    assert (signed.report, signed.filter, signed.digest) == (
        "collection", report.filter, report.digest,
    )  # fmt: skip
    assert signed.holds
    (entry,) = room.admin.log_entries(None, 10)
    assert (entry.who, entry.action, entry.subject) == ("staff Maria", "sign report", "collection")
    figures = {"report": "collection", "filter": report.filter, "digest": report.digest}
    figures["columns"] = [column.key for column in report.columns]
    assert (entry.after, entry.reason) == (figures, "counted with Noor")
    assert room.signatures() == [signed.__class__(**{**_fields(signed), "holds": None})]
    printed = signatures_of(room.admin, "collection", report.filter)
    assert [(each.name, each.digest) for each in printed] == [("Maria", report.digest)]


def _fields(signed: Signature) -> dict[str, Any]:
    return {name: getattr(signed, name) for name in signed.__struct_fields__}


def refused(room: Room, report: Any, by: str = "staff Maria") -> str:
    with pytest.raises(QueenhighError) as refusal:
        room.sign(report, by)
    assert room.admin.log_entries(None, 10) == [] or refusal.value.code == "report.signed"
    return refusal.value.code


def test_period_that_is_not_over_is_not_signed(room: Room) -> None:
    report = room.report()
    room.time_ms = room.over - 1
    with pytest.raises(QueenhighError, match=r"the shift is not over: sign it after .* \(UTC\)"):
        room.sign(report)
    room.time_ms = room.over + 1_999
    assert refused(room, report) == "report.open", "events of its end may not be on disk yet"
    endless = room.index.report("collection")
    assert refused(room, endless) == "report.open"


def test_other_figures_are_not_signed(room: Room) -> None:
    shown = room.report()
    narrower = room.report(table="t")
    shown = type(shown)(**{**_fields(shown), "digest": narrower.digest})
    assert refused(room, shown) == "report.changed"


def test_programs_and_tokens_do_not_sign(room: Room) -> None:
    for by in ("floor from 127.0.0.1", "token nightly", "floor"):
        assert refused(room, room.report(), by) == "staff.named"


def test_same_person_signs_figures_once(room: Room) -> None:
    report = room.report()
    room.sign(report)
    assert refused(room, report) == "report.signed"
    room.sign(report, "staff Noor")
    room.sign(room.report("bankers"))
    assert [(each.by, each.report) for each in room.signatures()] == [
        ("Maria", "bankers"), ("Noor", "collection"), ("Maria", "collection"),
    ]  # fmt: skip
    assert [each.by for each in room.signatures(limit=1)] == ["Maria"]


def test_older_signatures_are_listed_and_checked(room: Room) -> None:
    for name in ("fees", "voids", "offers"):
        room.sign(room.report(name))
    pages = [room.signatures(check=True, limit=1)]
    while pages[-1]:
        pages.append(room.signatures(check=True, limit=1, before=pages[-1][0].n))
    names = [[each.report for each in page] for page in pages]
    assert names == [["offers"], ["voids"], ["fees"], []]
    assert all(each.holds for page in pages for each in page)


def test_later_correction_leaves_a_signed_period_alone(room: Room) -> None:
    past = room.table.state.last
    assert past is not None
    room.sign(room.report())
    later = room.report(until=str(room.over + 120_000))
    room.table.at = room.over + 30_000
    correct(room.table, past, Facts(wagers={BOB: ()}))
    assert room.report(until=str(room.over + 120_000)).digest != later.digest
    (signed,) = room.signatures(check=True)
    assert signed.holds, "a correction belongs to the time at which it was made"


def test_signature_does_not_hold_once_figures_differ(room: Room) -> None:
    """As if a round had been added to a period that was over: the log would be another one."""
    past = room.table.state.last
    assert past is not None
    room.over += 120_000
    room.time_ms += 180_000
    room.sign(room.report())
    room.table.at = room.over - 60_000
    correct(room.table, past, Facts(wagers={BOB: ()}))
    (signed,) = room.signatures(check=True)
    assert signed.holds is False
    made = room.admin.acted(
        0, "staff Maria", "sign report", "x", reason="",
        change=(None, {"report": "x", "filter": {"limit": "3"}, "digest": ""}),
    )  # fmt: skip
    room.admin.rows.write(made)
    assert [each.holds for each in room.signatures(check=True)] == [False, False]


def with_a_new_column(
    wanted: ReportFilter, columns: Any, rows: Iterable[Row], sums: Any = None, **more: Any
) -> Report:
    """Return a report as a later program might, with a column more among the others."""
    at = 1 if len(columns) > 1 else 0
    more["sums"] = sums if sums is None else [*sums[:at], 7, *sums[at:]]
    columns = [*columns[:at], ("new", "New", "count"), *columns[at:]]
    return make_report(wanted, columns, ((*row[:at], 3, *row[at:]) for row in rows), **more)


def replace_columns(monkeypatch: pytest.MonkeyPatch, make: Callable[..., Report]) -> None:
    for module in (banks, collection, lists):
        monkeypatch.setattr(module, "make_report", make)


def test_signature_is_of_the_columns_that_there_were(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later program has a column more in every report; then a figure of a report changes."""
    past = room.table.state.last
    assert past is not None
    room.over += 120_000
    room.time_ms += 180_000
    names = get_args(ReportName)
    before = {name: room.report(name) for name in names}
    for report in before.values():
        room.sign(report)
    replace_columns(monkeypatch, with_a_new_column)

    def holding() -> set[str]:
        return {each.report for each in room.signatures(check=True) if each.holds}

    def printed() -> set[str]:
        """Return the reports whose print shows that they have the signed figures."""
        same = set()
        for name in names:
            now = room.report(name)
            assert now.digest != before[name].digest
            signed = signatures_of(room.admin, name, now.filter)
            (held,) = held_signatures(room.index, now, signed)
            same |= {name} if held.digest == now.digest else set()
        return same

    assert holding() == printed() == {*names}
    room.table.at = room.over - 60_000
    correct(room.table, past, Facts(wagers={BOB: ()}))
    assert holding() == printed() == {"voids", "incidents", "offers"}, "the others are corrected"
    replace_columns(monkeypatch, make_report)
    assert holding() == {"voids", "incidents", "offers"}


def test_signature_of_a_column_that_is_gone_does_not_hold(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "make_report", with_a_new_column)
    room.sign(room.report("voids"))
    assert [each.holds for each in room.signatures(check=True)] == [True]
    monkeypatch.setattr(lists, "make_report", make_report)
    assert [each.holds for each in room.signatures(check=True)] == [False]


def test_older_signature_is_checked_as_before(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not name its columns: it is of those that there were, and stays so."""
    report = room.report()
    after = {"report": "collection", "filter": report.filter, "digest": report.digest}
    made = room.admin.acted(
        0, "staff Maria", "sign report", "collection", change=(None, after), reason=""
    )
    room.admin.rows.write(made)
    assert [each.holds for each in room.signatures(check=True)] == [True]
    monkeypatch.setattr(collection, "make_report", with_a_new_column)
    assert [each.holds for each in room.signatures(check=True)] == [True]


@pytest.mark.parametrize("name", get_args(ReportName))
def test_columns_of_older_signatures_are_the_first_ones(room: Room, name: ReportName) -> None:
    report = room.report(name)
    assert first_columns(name, report.filter) == [column.key for column in report.columns]


def test_staff_signs_over_http(tmp_path: Path) -> None:
    with RunningServer(tmp_path / "room.db") as served:
        with first_owner(served) as owner:
            query = {"until": "1000", "by": "shift"}
            report = owner.get("/api/floor/reports/collection", params=query).json()
            body = {name: report[name] for name in ("report", "filter", "digest")}
            with add(owner, "Carla", "cashier") as cashier, add(owner, "Abe", "auditor") as auditor:
                plain = owner.get("/api/floor/reports/collection.pdf", params=query).content
                answer = cashier.post("/api/floor/signatures", json={**body, "note": "counted"})
                assert answer.status_code == 201, answer.text
                assert (answer.json()["by"], answer.json()["note"]) == ("Carla", "counted")
                again = cashier.post("/api/floor/signatures", json=body)
                assert (again.status_code, again.json()["code"]) == (409, "report.signed")
                refused = auditor.post("/api/floor/signatures", json=body)
                assert (refused.status_code, refused.json()["code"]) == (403, "role.needed")
                listed = auditor.get("/api/floor/signatures", params={"check": True}).json()
                assert [(each["by"], each["holds"]) for each in listed] == [("Carla", True)]
                signed = [
                    visitor.get("/api/floor/reports/collection.pdf", params=query).content
                    for visitor in (owner, auditor)
                ]
            assert signed[0] == signed[1] != plain, "the signature is printed"
        assert served.errors() == ""
    prove(served.db)


def test_floor_token_sees_and_prints_but_does_not_sign(tmp_path: Path) -> None:
    with RunningServer(tmp_path / "room.db", room_name="The Lucky Lady") as served:
        with served.floor() as floor:
            report = floor.get("/api/floor/reports/collection", params={"until": "1000"}).json()
            assert report["rows"] == []
            body = {name: report[name] for name in ("report", "filter", "digest")}
            answer = floor.post("/api/floor/signatures", json=body)
            assert (answer.status_code, answer.json()["code"]) == (403, "staff.named")
            assert floor.get("/api/floor/signatures", params={"check": True}).json() == []
            printed = floor.get("/api/floor/reports/collection.pdf", params={"until": "1000"})
            assert printed.headers["content-type"] == "application/pdf"
            assert printed.content.startswith(b"%PDF-")
            for query in ({"zone": "Mars"}, {"by": "weather"}, {"limit": "3", "colour": "red"}):
                answer = floor.get("/api/floor/reports/collection", params=query)
                assert answer.status_code in (400, 422), answer.text
        with served.http() as visitor:
            assert visitor.get("/api/floor/reports/collection.pdf").status_code == 401
            assert visitor.get("/api/floor/signatures").status_code == 401
        assert served.errors() == ""
