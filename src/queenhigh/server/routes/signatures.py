"""Routes of signatures: people sign reports of periods that are over, by their digest."""

from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from msgspec.structs import replace
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from queenhigh.errors import QueenhighError
from queenhigh.history.floor_reports.filters import ReportFilter, read_filter
from queenhigh.history.floor_reports.report import ReportName
from queenhigh.server.floor_access import FloorClient, may, named_person
from queenhigh.server.floor_responses import Signature
from queenhigh.server.openapi import gives
from queenhigh.server.responses import json_response
from queenhigh.server.routes.floor_reports import read_report
from queenhigh.server.services import Services, ServicesDep
from queenhigh.server.signatures import (
    SIGN,
    SignedFigures,
    columns_of,
    signatures,
    signatures_of,
)
from queenhigh.server.text import check_plain
from queenhigh.server.worker_pool import Client

__all__ = ["router"]

router = APIRouter(prefix="/api/floor/signatures", tags=["floor"])
#: A period is over when all that belongs to it is on disk: so long after its end.
_SETTLED_MS = 2_000
_Text = Annotated[str, Field(max_length=200), AfterValidator(check_plain)]
_Signer = Annotated[str, may(SIGN, named=True)]


class SignReport(BaseModel):
    """A report with its filter as it was shown, the hash of its figures, and a note."""

    model_config = ConfigDict(extra="forbid")

    report: ReportName
    filter: Annotated[dict[Annotated[str, Field(max_length=20)], _Text], Field(max_length=10)]
    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    note: _Text = ""


@router.post("", status_code=201, responses=gives(Signature, status=201))
async def sign_report(
    what: SignReport, services: ServicesDep, floor: _Signer, client: FloorClient
) -> Response:
    """Sign a report: its figures are computed again, and must be those that were shown."""
    name = named_person(floor)
    wanted = read_filter(what.report, what.filter)
    _check_over(wanted, services.now())
    given = wanted.as_texts()
    services.store.flush()
    report = await read_report(services, client, what.report, given, limit=0)
    if report.digest != what.digest:
        sentence = "the figures are not the ones you were shown: look at the report again"
        raise QueenhighError("report.changed", sentence)
    signed = signatures_of(services.admin, what.report, given)
    if any((each.name, each.digest) == (name, report.digest) for each in signed):
        raise QueenhighError("report.signed", "you have signed these figures already")
    columns = [column.key for column in report.columns]
    figures = SignedFigures(what.report, given, report.digest, columns)
    note = services.admin.acted(
        services.now(), floor, SIGN, what.report, change=(None, figures), reason=what.note.strip()
    )
    services.admin.rows.write(note)
    made = next(
        each
        for each in signatures(services.admin)
        if (each.by, each.report, each.filter, each.digest)
        == (name, figures.report, figures.filter, figures.digest)
    )
    return json_response(replace(made, holds=True), 201)


@router.get("", responses=gives(list[Signature]))
async def see_signatures(
    services: ServicesDep,
    client: FloorClient,
    check: bool = False,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[int | None, Query(ge=0, lt=2**53)] = None,
) -> Response:
    """Return signatures, the newest first; with ``check`` whether their figures still hold."""
    every = signatures(services.admin)
    signed = list(islice((each for each in every if before is None or each.n < before), limit))
    if check:
        signed = [replace(each, holds=await _holds(services, client, each)) for each in signed]
    return json_response(signed)


async def _holds(services: Services, client: Client, signed: Signature) -> bool:
    try:
        given = read_filter(signed.report, signed.filter).as_texts()
    except QueenhighError:  # no report that there is today
        return False
    given |= {"columns": ",".join(columns_of(signed))}
    report = await read_report(services, client, signed.report, given, limit=0)
    return report.digest == signed.digest


def _check_over(wanted: ReportFilter, now: int) -> None:
    if wanted.until is None:
        sentence = "the report has no end: choose a period that is over"
        raise QueenhighError("report.open", sentence)
    if wanted.until > now - _SETTLED_MS:
        end = f"{wanted.clock.minute(wanted.until)} ({wanted.zone})"
        raise QueenhighError("report.open", f"the shift is not over: sign it after {end}")
