"""Routes of the floor's reports: as data, for spreadsheets, and printed."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from msgspec.json import decode
from pydantic import BaseModel, ConfigDict, Field

from queenhigh.errors import QueenhighError
from queenhigh.history.floor_reports.csv_form import as_csv
from queenhigh.history.floor_reports.filters import read_filter
from queenhigh.history.floor_reports.report import Report, ReportName
from queenhigh.server.floor_access import FloorClient
from queenhigh.server.openapi import gives, gives_file, gives_text
from queenhigh.server.responses import Collected, OfferMade, Result, VoidRow
from queenhigh.server.services import Services, ServicesDep, encoded_json
from queenhigh.server.signatures import signatures_of
from queenhigh.server.worker_pool import Client
from queenhigh.sheets.printed.letterhead import Letterhead

__all__ = ["ReportQuery", "read_report", "router"]

router = APIRouter(prefix="/api/floor/reports", tags=["floor"])
#: How many rows a report has as CSV at most.
_MOST_ROWS = 100_000


class ReportQuery(BaseModel):
    """The filter of a report: a period in milliseconds since 1970, and what it is of."""

    model_config = ConfigDict(extra="forbid")

    since: Annotated[str, Field(max_length=20)] | None = None
    until: Annotated[str, Field(max_length=20)] | None = None
    table: Annotated[str, Field(max_length=64)] | None = None
    player: Annotated[str, Field(max_length=64)] | None = None
    rate: Annotated[str, Field(max_length=200)] | None = None
    zone: Annotated[str, Field(max_length=64)] | None = None
    shifts: Annotated[str, Field(max_length=200)] | None = None
    by: Annotated[str, Field(max_length=200)] | None = None

    def given(self) -> dict[str, str]:
        """Return what is given."""
        return {name: value for name, value in self.model_dump().items() if value is not None}


class LongReportQuery(ReportQuery):
    """The filter of a report, and how many rows to return."""

    limit: Annotated[int, Field(ge=0, le=_MOST_ROWS)] = 10_000

    def given(self) -> dict[str, str]:
        """Return what is given, without the limit."""
        return {name: value for name, value in super().given().items() if name != "limit"}


async def read_report(
    services: Services,
    client: Client,
    report: str,
    given: dict[str, str],
    limit: int = _MOST_ROWS,
) -> Report:
    """Return a report from the history."""
    body = await services.workers.long_history(
        client, "report", report=report, limit=limit, **given
    )
    return decode(body, type=Report)


_Older = Literal["collection", "offers", "voids", "results"]
_ROWS = gives(list[Collected], list[OfferMade], list[VoidRow], list[Result])


@router.get("/{report}.json", responses=_ROWS)
async def see_rows(
    report: _Older,
    services: ServicesDep,
    client: FloorClient,
    limit: Annotated[int, Query(ge=1, le=100_000)] = 10_000,
) -> Response:
    """Return all rows: collection by table and hour, bank offers, voids, or results.

    Offers and voids come newest first, ``limit`` of them.
    """
    asked = {"limit": limit} if report in ("offers", "voids") else {}
    return encoded_json(await services.workers.long_history(client, report, **asked))


@router.get("/{report}.csv", responses=gives_text("text/csv"))
async def see_csv(
    report: ReportName,
    services: ServicesDep,
    client: FloorClient,
    query: Annotated[ReportQuery, Query()],
) -> Response:
    """Return a report for spreadsheets."""
    made = await read_report(services, client, report, query.given())
    if made.left_off:
        sentence = (
            f"this report has {len(made.rows) + made.left_off:,} rows, {_MOST_ROWS:,} are possible:"
            " choose a shorter period"
        )
        raise QueenhighError("report.long", sentence)
    name = f"{report}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(as_csv(made), media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/{report}.pdf", responses=gives_file("application/pdf"))
async def see_print(
    report: ReportName,
    services: ServicesDep,
    client: FloorClient,
    query: Annotated[ReportQuery, Query()],
) -> Response:
    """Return a report for the printer, with everyone who signed it."""
    given = query.given()
    wanted = read_filter(report, given)
    signed = signatures_of(services.admin, report, wanted.as_texts())
    head = Letterhead(services.room_name, signed)
    body = await services.workers.print_report(client, report, given, head)
    headers = {"Content-Disposition": f'inline; filename="{report}.pdf"'}
    return Response(body, media_type="application/pdf", headers=headers)


@router.get("/{report}", responses=gives(Report))
async def see_report(
    report: Annotated[ReportName, Path()],
    services: ServicesDep,
    client: FloorClient,
    query: Annotated[LongReportQuery, Query()],
) -> Response:
    """Return a report; totals and digest are of all rows, whatever the limit."""
    body = await services.workers.long_history(
        client, "report", report=report, limit=query.limit, **query.given()
    )
    return encoded_json(body)
