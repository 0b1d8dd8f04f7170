"""Routes for operators: health, metrics, and the processes of the room."""

from fastapi import APIRouter
from fastapi.responses import Response
from msgspec import Struct

from queenhigh.server.floor_access import Reader
from queenhigh.server.openapi import gives, gives_text
from queenhigh.server.responses import Health, NotWell, Ready, json_response
from queenhigh.server.services import ServicesDep

__all__ = ["health", "router"]


class RoomProcess(Struct, frozen=True):
    """A process that serves the room."""

    id: int
    #: Where the other processes reach it.
    address: str
    #: How many tables it holds.
    held: int
    #: Whether it is about to stop.
    stops: bool


class Processes(Struct, frozen=True):
    """The processes that serve the room, as one of them sees them."""

    #: The process that answers, and the tables that it holds.
    id: int
    held: list[str]
    #: How long ago it last saw the others, in milliseconds.
    lag_ms: int
    processes: list[RoomProcess]


health = APIRouter(tags=["anyone"])
router = APIRouter(tags=["floor"])


@health.get("/healthz", responses=gives(Health) | gives(NotWell, status=503))
async def see_health(services: ServicesDep) -> Response:
    """Return whether the process is alive and can write its database."""
    problem = services.health.problem()
    if problem is not None:
        return json_response(NotWell(ok=False, why=problem), 503)
    age = round(1000 * services.health.commit_age)
    return json_response(Health(ok=True, tables=len(services.host.tables), commit_age_ms=age))


@health.get("/readyz", responses=gives(Ready) | gives(NotWell, status=503))
async def see_readiness(services: ServicesDep) -> Response:
    """Return whether the room accepts players: it is open, not closing, and its disk keeps up."""
    problem = services.health.problem()
    if not services.host.is_open:
        problem = "the room is closing" if services.host.stopped else "the room is not open yet"
    elif problem is None and services.membership is not None and not services.membership.is_joined:
        problem = "this process does not see the others yet"
    elif problem is None and services.health.is_slow:
        problem = "the disk is slow right now"
    if problem is not None:
        return json_response(NotWell(ok=False, why=problem), 503)
    return json_response(Ready(ok=True))


@router.get("/api/floor/processes", responses=gives(Processes))
async def see_processes(services: ServicesDep, floor: Reader) -> Response:
    """Return the processes that serve the room, and the tables that this one holds."""
    held, membership = sorted(services.host.tables), services.membership
    if membership is None:
        alone = RoomProcess(id=0, address="", held=len(held), stops=False)
        return json_response(Processes(id=0, held=held, lag_ms=0, processes=[alone]))
    members = membership.members.values()
    processes = [RoomProcess(each.id, each.address, each.held, each.stops) for each in members]
    return json_response(Processes(membership.id, held, round(1000 * membership.lag), processes))


@router.get("/metrics", responses=gives_text("text/plain"))
async def see_metrics(services: ServicesDep, floor: Reader) -> Response:
    """Return all figures as Prometheus reads them."""
    return Response(services.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
