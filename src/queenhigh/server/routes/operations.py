"""Routes for operators: health and metrics."""

from fastapi import APIRouter
from fastapi.responses import Response

from queenhigh.server.openapi import gives, gives_text
from queenhigh.server.responses import Health, NotWell, Ready, json_response
from queenhigh.server.services import Floor, ServicesDep

__all__ = ["health", "router"]

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
    elif problem is None and services.health.is_slow:
        problem = "the disk is slow right now"
    if problem is not None:
        return json_response(NotWell(ok=False, why=problem), 503)
    return json_response(Ready(ok=True))


@router.get("/metrics", responses=gives_text("text/plain"))
async def see_metrics(services: ServicesDep, floor: Floor) -> Response:
    """Return all figures as Prometheus reads them."""
    return Response(services.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
