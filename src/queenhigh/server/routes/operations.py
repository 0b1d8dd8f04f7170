"""What those ask for who keep the server running."""

from fastapi import APIRouter
from fastapi.responses import Response

from queenhigh.server.answers import Health, NotWell, answer
from queenhigh.server.openapi import gives, gives_text
from queenhigh.server.premises import Floor, Here

__all__ = ["health", "router"]

health = APIRouter(tags=["anyone"])
router = APIRouter(tags=["floor"])


@health.get("/healthz", responses=gives(Health) | gives(NotWell, status=503))
async def see_health(here: Here) -> Response:
    """Say whether the room is open and its store answers."""
    here.store.snapshot("table/")
    if here.host.stopped:
        return answer(NotWell(ok=False, why="the room is closing"), 503)
    return answer(Health(ok=True, tables=len(here.host.tables)))


@router.get("/metrics", responses=gives_text("text/plain"))
async def see_metrics(here: Here, floor: Floor) -> Response:
    """Return all figures as Prometheus reads them."""
    return Response(here.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
