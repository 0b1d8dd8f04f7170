"""The page that was built into the package: read once, then served from memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from queenhigh.server.services import require

__all__ = ["Part", "read_page", "router"]

router = APIRouter(tags=["anyone"], include_in_schema=False)

_BUILT = Path(__file__).parent.parent / "static"
_NOT_BUILT = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Queenhigh</title>'
    "<p>The server is running, but its page is not built: run <code>make page</code>, then restart"
    " the server. Programs can connect already."
)
_MEDIA = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
#: How a file may be compressed, the best first; the build puts these files beside it.
_PACKINGS = {"br": ".br", "gzip": ".gz"}
_LOOK = ["GET", "HEAD"]


@dataclass(frozen=True)
class Part:
    """A file of the page."""

    media: str
    plain: bytes
    packed: Mapping[str, bytes]
    #: Its name changes with its content, so it may be cached for ever.
    lasting: bool
    mark: str

    def respond(self, request: Request) -> Response:
        """Return the file, compressed if the browser accepts it; or 304, if it has this version."""
        packing = next(filter(_accepted(request).__contains__, self.packed), None)
        mark = f'"{self.mark}{"-" + packing if packing else ""}"'
        caching = "public, max-age=31536000, immutable" if self.lasting else "no-cache"
        headers = {"Cache-Control": caching, "ETag": mark, "Vary": "Accept-Encoding"}
        known = request.headers.get("if-none-match", "").replace("W/", "")
        if mark in map(str.strip, known.split(",")):
            return Response(status_code=304, headers=headers)
        if packing:
            headers["Content-Encoding"] = packing
        body = self.packed[packing] if packing else self.plain
        return Response(body, media_type=self.media, headers=headers)


def read_page(built: Path = _BUILT) -> dict[str, Part]:
    """Return every file of a built page by its path; none if it is not built."""
    packings = set(_PACKINGS.values())
    files = [file for file in built.rglob("*") if file.is_file() and file.suffix not in packings]
    return {file.relative_to(built).as_posix(): _read(file) for file in files}


def _read(file: Path) -> Part:
    plain = file.read_bytes()
    beside = {name: file.with_name(file.name + end) for name, end in _PACKINGS.items()}
    return Part(
        media=_MEDIA.get(file.suffix, "application/octet-stream"),
        plain=plain,
        packed={name: packed.read_bytes() for name, packed in beside.items() if packed.is_file()},
        lasting=file.parent.name == "assets",
        mark=sha256(plain).hexdigest()[:16],
    )


def _accepted(request: Request) -> set[str]:
    """Return the compressions that a browser accepts; a weight of 0 means that it does not."""
    wanted = request.headers.get("accept-encoding", "").lower().replace(" ", "").split(",")
    offers = (packing.partition(";q=") for packing in wanted)
    return {name for name, _, weight in offers if weight.strip("0.") or not weight}


def _parts(request: Request) -> dict[str, Part]:
    parts: dict[str, Part] = request.app.state.page
    return parts


@router.api_route("/", methods=_LOOK)
async def see_page(request: Request) -> Response:
    """Return the page."""
    index = _parts(request).get("index.html")
    return index.respond(request) if index else HTMLResponse(_NOT_BUILT, 503)


@router.api_route("/favicon.ico", methods=_LOOK)
async def see_icon(request: Request) -> Response:
    """Return the icon under its old name."""
    icon = _parts(request).get("favicon.svg")
    return icon.respond(request) if icon else Response(status_code=204)


@router.api_route("/page/offline.js", methods=_LOOK)
async def see_worker(request: Request) -> Response:
    """Return what keeps the page in a browser; it may answer for all of the page."""
    worker = await see_part("offline.js", request)
    worker.headers["Service-Worker-Allowed"] = "/"
    return worker


@router.api_route("/page/{name}", methods=_LOOK)
async def see_part(name: str, request: Request) -> Response:
    """Return a file of the page."""
    part: Part = require(_parts(request).get(name), "part of the page")
    return part.respond(request)


@router.api_route("/page/assets/{name}", methods=_LOOK)
async def see_asset(name: str, request: Request) -> Response:
    """Return a file of the page whose name changes with its content."""
    return await see_part(f"assets/{name}", request)
