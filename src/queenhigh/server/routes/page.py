"""The page, as it was built into the package."""

from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse, Response

from queenhigh.server.premises import found

__all__ = ["router"]

router = APIRouter(tags=["anyone"], include_in_schema=False)

_STATIC = Path(__file__).parent.parent / "static"
_NOT_BUILT = "<!doctype html><title>Queenhigh</title><p>The page is not built: run make page."


@router.get("/")
async def see_page() -> Response:
    """Return the page."""
    index = _STATIC / "index.html"
    return FileResponse(index) if index.is_file() else HTMLResponse(_NOT_BUILT, 503)


@router.get("/page/assets/{name}")
async def see_part(name: str) -> Response:
    """Return a part of the page; its name changes whenever it does, so it may be kept."""
    parts = {file.name: file for file in (_STATIC / "assets").glob("*")}
    keep = {"Cache-Control": "public, max-age=31536000, immutable"}
    return FileResponse(found(parts.get(name), "part of the page"), headers=keep)
