"""Abusive requests and messages: each gets an error code and harms nobody else."""

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from structlog.testing import capture_logs
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from queenhigh.errors import BrokenLog
from queenhigh.server.app import _add_error_handlers
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, GENEROUS, RunningServer

TABLES = {"ho": {"rulebook": "house", "pace": AT_ONCE}}
LIMITS = {"entries": 10_000, "entries_at_once": 10_000, "patience": 1.0}
#: After so many seconds nothing will come any more, however busy the machine.
STUCK = 20


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    file = tmp_path_factory.mktemp("room") / "room.db"
    with RunningServer(file, rooms=TABLES, limits=LIMITS) as room:
        yield room
        assert room.errors() == ""


def refusal(error: InvalidStatus) -> tuple[int, str]:
    assert error.response.body is not None
    return error.response.status_code, json.loads(error.response.body)["code"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "message.malformed"),
        ("hello", "message.malformed"),
        ("[]", "message.malformed"),
        ('{"type":"fly","id":"1"}', "message.malformed"),
        ('{"type":"choose","id":"1","round":1}', "message.malformed"),
        ('{"type":"choose","id":"1","round":"1","move":"play"}', "message.malformed"),
        ('{"type":"choose","id":"1","round":1,"move":"play","by":"floor"}', "message.malformed"),
        ('{"type":"sit","id":"1","place":1,"cents":100,"bot":true}', "message.malformed"),
        ('{"type":"void_round","id":"1","reason":"mine"}', "message.malformed"),
        ('{"type":"sit","id":"","place":1,"cents":100}', "id.length"),
        ('{"type":"sit","id":"1","place":99,"cents":100}', "place.range"),
        ('{"type":"sit","id":"1","place":1,"cents":-5}', "chips.range"),
        ('{"type":"sit","id":"1","place":1,"cents":999999999999999999999}', "chips.range"),
        ('{"type":"sit","id":"1","place":1,"cents":500001}', "wallet.short"),
        ('{"type":"choose","id":"\\ud800","round":1,"move":"play"}', "message.malformed"),
        ("[" * 4000, "message.malformed"),
    ],
)
def test_invalid_messages_are_refused_with_a_code(
    served: RunningServer, text: str, code: str
) -> None:
    async def say() -> None:
        async with PlayerClient(served, "ho", "Nia") as nia:
            await nia.send(text)
            await nia.until(lambda: any('"refused"' in message for message in nia.received))
            (message,) = [json.loads(text) for text in nia.received if '"refused"' in text]
            assert message["code"] == code
            assert "\n" not in message["message"]
            assert (await nia.ask("leave"))["code"] == "seat.none", "the socket still works"

    asyncio.run(say())


def test_binary_messages_are_read_like_text(served: RunningServer) -> None:
    async def say() -> None:
        async with PlayerClient(served, "ho", "Nia") as nia:
            assert nia.socket is not None
            await nia.socket.send(b"\xff\xfe")
            await nia.until(lambda: any("message.malformed" in message for message in nia.received))

    asyncio.run(say())


def test_an_oversized_frame_closes_the_socket(served: RunningServer) -> None:
    async def say() -> None:
        async with PlayerClient(served, "ho", "Ola") as ola:
            await ola.send('{"type":"look"}' + " " * 4096)
            code, _ = await ola.until_closed()
            assert code == 1009

    asyncio.run(say())


def test_too_many_messages_close_the_socket(served: RunningServer) -> None:
    async def say() -> None:
        async with PlayerClient(served, "ho", "Pia") as pia:
            for _ in range(10):  # more than once where so few are read in a second
                for _ in range(40):
                    await pia.send('{"type":"look"}')
                with suppress(TimeoutError):
                    await asyncio.wait_for(pia.until_closed(), 2)
                    break
            assert pia.closed == (1008, "rate")
            assert pia.bye is not None
            assert pia.bye["code"] == "rate"
        async with PlayerClient(served, "ho", pia.name, pia.cookie) as again:
            await again.until(lambda: bool(again.view))

    asyncio.run(say())


def test_a_sixth_socket_of_one_player_is_refused(served: RunningServer) -> None:
    async def come() -> None:
        name, cookie = served.guest("Quin")
        people = [PlayerClient(served, "ho", name, cookie) for _ in range(6)]
        for person in people[:5]:
            await person.arrive()
        with pytest.raises(InvalidStatus) as refused:
            await people[5].arrive()
        assert refusal(refused.value) == (429, "sockets.many")
        await people[0].depart()
        await people[5].arrive()
        for person in people[1:]:
            await person.depart()

    asyncio.run(come())


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://["]
)
def test_a_foreign_origin_gets_nothing(served: RunningServer, origin: str) -> None:
    async def come() -> None:
        person = PlayerClient(served, "ho", "Rae")
        with pytest.raises(InvalidStatus) as refused:
            await person.arrive(Origin=origin)
        assert refusal(refused.value) == (403, "origin.foreign")
        await person.arrive(Origin=served.address)
        await person.depart()

    asyncio.run(come())
    with served.http(Origin=origin) as client:
        answer = client.post("/api/guests", json={"name": "Mallory"})
        assert (answer.status_code, answer.json()["code"]) == (403, "origin.foreign")
        assert client.get("/api/room").status_code == 200, "to look is safe"


def test_another_site_without_an_origin_gets_nothing(served: RunningServer) -> None:
    with served.http(**{"Sec-Fetch-Site": "cross-site"}) as client:
        assert client.post("/api/guests", json={"name": "Mallory"}).status_code == 403


def test_a_host_that_is_not_ours_gets_nothing(served: RunningServer) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example", "evil@127.0.0.1:80@x", "["):
        with served.http(Host=host) as client:
            answer = client.get("/api/room")
            assert answer.status_code in (400, 421), host


def stall(port: int) -> socket.socket:
    """Open a socket at a table and read nothing from it."""
    stalled = socket.socket()
    stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stalled.connect(("127.0.0.1", port))
    lines = (
        "GET /api/tables/ho/socket HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    )
    stalled.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    return stalled


def test_stalled_client_is_dropped_and_slows_nobody(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """It reads nothing while views are sent until every buffer, of the kernel's too, is full."""

    async def play(served: RunningServer) -> None:
        stalled = stall(int(served.address.rpartition(":")[2]))
        async with PlayerClient(served, "ho", "Sam") as sam:
            await sam.sit(1)
            await sam.until_phase("betting")
            with served.floor() as floor:
                for turn in range(2_000):
                    await sam.until_phase("betting")
                    round = sam.round
                    await asyncio.wait_for(sam.bet({"pair_plus": 100}), STUCK)
                    await sam.until_over(round)
                    if (
                        not turn % 10
                        and 'closed_total{code="slow"} 1.0' in floor.get("/metrics").text
                    ):
                        break
                else:
                    pytest.fail("the stalled client was never dropped")
        stalled.close()

    file = tmp_path_factory.mktemp("room") / "room.db"
    limits = GENEROUS | {"patience": 0.2}
    with RunningServer(file, rooms=TABLES, limits=limits, send_buffer=4096) as served:
        asyncio.run(play(served))


# HTTP


def error(answer: httpx.Response) -> tuple[int, str]:
    body = answer.json()
    assert set(body) == {"code", "message"}
    assert "\n" not in body["message"]
    return answer.status_code, body["code"]


def test_every_http_error_has_the_same_shape(served: RunningServer) -> None:
    with served.http() as client:
        assert error(client.get("/nowhere")) == (404, "nothing.there")
        assert error(client.delete("/api/room")) == (405, "method.wrong")
        assert error(client.get("/api/tables/nowhere")) == (404, "table.none")
        assert error(client.get("/api/me")) == (401, "login.needed")
        assert error(client.get("/metrics")) == (401, "floor.only")
        assert error(client.post("/api/guests", json={"name": ""})) == (400, "name.invalid")
        assert error(client.post("/api/guests", json={})) == (422, "request.invalid")
        assert error(client.post("/api/guests", content=b"{")) == (422, "request.invalid")
        assert error(client.get("/api/tables/ho/rounds/9")) == (404, "nothing.there")
        assert error(client.post("/api/odds", json={"rulebook": "/etc/passwd"})) == (
            404,
            "rulebook.none",
        )
        big = client.post("/api/odds", content=b"x" * 100_000)
        assert error(big) == (413, "body.size")
        changed: Any = {"rulebook": "house", "set": {"limits.ante.min": "many"}}
        assert client.post("/api/odds", json=changed).json()["code"] == "rulebook.invalid"


def test_broken_log_is_logged_and_not_revealed() -> None:
    app = FastAPI()
    _add_error_handlers(app)

    @app.get("/broken")
    async def broken() -> None:
        raise BrokenLog("the wallet of ann would fall below zero")

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://room") as client:
            return await client.get("/broken")

    with capture_logs() as logged:
        answer = asyncio.run(ask())
    assert error(answer) == (500, "internal")
    assert [line["error"] for line in logged] == ["the wallet of ann would fall below zero"]


def test_a_body_without_a_length_is_bounded_too(served: RunningServer) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 10_000

    with served.http() as client:
        try:
            answer = client.post("/api/odds", content=pieces())
            assert answer.status_code >= 400
        except httpx.HTTPError:
            pass
        assert client.get("/healthz").status_code == 200


def test_answers_have_safe_headers(served: RunningServer) -> None:
    with served.http() as client:
        for path in ("/", "/api/room", "/nowhere"):
            headers = client.get(path).headers
            assert "default-src 'none'" in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            assert "server" not in headers


def test_names_passwords_and_heavy_work_are_rate_limited(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    limits = {"entries": 0.001, "entries_at_once": 3, "works": 0.001, "works_at_once": 2}
    limits |= {"deeds": 0.001, "deeds_at_once": 1}
    file = tmp_path_factory.mktemp("room") / "room.db"
    with RunningServer(file, limits=limits) as served, served.http() as client:
        entered = [client.post("/api/guests", json={"name": "Tim"}) for _ in range(5)]
        cookie = {"Cookie": entered[0].headers["set-cookie"].split(";")[0]}
        codes = [response.status_code for response in entered]
        assert codes == [201, 201, 201, 429, 429]
        first = {"password": "a long sentence"}
        assert client.put("/api/me/password", json=first, headers=cookie).status_code == 204
        again = {"password": "another sentence", "old": "a long sentence"}
        assert client.put("/api/me/password", json=again, headers=cookie).status_code == 429
        assert client.delete("/api/sessions", headers=cookie).status_code == 204
        hand = {"rulebook": "house", "hand": "Qs 6d 4c"}
        client.cookies.clear()
        codes = [client.post("/api/advice", json=hand).status_code for _ in range(4)]
        assert codes == [200, 200, 429, 429]


def test_socket_needs_an_existing_table(served: RunningServer) -> None:
    async def come() -> None:
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"{served.sockets}/api/tables/nowhere/socket")
        assert refusal(refused.value) == (404, "table.none")

    asyncio.run(come())


def test_headers_that_come_twice_are_joined_or_refused(served: RunningServer) -> None:
    port = int(served.address.rpartition(":")[2])
    for doubled in ("Cookie: a=b", "Sec-Fetch-Site: cross-site", "Origin: null", "Host: x"):
        with socket.create_connection(("127.0.0.1", port), timeout=STUCK) as raw:
            lines = (
                "GET /api/tables/ho/socket HTTP/1.1", f"Host: 127.0.0.1:{port}", doubled, doubled,
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            )  # fmt: skip
            raw.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            status = int(raw.recv(4096).split(b" ")[1])
            assert status in (101, 400, 403, 421), doubled


def test_refused_socket_has_safe_headers_and_an_error_body(served: RunningServer) -> None:
    async def come() -> None:
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"{served.sockets}/api/nowhere")
        assert refusal(refused.value) == (404, "nothing.there")
        headers = refused.value.response.headers
        assert "default-src 'none'" in headers["content-security-policy"]

    asyncio.run(come())


@pytest.mark.parametrize(
    "frame", [b"\x8a\x80\0\0\0\0", b"\x89\x80\0\0\0\0", b"\x01\x80\0\0\0\0\x00\x80\0\0\0\0"]
)
def test_flood_of_tiny_frames_closes_the_socket(served: RunningServer, frame: bytes) -> None:
    port = int(served.address.rpartition(":")[2])
    flooding = stall(port)
    flooding.recv(4096)
    with served.http() as client:
        try:
            for _ in range(200):
                flooding.sendall(frame * 20_000)
                assert client.get("/healthz", timeout=STUCK).status_code == 200
        except OSError:
            pass  # it was ended
        else:
            pytest.fail("the socket was never ended")
        flooding.close()


def test_lone_surrogates_are_refused(served: RunningServer) -> None:
    with served.http() as client:
        for body in (
            b'{"set":{"\\ud800":1}}',
            b'{"set":{"title":"\\ud800"}}',
            b'{"rulebook":"\\ud800"}',
        ):
            answer = client.post(
                "/api/rules", content=body, headers={"Content-Type": "application/json"}
            )
            assert answer.status_code in (404, 422), answer.text
            assert set(answer.json()) == {"code", "message"}


def test_rulebooks_over_the_payout_limit_are_refused(served: RunningServer) -> None:
    _, cookie = served.guest("Max")
    huge = {"limits.max": 10**12, "bets.0.pays": "9999999 to 1"}
    with served.http(cookie) as client:
        spec = {"name": "mint", "rulebook": "roulette", "set": huge}
        answer = client.post("/api/tables", json=spec)
        assert answer.json()["code"] in ("rulebook.huge", "rulebook.invalid"), answer.text
        spec["set"] = {"limits.max": 10**11}
        assert client.post("/api/tables", json=spec).json()["code"] == "rulebook.huge"


def test_request_that_never_ends_is_aborted(tmp_path: Path) -> None:
    soon = {"serve": {"_MOST_SECONDS_TO_ASK": 0.5, "_TICKS_BETWEEN_SWEEPS": 2}}
    with RunningServer(tmp_path / "room.db", constants=soon) as served:
        port = int(served.address.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=300) as raw:
            raw.sendall(b"GET / HTTP/1.1\r\nHost: 127")
            with suppress(ConnectionError):
                assert raw.recv(100) == b""
