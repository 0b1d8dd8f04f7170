"""What those ask for who keep the server running."""

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from queenhigh.server.premises import Floor, Here

__all__ = ["health", "router"]

health = APIRouter(tags=["anyone"])
router = APIRouter(tags=["floor"])


@health.get("/healthz")
async def see_health(here: Here) -> JSONResponse:
    """Say whether the room is open and its store answers."""
    here.store.snapshot("table/")
    if here.host.stopped:
        return JSONResponse({"ok": False, "why": "the room is closing"}, 503)
    return JSONResponse({"ok": True, "tables": len(here.host.tables)})


@router.get("/metrics")
async def see_metrics(here: Here, floor: Floor) -> Response:
    """Return all figures as Prometheus reads them."""
    return Response(here.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
