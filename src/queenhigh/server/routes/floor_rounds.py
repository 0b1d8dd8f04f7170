"""Routes by which the floor reads: a table's log in words, its rotation, rounds that are over."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from msgspec.json import decode
from msgspec.structs import replace

from queenhigh.history.table_narration import LogLine
from queenhigh.server.floor_access import Reader
from queenhigh.server.floor_responses import FloorRound, Rotation, RoundLine
from queenhigh.server.openapi import gives
from queenhigh.server.responses import json_response
from queenhigh.server.routes.floor import TableName
from queenhigh.server.services import ServicesDep, encoded_json, require

__all__ = ["RoundNumber", "router"]

router = APIRouter(prefix="/api/floor", tags=["floor"])
RoundNumber = Annotated[int, Query(ge=1, lt=2**53)]
_Number = Annotated[int | None, Query(ge=0, lt=2**53)]
_Name = Annotated[str | None, Query(max_length=64)]
_NOTHING = b"null"


@router.get("/tables/{table}/log", responses=gives(list[LogLine]))
async def see_table_log(
    table: TableName,
    services: ServicesDep,
    floor: Reader,
    before: _Number = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> Response:
    """Return what happened at a table, in words, the newest first."""
    body = await services.workers.history("table_log", table=table, before=before, limit=limit)
    require(None if body == _NOTHING else body, "table")
    return encoded_json(body)


@router.get("/tables/{table}/rotation", responses=gives(Rotation))
async def see_rotation(
    table: TableName,
    services: ServicesDep,
    floor: Reader,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> Response:
    """Return who was offered the bank of a table, and who banked how long, the newest first."""
    return encoded_json(await services.workers.history("rotation", table=table, limit=limit))


@router.get("/rounds", responses=gives(list[RoundLine]))
async def find_rounds(  # noqa: PLR0913 (each by its name)
    services: ServicesDep,
    floor: Reader,
    *,
    table: _Name = None,
    number: _Number = None,
    player: _Name = None,
    since: _Number = None,
    until: _Number = None,
    before: _Number = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Response:
    """Return rounds that are over, the newest first, by all that is given."""
    wanted = {"table": table, "number": number, "player": player, "since": since, "until": until}
    return encoded_json(
        await services.workers.history("find_rounds", **wanted, before=before, limit=limit)
    )


@router.get("/rounds/{table}/{number}", responses=gives(FloorRound))
async def see_round(
    table: TableName,
    number: Annotated[int, Path(ge=1, lt=2**53)],
    services: ServicesDep,
    floor: Reader,
) -> Response:
    """Return a round that is over: its facts, its steps, its rulings and corrections."""
    body = await services.workers.history("floor_round", table=table, round=number)
    round = require(decode(body, type=FloorRound | None), "round")
    staff, now = services.staff.staff, services.now()
    lines = [staff.with_wait(line, floor, now) for line in round.corrections]
    return json_response(replace(round, corrections=lines))
