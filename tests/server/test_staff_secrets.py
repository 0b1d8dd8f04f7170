"""Secrets of the staff are in rows only: no event, answer, metric or line of a log has one."""

import json
import sqlite3
import time
from base64 import b32decode, b64encode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from queenhigh.server import totp
from tests.in_process import call
from tests.server.running_server import AT_ONCE, RunningServer
from tests.server.staff_clients import PASSWORD, add, cookie_of, first_owner, staff_client

WHY = {"reason": "a change of shifts"}
OTHER = "quite another password"


class Heard:
    """Everything that a server has answered, without the cookies that logins set."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        #: What was answered on purpose, once: a token, a key.
        self.shown: list[bytes] = []

    def hear(self, answer: httpx.Response, *, shows_secret: bool = False) -> httpx.Response:
        assert answer.status_code < 300, answer.text
        (self.shown if shows_secret else self.bodies).append(answer.content)
        return answer


def live(served: RunningServer, heard: Heard) -> list[str]:
    """Use every secret there is; return them."""
    with first_owner(served) as owner, add(owner, "Fred", "floor") as fred:
        cookies = [client.headers["Cookie"].partition("=")[2] for client in (owner, fred)]
        path = "/api/floor/me/two-factor"
        shown = heard.hear(fred.post(path, json={"password": PASSWORD}), shows_secret=True).json()
        key = b32decode(shown["secret"])
        code = totp.code_at(key, int(time.time()) // 30)
        heard.hear(fred.put(path, json={"code": code}))
        body = {"name": "Fred", "password": PASSWORD}
        with staff_client(served.address) as client:
            assert client.post("/api/floor/sessions", json=body).json()["code"] == "code.needed"
            assert client.post("/api/floor/sessions", json={**body, "code": code}).json() == {
                "code": "code.wrong",
                "message": "this code is wrong or was used before: enter the next one",
            }
            code = totp.code_at(key, int(time.time()) // 30 + 1)
            answer = heard.hear(client.post("/api/floor/sessions", json={**body, "code": code}))
            cookies.append(cookie_of(answer).partition("=")[2])
            wrong = {"name": "Olga", "password": OTHER[::-1]}
            assert client.post("/api/floor/sessions", json=wrong).status_code == 401
        heard.hear(owner.put("/api/floor/staff/Fred/password", json={"password": OTHER}))
        token = {"name": "till", "role": "cashier", **WHY}
        granted = heard.hear(owner.post("/api/floor/tokens", json=token), shows_secret=True)
        program = granted.json()["token"]
        with served.http(Authorization=f"Bearer {program}") as client:
            heard.hear(client.get("/api/floor/glance"))
        for path in ("staff", "staff/log", "sessions", "session", "tokens", "log", "glance",
                     "players", "processes"):  # fmt: skip
            heard.hear(owner.get(f"/api/floor/{path}"))
        for path in ("/metrics", "/api/room", "/api/floor/reports/voids.json", "/healthz"):
            heard.hear(owner.get(path))
        assert served.floor_token
        return [PASSWORD, OTHER, OTHER[::-1], *cookies, served.floor_token, program,
                shown["secret"]]  # fmt: skip


@pytest.fixture(scope="module")
def lived(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[RunningServer, Heard, list[bytes]]]:
    """Return a room whose staff has used its secrets, what was heard, and all forms of secrets."""
    rooms = {"ho": {"rulebook": "house", "pace": AT_ONCE}}
    file, heard = tmp_path_factory.mktemp("room") / "room.db", Heard()
    with RunningServer(file, rooms=rooms, standing=[]) as served:
        secrets = [secret.encode() for secret in live(served, heard)]
        secrets.append(b32decode(secrets[-1]))
        yield served, heard, [*secrets, *stored(file)]
        assert served.errors() == ""


def stored(file: Path) -> list[bytes]:
    """Return the secrets that the rows have: hashes of passwords and of tokens."""
    with closing(sqlite3.connect(file)) as db:
        hashes = [text.encode() for (text,) in db.execute("select password from staff")]
        for table in ("staff_session", "staff_token", "floor"):
            hashes += [hashed for (hashed,) in db.execute(f"select hash from {table}")]
    assert len(hashes) > 4
    return hashes


def forms(secret: bytes) -> list[bytes]:
    """Return how a secret might be written: as it is, in hexadecimal, in base 64, in JSON."""
    raw = [secret, secret.hex().encode(), b64encode(secret)]
    return [*raw, json.dumps(secret.decode("latin-1")).encode()[1:-1]]


def found_in(text: bytes, secrets: list[bytes]) -> list[bytes]:
    return [secret for secret in secrets for form in forms(secret) if form in text]


def test_no_event_has_a_secret_or_an_address(
    lived: tuple[RunningServer, Heard, list[bytes]],
) -> None:
    served, _, secrets = lived
    log = call("table", "export", str(served.db), "--as", "log").stdout.encode()
    assert log.count(b'"stream":"staff"') >= 5
    assert found_in(log, secrets) == []
    staff = b"".join(line for line in log.splitlines() if b'"stream":"staff"' in line)
    assert b"127.0.0.1" not in staff


def test_no_answer_has_a_secret_but_those_that_are_shown_once(
    lived: tuple[RunningServer, Heard, list[bytes]],
) -> None:
    _, heard, secrets = lived
    assert len(heard.bodies) > 14
    assert found_in(b"".join(heard.bodies), secrets) == []
    assert len(heard.shown) == 2
    assert len(set(found_in(b"".join(heard.shown), secrets))) == 2, "the control"


def test_no_line_of_the_servers_log_has_a_secret(
    lived: tuple[RunningServer, Heard, list[bytes]],
) -> None:
    served, _, secrets = lived
    written = Path(f"{served.db}.stderr").read_bytes()
    assert b"login of the staff failed" in written
    assert found_in(written, secrets) == []


def test_tokens_are_in_no_row_as_they_are(
    lived: tuple[RunningServer, Heard, list[bytes]],
) -> None:
    served, _, secrets = lived
    hashed = stored(served.db)
    tokens = [secret for secret in secrets if secret not in hashed]
    file = served.db.read_bytes() + Path(f"{served.db}-wal").read_bytes()
    key = tokens[-1]
    assert set(found_in(file, tokens)) == {key}, "only the key of an authenticator must be kept"
