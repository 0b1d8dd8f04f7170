"""Requests that are passed on to the process that holds a table."""

import asyncio
import threading
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.responses import Response

from queenhigh.server import peers as peers_module
from queenhigh.server.guard import App
from queenhigh.server.link_pool import Target
from queenhigh.server.peers import Forwarding, Peers

SCOPE: dict[str, Any] = {
    "type": "http",
    "method": "POST",
    "path": "/api/floor/tables/ho/close",
    "raw_path": b"/api/floor/tables/ho/close",
    "query_string": b"",
    "headers": [(b"content-length", b"60000"), (b"authorization", b"Bearer x")],
    "client": ("10.0.0.9", 5),
}
PART = {"type": "http.request", "body": b"{", "more_body": True}
WHOLE = {"type": "http.request", "body": b"{}"}
GONE = {"type": "http.disconnect"}


class OneHolder:
    """Another process holds every table."""

    def client(self, headers: object) -> None:
        return None

    def target(self, table: str, address: str) -> Target:
        return Target("127.0.0.1", 9, {})


async def nothing(*_: object) -> None:
    raise AssertionError("it is not answered here")


def forwarding() -> Forwarding:
    return Forwarding(cast("App", nothing), cast("Peers", OneHolder()))


async def answer(app: Forwarding, *received: dict[str, Any]) -> list[dict[str, Any]]:
    """Send a request in parts; return the messages of the response."""
    parts, sent = list(received), list[dict[str, Any]]()

    async def receive() -> dict[str, Any]:
        return parts.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    await app(SCOPE, receive, send)
    return sent


def test_request_of_a_client_that_goes_is_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers_module, "_pass_on", nothing)
    assert asyncio.run(answer(forwarding(), PART, GONE)) == []


def test_length_that_a_client_claims_is_not_passed_on() -> None:
    class Connection:
        headers: dict[str, str]
        sock = SimpleNamespace(settimeout=lambda seconds: None)

        def __init__(self, *_: object, **__: object) -> None: ...

        def connect(self) -> None: ...

        def request(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> None:
            Connection.headers = headers
            raise OSError

        def close(self) -> None: ...

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("http.client.HTTPConnection", Connection)
        sent = asyncio.run(answer(forwarding(), WHOLE))
    assert sent[0]["status"] == 503
    assert Connection.headers == {"authorization": "Bearer x"}


def test_only_some_requests_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """A holder that does not answer must not collect requests without limit."""
    app = forwarding()
    monkeypatch.setattr(peers_module, "_MOST_WAITING", 2)
    app._passing["127.0.0.1:9"] = peers_module._MOST_AT_ONCE + 2
    monkeypatch.setattr(peers_module, "_pass_on", nothing)
    (start, *_) = asyncio.run(answer(app, WHOLE))
    assert start["status"] == 503


def test_silent_process_does_not_keep_requests_from_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Requests that wait for a process that does not answer are few, and give up."""
    hangs, done = threading.Event(), Response(status_code=204)

    def pass_on(scope: Any, body: bytes, target: Target) -> Response:
        if target.port == 9:
            hangs.wait(60)
        return done

    monkeypatch.setattr(peers_module, "_pass_on", pass_on)
    monkeypatch.setattr(peers_module, "_CONNECTING", 0.2)
    app, silent, healthy = forwarding(), Target("127.0.0.1", 9, {}), Target("127.0.0.1", 10, {})

    async def run() -> None:
        many = [asyncio.create_task(app._pass_on_in_turn(SCOPE, b"", silent)) for _ in range(30)]
        await asyncio.sleep(0)
        assert await app._pass_on_in_turn(SCOPE, b"", healthy) is done
        refused, waiting = await asyncio.wait(many, timeout=2)
        assert len(waiting) == peers_module._MOST_AT_ONCE
        assert {task.result().status_code for task in refused} == {503}
        hangs.set()
        assert {task.result() for task in (await asyncio.wait(waiting))[0]} == {done}

    asyncio.run(run())
