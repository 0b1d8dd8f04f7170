"""The page over HTTP: media types, compression, caching, and files that do not exist."""

import asyncio
import gzip
import json
import re
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from queenhigh.server.guard import HEADERS
from queenhigh.server.routes.page import read_page
from tests.server.running_server import RunningServer
from tests.server.test_authorization import application

FILES = {
    "index.html": b"<!doctype html><title>Queenhigh</title>",
    "favicon.svg": b"<svg/>",
    "queenhigh.webmanifest": b"{}",
    "offline.js": b"const PARTS",
    "assets/index-1a.js": b"let queen",
    "assets/index-2b.css": b"a{}",
    "assets/odd.xyz": b"?",
}
TRAVERSALS = (
    "/page/../services.py",
    "/page/%2e%2e/services.py",
    "/page/assets/..%2findex.html",
    "/page/assets/../../services.py",
    "/page/assets/%2e%2e%2f%2e%2e%2fservices.py",
    "/page//etc/passwd",
    "/page/assets//etc/passwd",
    "/page/assets/..\\index.html",
    "/page/assets/%00",
    "/page/assets",
    "/page/",
    "/page",
    "/page/index.html.br",
    "/page/assets/index-1a.js.gz",
)


class Answer(NamedTuple):
    """What comes over the wire."""

    status: int
    headers: httpx.Headers
    body: bytes


Ask = Callable[..., Answer]


def asking(built: Path) -> Ask:
    """Return how to ask for parts of a page, given a path and headers."""
    app = application()
    app.state.page = read_page(built)

    async def ask(path: str, packing: str, known: str) -> Answer:
        headers = {"Accept-Encoding": packing, "If-None-Match": known}
        async with (
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://room") as http,
            http.stream("GET", path, headers=headers) as answer,
        ):
            body = b"".join([some async for some in answer.aiter_raw()])
            return Answer(answer.status_code, answer.headers, body)

    return lambda path, packing="", known="": asyncio.run(ask(path, packing, known))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Return how to ask for a page whose packed parts say how they are packed."""
    built = tmp_path_factory.mktemp("static")
    for name, plain in FILES.items():
        file = built / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(plain)
        file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(b"gz " + plain))
        file.with_name(f"{file.name}.br").write_bytes(b"br " + plain)
    return asking(built)


@pytest.mark.parametrize(
    ("path", "media", "caching"),
    [
        ("/", "text/html; charset=utf-8", "no-cache"),
        ("/favicon.ico", "image/svg+xml", "no-cache"),
        ("/page/favicon.svg", "image/svg+xml", "no-cache"),
        ("/page/queenhigh.webmanifest", "application/manifest+json", "no-cache"),
        ("/page/offline.js", "text/javascript; charset=utf-8", "no-cache"),
        ("/page/assets/index-1a.js", "text/javascript; charset=utf-8", "immutable"),
        ("/page/assets/index-2b.css", "text/css; charset=utf-8", "immutable"),
        ("/page/assets/odd.xyz", "application/octet-stream", "immutable"),
    ],
)
def test_page_files_have_their_type_and_caching(
    page: Ask, path: str, media: str, caching: str
) -> None:
    answer = page(path)
    assert answer.status == 200
    assert answer.body in FILES.values()
    assert answer.headers["content-type"] == media
    assert caching in answer.headers["cache-control"]


@pytest.mark.parametrize(
    ("accepted", "packing"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0.1, gzip", "br"),
        ("GZIP", "gzip"),
        ("br;q=0, gzip;q=1.0", "gzip"),
        ("br; q=0.000, gzip; q=0", None),
        ("brotli, gzipped", None),
        ("", None),
    ],
)
def test_page_is_compressed_as_the_browser_accepts(
    page: Ask, accepted: str, packing: str | None
) -> None:
    answer = page("/", accepted)
    assert answer.headers.get("content-encoding") == packing
    assert answer.headers["vary"] == "Accept-Encoding"
    begins = {"br": b"br <!", "gzip": b"\x1f\x8b", None: b"<!"}
    assert answer.body.startswith(begins[packing])
    assert int(answer.headers["content-length"]) == len(answer.body)


def test_unchanged_page_file_is_not_sent_again(page: Ask) -> None:
    marks = set()
    for packing in ("br", "gzip", ""):
        mark = page("/", packing).headers["etag"]
        marks.add(mark)
        for known in (mark, f"W/{mark}", f'"other", {mark}'):
            again = page("/", packing, known)
            assert (again.status, again.body) == (304, b"")
            assert again.headers["etag"] == mark
            assert again.headers["cache-control"] == "no-cache"
        assert page("/", packing, '"other"').status == 200
    assert len(marks) == 3, "each packing is a thing of its own"


@pytest.mark.parametrize("path", ["/page/none.js", "/page/assets/none.js", *TRAVERSALS])
def test_unknown_page_files_are_not_found(page: Ask, path: str) -> None:
    answer = page(path)
    assert answer.status == 404
    assert set(json.loads(answer.body)) == {"code", "message"}


def test_unbuilt_page_returns_a_notice(tmp_path: Path) -> None:
    ask = asking(tmp_path / "static")
    answer = ask("/")
    assert answer.status == 503
    assert b"make page" in answer.body
    assert ask("/favicon.ico").status == 204
    assert ask("/page/assets/index-1a.js").status == 404


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with RunningServer(tmp_path_factory.mktemp("room") / "room.db") as room:
        yield room
        assert room.errors() == ""


def test_the_real_page_and_all_it_names_are_served(served: RunningServer) -> None:
    with served.http(**{"Accept-Encoding": "gzip"}) as http:
        index = http.get("/")
        named = re.findall(r'(?:src|href)="([^"]+)"', index.text)
        assert len(named) >= 4, "a script, a style, an icon and a manifest"
        for path in ("/", "/favicon.ico", *named):
            got, head = http.get(path), http.head(path)
            assert (got.status_code, head.status_code) == (200, 200), path
            assert got.headers["content-encoding"] == "gzip"
            assert got.content
            assert head.content == b""
            assert head.headers["content-length"] == got.headers["content-length"]
            assert head.headers["etag"] == got.headers["etag"]
            for name, value in HEADERS.items():
                assert got.headers[name] == value


def test_worker_keeps_every_file_of_the_page(served: RunningServer) -> None:
    with served.http() as http:
        worker = http.get("/page/offline.js")
        assert worker.headers["service-worker-allowed"] == "/"
        parts = re.search(r"^const PARTS = (.*);$", worker.text, re.MULTILINE)
        assert parts is not None
        kept = set(json.loads(parts[1]))
        left_out = {"index.html", "licenses.md", "offline.js"}
        assert kept == {f"/page/{name}" for name in set(read_page()) - left_out}
        assert all(http.head(path).is_success for path in kept)


@pytest.mark.parametrize("path", [path for path in TRAVERSALS if "\\" not in path])
def test_no_path_leads_out_of_the_page(served: RunningServer, path: str) -> None:
    """As it is, not as a client would tidy it up."""
    connection = HTTPConnection(served.address.removeprefix("http://"))
    connection.request("GET", path)
    answer = connection.getresponse()
    sentence = answer.read()
    connection.close()
    assert answer.status == 404
    assert sentence.startswith(b'{"code":"nothing.there"')
