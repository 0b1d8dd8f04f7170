"""What those ask for who keep the server running."""

from fastapi import APIRouter
from fastapi.responses import Response

from queenhigh.server.answers import Health, NotWell, Ready, answer
from queenhigh.server.openapi import gives, gives_text
from queenhigh.server.premises import Floor, Here

__all__ = ["health", "router"]

health = APIRouter(tags=["anyone"])
router = APIRouter(tags=["floor"])


@health.get("/healthz", responses=gives(Health) | gives(NotWell, status=503))
async def see_health(here: Here) -> Response:
    """Say whether the process is alive and its store can be written."""
    wrong = here.health.wrong()
    if wrong is not None:
        return answer(NotWell(ok=False, why=wrong), 503)
    age = round(1000 * here.health.commit_age)
    return answer(Health(ok=True, tables=len(here.host.tables), commit_age_ms=age))


@health.get("/readyz", responses=gives(Ready) | gives(NotWell, status=503))
async def see_readiness(here: Here) -> Response:
    """Say whether the room takes players: it is open, not closing, and its disk keeps up."""
    wrong = here.health.wrong()
    if not here.host.is_open:
        wrong = "the room is closing" if here.host.stopped else "the room is not open yet"
    elif wrong is None and here.health.is_slow:
        wrong = "the disk is slow just now"
    if wrong is not None:
        return answer(NotWell(ok=False, why=wrong), 503)
    return answer(Ready(ok=True))


@router.get("/metrics", responses=gives_text("text/plain"))
async def see_metrics(here: Here, floor: Floor) -> Response:
    """Return all figures as Prometheus reads them."""
    return Response(here.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
