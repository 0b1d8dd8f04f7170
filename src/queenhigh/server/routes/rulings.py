"""Routes of rulings on irregularities (IR-1 to IR-3, IR-7): what may be ruled, what follows."""

from typing import Annotated

from fastapi import APIRouter
from fastapi.responses import Response
from msgspec.json import decode
from pydantic import BaseModel, ConfigDict, Field

from queenhigh.server.floor_access import Reader, may, named_person
from queenhigh.server.floor_responses import (
    IncidentLine,
    IncidentPreview,
    Incidents,
    RuledIncident,
)
from queenhigh.server.foreseen import preview_incident
from queenhigh.server.ids import fresh_id
from queenhigh.server.openapi import gives
from queenhigh.server.responses import json_response
from queenhigh.server.routes.floor import Reason, TableName, act
from queenhigh.server.services import ServicesDep
from queenhigh.table.commands import FLOOR, RuleIncident
from queenhigh.table.incident_events import IncidentKind
from queenhigh.table.incidents import possible_incidents

__all__ = ["router"]

router = APIRouter(prefix="/api/floor", tags=["floor"])
_Place = Annotated[int | None, Field(ge=1, le=100)]


class Happened(BaseModel):
    """What happened; some kinds concern one place."""

    model_config = ConfigDict(extra="forbid")

    kind: IncidentKind
    place: _Place = None


class Ruling(Reason):
    """What happened in a round, and why it is ruled so."""

    round: Annotated[int, Field(ge=1, lt=2**53)]
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
    table: TableName,
    what: Happened,
    services: ServicesDep,
    floor: Annotated[str, may("rule incident", named=True)],
) -> Response:
    """Return what would follow from a ruling for everyone; nothing is done."""
    live = services.host.table(table)
    state = live.state
    command = RuleIncident(
        id="preview", by=FLOOR, at=services.now(), round=state.number, kind=what.kind,
        place=what.place, staff=named_person(floor), reason="(your reason)",
    )  # fmt: skip
    live.check_redeal(command)
    return json_response(preview_incident(state, command))


@router.post("/tables/{table}/incidents", responses=gives(RuledIncident))
async def rule_incident(
    table: TableName,
    ruling: Ruling,
    services: ServicesDep,
    floor: Annotated[str, may("rule incident", named=True)],
) -> Response:
    """Rule on an irregularity of the round under way; what follows is in the same step."""
    live = services.host.table(table)
    command = RuleIncident(
        id=fresh_id("floor"), by=FLOOR, at=services.now(), round=ruling.round, kind=ruling.kind,
        place=ruling.place, staff=named_person(floor), reason=ruling.reason,
    )  # fmt: skip
    foreseen = preview_incident(live.durable.pending, command)
    after = {**ruling.model_dump(exclude={"reason"}), "ruling": foreseen.ruling}
    note = services.admin.acted(
        services.now(), floor, "rule incident", table, change=(None, after), reason=ruling.reason
    )
    await act(services, live, command, (floor, "rule incident"), lambda: note)
    return json_response(
        RuledIncident(ruling.round, foreseen.clause, foreseen.ruling, foreseen.steps)
    )
