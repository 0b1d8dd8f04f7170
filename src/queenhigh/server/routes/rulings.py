"""Routes of rulings on irregularities (IR-1 to IR-3, IR-7): what may be ruled, what follows."""

from contextlib import AbstractAsyncContextManager
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from msgspec.json import decode
from pydantic import BaseModel, ConfigDict, Field

from queenhigh.server.floor_access import Reader, may, named_person
from queenhigh.server.floor_responses import (
    IncidentLine,
    IncidentPreview,
    Incidents,
    RuledIncident,
    RulingClockState,
)
from queenhigh.server.foreseen import preview_incident
from queenhigh.server.ids import fresh_id
from queenhigh.server.openapi import gives
from queenhigh.server.past_rounds import explaining_late
from queenhigh.server.responses import json_response
from queenhigh.server.routes.floor import Reason, TableName, act
from queenhigh.server.services import Services, ServicesDep
from queenhigh.server.stop_log import RULE
from queenhigh.table.commands import FLOOR, RuleIncident
from queenhigh.table.incident_events import IncidentKind
from queenhigh.table.incidents import facts_after, possible_incidents

__all__ = ["router"]

router = APIRouter(prefix="/api/floor", tags=["floor"])
_Place = Annotated[int | None, Field(ge=1, le=100)]
_Number = Annotated[int, Field(ge=1, lt=2**53)]
_Ruler = Annotated[str, may(RULE, named=True)]


class Happened(BaseModel):
    """What happened; some kinds concern one place."""

    model_config = ConfigDict(extra="forbid")

    kind: IncidentKind
    place: _Place = None


class Foreseen(Happened):
    """What happened, and in which round, or else in the one under way."""

    round: _Number | None = None


class OpenRuling(BaseModel):
    """The round that somebody is about to rule on."""

    model_config = ConfigDict(extra="forbid")

    round: _Number


class Ruling(Reason):
    """What happened in a round, and why it is ruled so."""

    round: _Number
    kind: IncidentKind
    place: _Place = None


@router.get("/tables/{table}/incidents", responses=gives(Incidents))
async def see_incidents(table: TableName, services: ServicesDep, floor: Reader) -> Response:
    """Return what may be ruled at a table now, and what was ruled, the newest first."""
    state = services.host.state(table)
    body = await services.workers.history("incident_lines", table=table)
    past = decode(body, type=list[IncidentLine])
    return json_response(Incidents(state.number, possible_incidents(state), past))


@router.post("/tables/{table}/incidents/preview", responses=gives(IncidentPreview))
async def foresee_incident(
    table: TableName, what: Foreseen, services: ServicesDep, floor: _Ruler
) -> Response:
    """Return what would follow from a ruling for everyone; nothing is done."""
    live = services.host.table(table)
    state = live.state
    round = what.round or state.number
    command = RuleIncident(
        id="preview", by=FLOOR, at=services.now(), round=round, kind=what.kind,
        place=what.place, staff=named_person(floor), reason="(your reason)",
    )  # fmt: skip
    live.check_redeal(command)
    async with _late(services, table, round, what):
        return json_response(preview_incident(state, command))


def _late(
    services: Services, table: str, round: int, what: Foreseen | Ruling
) -> AbstractAsyncContextManager[None]:
    """Explain what becomes of a ruling that comes too late: the correction that does the same."""
    facts = facts_after(services.host.state(table), what.kind, what.place)
    return explaining_late(services, table, round, what.place, facts)


@router.post("/tables/{table}/incidents/clock", responses=gives(RulingClockState))
async def stop_clock(
    table: TableName, opened: OpenRuling, services: ServicesDep, floor: _Ruler
) -> Response:
    """Stop the clock of a round to rule on it, or renew that within 15 seconds.

    Once a round, for two minutes in all: a stop of another person is returned as it is.
    """
    ruling = services.host.table(table).ruling
    async with explaining_late(services, table, opened.round):
        stop = ruling.open(floor, opened.round)
    if stop is None:
        return json_response(RulingClockState(opened.round, stopped=False))
    by, until = named_person(stop.by), ruling.until(stop)
    return json_response(RulingClockState(stop.round, stopped=True, by=by, until=until))


@router.delete("/tables/{table}/incidents/clock", status_code=204)
async def start_clock(
    table: TableName,
    round: Annotated[int, Query(ge=1, lt=2**53)],
    services: ServicesDep,
    floor: _Ruler,
) -> Response:
    """Start the clock that you stopped to rule on a round."""
    services.host.table(table).ruling.close(floor, round)
    return Response(status_code=204)


@router.post("/tables/{table}/incidents", responses=gives(RuledIncident))
async def rule_incident(
    table: TableName, ruling: Ruling, services: ServicesDep, floor: _Ruler
) -> Response:
    """Rule on an irregularity of the round under way; what follows is in the same step."""
    live = services.host.table(table)
    command = RuleIncident(
        id=fresh_id("floor"), by=FLOOR, at=services.now(), round=ruling.round, kind=ruling.kind,
        place=ruling.place, staff=named_person(floor), reason=ruling.reason,
    )  # fmt: skip
    async with _late(services, table, ruling.round, ruling):
        foreseen = preview_incident(live.durable.pending, command)
        after = {**ruling.model_dump(exclude={"reason"}), "ruling": foreseen.ruling}
        note = services.admin.acted(
            services.now(), floor, RULE, table, change=(None, after), reason=ruling.reason
        )
        await act(services, live, command, (floor, RULE), lambda: note)
    return json_response(
        RuledIncident(ruling.round, foreseen.clause, foreseen.ruling, foreseen.steps)
    )
